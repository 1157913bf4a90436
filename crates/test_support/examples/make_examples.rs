//! Writes the reports of `examples/`, and fails where one does not fit.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, text) in spindle_test_support::cases::examples() {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(&folder))?;
        std::fs::write(file, text)?;
    }
    Ok(())
}
