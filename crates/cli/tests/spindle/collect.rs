//! `spindle collect` as met: a script on standard output, what it needs on standard error.

use crate::world::World;

#[test]
fn a_script_is_printed_and_its_licence_said() {
    let world = World::new("collect");
    let ran = world.run(&["collect", "history"]);
    ran.exits(0).says("Diagnostics Pack");
    assert!(ran.out.starts_with("-- Spindle"), "{}", ran.out);
    assert!(ran.out.ends_with("exit success rollback\n"));
    // Nothing to say where nothing is needed.
    for free in [&["collect", "segments"][..], &["collect", "all", "--statspack"]] {
        assert_eq!(world.run(free).exits(0).err, "");
    }
}

#[test]
fn the_document_holds_the_same_script() {
    let world = World::new("collect-json");
    let script = world.run(&["collect", "plans", "--no-diagnostics-pack", "--release", "19"]);
    let document =
        world.run(&["collect", "plans", "--no-diagnostics-pack", "--release", "19", "--json"]).json();
    assert_eq!(document["what"], "plans");
    assert_eq!(document["script"], script.out);
}

#[test]
fn what_cannot_be_had_is_refused_with_what_can() {
    let world = World::new("collect-refused");
    let ran = world.run(&["collect", "reports", "--no-diagnostics-pack"]);
    ran.exits(2).says("--statspack");
    assert_eq!(ran.out, "");
    world.run(&["collect", "segments", "--container", "x;y"]).exits(2).says("no name of a pluggable");
    world.run(&["collect", "indices"]).exits(2).says("possible values");
}
