//! What a validation found: at most five sentences, short whatever the instance holds.

use std::fmt::{self, Write};

/// Violations that are reported at most; validation ends there.
const MAX_VIOLATIONS: usize = 5;
/// Bytes of a quoted value, and of a path.
const MAX_VALUE: usize = 80;
/// Bytes of one sentence.
const MAX_SENTENCE: usize = 320;

/// Collects violations until there are enough.
#[derive(Default)]
pub(super) struct Report {
    sentences: Vec<String>,
}

/// The report is full: nothing more needs to be looked at.
pub(super) struct Full;

/// Where in the instance the walk is: a list that lives on the stack of the walk.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Name(&'p [u8]),
    Index(usize),
}

impl Report {
    /// Adds a sentence about the value at `path` (its steps joined by `/`; empty for the root).
    #[cold]
    pub(super) fn add(&mut self, path: &str, sentence: &str) -> Result<(), Full> {
        let sentence = clip(sentence, MAX_SENTENCE);
        self.sentences.push(match path {
            "" => sentence,
            path => format!("\"{}\": {sentence}", clip(path, MAX_VALUE)),
        });
        if self.sentences.len() < MAX_VIOLATIONS { Ok(()) } else { Err(Full) }
    }

    /// `Ok` when nothing was found, else all sentences in one text.
    pub(super) fn finish(self) -> Result<(), String> {
        if self.sentences.is_empty() { Ok(()) } else { Err(self.sentences.join("; ")) }
    }
}

impl<'p> Path<'p> {
    pub(super) const ROOT: Path<'static> = Path { parent: None, step: Step::Root };

    /// The member of this name (as it stands in the text).
    pub(super) fn member(&'p self, name: &'p [u8]) -> Path<'p> {
        Path { parent: Some(self), step: Step::Name(name) }
    }

    /// The item of this index.
    pub(super) fn item(&'p self, index: usize) -> Path<'p> {
        Path { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if parent.parent.is_some() {
                f.write_char('/')?;
            }
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Name(name) => f.write_str(&String::from_utf8_lossy(&name[..name.len().min(MAX_VALUE)])),
            Step::Index(index) => write!(f, "{index}"),
        }
    }
}

/// The text of a value, shortened.
pub(super) fn quote(value: &[u8]) -> String {
    clip(&String::from_utf8_lossy(&value[..value.len().min(MAX_VALUE + 4)]), MAX_VALUE)
}

/// The text of anything that can be displayed; `None` when it is longer than a quoted value may be. It is not written
/// further than that.
pub(super) fn short_text(value: &impl fmt::Display) -> Option<String> {
    struct Bounded(String);
    impl Write for Bounded {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > MAX_VALUE { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut bounded = Bounded(String::new());
    write!(bounded, "{value}").is_ok().then_some(bounded.0)
}

/// The noun with its number.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn clip(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(limit)])
}
