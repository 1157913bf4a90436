//! Every real report, through the command: no fault, and a true reason for every status.

use crate::world::{World, corpus};

#[test]
fn every_report_of_the_corpus_is_diagnosed() {
    let Some(corpus) = corpus() else { return };
    let world = World::new("corpus");
    let index = std::fs::read_to_string(corpus.join("INDEX.tsv")).unwrap();
    let mut read = 0;
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let path = corpus.join(fields[0]).display().to_string();
        let ran = world.run(&["diagnose", &path, "--json"]);
        assert!(!ran.err.contains("fault"), "{path}: {}", ran.err);
        let reports = ran.json()["reports"].as_array().unwrap().len();
        match ran.exit {
            0 => {
                // Idle intervals of a history are counted, and are no failure.
                let told =
                    ran.err.lines().all(|l| l.is_empty() || l.contains("say nothing of response time"));
                assert!(reports > 0 && told, "{path}: {}", ran.err);
            }
            1 => assert!(reports > 0 && ran.err.contains("warning: "), "{path}: {}", ran.err),
            2 => assert!(reports == 0 && ran.err.contains("was not read: "), "{path}: {}", ran.err),
            other => panic!("{path}: {other}"),
        }
        let is_report = !["fio", "orion", "slob", "other"].contains(&fields[1]);
        assert!(reports > 0 || !is_report || fields[1] == "awr-miner", "{path} is a report");
        read += reports;
    }
    assert!(read > 90, "{read}");
}

/// Quiet intervals of a miner file repeated one untrue warning each; a series of many did not fit a screen.
#[test]
fn a_series_of_intervals_fits_one_screen_and_warns_once() {
    let Some(corpus) = corpus() else { return };
    let world = World::new("corpus-miner");
    for entry in std::fs::read_dir(corpus.join("awr-miner")).unwrap() {
        let path = entry.unwrap().path().display().to_string();
        let ran = world.run(&["diagnose", &path]);
        assert!(ran.out.lines().count() <= 40, "{path}: {} lines", ran.out.lines().count());
        let mut warnings: Vec<&str> = ran.err.lines().collect();
        let all = warnings.len();
        warnings.sort_unstable();
        warnings.dedup();
        assert_eq!(warnings.len(), all, "{path}: a warning is repeated");
        let derived = ran.out.contains("from average active sessions");
        assert!(!derived || !ran.out.contains("neither DB time"), "{path}");
    }
}
