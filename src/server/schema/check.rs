//! One walk over an instance along the tree of its schema. A valid instance costs no allocation.

use super::compile::MAX_NAMES;
use super::cursor::{Cursor, Text};
use super::number::{Number, is_plain_integer};
use super::report::{Full, Path, Report, count, quote};
use super::tree::{Additional, ArrayRules, Bound, BoundKeyword, Node, NodeId, ObjectRules, Rules, Scalar, Tree, Types};
use crate::json::Kind;

/// The violations of a valid JSON text. A name that the schema mentions may occur once in its object; members of any
/// other name are all checked, however often the name occurs.
pub(super) fn check(tree: &Tree, instance: &[u8]) -> Result<(), String> {
    let mut check = Check { tree, cursor: Cursor::new(instance), report: Report::default() };
    let _ = check.value(tree.root, Path::ROOT);
    check.report.finish()
}

type Checked = Result<(), Full>;

/// Each method consumes the value that is next.
struct Check<'a> {
    tree: &'a Tree,
    cursor: Cursor<'a>,
    report: Report,
}

impl Check<'_> {
    fn value(&mut self, id: NodeId, path: Path<'_>) -> Checked {
        match self.tree.node(id) {
            Node::Any | Node::Alias(_) => {
                self.cursor.value();
                Ok(())
            }
            Node::Rules(rules) => self.rules(rules, path),
            Node::Union(union) => match union.0[self.cursor.kind() as usize] {
                Some(branch) => self.value(branch, path),
                None => self.wrong_type(union.1, path),
            },
        }
    }

    fn rules(&mut self, rules: &Rules, path: Path<'_>) -> Checked {
        let kind = self.cursor.kind();
        if !rules.types.contains(kind) {
            return self.wrong_type(rules.types, path);
        }
        match kind {
            Kind::String => self.string(rules, path),
            Kind::Number => self.number(rules, path),
            Kind::Array => match (&rules.array, &rules.choice) {
                (Some(array), None) => self.array(array, path),
                _ => self.other(rules, path),
            },
            Kind::Object => match (&rules.object, &rules.choice) {
                (Some(object), None) => self.object(object, path),
                _ => self.other(rules, path),
            },
            Kind::Null | Kind::Bool => self.other(rules, path),
        }
    }

    fn other(&mut self, rules: &Rules, path: Path<'_>) -> Checked {
        let value = self.cursor.value();
        let matches = |choice: &Scalar| match choice {
            Scalar::Null => value == b"null",
            Scalar::Bool(expected) => value == if *expected { &b"true"[..] } else { b"false" },
            Scalar::Number(_) | Scalar::String(_) => false,
        };
        match &rules.choice {
            Some(choices) if !choices.iter().any(matches) => self.no_choice(value, choices, path),
            _ => Ok(()),
        }
    }

    fn string(&mut self, rules: &Rules, path: Path<'_>) -> Checked {
        let text = self.cursor.string();
        if !text.has_length(rules.length.min, rules.length.max) {
            let (min, max) = (rules.length.min, rules.length.max);
            let (how, limit) = if text.has_length(min, u64::MAX) { ("longer", max) } else { ("shorter", min) };
            self.add(
                path,
                format!("{} is {how} than {}", quote(text.quoted), count(limit, "character", "characters")),
            )?;
        }
        let is_choice = |choices: &Vec<Scalar>| {
            let value = text.unescape();
            choices.iter().any(|choice| matches!(choice, Scalar::String(text) if text.as_bytes() == &*value))
        };
        match &rules.choice {
            Some(choices) if !is_choice(choices) => self.no_choice(text.quoted, choices, path),
            _ => Ok(()),
        }
    }

    fn number(&mut self, rules: &Rules, path: Path<'_>) -> Checked {
        let text = self.cursor.value();
        let wants_integer = rules.types.0 & Types::ALL.0 & 4 == 0;
        // The usual integer is known to be one from its text alone.
        if rules.bounds.is_empty() && rules.choice.is_none() && text.len() < 300 && is_plain_integer(text) {
            return Ok(());
        }
        let Some(number) = Number::parse(text) else {
            return self.add(path, format!("{} is out of range", quote(text)));
        };
        if wants_integer && !number.is_integer() {
            self.add(path, format!("{} is not of {}", quote(text), rules.types.describe()))?;
        }
        for bound in &rules.bounds {
            if !is_within(number, bound) {
                self.add(path, format!("{} is {} {}", quote(text), relation(bound.keyword), bound.text))?;
            }
        }
        let is_choice = |choice: &Scalar| matches!(choice, Scalar::Number(other) if number.compare(*other).is_eq());
        match &rules.choice {
            Some(choices) if !choices.iter().any(is_choice) => self.no_choice(text, choices, path),
            _ => Ok(()),
        }
    }

    fn array(&mut self, rules: &ArrayRules, path: Path<'_>) -> Checked {
        let mut items = 0;
        self.cursor.enter();
        while self.cursor.more(b']') {
            match rules.items {
                Some(node) => self.value(node, path.item(items))?,
                None => {
                    self.cursor.value();
                }
            }
            items += 1;
        }
        self.count(items as u64, rules.count.min, rules.count.max, ["item", "items"], path)
    }

    fn object(&mut self, rules: &ObjectRules, path: Path<'_>) -> Checked {
        let mut seen = [0u64; MAX_NAMES / 64];
        let mut members = 0;
        self.cursor.enter();
        while self.cursor.more(b'}') {
            let key = self.cursor.key();
            members += 1;
            let Some(index) = rules.find(&key.unescape()) else {
                self.additional(rules.additional, key, path)?;
                continue;
            };
            let (word, bit) = (index / 64, 1 << (index % 64));
            if seen[word] & bit != 0 {
                self.add(path, format!("the field {} occurs more than once", quote(key.quoted)))?;
            }
            seen[word] |= bit;
            match rules.properties[index].node {
                Some(node) => self.value(node, path.member(key.raw()))?,
                None => self.additional(rules.additional, key, path)?,
            }
        }
        for (index, property) in rules.properties.iter().enumerate() {
            if property.required && seen[index / 64] & (1 << (index % 64)) == 0 {
                self.add(path, format!("missing required field \"{}\"", property.name))?;
            }
        }
        self.count(members, rules.count.min, rules.count.max, ["field", "fields"], path)
    }

    fn additional(&mut self, additional: Additional, key: Text<'_>, path: Path<'_>) -> Checked {
        match additional {
            Additional::Node(node) => self.value(node, path.member(key.raw())),
            Additional::Any => {
                self.cursor.value();
                Ok(())
            }
            Additional::Forbidden => {
                self.cursor.value();
                self.add(path, format!("unexpected field {}", quote(key.quoted)))
            }
        }
    }

    fn count(&mut self, number: u64, min: u64, max: u64, nouns: [&str; 2], path: Path<'_>) -> Checked {
        let [one, many] = nouns;
        if number < min {
            self.add(path, format!("has {}, at least {min} expected", count(number, one, many)))
        } else if number > max {
            self.add(path, format!("has {}, at most {max} expected", count(number, one, many)))
        } else {
            Ok(())
        }
    }

    fn wrong_type(&mut self, types: Types, path: Path<'_>) -> Checked {
        let value = quote(self.cursor.value());
        if types == Types::NONE {
            return self.add(path, format!("{value} is not allowed"));
        }
        self.add(path, format!("{value} is not of {}", types.describe()))
    }

    #[cold]
    fn no_choice(&mut self, value: &[u8], choices: &[Scalar], path: Path<'_>) -> Checked {
        let listed: Vec<String> = choices.iter().take(20).map(Scalar::to_string).collect();
        self.add(path, format!("{} is not one of {}", quote(value), listed.join(", ")))
    }

    #[cold]
    fn add(&mut self, path: Path<'_>, sentence: String) -> Checked {
        self.report.add(&path.to_string(), &sentence)
    }
}

fn is_within(number: Number, bound: &Bound) -> bool {
    let order = number.compare(bound.limit);
    match bound.keyword {
        BoundKeyword::Minimum => order.is_ge(),
        BoundKeyword::Maximum => order.is_le(),
        BoundKeyword::ExclusiveMinimum => order.is_gt(),
        BoundKeyword::ExclusiveMaximum => order.is_lt(),
    }
}

fn relation(keyword: BoundKeyword) -> &'static str {
    match keyword {
        BoundKeyword::Minimum => "less than the minimum of",
        BoundKeyword::Maximum => "greater than the maximum of",
        BoundKeyword::ExclusiveMinimum => "not greater than",
        BoundKeyword::ExclusiveMaximum => "not less than",
    }
}
