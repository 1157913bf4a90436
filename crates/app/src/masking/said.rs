//! Masking what was said about a report: the sentences of a diagnosis.

use super::Masker;
use spindle_diagnosis::{Diagnosis, IoFigure, ResponseSide};

impl Masker {
    /// Masks a diagnosis in place, after [`Masker::report`] has learnt the names of its report.
    pub(crate) fn diagnosis(&self, diagnosis: &mut Diagnosis) {
        self.text(&mut diagnosis.answer);
        self.side(&mut diagnosis.response_time.foreground);
        self.side(&mut diagnosis.response_time.background);
        let io = &mut diagnosis.io_profile;
        for figure in [
            &mut io.read_iops,
            &mut io.write_iops,
            &mut io.redo_write_iops,
            &mut io.read_mbps,
            &mut io.write_mbps,
            &mut io.redo_write_mbps,
            &mut io.single_block_read_us,
            &mut io.multi_block_read_us,
            &mut io.log_write_us,
            &mut io.small_read_share_pct,
        ] {
            self.figure(figure);
        }
        self.text(&mut diagnosis.device_class.because);
        self.text(&mut diagnosis.commit.because);
        for account in &mut diagnosis.accounts {
            self.text(&mut account.because);
            self.text(&mut account.quantity);
            for value in &mut account.by {
                self.text(&mut value.section);
            }
            if let Some(used) = &mut account.used {
                self.text(used);
            }
        }
        for latency in &mut diagnosis.latency {
            self.text_if_any(&mut latency.shape);
        }
        for finding in &mut diagnosis.findings {
            self.text(&mut finding.title);
            self.text(&mut finding.caveat);
            for action in &mut finding.actions {
                self.text(action);
            }
            for evidence in &mut finding.evidence {
                self.text(&mut evidence.section);
                self.text(&mut evidence.text);
            }
        }
        for rule in &mut diagnosis.cannot_tell {
            self.text(&mut rule.missing);
        }
    }

    fn side(&self, side: &mut ResponseSide) {
        self.text_if_any(&mut side.remark);
        for event in side.classes.iter_mut().flat_map(|class| &mut class.events) {
            self.text(&mut event.section);
        }
    }

    fn figure(&self, figure: &mut Option<IoFigure>) {
        if let Some(figure) = figure {
            self.text(&mut figure.account);
        }
    }
}
