//! `spindle place` beside its numbers: the page that it writes, and what it must not replace.

use crate::world::World;

fn example() -> Vec<u8> {
    let name = "../../examples/warehouse-node-1.html";
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

const TIER: [&str; 4] = ["--tier", "flash=100G,0.2ms,0.05ms,2000MB/s", "--size", "temp=40G"];

#[test]
fn the_page_of_a_plan_is_written_beside_the_answer() {
    let world = World::new("place-page");
    world.put("r/awr.html", example());
    let arguments = [&["place", "r", "--html", "r/plan.html"][..], &TIER].concat();
    let ran = world.run(&arguments);
    ran.exits(0);
    assert!(ran.out.contains("Move, in this order"), "{}", ran.out);
    assert!(ran.err.contains("page written to r/plan.html"), "{}", ran.err);
    let page = std::fs::read_to_string(world.path("r/plan.html")).unwrap();
    assert!(page.contains("The plan: move these, in this order") && page.contains("<b>temp</b>"));
    // The page lies in the folder now, and is no input of the next one.
    world.run(&arguments).exits(0);
    assert_eq!(page, std::fs::read_to_string(world.path("r/plan.html")).unwrap());
}

#[test]
fn a_page_replaces_no_input_and_no_list() {
    let world = World::new("place-replace");
    world.put("awr.html", example());
    world.put("sizes.csv", "owner,segment_name,bytes\nTPCH,H_ORDER,1000000\n");
    for name in ["awr.html", "sizes.csv"] {
        let before = std::fs::read(world.path(name)).unwrap();
        let list = ["place", "awr.html", "--segments", "sizes.csv", "--html", name];
        let ran = world.run(&[&list[..], &TIER].concat());
        ran.exits(2);
        assert!(ran.err.contains("the page was not written"), "{}", ran.err);
        assert_eq!(std::fs::read(world.path(name)).unwrap(), before);
    }
}
