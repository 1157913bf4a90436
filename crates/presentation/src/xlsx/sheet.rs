//! One sheet of a workbook: cells by place, inputs in yellow, formulas with the result that they have.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Formula, Worksheet, XlsxError};

/// Longest text of a cell in Excel.
const TEXT: usize = 32_000;

/// How cells look.
pub(super) struct Formats {
    pub(super) title: Format,
    pub(super) heading: Format,
    pub(super) input: Format,
    pub(super) note: Format,
    pub(super) number: Format,
    pub(super) wrapped: Format,
}

impl Default for Formats {
    fn default() -> Self {
        let bordered =
            || Format::new().set_border(FormatBorder::Thin).set_border_color(Color::RGB(0xD8_DEE4));
        Self {
            title: Format::new().set_bold().set_font_size(14),
            heading: Format::new()
                .set_bold()
                .set_text_wrap()
                .set_align(FormatAlign::Top)
                .set_background_color(Color::RGB(0xF4_F6F8)),
            input: bordered().set_background_color(Color::RGB(0xFF_F2B3)).set_num_format("#,##0.###"),
            note: Format::new().set_font_color(Color::RGB(0x59_636E)).set_italic(),
            number: Format::new().set_num_format("#,##0.###"),
            wrapped: Format::new().set_text_wrap().set_align(FormatAlign::Top),
        }
    }
}

/// A sheet being written.
pub(super) struct Sheet<'a> {
    pub(super) sheet: &'a mut Worksheet,
    pub(super) formats: &'a Formats,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(sheet: &'a mut Worksheet, formats: &'a Formats) -> Self {
        // What a formula gives where it gives nothing: the writer's own default is 0.
        sheet.set_formula_result_default("");
        Self { sheet, formats }
    }

    pub(super) fn text(
        &mut self,
        row: u32,
        column: u16,
        text: &str,
        format: &Format,
    ) -> Result<(), XlsxError> {
        // A text that begins like a formula stays a text: it is written as a string.
        let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').take(TEXT).collect();
        self.sheet.write_string_with_format(row, column, text, format).map(|_| ())
    }

    pub(super) fn plain(&mut self, row: u32, column: u16, text: &str) -> Result<(), XlsxError> {
        let text: String = text.chars().filter(|c| !c.is_control()).take(TEXT).collect();
        self.sheet.write_string(row, column, text).map(|_| ())
    }

    pub(super) fn headings(&mut self, row: u32, headings: &[&str]) -> Result<(), XlsxError> {
        for (column, heading) in headings.iter().enumerate() {
            self.text(row, column_of(column), heading, &self.formats.heading)?;
        }
        Ok(())
    }

    /// A number that the reader may change; blank and yellow where unknown.
    pub(super) fn input(&mut self, row: u32, column: u16, value: Option<f64>) -> Result<(), XlsxError> {
        match value.filter(|v| v.is_finite()) {
            Some(value) => self.sheet.write_number_with_format(row, column, value, &self.formats.input),
            None => self.sheet.write_blank(row, column, &self.formats.input),
        }
        .map(|_| ())
    }

    /// A formula that the reader may type over.
    pub(super) fn input_formula(
        &mut self,
        row: u32,
        column: u16,
        formula: &str,
        result: f64,
    ) -> Result<(), XlsxError> {
        let formula = Formula::new(formula).set_result(format!("{result}"));
        self.sheet.write_formula_with_format(row, column, formula, &self.formats.input).map(|_| ())
    }

    /// A number, or nothing where unknown: never 0.
    pub(super) fn number(&mut self, row: u32, column: u16, value: Option<f64>) -> Result<(), XlsxError> {
        match value.filter(|v| v.is_finite()) {
            Some(value) => {
                self.sheet.write_number_with_format(row, column, value, &self.formats.number).map(|_| ())
            }
            None => Ok(()),
        }
    }

    /// A formula with its result; an empty text where there is none.
    pub(super) fn formula(
        &mut self,
        row: u32,
        column: u16,
        formula: &str,
        result: Option<f64>,
    ) -> Result<(), XlsxError> {
        let result = result.filter(|v| v.is_finite()).map_or_else(String::new, |v| format!("{v}"));
        let formula = Formula::new(formula).set_result(result);
        self.sheet.write_formula_with_format(row, column, formula, &self.formats.number).map(|_| ())
    }
}

pub(super) fn column_of(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
