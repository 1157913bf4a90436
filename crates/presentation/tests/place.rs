//! The page and the screen of a placement, from a plan made by hand.
#![allow(clippy::unwrap_used)]

mod plan;

use plan::{HOSTILE, empty, huge};
use spindle_planning::{Alternative, Component, Range, ResponsePart};
use spindle_presentation::escape;
use spindle_presentation::html::{LIMIT, place};
use spindle_presentation::terminal::{self, Look};

/// Every tag with its attributes, as a browser would see them.
fn tags(page: &str) -> Vec<&str> {
    let body = &page[page.find("<body>").unwrap()..page.find("<script>").unwrap()];
    body.split('<').skip(1).map(|t| &t[..t.find('>').unwrap_or(t.len())]).collect()
}

/// Are these words on the page, in this order?
fn in_order(page: &str, words: &[&str]) {
    let mut from = 0;
    for words in words {
        from += page[from..].find(words).unwrap_or_else(|| panic!("{words} is missing or out of order"));
    }
}

#[test]
fn answers_first_and_proves_below() {
    in_order(
        &place(&plan::plan()),
        &[
            "<title>SHOP, plan for the fast tier - Spindle</title>",
            "<h1>SHOP</h1>",
            "2024-01-31 10:00 to 2024-01-31 11:00 · 1 interval · 60.0 min measured · DB time 3,600 s",
            "<p class=answer>Moving 2 objects saves 990 s to 1,610 s",
            "<b>flash</b>: 100 GiB, reads 0.2 ms, writes 0.05 ms, 2,000 MB/s, price 5,000",
            "How much of 3,600 s of DB time would be left?",
            "now: 3,600 s",
            "then: 2,300 s, from 1,990 to 2,610 s",
            "class=rg style=left:55.28%;width:17.22%",
            "The plan: move these, in this order",
            "SHOP.ORDERS",
            "How much would other sizes of flash save?",
            "knee: 42.0 GiB",
            "100 GiB more would save another 50.0 s (40.0-60.0), with <code>SHOP.HISTORY</code>",
            "Which statements gain?",
            "<b>From temp alone.</b> its plan reads SHOP.ORDERS",
            "What else could be done?",
            "<td>nothing</td>",
            "How full and how busy are the tiers?",
            "Left where they are",
            "its size is unknown",
            "What cannot be seen",
            "23 % of the blocks read",
            "is of another week",
            "Volumes by execution plans",
            "yes, read whole",
            "no, bytes of rows",
        ],
    );
}

#[test]
fn the_page_is_as_kept() {
    let page = place(&plan::plan());
    let body = &page[page.find("<body>").unwrap()..page.find("<script>").unwrap()];
    // A line a part, so that a change can be reviewed.
    let body = body.replace("<tr", "\n<tr").replace("<section", "\n<section").replace("<p", "\n<p");
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plan/page.html");
    if std::env::var_os("SPINDLE_REWRITE").is_some() {
        std::fs::write(kept, &body).unwrap();
    }
    assert_eq!(body, std::fs::read_to_string(kept).unwrap(), "SPINDLE_REWRITE=1 keeps the new page");
}

#[test]
fn objects_stand_in_the_order_of_the_plan_with_their_lines() {
    let page = place(&plan::plan());
    let table = &page[page.find("id=\"plan\"").unwrap()..page.find("id=\"frontier\"").unwrap()];
    in_order(
        table,
        &["<td class=n>1</td>", &escape::html(HOSTILE), "in container PDB1", "with SHOP.A, SHOP.B"],
    );
    in_order(
        table,
        &[
            "<td class=n>2</td>",
            "SHOP.ORDERS",
            "size: segments.txt, line 12",
            "<td class=n>40.0</td>",
            "<td class=n>12.3</td>",
            "<td class=n>1,200</td>",
            "<td class=n>900-1,500</td>",
            "title=\"Segments by Physical Reads, line 321; Tablespace IO Stats, line 123\">321, 123</td>",
        ],
    );
}

#[test]
fn what_is_not_known_is_no_zero() {
    let page = place(&plan::plan());
    in_order(&page, &["id=\"left\"", "tablespace OLD", "<td class=n>-</td>"]);
    in_order(&page, &["flash cache", "<td class=n>-</td><td class=n>-</td><td class=n>-</td>"]);
    assert!(page.contains("at least 1.00"), "a gain without an upper bound");
}

