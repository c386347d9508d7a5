//! URI templates (RFC 6570), used the other way round: which values would have expanded to this URI?
//!
//! A template is matched from the outside in: the part before the query, the query as a set of parameters, the rest. It
//! never backtracks: a pass from the right finds out which parts can match from where, a pass from the left then gives
//! each variable as much as it can have, so the time is bounded by template length times URI length. Values are
//! percent-decoded once, and values that could leave a directory do not match. Knows nothing of resources.

mod parse;
#[cfg(test)]
mod tests;
mod units;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use units::Unit;

/// Longest URI that is matched.
const MAX_URI: usize = 64 * 1024;

/// A template that can be matched.
///
/// `{v}` does not cross `/`, `?` or `#`; `{+v}` and `{#v}` do; `{/v*}` matches one or more path segments; `{?a,b}` and
/// `{&a,b}` match parameters in any order, each of which may be absent; all other variables need at least one character.
/// A parameter that the template does not name does not match.
#[derive(Clone, Debug)]
pub(crate) struct UriTemplate {
    text: String,
    variables: Vec<String>,
    head: Vec<Part>,
    query: Option<Query>,
    tail: Vec<Part>,
    literal_len: usize,
}

#[derive(Clone, Debug)]
enum Part {
    Literal(Vec<Unit>),
    Variable(Variable),
}

#[derive(Clone, Debug)]
struct Variable {
    /// Index into the template's variables.
    index: usize,
    kind: Kind,
    /// A character that ends the value, the separator of a list.
    separator: Option<u8>,
    /// From `:n`.
    max_chars: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Within one segment.
    Simple,
    /// Across everything.
    Reserved,
    /// Across `/`, each segment being safe: `{/v*}`.
    Segments,
}

#[derive(Clone, Debug, Default)]
struct Query {
    /// `name=value` pairs that stand literally before a `{&…}`; all must be there.
    fixed: Vec<(String, String)>,
    /// Indexes into the template's variables, with their `:n`.
    variables: Vec<(usize, usize)>,
}

/// Which of several matching templates is taken: the greatest. More literal characters come first, then fewer variables,
/// then the text that sorts first.
pub(crate) type Specificity<'t> = (usize, Reverse<usize>, Reverse<&'t str>);

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    /// A sentence for the host's developer: bad syntax, an operator that RFC 6570 reserves, or an expression that can't
    /// be matched (`*` outside of `{/v*}`, something other than a fragment after a query).
    pub(crate) fn parse(text: &str) -> Result<UriTemplate, String> {
        parse::parse(text)
    }

    /// The names of the variables in order of appearance, each once.
    pub(crate) fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The rank among templates that match the same URI.
    pub(crate) fn specificity(&self) -> Specificity<'_> {
        (self.literal_len, Reverse(self.variables.len()), Reverse(&self.text))
    }

    /// The values for which the template expands to `uri`, decoded once; absent parameters are left out.
    ///
    /// `None` also for URIs that are too long or badly encoded, and for unsafe values: one with `/`, `\` or NUL, or that
    /// is `.` or `..`, in a variable of one segment; one with a `..` segment or NUL in any other.
    pub(crate) fn matches(&self, uri: &str) -> Option<BTreeMap<String, String>> {
        let uri = Some(uri).filter(|uri| uri.len() <= MAX_URI).and_then(units::of_uri)?;
        let mut values =
            Values { names: &self.variables, limits: vec![0; self.variables.len()], found: BTreeMap::new() };
        let Some(query) = &self.query else {
            return match_parts(&self.head, &uri, &mut values).then_some(values.found);
        };
        let fragment = uri.iter().position(|unit| unit.is(b'#')).unwrap_or(uri.len());
        let (uri, tail) = uri.split_at(fragment);
        let path_end = uri.iter().position(|unit| unit.is(b'?')).unwrap_or(uri.len());
        let (path, parameters) = (&uri[..path_end], uri.get(path_end + 1..).unwrap_or_default());
        let fits = match_parts(&self.head, path, &mut values)
            && match_query(query, parameters, &mut values)
            && match_parts(&self.tail, tail, &mut values);
        fits.then_some(values.found)
    }
}

/// Values found so far.
struct Values<'t> {
    names: &'t [String],
    /// The largest `:n` under which each variable was found; zero before.
    limits: Vec<usize>,
    found: BTreeMap<String, String>,
}

impl Values<'_> {
    /// Adds a value; false when it is not safe, too long, or differs from what the variable has already.
    fn add(&mut self, index: usize, kind: Kind, max_chars: usize, value: &[Unit]) -> bool {
        let Some(mut value) = units::decode(value).filter(|value| is_safe(kind, value)) else {
            return false;
        };
        if kind == Kind::Segments
            && value.split('/').any(|segment| segment.is_empty() || !is_safe(Kind::Simple, segment))
        {
            return false;
        }
        let (Some(name), Some(limit)) = (self.names.get(index), self.limits.get_mut(index)) else { return false };
        if let Some(other) = self.found.get(name) {
            // The same variable again, or a prefix of it: both are beginnings of one value.
            let common = max_chars.min(*limit);
            if !other.chars().take(common).eq(value.chars().take(common)) {
                return false;
            }
            if *limit > max_chars {
                value.clone_from(other);
            }
        }
        *limit = max_chars.max(*limit);
        self.found.insert(name.clone(), value);
        true
    }
}

