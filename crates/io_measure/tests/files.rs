//! Files that must not be written to, and those that may.
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_measure::guard::{
    Kind, Permission, Reason, Refusal, create, marker, open_to_read, open_to_write,
};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

const MIB: u64 = 1 << 20;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(spindle_test_support::temporary_folder()).unwrap()
}

fn file_of(path: &Path, bytes: u64) -> PathBuf {
    File::create(path).unwrap().set_len(bytes).unwrap();
    path.to_owned()
}

fn refused(path: &Path) -> Refusal {
    refused_with(path, &Permission::none())
}

fn refused_with(path: &Path, permission: &Permission) -> Refusal {
    match open_to_write(path, permission).and_then(spindle_io_measure::guard::WriteTarget::arm) {
        Ok(_) => panic!("{} may be written to", path.display()),
        Err(refusal) => refusal,
    }
}

fn may_be_written(path: &Path) {
    open_to_write(path, &Permission::none()).unwrap().arm().unwrap();
}

#[test]
fn zeros_may_be_written_to_and_then_are_known_as_ours() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), 3 * MIB);
    let armed = open_to_write(&path, &Permission::none()).unwrap().arm().unwrap();
    assert_eq!((armed.kind(), armed.bytes()), (Kind::File, 3 * MIB));
    let mut block = vec![0x5a; 8192];
    marker::mark(&mut block, 1);
    for at in [0, MIB, 2 * MIB, 3 * MIB - 8192] {
        armed.file().write_all_at(&block, at).unwrap();
    }
    drop(armed);
    may_be_written(&path);
}

#[test]
fn one_foreign_byte_anywhere_in_a_small_file_is_seen_and_kept() {
    let folder = folder();
    for at in [0, 511, MIB + 5, 2 * MIB + 4095, 3 * MIB - 1] {
        let path = file_of(&folder.path().join(format!("f{at}")), 3 * MIB);
        File::options().write(true).open(&path).unwrap().write_all_at(&[1], at).unwrap();
        let before = fs::read(&path).unwrap();
        match refused(&path).reason {
            Reason::Content { at: seen } => assert!((seen..seen + 4096).contains(&at), "{seen} for {at}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_page_of_text_in_the_middle_of_a_large_file_of_data_is_seen() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), 64 * MIB);
    let file = File::options().write(true).open(&path).unwrap();
    // Data of an eighth of the file: a thousand blocks spread over it cannot miss that.
    file.write_all_at(&vec![b'x'; 8 * MIB as usize], 20 * MIB).unwrap();
    drop(file);
    assert!(matches!(refused(&path).reason, Reason::Content { .. }));
}

#[test]
fn what_stood_between_the_holes_of_a_large_file_was_mostly_missed() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), 1 << 30);
    File::options().write(true).open(&path).unwrap().write_all_at(b"precious", (700 << 20) + 5).unwrap();
    assert!(matches!(refused(&path).reason, Reason::Content { at } if at == 700 << 20));
}

#[test]
fn eight_kib_of_somebody_in_a_file_of_ours_were_missed() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), 64 * MIB);
    let armed = open_to_write(&path, &Permission::none()).unwrap().arm().unwrap();
    let mut block = vec![0x5a; MIB as usize];
    marker::mark(&mut block, 1);
    for n in 0..64 {
        armed.file().write_all_at(&block, n * MIB).unwrap();
    }
    drop(armed);
    may_be_written(&path);
    File::options().write(true).open(&path).unwrap().write_all_at(&[7; 8192], 41 * MIB + 12_288).unwrap();
    assert!(matches!(refused(&path).reason, Reason::Content { .. }));
}

#[test]
fn overwriting_is_allowed_for_the_path_that_was_named_and_no_other() {
    let folder = folder();
    let path = folder.path().join("f");
    fs::write(&path, "precious").unwrap();
    let link = folder.path().join("link");
    symlink(&path, &link).unwrap();
    let named = Permission::overwriting([path.clone()]);
    assert!(matches!(refused_with(&link, &named).reason, Reason::Content { .. }));
    let refusal = refused(&path);
    assert!(refusal.reason.can_be_overruled());
    assert!(refusal.to_string().contains("--overwrite"), "{refusal}");
    open_to_write(&path, &named).unwrap().arm().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious", "opening alone changes nothing");
}

