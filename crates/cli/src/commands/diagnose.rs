//! `spindle diagnose`: where did response time go, why, and what should be done?

use super::{Class, Reading};
use crate::output::{Failure, Omissions, Page};
use crate::shell::{Exit, Shell};
use spindle_app::{DiagnosisDocument, Gathered};
use spindle_diagnosis::{DeviceClass, Options};
use spindle_presentation::html::{self, PageInput};
use spindle_presentation::{Subject, terminal};
use std::path::PathBuf;

/// Where did response time go, why, and what should be done?
///
/// Several reports become one series with its busiest interval picked out.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  spindle diagnose awrrpt_1_812_813.html
  spindle diagnose reports/ more.zip --html answer.html
  zcat sp_4711.lst.gz | spindle diagnose - --json")]
pub(crate) struct Diagnose {
    #[command(flatten)]
    reading: Reading,
    /// Also write one self-contained page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// What the storage is, where the report does not show it; decides which latency is called
    /// slow.
    #[arg(long, value_name = "CLASS")]
    device_class: Option<Class>,
}

impl Diagnose {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let mut request = self.reading.request();
        let page = self.html.map(|path| Page::new(path, &request)).transpose()?;
        request.output = page.as_ref().map(|page| page.path().to_owned());
        let device_class = self.device_class.map(DeviceClass::from);
        let options = Options { device_class, ..Options::default() };

        let json = self.reading.json;
        let shown = page.is_some() || !json;
        let mut gathered = if shown { Gathered::default() } else { Gathered::figures_only() };
        let mut omissions = Omissions::default();
        let progress = shell.progress(json);
        let mut document = if json { Some(DiagnosisDocument::new(shell.out())?) } else { None };
        let mut written = Ok(());
        let unread = spindle_app::diagnose(&request, &options, &progress, |diagnosed| {
            omissions.of_report(&diagnosed.report);
            omissions.of_diagnosis(&diagnosed.report, &diagnosed.diagnosis);
            if let Some(document) = &mut document {
                written = document.report(&diagnosed);
            }
            gathered.add(diagnosed);
            written.is_ok()
        });
        drop(progress);
        if let Some(document) = document
            && written.is_ok()
        {
            written = document.end(&gathered.series(), &unread);
        }
        if !shell.unless_closed(written)? {
            return Ok(Exit::Done);
        }

        let subjects: Vec<Subject<'_>> = gathered
            .reports()
            .iter()
            .map(|d| Subject { report: &d.report, diagnosis: &d.diagnosis })
            .collect();
        if !json {
            let text = match subjects.as_slice() {
                [] => String::new(),
                [one] => terminal::summary(*one, self.reading.look()),
                several => terminal::series_summary(several, self.reading.look()),
            };
            shell.print(&text)?;
        }
        shell.flush()?;
        if let Some(page) = page.filter(|_| !subjects.is_empty()) {
            let unread: Vec<_> = unread.iter().map(|u| (u.source.clone(), u.reason.clone())).collect();
            let input = PageInput { subjects: &subjects, unread: &unread, in_full: gathered.in_full() };
            page.write(&html::page(&input))?;
            shell.note(&format!("page written to {}", page.path().display()));
        }
        // The program ends: the system takes the memory back at once, not fact by fact.
        std::mem::forget(gathered);
        Ok(omissions.tell(&unread, shell))
    }
}