#[test]
fn a_page_without_a_plan_says_why() {
    let page = place(&empty());
    for why in [
        "the reports print neither DB time nor waits",
        "the reports name no object",
        "No capacity saves anything",
        "The reports list no statement",
        "No alternative was computed",
        "No tier was offered",
        "Nothing: everything that the reports name is in the plan",
        "No execution plan with objects and bytes was given",
    ] {
        assert!(page.contains(why), "{why}");
    }
    let mut unsized_objects = empty();
    unsized_objects.candidates = vec![plan::candidate("SHOP.ORDERS", None, Some((1.0, 2.0, 3.0)))];
    assert!(place(&unsized_objects).contains("no size is known"));
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    for _ in 0..4 {
        assert_eq!(place(&huge(300)), place(&huge(300)));
    }
}

#[test]
fn needs_no_network() {
    for plan in [plan::plan(), empty()] {
        let page = place(&plan);
        for address in ["http:", "https:", "src=", "url(", "@import", "<link", "<iframe", "fetch("] {
            assert!(!page.contains(address), "{address}");
        }
    }
}

#[test]
fn names_are_shown_and_never_obeyed() {
    let page = place(&plan::plan());
    assert!(page.contains(&escape::html(HOSTILE)));
    assert_eq!(page.matches("<script").count(), 1, "our own");
    for tag in tags(&page) {
        let outside_quotes: String = tag.split('"').step_by(2).collect();
        assert!(!outside_quotes.contains(" on") && !outside_quotes.contains("javascript:"), "<{tag}>");
    }
}

#[test]
fn every_tag_is_closed() {
    for plan in [plan::plan(), empty(), huge(500)] {
        let page = place(&plan);
        let mut open: Vec<&str> = Vec::new();
        for tag in tags(&page) {
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "</{name}>");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert_eq!(open, ["body"]);
    }
}

#[test]
fn five_thousand_candidates_stay_under_the_limit_and_the_rest_is_counted() {
    let page = place(&huge(5_000));
    assert!(page.len() <= LIMIT, "{}", page.len());
    assert!(page.matches("more rows in <code>spindle place --json</code>").count() >= 4);
    let left_out = page.split("Left out to keep").nth(1).map(|t| &t[..80]);
    assert_eq!(left_out, None, "every part has its room");
}

fn visible(line: &str) -> usize {
    let mut count = 0;
    let mut style = false;
    for c in line.chars() {
        match c {
            '\u{1b}' => style = true,
            'm' if style => style = false,
            _ if style => {}
            _ => count += 1,
        }
    }
    count
}

#[test]
fn the_screen_is_no_wider_than_asked_and_no_longer_than_one() {
    for plan in [plan::plan(), empty(), huge(200)] {
        for width in [40, 60, 80, 100, 120, 200] {
            for colour in [false, true] {
                let text = terminal::place(&plan, Look { width, colour });
                for line in text.lines() {
                    assert!(visible(line) <= width, "{width}: {line}");
                }
                assert!(width < 80 || text.lines().count() <= 40, "{width}:\n{text}");
            }
        }
    }
}

#[test]
fn the_screen_answers_first() {
    let text = terminal::place(&plan::plan(), Look::default());
    in_order(
        &text,
        &[
            "SHOP",
            "Moving 2 objects saves",
            "DB time now and then",
            "Move, by gain",
            "SHOP.ORDERS",
            "Left where they are",
            "Statements",
            "What else could be done",
            "nothing",
            "What cannot be seen",
            "--html FILE",
        ],
    );
}

/// Redo was considered and stays, and no line of the list said so: objects that save more took the room.
#[test]
fn redo_that_stays_was_not_among_what_stays() {
    let mut plan = plan::plan();
    for n in 0..30 {
        plan.candidates.push(plan::candidate(&format!("SHOP.T{n}"), None, Some((90.0, 100.0, 110.0))));
    }
    let mut redo = plan::candidate("redo logs", Some(4.0), Some((40.0, 60.0, 80.0)));
    redo.kind = spindle_planning::CandidateKind::Redo;
    plan.candidates.push(redo.clone());
    let left = |plan: &spindle_planning::Plan| {
        let text = terminal::place(plan, Look::default());
        let (_, left) = text.split_once("Left where they are").unwrap();
        left.split("\n\n").next().unwrap().to_owned()
    };
    let text = left(&plan);
    assert!(text.contains("SHOP.HISTORY") && text.contains("redo logs"), "{text}");
    // Where it would save next to nothing it is one of many.
    plan.candidates.pop();
    redo.saves_s = Some(spindle_planning::Range { low: 0.0, mid: 1.0, high: 2.0 });
    plan.candidates.push(redo);
    assert!(!left(&plan).contains("redo logs"));
}