#[test]
fn what_is_in_use_is_refused_even_where_overwriting_is_allowed() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), MIB);
    let permission = Permission::overwriting([path.clone()]);
    let other = File::open(&path).unwrap();
    let refusal = refused_with(&path, &permission);
    assert!(matches!(&refusal.reason, Reason::OpenHere), "{refusal}");
    drop(other);
    fs::hard_link(&path, folder.path().join("second")).unwrap();
    assert!(matches!(refused_with(&path, &permission).reason, Reason::HardLinks { names: 2 }));
}

#[test]
fn a_file_that_was_mounted_under_another_name_was_written_to() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), MIB);
    let other = file_of(&folder.path().join("of a container"), 0);
    let mount = |arguments: &[&std::ffi::OsStr]| {
        let mut command = std::process::Command::new("mount");
        command
            .args(arguments)
            .stderr(std::process::Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    if !mount(&["--bind".as_ref(), path.as_ref(), other.as_ref()]) {
        return spindle_test_support::skipped("no file can be mounted here (root is needed)");
    }
    let refusals = [refused(&path), refused(&other)].map(|refusal| refusal.to_string());
    let named = open_to_write(&path, &Permission::overwriting([path.clone()])).map(|_| ());
    assert!(std::process::Command::new("umount").arg(&other).status().unwrap().success());
    for said in refusals {
        assert!(said.contains("of a container (mount --bind)") && said.contains("--overwrite"), "{said}");
    }
    named.unwrap();
    open_to_write(&path, &Permission::none()).unwrap();
}

#[test]
fn another_process_that_has_the_file_open_is_named() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), MIB);
    let mut child =
        std::process::Command::new("sleep").arg("60").stdin(File::open(&path).unwrap()).spawn().unwrap();
    let refusal = refused(&path);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(matches!(&refusal.reason, Reason::InUse { by: Some(by) } if by.contains("sleep")), "{refusal}");
    may_be_written(&path);
}

#[test]
fn what_is_no_storage_is_never_opened() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for (path, what) in [
        (folder.path(), "a directory"),
        (Path::new("/dev/null"), "a character device"),
        (Path::new("/dev/zero"), "a character device"),
        (&pipe, "a pipe"),
        (&socket, "a socket"),
    ] {
        let everything = Permission::overwriting([path.to_owned()]);
        let refusal = refused_with(path, &everything);
        assert!(matches!(refusal.reason, Reason::NotStorage { what: w } if w == what), "{refusal}");
        assert!(matches!(open_to_read(path).unwrap_err().reason, Reason::NotStorage { .. }));
    }
    assert!(matches!(refused(&folder.path().join("absent")).reason, Reason::System(_)));
}

#[test]
fn an_empty_file_that_somebody_made_is_not_taken() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), 0);
    assert!(matches!(refused(&path).reason, Reason::Empty));
    assert!(matches!(open_to_read(&path).unwrap_err().reason, Reason::Empty));
}

#[test]
fn what_changes_between_the_first_look_and_the_first_write_is_seen() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), MIB);
    // Another file comes to stand under the name.
    let target = open_to_write(&path, &Permission::none()).unwrap();
    fs::rename(&path, folder.path().join("moved")).unwrap();
    assert!(matches!(
        open_to_write(&folder.path().join("moved"), &Permission::none()).unwrap_err().reason,
        Reason::OpenHere
    ));
    file_of(&path, MIB);
    assert!(matches!(target.arm().unwrap_err().reason, Reason::Changed));
    // The name is gone.
    let target = open_to_write(&path, &Permission::none()).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(matches!(target.arm().unwrap_err().reason, Reason::Changed));
    // Somebody writes into it.
    file_of(&path, MIB);
    let target = open_to_write(&path, &Permission::none()).unwrap();
    File::options().write(true).open(&path).unwrap().write_all_at(b"mine", 77).unwrap();
    assert!(matches!(target.arm().unwrap_err().reason, Reason::Content { at: 0 }));
    assert_eq!(&fs::read(&path).unwrap()[77..81], b"mine");
    // Somebody opens it and goes on.
    let path = file_of(&folder.path().join("g"), MIB);
    let target = open_to_write(&path, &Permission::none()).unwrap();
    let _other = File::open(&path).unwrap();
    assert!(matches!(target.arm().unwrap_err().reason, Reason::OpenHere));
}

