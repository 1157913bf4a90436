//! Bad input: said once, with what to do, and never in the way of the good.

use crate::world::{Ran, World, gzip, report, tar, zip};
use std::time::{Duration, Instant};

#[test]
fn a_bad_file_does_not_stop_the_others() {
    let world = World::new("mixed");
    world.put("a.txt", report());
    world.put("b.txt", "shopping list: milk, eggs");
    world.put("c.txt", "");
    world.put("d.zip", b"PK\x03\x04 and then nothing of a zip");
    let ran = world.run(&["diagnose", "a.txt", "b.txt", "c.txt", "d.zip", "none.txt", "x*.txt", "--json"]);
    ran.exits(1)
        .says("`b.txt` was not read: ")
        .says("`c.txt` was not read: empty")
        .says("`d.zip` was not read: a damaged zip archive")
        .says("`none.txt` was not read: no such file")
        .says("`x*.txt` was not read: no file matches this pattern");
    let document = ran.json();
    assert_eq!(document["reports"].as_array().unwrap().len(), 1);
    let unread: Vec<_> = document["unread"].as_array().unwrap().iter().map(|u| &u["source"]).collect();
    assert_eq!(unread, ["b.txt", "c.txt", "d.zip", "none.txt", "x*.txt"]);
}

#[test]
fn nothing_readable_is_status_2() {
    let world = World::new("nothing");
    std::fs::create_dir(world.path("empty")).unwrap();
    world.run(&["diagnose", "empty"]).exits(2).says("`empty` was not read: the folder holds no files");
    world.run(&["facts", "none"]).exits(2).says("no report was read");
    world.run(&["diagnose"]).exits(2).says("<PATH>...");
    world.run(&["diagnose", "x", "--device-class", "tape"]).exits(2).says("disk, flash, exadata");
    world.put("r.txt", report());
    world
        .run(&["facts", "r.txt", "--table", "waits"])
        .exits(2)
        .says("there is no such table; there are load_profile");
    let ran = world.run_with_input(&["diagnose", "-"], b"");
    ran.exits(2).says("`standard input` was not read: empty");
}

/// Sections under titles of somebody's own were kept as printed, without a word and with status 0.
#[test]
fn most_sections_under_unknown_titles_are_told() {
    let world = World::new("titles");
    let page = |titles: &[&str]| {
        let table = |title: &&str| {
            format!(
                "<h3>{title}</h3><table><tr><th>Event</th><th>Waits</th><th>Total Wait Time (s)</th></tr>\
                 <tr><td>till read</td><td>100</td><td>20</td></tr></table>"
            )
        };
        format!(
            "<html><body><h1>WORKLOAD REPOSITORY report for</h1><table><tr><th>DB Name</th><th>DB Id</th></tr>\
             <tr><td>TILL</td><td>1234567890</td></tr></table>{}</body></html>",
            titles.iter().map(table).collect::<String>()
        )
    };
    let own = ["Foreground Wait Events", "Coins", "Notes", "Cheques", "Vouchers", "Stamps"];
    world.put("own.html", page(&own));
    let ran = world.run(&["facts", "own.html"]);
    ran.exits(1)
        .says("5 of 6 sections stand under titles that no known release prints (first: \"Coins\", line 1)");
    // A few of a customised report are no reason.
    world.put("some.html", page(&["Coins", "Foreground Wait Events", "Background Wait Events"]));
    world.run(&["facts", "some.html"]).exits(0);
}

#[test]
fn a_cut_archive_gives_what_it_still_holds() {
    let world = World::new("cut");
    let packed = gzip(report());
    world.put("cut.gz", &packed[..packed.len() * 9 / 10]);
    let ran = world.run(&["facts", "cut.gz", "--json"]);
    ran.exits(1).says("`cut.gz` was not read: cut or damaged after ").says("ends before its contents do");
    assert_eq!(ran.json()["reports"].as_array().unwrap().len(), 1);
}