fn is_safe(kind: Kind, value: &str) -> bool {
    match kind {
        Kind::Simple => !matches!(value, "." | "..") && !value.contains(['/', '\\', '\0']),
        Kind::Reserved | Kind::Segments => !value.contains('\0') && value.split(['/', '\\']).all(|part| part != ".."),
    }
}

/// Matches all of `text`.
fn match_parts(parts: &[Part], text: &[Unit], values: &mut Values<'_>) -> bool {
    // Most templates are ruled out by what they start with.
    if let Some(Part::Literal(literal)) = parts.first()
        && !text.starts_with(literal)
    {
        return false;
    }
    let ends = can_end(parts, text);
    let mut at = 0;
    if !ends[0].get(at).copied().unwrap_or(false) {
        return false;
    }
    for (part, can_follow) in parts.iter().zip(&ends[1..]) {
        let end = match part {
            Part::Literal(literal) => at + literal.len(),
            Part::Variable(variable) => {
                let limit = variable.limit(text, at);
                let Some(end) = (at + 1..=limit).rev().find(|end| can_follow[*end]) else { return false };
                if !values.add(variable.index, variable.kind, variable.max_chars, &text[at..end]) {
                    return false;
                }
                end
            }
        };
        at = end;
    }
    at == text.len()
}

/// For each part, and for the end, the positions from which it and all that follow can match.
fn can_end(parts: &[Part], text: &[Unit]) -> Vec<Vec<bool>> {
    let mut table = vec![vec![false; text.len() + 1]; parts.len() + 1];
    table[parts.len()][text.len()] = true;
    for (index, part) in parts.iter().enumerate().rev() {
        let (before, after) = table.split_at_mut(index + 1);
        let (Some(starts), Some(follows)) = (before.last_mut(), after.first()) else { continue };
        match part {
            Part::Literal(literal) => {
                for at in 0..(text.len() + 1).saturating_sub(literal.len()) {
                    starts[at] = follows[at + literal.len()] && text[at..].starts_with(literal);
                }
            }
            Part::Variable(variable) => variable.starts(text, follows, starts),
        }
    }
    table
}

impl Variable {
    /// Whether a value may hold the unit. What is never safe in a value is left to its neighbours from the start.
    fn takes(&self, unit: Unit) -> bool {
        let is_separator = self.separator.is_some_and(|separator| unit.is(separator));
        !is_separator
            && match self.kind {
                Kind::Simple => !unit.is(b'?') && !unit.is(b'#') && !matches!(unit.byte, b'/' | b'\\' | 0),
                Kind::Segments => {
                    !unit.is(b'?') && !unit.is(b'#') && !matches!(unit.byte, b'\\' | 0) && !unit.is_encoded(b'/')
                }
                Kind::Reserved => true,
            }
    }

    /// Where a value that starts at `at` must have ended.
    fn limit(&self, text: &[Unit], at: usize) -> usize {
        let mut chars = 0;
        let run = text[at..].iter().take_while(|unit| {
            chars += usize::from(unit.starts_character());
            self.takes(**unit) && chars <= self.max_chars
        });
        at + run.count()
    }

    /// Fills in from where the variable can match, given from where the rest can.
    fn starts(&self, text: &[Unit], follows: &[bool], starts: &mut [bool]) {
        // Walking left: the end of the run of units that it takes, the nearest place where the rest can follow, and the
        // place that is `max_chars` characters on.
        let (mut run_end, mut nearest) = (text.len(), usize::MAX);
        let mut window_end = text.len();
        let mut chars = 0;
        for at in (0..text.len()).rev() {
            if follows[at + 1] {
                nearest = at + 1;
            }
            if !self.takes(text[at]) {
                run_end = at;
            }
            chars += usize::from(text[at].starts_character());
            while chars > self.max_chars {
                window_end -= 1;
                chars -= usize::from(text[window_end].starts_character());
            }
            starts[at] = nearest <= run_end.min(window_end);
        }
    }
}

fn match_query(query: &Query, text: &[Unit], values: &mut Values<'_>) -> bool {
    let mut fixed: Vec<&(String, String)> = query.fixed.iter().collect();
    let mut seen = Vec::new();
    for parameter in text.split(|unit| unit.is(b'&')).filter(|parameter| !parameter.is_empty()) {
        let equals = parameter.iter().position(|unit| unit.is(b'='));
        let (name, value) = match equals {
            Some(at) => (&parameter[..at], &parameter[at + 1..]),
            None => (parameter, &[][..]),
        };
        let (Some(name), Some(text)) = (units::decode(name), units::decode(value)) else { return false };
        if let Some(at) = fixed.iter().position(|(key, expected)| *key == name && *expected == text) {
            fixed.remove(at);
            continue;
        }
        let known = query.variables.iter().find(|(index, _)| values.names.get(*index) == Some(&name));
        let Some((index, max_chars)) = known else { return false };
        if seen.contains(index) || text.chars().count() > *max_chars {
            return false;
        }
        seen.push(*index);
        if !values.add(*index, Kind::Reserved, *max_chars, value) {
            return false;
        }
    }
    fixed.is_empty()
}
