//! `spindle place` beside its numbers: the page and the scripts that it writes, and what they must not
//! replace.

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
    assert!(ran.out.contains("Move, by gain"), "{}", ran.out);
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

/// A list that is also, to the eye of the program, one of its own scripts.
const LIST_LIKE_A_SCRIPT: &str = "-- Written by Spindle.\nowner,segment_name,bytes\nTPCH,H_ORDER,1000000\n";

#[cfg(unix)]
#[test]
fn a_closed_pipe_kept_the_script_and_the_page_from_being_written() {
    for json in [true, false] {
        let world = World::new(if json { "place-closed-json" } else { "place-closed" });
        world.put("awr.html", example());
        let mut arguments = vec!["place", "awr.html", "--script", "move.sql", "--html", "plan.html"];
        arguments.extend(TIER);
        if json {
            arguments.push("--json");
        }
        let mut child = world
            .command(&arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.contains("move.sql and move_back.sql written"), "{told}");
        for name in ["move.sql", "move_back.sql", "plan.html"] {
            assert!(world.path(name).is_file(), "{name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_a_failure_and_leaves_the_script() {
    let world = World::new("place-full");
    world.put("awr.html", example());
    let arguments = [&["place", "awr.html", "--json", "--script", "move.sql"][..], &TIER].concat();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = world.command(&arguments).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(world.path("move.sql").is_file() && world.path("move_back.sql").is_file());
}

#[test]
fn a_script_took_the_place_of_an_input_that_looked_like_a_script() {
    let world = World::new("place-script-input");
    world.put("awr.html", example());
    world.put("list.sql", LIST_LIKE_A_SCRIPT);
    world.put("list_back.sql", LIST_LIKE_A_SCRIPT);
    let refused = |option: &str, input: &str, script: &str| {
        let arguments = [&["place", "awr.html", option, input, "--script", script][..], &TIER].concat();
        let ran = world.run(&arguments);
        ran.exits(2).says("the script was not written").says("which is given too");
        assert!(ran.out.is_empty(), "{ran:?}");
    };
    for option in ["--segments", "--plans", "--curve"] {
        refused(option, "list.sql", "list.sql");
        refused(option, "list.sql", "./list.sql");
        // Its way back would take the place of the list.
        refused(option, "list_back.sql", "list.sql");
        refused(option, "absent.sql", "absent.sql");
    }
    let twice = ["place", "list.sql", "awr.html", "--script", "list.sql"];
    world.run(&[&twice[..], &TIER].concat()).exits(2).says("which is given too");
    let page = ["place", "awr.html", "--html", "x_back.sql", "--script", "x.sql"];
    world.run(&[&page[..], &TIER].concat()).exits(2).says("which is given too");
    #[cfg(unix)]
    {
        std::fs::hard_link(world.path("list.sql"), world.path("hard.sql")).unwrap();
        std::os::unix::fs::symlink("list.sql", world.path("soft.sql")).unwrap();
        refused("--segments", "list.sql", "hard.sql");
        refused("--segments", "list.sql", "soft.sql");
        refused("--segments", "soft.sql", "hard.sql");
    }
    for name in ["list.sql", "list_back.sql"] {
        assert_eq!(std::fs::read_to_string(world.path(name)).unwrap(), LIST_LIKE_A_SCRIPT, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_was_replaced() {
    let world = World::new("place-link");
    world.put("awr.html", example());
    std::os::unix::fs::symlink("elsewhere.sql", world.path("move_back.sql")).unwrap();
    let arguments = [&["place", "awr.html", "--script", "move.sql"][..], &TIER].concat();
    world.run(&arguments).exits(2).says("it is a link");
    assert!(world.path("move_back.sql").is_symlink() && !world.path("move.sql").exists());
}

#[test]
fn a_way_back_was_left_without_its_way_forth() {
    let world = World::new("place-pair");
    world.put("awr.html", example());
    let arguments = [&["place", "awr.html", "--script", "move.sql"][..], &TIER].concat();
    // Neither is written where one may not be.
    world.put("move.sql", "drop table precious;\n");
    world.run(&arguments).exits(2);
    assert!(!world.path("move_back.sql").exists());
    std::fs::remove_file(world.path("move.sql")).unwrap();
    // An earlier pair is replaced, and nothing is left beside it.
    world.run(&arguments).exits(0);
    world.run(&arguments).exits(0);
    let mut names: Vec<String> = (std::fs::read_dir(world.path(".")).unwrap())
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["awr.html", "move.sql", "move_back.sql"]);
}