#[test]
fn bombs_are_refused_quickly() {
    let world = World::new("bombs");
    // A report at the beginning gets a text past the first look.
    let mut long = report().into_bytes();
    long.resize(300 << 20, b' ');
    world.put("bomb.zip", zip(&[("bomb.txt", &long)]));
    world.put("good.zip", zip(&[("good.txt", report().as_bytes())]));
    drop(long);
    let mut nested = gzip(report());
    for _ in 0..4 {
        nested = gzip(nested);
    }
    world.put("nested.gz", nested);
    let begun = Instant::now();
    let ran = world.run(&["diagnose", "bomb.zip", "nested.gz", "good.zip"]);
    ran.exits(1)
        .says("`bomb.zip!bomb.txt` was not read: it unpacks to over 200 times its size")
        .says("`nested.gz` was not read: packed 3 times over");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn gigabytes_of_something_else_are_refused_after_a_look() {
    let world = World::new("junk");
    let file = std::fs::File::create(world.path("zeros")).unwrap();
    file.set_len(2 << 30).unwrap();
    drop(file);
    let begun = Instant::now();
    world.run(&["diagnose", "zeros"]).exits(2).says("its first 1 MiB hold nothing that such a report prints");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn formats_that_are_not_opened_say_what_to_do() {
    let world = World::new("foreign");
    for (bytes, says) in [
        (&b"BZh91AY&SY"[..], "bunzip2"),
        (b"\xfd7zXZ\0\0", "unxz"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"%PDF-1.7", "PDF"),
        (b"Rar!\x1a\x07", "RAR"),
    ] {
        world.put("x", bytes);
        world.run(&["diagnose", "x"]).exits(2).says(says);
    }
    world.put("x", tar(&[]));
    world.run(&["diagnose", "x"]).exits(2);
    world.put("x", zip(&[]));
    world.run(&["diagnose", "x"]).exits(2).says("a zip archive without files");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_without_waiting() {
    let world = World::new("special");
    let made = std::process::Command::new("mkfifo").arg(world.path("fifo")).status();
    assert!(made.unwrap().success());
    world.put("r.txt", report());
    let ran = world.run(&["diagnose", "fifo", "/dev/zero", "r.txt"]);
    ran.exits(1)
        .says("`fifo` was not read: a pipe, device or socket")
        .says("`/dev/zero` was not read: a pipe, device or socket");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new("permission");
    world.put("r.txt", report());
    std::fs::set_permissions(world.path("r.txt"), std::fs::Permissions::from_mode(0o0)).unwrap();
    let mut command = world.command(&["diagnose", "r.txt"]);
    if std::fs::File::open(world.path("r.txt")).is_ok() {
        // The superuser may read everything: somebody else has to try.
        use std::os::unix::process::CommandExt;
        const NOBODY: u32 = 65_534;
        command.uid(NOBODY).gid(NOBODY);
    }
    match command.output() {
        Ok(output) => {
            Ran::from(output).exits(2).says("this user may not read it");
        }
        Err(why) => {
            spindle_test_support::skipped(&format!("the command cannot be run by another user: {why}"))
        }
    }
}

#[test]
fn names_cannot_steer_the_terminal() {
    let world = World::new("escape");
    world.put("a.zip", zip(&[("\u{1b}]0;title\u{7}.txt", b"nothing of ours")]));
    let ran = world.run(&["diagnose", "a.zip"]);
    ran.exits(2);
    assert!(!ran.err.contains('\u{1b}') && !ran.err.contains('\u{7}'), "{:?}", ran.err);
}

#[test]
fn inputs_and_foreign_files_are_never_overwritten() {
    let world = World::new("overwrite");
    world.put("r.html", report());
    world.put("mine.html", "<p>minutes of the meeting");
    world.run(&["diagnose", "r.html", "--html", "r.html"]).exits(2).says("it is one of the inputs");
    world.run(&["diagnose", ".", "--html", "r.html"]).exits(2).says("it is one of the inputs");
    world.run(&["diagnose", "r.html", "--html", "mine.html"]).exits(2).says("is not a page of Spindle");
    world.run(&["diagnose", "r.html", "--html", "."]).exits(2).says("it is a folder");
    world.run(&["diagnose", "r.html", "--html", "no/page.html"]).exits(2).says("its folder does not exist");
    assert_eq!(std::fs::read_to_string(world.path("r.html")).unwrap(), report());
    assert_eq!(std::fs::read_to_string(world.path("mine.html")).unwrap(), "<p>minutes of the meeting");
    assert_eq!(std::fs::read_dir(world.path(".")).unwrap().count(), 2, "nothing else is left behind");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::Read;
    let world = World::new("closed");
    for n in 0..40 {
        world.put(&format!("r/{n}.txt"), report());
    }
    for arguments in [&["facts", "r"][..], &["facts", "r", "--json"], &["diagnose", "r", "--json"]] {
        let mut child = world
            .command(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}
