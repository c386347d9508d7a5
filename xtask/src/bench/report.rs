//! The table at the end.

use std::fmt::Write as _;
use std::io::{self, Write as _};

/// What we want of a figure.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    AtLeast(f64),
    AtMost(f64),
    /// Printed for information.
    Nothing,
}

/// Everything measured so far, and what could not be.
#[derive(Default)]
pub(super) struct Report {
    sections: Vec<Section>,
    notes: Vec<String>,
    failures: Vec<String>,
}

struct Section {
    title: String,
    left: String,
    right: String,
    rows: Vec<Row>,
}

struct Row {
    what: String,
    left: Option<f64>,
    right: f64,
    /// What is compared with the wish: the ratio right/left, or `right` alone.
    figure: f64,
    wanted: Wanted,
}

impl Report {
    /// Runs one part; an error becomes a line of what could not be measured.
    pub(super) fn attempt(&mut self, part: &str, measure: impl FnOnce(&mut Self) -> Result<(), String>) {
        eprintln!("measuring {part}");
        if let Err(error) = measure(self) {
            eprintln!("{part}: {error}");
            self.failures.push(format!("{part}: {error}"));
        }
    }

    /// Begins a section whose columns are called `left` and `right`.
    pub(super) fn section(&mut self, title: &str, left: &str, right: &str) {
        let (title, left, right) = (title.to_owned(), left.to_owned(), right.to_owned());
        self.sections.push(Section { title, left, right, rows: Vec::new() });
    }

    /// Adds a row whose figure is the ratio right/left.
    pub(super) fn ratio(&mut self, what: &str, (left, right): (f64, f64), wanted: Wanted) {
        let figure = if left == 0.0 { f64::NAN } else { right / left };
        self.row(Row { what: what.to_owned(), left: Some(left), right, figure, wanted });
    }

    /// Adds a row with one value, which is its figure.
    pub(super) fn value(&mut self, what: &str, value: f64, wanted: Wanted) {
        self.row(Row { what: what.to_owned(), left: None, right: value, figure: value, wanted });
    }

    /// Adds a sentence below the table.
    pub(super) fn note(&mut self, sentence: &str) {
        self.notes.push(sentence.to_owned());
    }

    fn row(&mut self, row: Row) {
        if let Some(section) = self.sections.last_mut() {
            section.rows.push(row);
        }
    }

    /// Prints the table on stdout; fails with the list of what could not be measured.
    pub(super) fn print(&self) -> Result<(), String> {
        let mut text = String::new();
        for section in self.sections.iter().filter(|section| !section.rows.is_empty()) {
            section.write(&mut text);
        }
        for note in &self.notes {
            text.push_str(&format!("\n{note}\n"));
        }
        io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
        if self.failures.is_empty() {
            return Ok(());
        }
        Err(format!("could not be measured:\n  {}", self.failures.join("\n  ")))
    }
}

impl Section {
    fn write(&self, text: &mut String) {
        let mut line = |cells: [&str; 6]| {
            let [what, left, right, figure, wanted, met] = cells;
            let cells = format!("{what:<42} {left:>14} {right:>14} {figure:>10} {wanted:>10}  {met}");
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", cells.trim_end());
        };
        line(["", "", "", "", "", ""]);
        line([&self.title, &self.left, &self.right, "ratio", "wanted", ""]);
        for row in &self.rows {
            let left = row.left.map_or_else(|| "-".to_owned(), figure);
            let ratio = row.left.map_or_else(|| "-".to_owned(), |_| format!("{:.2}", row.figure));
            let (wanted, met) = match row.wanted {
                Wanted::AtLeast(least) => (format!(">= {}", short(least)), verdict(row.figure >= least)),
                Wanted::AtMost(most) => (format!("<= {}", short(most)), verdict(row.figure <= most)),
                Wanted::Nothing => (String::new(), ""),
            };
            line([&row.what, &left, &figure(row.right), &ratio, &wanted, met]);
        }
    }
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "NOT MET" }
}

fn short(wish: f64) -> String {
    if wish >= 100.0 { figure(wish) } else { format!("{wish:.2}") }
}

/// A figure with as many digits as are worth reading.
fn figure(value: f64) -> String {
    match value.abs() {
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 1000.0 => format!("{value:.1}"),
        _ => grouped(&format!("{value:.0}")),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
