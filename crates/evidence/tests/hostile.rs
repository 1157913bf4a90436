//! Input that means harm or was damaged: no panic, no hang, no memory without bound.
#![allow(clippy::unwrap_used)]

#[path = "support/mod.rs"]
mod support;

use std::time::{Duration, Instant};
use support::{corpus, example};

/// One small report of each kind.
fn reports() -> Vec<Vec<u8>> {
    let mut all =
        vec![example("redo-on-sas.txt").into_bytes(), example("warehouse-node-1.html").into_bytes()];
    for name in [
        "statspack/9.2.0.1.0__unk__nabeelkhan__sp_result.lst",
        "ash/12.1.0.1.0__unk__Apress__ashrpt_1_0212_2217.txt",
        "awr-sql/11.1.0.7.0__unk__structureddata__awrsqlrpt_1_910_911.html",
        "awr-miner/11.2.0.3.0__Linux__sfurlong__awr-hist-1836093013-FLAVIA-799-804.out",
    ] {
        all.extend(corpus(name));
    }
    all
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

fn read(bytes: &[u8]) -> usize {
    spindle_evidence::read("hostile", bytes).reports.len()
}

#[test]
fn cut_anywhere() {
    for bytes in reports() {
        // Near the end of many lines, tags and numbers: primes meet them all sooner or later.
        (0..bytes.len()).step_by(1_999).for_each(|end| {
            read(&bytes[..end]);
        });
    }
}

#[test]
fn bytes_flipped_and_lines_shuffled() {
    let mut dice = Dice(1);
    for bytes in reports() {
        for flips in [1, 10, 100, 1_000, 10_000] {
            let mut damaged = bytes.clone();
            for _ in 0..flips {
                let at = dice.below(damaged.len());
                damaged[at] = u8::try_from(dice.below(256)).unwrap();
            }
            read(&damaged);
        }
        let mut lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
        for _ in 0..3 {
            for at in (1..lines.len()).rev() {
                lines.swap(at, dice.below(at + 1));
            }
            read(&lines.join(&b'\n'));
        }
        read(&[bytes.as_slice(), &bytes, &bytes].concat());
    }
}

/// Time must grow with the length: pieces repeated to a megabyte take moments, not minutes.
#[test]
fn repeated_pieces_take_linear_time() {
    const TEXT: &str = "WORKLOAD REPOSITORY report for\n\n";
    const SECTION: &str =
        "WORKLOAD REPOSITORY report for\n\nForeground Wait Events   DB/Inst: A/a  Snaps: 1-2\n";
    const PAGE: &str = "<html><body><h1>WORKLOAD REPOSITORY report for</h1><h3>Load Profile</h3><table>";
    let cases: &[(&str, &str)] = &[
        ("", "-"),
        ("", "<"),
        ("", "> "),
        ("", "\0"),
        (TEXT, "|"),
        (TEXT, "\t"),
        (TEXT, "\u{c}\n"),
        (TEXT, "---|---|---\n"),
        (TEXT, "a|b|c|d\n"),
        (TEXT, "a\tb\tc\n"),
        (TEXT, "Load Profile\n~~~~~~~~~~~~\n"),
        (TEXT, "Event      Waits\nfoo            1\n"),
        ("Event Waits\nfoo  1\n\nEvent Waits\n", "foo     1\n"),
        ("WORKLOAD REPOSITORY report for\n|a|b|c\n---|---|---|---\n", "x\n"),
        (SECTION, "---------- ---------- ----------\n"),
        (SECTION, "-> x\n"),
        (SECTION, "x y z\n"),
        ("", "WORKLOAD REPOSITORY report for\n"),
        ("", "Foreground Wait Events   DB/Inst: A/a  Snaps: 1-2\n"),
        ("~~BEGIN-OS-INFORMATION~~\n", "a b\n"),
        (PAGE, "<table><tr><td>"),
        (PAGE, "<tr><td>1"),
        (PAGE, "<td>&amp;"),
        (PAGE, "<td a='"),
        (PAGE, "<!--"),
        (PAGE, "<script>"),
        (PAGE, "<tr><th colspan=9999999 rowspan=9999999>x</th></tr>"),
    ];
    for (head, piece) in cases {
        let input = format!("{head}{}", piece.repeat(1_000_000 / piece.len()));
        let begin = Instant::now();
        read(input.as_bytes());
        let took = begin.elapsed();
        // Twenty times what the slowest takes on a busy machine; quadratic time takes minutes.
        assert!(took < Duration::from_secs(20), "{piece:?} behind {head:?} took {took:?}");
    }
}