/// The screen had the first five of the order, and left out what saved a third of all.
#[test]
fn what_saves_most_was_not_on_the_screen() {
    let mut long = huge(200);
    let last = long.chosen.last().unwrap().clone();
    let c = long.candidates.iter_mut().find(|c| c.object == last).unwrap();
    c.saves_s = Some(Range { low: 90_000.0, mid: 91_000.0, high: 92_000.0 });
    // Its place in the order, and as much of its name as there is room for.
    let shown = format!("{} {}", long.chosen.len(), &last[..8]);
    for width in [80, 120] {
        let text = terminal::place(&long, Look { width, colour: false });
        let rows = text.split("Move, by gain").nth(1).unwrap();
        let first = rows.lines().nth(1).unwrap();
        assert!(first.trim_start().starts_with(&shown), "{width}: {shown}\n{text}");
        assert!(
            rows.contains("Numbers: in which order to move.") && rows.contains("left out here save"),
            "{text}"
        );
    }
}

#[test]
fn alternatives_were_left_out_without_a_word() {
    let mut long = huge(200);
    let one = long.alternatives[0].clone();
    for n in 0..9 {
        long.alternatives.insert(1, Alternative { name: format!("another {n}"), ..one.clone() });
    }
    let text = terminal::place(&long, Look { width: 80, colour: false });
    let title = text.lines().find(|l| l.starts_with("What else could be done")).unwrap();
    assert!(title.contains(" of 12; the rest on the page, --html)"), "{title}");
}

#[test]
fn reasons_were_cut_in_the_middle_of_a_sentence() {
    let mut long = plan::plan();
    long.alternatives[0].name = "preferred-read mirror on flash".to_owned();
    long.alternatives[0].cost =
        "126 GiB of flash: all files, temp and undo too, and as much again of what it writes".to_owned();
    long.unseen =
        "2.1 % of the blocks read belong to none of the objects (the reports print a few). ".repeat(6);
    for s in &mut long.statements {
        s.because = "no plan was given: the mean of the database, and up to all of its I/O".to_owned();
    }
    for width in [80, 100, 120] {
        let text = terminal::place(&long, Look { width, colour: false });
        for cut in ["...", "of fla..", "mean of.."] {
            assert!(!text.contains(cut), "{width}: {cut}\n{text}");
        }
        // A row of the alternatives, with the lines below that go on with it, ends with a whole clause.
        let mut lines = text.lines().skip_while(|l| !l.contains("preferred-read mirror"));
        let first = lines.next().unwrap();
        let row = lines.take_while(|l| l.starts_with(&" ".repeat(31))).last().unwrap_or(first);
        let ends = ["on flash", "of flash", "all files", "temp and undo too", "it writes"];
        assert!(ends.iter().any(|e| row.ends_with(e)), "{width}: {row}");
        let doubt = text.split("What cannot be seen").nth(1).unwrap();
        assert!(
            doubt.split_whitespace().collect::<Vec<_>>().join(" ").contains("(the reports print a few).")
        );
    }
}

/// `the mean reads cannot be: they add up to 13425 reads in flight at any moment`, and its second half, which says what
/// stands all the same, was cut.
#[test]
fn a_warning_was_cut_in_the_middle_of_its_sentence() {
    let mut plan = plan::plan();
    let warning = "`awr_12_1_0_2_0_receipt_of_the_busiest_hour.html`: the mean reads cannot be: they add up to 13,425 \
                   reads in flight at any moment, and to 47,726,314 s where all waits for I/O took 10,000 s; mean reads \
                   of tablespaces and files are unknown; their counts stand.";
    plan.warnings =
        vec![format!("{warning} More of it stands on the page, {}.", "as long as it may be".repeat(9))];
    for width in [80, 120] {
        let text = terminal::place(&plan, Look { width, colour: false });
        let doubt = text.split("What cannot be seen").nth(1).unwrap();
        assert!(doubt.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(warning), "{text}");
        assert!(text.lines().count() <= 40, "{text}");
    }
}

#[test]
fn what_comes_from_plans_stood_on_line_0() {
    let mut plan = plan::plan();
    for c in &mut plan.candidates {
        for source in &mut c.sources {
            source.line = 0;
        }
    }
    let page = place(&plan);
    let table = &page[page.find("id=\"plan\"").unwrap()..page.find("id=\"frontier\"").unwrap()];
    assert!(table.contains(">plans</td>") && !table.contains("line 0"), "{table}");
}

