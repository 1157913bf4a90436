//! The help as printed, kept beside this file: a change of words is seen in review.

use crate::world::World;
use std::path::Path;

#[test]
fn help_is_as_kept_and_has_an_example() {
    let world = World::new("help");
    for (name, arguments) in [
        ("spindle", &["--help"][..]),
        ("collect", &["collect", "--help"]),
        ("compare", &["compare", "--help"]),
        ("diagnose", &["diagnose", "--help"]),
        ("emulate", &["emulate", "--help"]),
        ("facts", &["facts", "--help"]),
        ("measure", &["measure", "--help"]),
        ("measure-calibrate", &["measure", "calibrate", "--help"]),
        ("measure-log", &["measure", "log", "--help"]),
        ("measure-matrix", &["measure", "matrix", "--help"]),
        ("measure-ramp", &["measure", "ramp", "--help"]),
        ("measure-read", &["measure", "read", "--help"]),
        ("measure-run", &["measure", "run", "--help"]),
        ("measure-restore", &["measure", "restore", "--help"]),
        ("measure-scan", &["measure", "scan", "--help"]),
        ("measure-slob", &["measure", "slob", "--help"]),
        ("measure-zones", &["measure", "zones", "--help"]),
        ("place", &["place", "--help"]),
        ("simulate", &["simulate", "--help"]),
        ("size", &["size", "--help"]),
    ] {
        let ran = world.run(arguments);
        ran.exits(0);
        assert!(ran.out.contains("Example"), "{name}");
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/spindle/help/{name}.txt"));
        if std::env::var_os("SPINDLE_REWRITE").is_some() {
            std::fs::write(&kept, &ran.out).unwrap();
        }
        assert_eq!(ran.out, std::fs::read_to_string(&kept).unwrap(), "SPINDLE_REWRITE=1 keeps the new words");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let ran = World::new("version").run(&["--version"]);
    assert_eq!(ran.exits(0).out, concat!("spindle ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// An option that needs another one passed, and did nothing, beside a third that excludes what it needs.
#[test]
fn an_option_without_what_it_needs_was_ignored() {
    let world = World::new("needs");
    let device = ["emulate", "--latency", "4ms", "--size", "64M", "--at", "device"];
    for excluding in [["--cap", "150"], ["--mbps", "50"]] {
        let seek = [&device[..], &["--seek", "1ms,8ms"], &excluding].concat();
        world.run(&seek).exits(2).says("cannot be used with");
    }
    for without in ["--keys", "--catalogue"] {
        for option in [["--sweep", "depth=1,2"], ["--seed", "7"], ["--html", "a.html"], ["--curve", "a.json"]]
        {
            let simulate = [&["simulate", without], &option[..]].concat();
            world.run(&simulate).exits(2).says("cannot be used with");
        }
    }
    for without in ["--json", "--sections"] {
        world.run(&["facts", "report.txt", "--force", without]).exits(2).says("cannot be used with");
    }
    for option in ["--tier-tablespace", "--tier-files"] {
        let place = ["place", "report.txt", "--tier", "ssd:100G", "--mask", option, "ssd=FAST"];
        world.run(&place).exits(2).says("cannot be used with");
    }
}
