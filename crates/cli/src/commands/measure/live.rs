//! What a person sees while it measures, and the Ctrl-C with which he ends it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spindle_app::{Going, HeldSignals, Watcher};
use spindle_presentation::number;
use std::io::IsTerminal;
use std::time::Duration;

/// The line of what is going on, on standard error where that is a terminal.
pub(crate) struct Live {
    signals: HeldSignals,
    asked: u32,
    bar: Option<ProgressBar>,
}

impl Live {
    /// Holds the signals that end a measurement: to be called before anything is started.
    pub(crate) fn hold() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { signals: HeldSignals::hold(), asked: 0, bar }
    }

    /// Leaves nothing on the terminal.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Live {
    fn going(&mut self, going: &Going) {
        if let Some(bar) = &self.bar {
            bar.set_message(line(going, self.asked > 0));
            bar.tick();
        }
    }

    fn asked_to_stop(&mut self) -> u32 {
        if self.signals.came() {
            self.asked += 1;
            if let Some(bar) = &self.bar {
                bar.set_message("ending, with what was measured (again: at once)");
                bar.tick();
            }
        }
        self.asked
    }
}

/// `4 under way: 149 IOPS, 1.22 MB/s, p99 26.9 ms, 3 s, 30 %`
fn line(going: &Going, ending: bool) -> String {
    let mut text = if ending { "ending; ".to_owned() } else { String::new() };
    text += &format!("{}: ", going.what);
    if going.ios > 0 || going.under_way > 0 {
        text += &format!("{} IOPS, {} MB/s", number::measure(going.iops), number::measure(going.mbps));
        if let Some(us) = going.p99_us {
            text += &format!(", p99 {} ms", number::ms(us));
        }
        text += ", ";
    } else if going.mbps > 0.0 {
        text += &format!("{} MB/s, ", number::measure(going.mbps));
    }
    text += &number::duration(Duration::from_secs_f64(going.elapsed_s.clamp(0.0, 1e9)).as_secs() as f64);
    if let Some(share) = going.share {
        text += &format!(", {} %", number::fixed(100.0 * share.clamp(0.0, 1.0), 0));
    }
    if going.errors > 0 {
        text += &format!(", {} FAILED", number::count(going.errors as f64));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_rate_latency_and_how_far() {
        let going = Going {
            what: "4 under way".into(),
            elapsed_s: 3.2,
            share: Some(0.321),
            ios: 400,
            under_way: 4,
            iops: 149.2,
            mbps: 1.222,
            p99_us: Some(26_900.0),
            counts: true,
            ..Going::default()
        };
        assert_eq!(line(&going, false), "4 under way: 149 IOPS, 1.22 MB/s, p99 26.9 ms, 3 s, 32 %");
        let filling = Going { what: "filling".into(), mbps: 800.0, ..Going::default() };
        assert_eq!(line(&filling, true), "ending; filling: 800 MB/s, 0 s");
    }
}
