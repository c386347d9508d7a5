//! From the text of a template to its parts.

use super::units::{self, Unit};
use super::{Kind, Part, UriTemplate, Variable};

/// Longest template.
const MAX_TEMPLATE: usize = 4 * 1024;
/// Most places for variables in one template.
const MAX_VARIABLES: usize = 32;

/// One variable of an expression.
struct Spec {
    index: usize,
    explode: bool,
    max_chars: usize,
}

/// Reads a template.
pub(super) fn parse(text: &str) -> Result<UriTemplate, String> {
    if text.is_empty() || text.len() > MAX_TEMPLATE {
        return Err(format!("a URI template has 1 to {MAX_TEMPLATE} bytes"));
    }
    let mut parser = Parser { literal: String::new(), parts: Vec::new(), places: 0, template: empty(text) };
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        match character {
            '{' => {
                let end = rest.find('}').ok_or("the URI template has an expression without \"}\"")?;
                parser.expression(&rest[1..end])?;
                rest = &rest[end + 1..];
            }
            ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' | '}' | '\0'..='\x1f' | '\x7f' => {
                return Err(format!("the URI template has the character {character:?}, which must be percent-encoded"));
            }
            _ => {
                parser.literal.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    parser.finish()
}

struct Parser {
    /// Literal text that is not yet a part.
    literal: String,
    /// Parts of the head, or of the tail once there is a query.
    parts: Vec<Part>,
    places: usize,
    template: UriTemplate,
}

impl Parser {
    fn expression(&mut self, text: &str) -> Result<(), String> {
        let (operator, list) = match text.chars().next() {
            Some(operator @ ('+' | '#' | '/' | '.' | ';' | '?' | '&')) => (Some(operator), &text[1..]),
            Some(operator @ ('=' | ',' | '!' | '@' | '|')) => {
                return Err(format!("the URI template uses {operator:?}, an operator that RFC 6570 reserves"));
            }
            _ => (None, text),
        };
        let specs = list.split(',').map(|spec| self.spec(spec)).collect::<Result<Vec<_>, String>>()?;
        if let Some('?' | '&') = operator {
            return self.query(operator == Some('&'), &specs);
        }
        for (position, spec) in specs.iter().enumerate() {
            self.path_variable(operator, position == 0, specs.len() > 1, spec)?;
        }
        Ok(())
    }

    fn path_variable(&mut self, operator: Option<char>, first: bool, is_list: bool, spec: &Spec) -> Result<(), String> {
        let separator = match operator {
            None | Some('+' | '#') => ',',
            Some(operator) => operator,
        };
        match operator {
            Some(operator) if operator != '+' && (first || operator != '#') => self.literal.push(operator),
            _ if !first => self.literal.push(','),
            _ => {}
        }
        let name = &self.template.variables[spec.index];
        if operator == Some(';') {
            self.literal.push_str(name);
            self.literal.push('=');
        }
        let kind = match (operator, spec.explode) {
            (Some('/'), true) => Kind::Segments,
            (_, true) => return Err(format!("\"*\" after {name:?} can't be matched; it can in {{/{name}*}}")),
            (Some('+' | '#'), false) => Kind::Reserved,
            (_, false) => Kind::Simple,
        };
        let literal = self.take_literal()?;
        self.parts.push(literal);
        self.parts.push(Part::Variable(Variable {
            index: spec.index,
            kind,
            separator: (is_list && kind == Kind::Simple).then_some(separator as u8),
            max_chars: spec.max_chars,
        }));
        Ok(())
    }

