//! What can be given as PATH, and in which order the reports come.

use crate::world::{World, gzip, report, tar, zip, zstd};

#[test]
fn archives_are_known_by_their_content_not_by_their_name() {
    let world = World::new("content");
    let report = report();
    let bytes = report.as_bytes();
    world.put("1.jpg", bytes);
    world.put("2.txt", gzip(bytes));
    world.put("3.gz", zip(&[("b/two.lst", bytes), ("a/one.lst", bytes), ("empty/", b"")]));
    world.put("4.zip", zstd(bytes));
    world.put("5.html", tar(&[("t.txt", bytes)]));
    world.put("6.tgz", gzip(tar(&[("x/y.txt", bytes), ("z.txt.gz", &gzip(bytes))])));
    world.put("7.dat", zip(&[("inner.zip", &zip(&[("deep.txt", bytes)])), ("log.gz", &gzip(bytes))]));
    let sources = [
        "1.jpg",
        "2.txt",
        "3.gz!a/one.lst",
        "3.gz!b/two.lst",
        "4.zip",
        "5.html!t.txt",
        "6.tgz!x/y.txt",
        "6.tgz!z.txt.gz",
        "7.dat!inner.zip!deep.txt",
        "7.dat!log.gz",
    ];
    assert_eq!(world.sources(&["1.jpg", "2.txt", "3.gz", "4.zip", "5.html", "6.tgz", "7.dat"]), sources);
}

#[test]
fn arguments_keep_their_order_and_folders_are_sorted() {
    let world = World::new("order");
    for name in ["d/c.txt", "d/a.txt", "d/sub/b.txt", "z.txt", "d/.hidden"] {
        world.put(name, report());
    }
    assert_eq!(world.sources(&["z.txt", "d"]), ["z.txt", "d/a.txt", "d/c.txt", "d/sub/b.txt"]);
    assert_eq!(world.sources(&["d/[ac].txt", "z.*"]), ["d/a.txt", "d/c.txt", "z.txt"]);
    assert_eq!(world.sources(&["d/**/*.txt"]), ["d/a.txt", "d/c.txt", "d/sub/b.txt"]);
    // Twice the same file would be twice its load in a series.
    assert_eq!(world.sources(&["d/c.txt", "d", "./d/a.txt"]), ["d/c.txt", "d/a.txt", "d/sub/b.txt"]);
}

#[test]
fn many_files_read_at_once_come_in_order() {
    let world = World::new("many");
    let names: Vec<String> = (0..60).map(|n| format!("r/{n:02}.txt")).collect();
    for (n, name) in names.iter().enumerate() {
        let report = report();
        // Every third one is slower to open.
        if n % 3 == 0 { world.put(name, gzip(report)) } else { world.put(name, report) }
    }
    assert_eq!(world.sources(&["r"]), names);
}

#[test]
fn standard_input_is_a_report_or_an_archive() {
    let world = World::new("stdin");
    for input in [report().into_bytes(), gzip(report()), zip(&[("a.txt", report().as_bytes())])] {
        let ran = world.run_with_input(&["diagnose", "-"], &input);
        ran.exits(0);
        assert!(ran.out.contains("DB time"), "{}", ran.out);
    }
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_that_file() {
    let world = World::new("literal");
    world.put("a[1].txt", report());
    world.put("a1.txt", report());
    assert_eq!(world.sources(&["a[1].txt"]), ["a[1].txt"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_end() {
    let world = World::new("loop");
    world.put("d/e/r.txt", report());
    std::os::unix::fs::symlink("..", world.path("d/e/up")).unwrap();
    std::os::unix::fs::symlink("nowhere", world.path("d/e/broken")).unwrap();
    assert_eq!(world.sources(&["d"]), ["d/e/r.txt"]);
    world.run(&["diagnose", "d"]).exits(1).says("`d/e/broken` was not read: no such file");
    assert_eq!(world.sources(&["**/r.txt"]), ["d/e/r.txt"]);
}

#[test]
fn the_page_of_an_earlier_run_is_no_input_of_the_next() {
    let world = World::new("again");
    world.put("r.txt", report());
    world.run(&["diagnose", ".", "--html", "answer.html"]).exits(0);
    world.run(&["diagnose", ".", "--html", "answer.html"]).exits(0).says("page written to answer.html");
}