/// The last look reads for a while, and what came behind where it read was written over.
#[test]
fn what_was_written_while_the_guard_looked_last_was_lost() {
    let folder = folder();
    let path = folder.path().join("f");
    fs::write(&path, vec![0; 8 << 20]).unwrap();
    // Clocks of file systems go by a few milliseconds.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let target = open_to_write(&path, &Permission::none()).unwrap();
    let (came, comes) = std::sync::mpsc::channel();
    let mut other = None;
    let mut looks = 0;
    let armed = target.arm_seen(&mut || {
        looks += 1;
        // The first piece has been read by then.
        if looks == 2 {
            let (path, came) = (path.clone(), came.clone());
            other = Some(std::thread::spawn(move || {
                came.send(()).unwrap();
                File::options().write(true).open(&path).unwrap().write_all_at(b"mine", 0).unwrap();
            }));
            comes.recv().unwrap();
            // It is written by then, or is held up.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    });
    let reason = armed.map(|_| ()).unwrap_err().reason;
    assert!(matches!(&reason, Reason::Written | Reason::Wanted), "{reason:?}");
    other.unwrap().join().unwrap();
    assert_eq!(&fs::read(&path).unwrap()[..4], b"mine");
}

/// Between the last look and the first write lies the setting up of a run, and nothing kept others out.
#[test]
fn what_was_written_between_the_last_look_and_the_first_write_was_lost() {
    use spindle_io_measure::{Target, fill};
    use std::sync::atomic::AtomicBool;
    let folder = folder();
    let path = folder.path().join("f");
    fs::write(&path, vec![0; 8 << 20]).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(50));
    let target = Target::writing("f", open_to_write(&path, &Permission::none()).unwrap().arm().unwrap());
    let other = {
        let path = path.clone();
        std::thread::spawn(move || {
            File::options().write(true).open(&path).unwrap().write_all_at(b"mine", 0).unwrap();
        })
    };
    std::thread::sleep(std::time::Duration::from_millis(100));
    let said = fill(&target, &AtomicBool::new(false), &mut |_| {}).unwrap_err().to_string();
    assert!(said.starts_with("`f` is not written to: "), "{said}");
    drop(target);
    other.join().unwrap();
    assert_eq!(&fs::read(&path).unwrap()[..4], b"mine");
}

/// Who had the file open was waited for, and what he wrote meanwhile was lost: with the word of the command line, and of
/// a large file, of which a part is looked at.
#[test]
fn what_was_written_while_its_writer_was_waited_for_was_lost() {
    for (bytes, at, overwritten) in [(MIB, 0, true), (300 * MIB, 150 * MIB, false)] {
        let folder = folder();
        let path = folder.path().join("f");
        fs::write(&path, vec![0; usize::try_from(bytes).unwrap()]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let mut writer = Command::new("sh")
            .args([
                "-c",
                "exec 3<>f; echo; sleep 0.1; printf MINE | dd bs=1 seek=$0 conv=notrunc status=none >&3",
            ])
            .arg(at.to_string())
            .current_dir(folder.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // It has the file open by then.
        std::io::Read::read_exact(writer.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        let permission = Permission::overwriting(overwritten.then(|| path.clone()));
        let armed = open_to_write(&path, &permission).and_then(|target| target.arm());
        writer.wait().unwrap();
        let reason = armed.map(|_| ()).unwrap_err().reason;
        // On a busy machine the place is looked at when it was written already.
        let seen = matches!(reason, Reason::Content { .. });
        assert!(seen || matches!(reason, Reason::Written | Reason::InUse { .. }), "{reason:?}");
    }
}

/// What another measurement writes to was opened for reading, which ended that.
#[test]
fn reading_what_another_writes_to_ended_that() {
    let folder = folder();
    let path = file_of(&folder.path().join("f"), MIB);
    // A lease of another process, which waits until its input ends.
    let lease = "import fcntl,os,sys; f=os.open(sys.argv[1],os.O_RDWR)\n\
        fcntl.fcntl(f,fcntl.F_SETLEASE,fcntl.F_WRLCK); print(flush=True); sys.stdin.read()\n\
        print(fcntl.fcntl(f,fcntl.F_GETLEASE)==fcntl.F_WRLCK)";
    let mut other = match Command::new("python3")
        .args(["-c", lease])
        .arg(&path)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
    {
        Ok(other) => other,
        Err(_) => return spindle_test_support::skipped("there is no python3"),
    };
    let mut out = other.stdout.take().unwrap();
    std::io::Read::read_exact(&mut out, &mut [0]).unwrap();
    let reason = open_to_read(&path).map(|_| ()).unwrap_err().reason;
    assert!(matches!(&reason, Reason::InUse { by: Some(by) } if by.contains("python3")), "{reason:?}");
    drop(other.stdin.take());
    let mut kept = String::new();
    std::io::Read::read_to_string(&mut out, &mut kept).unwrap();
    other.wait().unwrap();
    assert_eq!(kept.trim(), "True");
    open_to_read(&path).unwrap();
}

#[test]
fn a_new_file_takes_no_name_that_is_there_not_even_a_broken_link() {
    let folder = folder();
    let path = folder.path().join("f");
    fs::write(&path, "precious").unwrap();
    assert!(matches!(create(&path, MIB).unwrap_err().reason, Reason::Exists));
    assert!(matches!(create(folder.path(), MIB).unwrap_err().reason, Reason::IsFolder));
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    let link = folder.path().join("link");
    symlink(folder.path().join("nothing"), &link).unwrap();
    assert!(matches!(create(&link, MIB).unwrap_err().reason, Reason::Exists));
    assert!(!folder.path().join("nothing").exists());
    let new = folder.path().join("new");
    create(&new, MIB).unwrap().arm().unwrap();
    assert_eq!(fs::metadata(&new).unwrap().len(), MIB);
}

#[test]
fn a_file_that_came_to_stand_under_the_name_of_ours_was_removed_for_it() {
    let folder = folder();
    let path = folder.path().join("f");
    let put = || {
        fs::remove_file(&path).unwrap();
        fs::write(&path, "precious").unwrap();
    };
    let precious = || fs::read_to_string(&path).unwrap() == "precious";
    let target = create(&path, MIB).unwrap();
    put();
    assert!(matches!(target.arm().unwrap_err().reason, Reason::Changed));
    assert!(precious());
    fs::remove_file(&path).unwrap();
    let target = spindle_io_measure::Target::writing("f", create(&path, MIB).unwrap().arm().unwrap());
    put();
    assert!(!target.remove_name(&path) && precious());
    // Nor through a link to ours.
    let own = folder.path().join("own");
    let target = spindle_io_measure::Target::writing("own", create(&own, MIB).unwrap().arm().unwrap());
    let link = folder.path().join("link");
    symlink(&own, &link).unwrap();
    assert!(!target.remove_name(&link) && fs::symlink_metadata(&link).is_ok());
    assert!(target.remove_name(&own) && !own.exists());
    // What was made and cannot be written to goes.
    let target = create(&own, MIB).unwrap();
    let other = File::open(&own).unwrap();
    assert!(matches!(target.arm().unwrap_err().reason, Reason::OpenHere));
    drop(other);
    assert!(!own.exists());
}

#[test]
fn a_file_system_keeps_a_twentieth_free() {
    let folder = folder();
    let path = folder.path().join("f");
    let refusal = create(&path, 1 << 60).unwrap_err();
    assert!(matches!(refusal.reason, Reason::NoRoom { .. }), "{refusal}");
    assert!(!path.exists());
    if let Reason::NoRoom { free, .. } = refusal.reason {
        // A little more than may be had; other processes move the figure meanwhile.
        assert!(matches!(create(&path, free + (4 << 30)).unwrap_err().reason, Reason::NoRoom { .. }));
        assert!(!path.exists());
    }
}

#[test]
fn reading_gives_no_right_to_write() {
    let folder = folder();
    let path = folder.path().join("f");
    fs::write(&path, "precious").unwrap();
    let target = open_to_read(&path).unwrap();
    assert_eq!((target.kind(), target.bytes()), (Kind::File, 8));
    assert!(target.file().write_all_at(b"x", 0).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}