/// At 80 columns the memory that an alternative takes was left out, and its name stood alone.
#[test]
fn what_an_alternative_costs_was_missing_at_eighty_columns() {
    let mut plan = plan::plan();
    let alternative = |name: &str, cost: &str| Alternative {
        name: name.into(),
        saves_s: Some(Range { low: 10.0, mid: 20.0, high: 30.0 }),
        cost: cost.into(),
        because: "it is so".into(),
    };
    plan.alternatives = vec![
        alternative("this plan", "8 GiB of the tiers"),
        alternative(
            "preferred-read mirror on fast",
            "as much of fast as the database is large, which is not known",
        ),
        alternative(
            "fast as a flash cache before today's storage",
            "2 TiB of fast, and memory for its headers",
        ),
        alternative(
            "more buffer cache",
            "18 GiB of memory more, 36 GiB in all: 4.5 GiB more on each of 4 instances",
        ),
        alternative(
            "more PGA instead of fast temp",
            "18 GiB of memory more, 36 GiB in all: over 12 instances",
        ),
    ];
    for width in [80, 100, 120] {
        let text = terminal::place(&plan, Look { width, colour: false });
        assert!(text.lines().all(|l| l.chars().count() <= width) && text.lines().count() <= 40, "{text}");
        let flowed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let from = flowed.find("What else could be done").unwrap();
        let (mut shown, part) = (0, &flowed[from..]);
        for a in plan.alternatives.iter().filter(|a| part.contains(&a.name)) {
            assert!(part.contains(&format!("{}: {}", a.name, a.cost)), "{width}: {}\n{text}", a.name);
            shown += 1;
        }
        assert!(shown >= 3, "{width}: {shown}\n{text}");
    }
}

fn part(part: &str, component: Option<Component>, now_s: f64, then_s: Range) -> ResponsePart {
    ResponsePart { part: part.into(), component, now_s, then_s }
}

/// Of 300,000 s of DB time 490 s wait for storage: all that could change stood in "all else".
#[test]
fn waits_that_storage_can_change_were_hidden_in_all_else() {
    let mut plan = plan::plan();
    plan.db_time_s.now = 300_000.0;
    let reads = Range { low: 40.0, mid: 50.0, high: 60.0 };
    let scans = Range { low: 10.0, mid: 20.0, high: 30.0 };
    plan.response_time = vec![
        part("CPU", None, 1_000.0, Range::exact(1_000.0)),
        part("single-block reads", Some(Component::SingleBlockRead), 300.0, reads),
        part("multi-block reads", Some(Component::MultiBlockRead), 90.0, scans),
        part("commits", Some(Component::Commit), 100.0, Range::exact(100.0)),
        part("other waits", None, 298_000.0, Range::exact(298_000.0)),
        part("not explained", None, 510.0, Range::exact(510.0)),
    ];
    let text = terminal::place(&plan, Look::default());
    let row = |name: &str| text.lines().find(|l| l.trim_start().starts_with(name)).unwrap_or("");
    assert!(row("single-block reads").contains("(40.0-60.0)"), "{text}");
    let others = row("other waits for storage");
    assert!(others.contains("190") && others.contains("120") && others.contains("(110-130)"), "{text}");
    assert!(row("all else").contains("1,510"), "{text}");
}

#[test]
fn what_has_no_upper_end_is_at_least() {
    let mut plan = plan::plan();
    plan.db_time_s.then_high = f64::INFINITY;
    let open = Range { low: 5_000.0, mid: 5_000.0, high: f64::INFINITY };
    (plan.response_time[0].component, plan.response_time[0].then_s) =
        (Some(Component::SingleBlockRead), open);
    let loses = Range { low: f64::NEG_INFINITY, mid: -400.0, high: -400.0 };
    plan.alternatives[0].saves_s = Some(loses);
    let text = terminal::place(&plan, Look::default());
    let page = place(&plan);
    // The script at its end has words of its own.
    let body = page.split("<script").next().unwrap().to_owned();
    for (text, what) in [(&text, "screen"), (&body, "page")] {
        assert!(text.contains("at least 5,000") && text.contains("at most -400"), "{what}: {text}");
        assert!(!text.contains("NaN") && !text.contains("inf%") && !text.contains("unbounded"), "{what}");
    }
    assert!(page.contains("then: at least "), "{page}");
}