    fn query(&mut self, continues: bool, specs: &[Spec]) -> Result<(), String> {
        if let Some(spec) = specs.iter().find(|spec| spec.explode) {
            return Err(format!("\"*\" after {:?} can't be matched", self.template.variables[spec.index]));
        }
        let is_first = self.template.query.is_none();
        if !is_first && (!continues || !self.literal.is_empty() || !self.parts.is_empty()) {
            return Err("only {&…} and a fragment can follow a query expression in a URI template".to_owned());
        }
        let mut query = self.template.query.take().unwrap_or_default();
        if is_first {
            if continues {
                let Some((path, fixed)) = self.literal.split_once('?') else {
                    return Err("{&…} continues a query, and there is none before it in the URI template".to_owned());
                };
                query.fixed = fixed
                    .split('&')
                    .filter(|pair| !pair.is_empty())
                    .map(pair)
                    .collect::<Option<_>>()
                    .ok_or(ENCODING)?;
                self.literal = path.to_owned();
            }
            let literal = self.take_literal()?;
            self.parts.push(literal);
            self.template.head = std::mem::take(&mut self.parts);
            if self.template.head.iter().any(|part| has(part, b'?') || has(part, b'#')) {
                return Err("a query expression can't follow \"?\", \"#\" or {#…} in a URI template".to_owned());
            }
        }
        query.variables.extend(specs.iter().map(|spec| (spec.index, spec.max_chars)));
        self.template.query = Some(query);
        Ok(())
    }

    fn spec(&mut self, text: &str) -> Result<Spec, String> {
        let (text, explode) = text.strip_suffix('*').map_or((text, false), |name| (name, true));
        let (name, max_chars) = match text.split_once(':') {
            None => (text, usize::MAX),
            Some((name, length)) => {
                let length = length.parse().ok().filter(|n| (1..10_000).contains(n) && !length.starts_with(['+', '0']));
                (name, length.filter(|_| !explode).ok_or(format!("{text:?} has a bad prefix length"))?)
            }
        };
        let is_name = |part: &str| {
            let plain = part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%'));
            plain && !part.is_empty() && units::of_text(part).is_some()
        };
        if !name.split('.').all(is_name) {
            return Err(format!("{name:?} is no variable name: letters, digits, \"_\" and \".\" are allowed"));
        }
        self.places += 1;
        if self.places > MAX_VARIABLES {
            return Err(format!("the URI template has more than {MAX_VARIABLES} variables"));
        }
        let variables = &mut self.template.variables;
        let index = variables.iter().position(|known| known == name).unwrap_or_else(|| {
            variables.push(name.to_owned());
            variables.len() - 1
        });
        Ok(Spec { index, explode, max_chars })
    }

    fn take_literal(&mut self) -> Result<Part, String> {
        let text = std::mem::take(&mut self.literal);
        let is_start = self.parts.is_empty() && self.template.query.is_none();
        let units = if is_start { units::of_uri(&text) } else { units::of_text(&text) };
        let units = units.ok_or(ENCODING)?;
        self.template.literal_len += units.len();
        Ok(Part::Literal(units))
    }

    fn finish(mut self) -> Result<UriTemplate, String> {
        let literal = self.take_literal()?;
        self.parts.push(literal);
        self.parts.retain(|part| !matches!(part, Part::Literal(units) if units.is_empty()));
        let mut template = self.template;
        match &template.query {
            None => template.head = self.parts,
            Some(query) => {
                let starts_fragment = match self.parts.first() {
                    Some(Part::Literal(units)) => units.first().is_some_and(|unit| unit.is(b'#')),
                    Some(Part::Variable(_)) => false,
                    None => true,
                };
                if !starts_fragment {
                    return Err("only {&…} and a fragment can follow a query expression in a URI template".to_owned());
                }
                template.literal_len += query.fixed.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
                template.head.retain(|part| !matches!(part, Part::Literal(units) if units.is_empty()));
                template.tail = self.parts;
            }
        }
        Ok(template)
    }
}

const ENCODING: &str = "the URI template has a \"%\" without two hexadecimal digits";

fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let decode = |text| units::decode(&units::of_text(text)?);
    Some((decode(name)?, decode(value)?))
}

fn has(part: &Part, byte: u8) -> bool {
    matches!(part, Part::Literal(units) if units.iter().any(|unit: &Unit| unit.is(byte)))
}

fn empty(text: &str) -> UriTemplate {
    UriTemplate {
        text: text.to_owned(),
        variables: Vec::new(),
        head: Vec::new(),
        query: None,
        tail: Vec::new(),
        literal_len: 0,
    }
}
