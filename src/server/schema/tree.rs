//! The common subset of JSON Schema, compiled: types, properties, items, scalar `enum` and `const`, bounds, local
//! `$ref`, and `anyOf`/`oneOf` whose branches are told apart by the kind of the value.
//!
//! A schema that needs more has no tree; nothing here guesses. The schema is known to be valid.

use super::number::Number;

/// A compiled schema.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeId,
}

/// The place of a node in its tree.
pub(super) type NodeId = u32;

/// One subschema.
pub(super) enum Node {
    /// Everything is valid.
    Any,
    /// What another node says.
    Alias(NodeId),
    /// The keywords that apply to the value.
    Rules(Box<Rules>),
    /// The branch for each kind of value, by `Kind as usize`, and the types of all branches.
    Union(Box<([Option<NodeId>; 6], Types)>),
}

/// The keywords of one subschema.
pub(super) struct Rules {
    pub(super) types: Types,
    /// `enum` or `const`
    pub(super) choice: Option<Vec<Scalar>>,
    pub(super) bounds: Vec<Bound>,
    pub(super) length: Range,
    pub(super) array: Option<ArrayRules>,
    pub(super) object: Option<ObjectRules>,
}

/// A set of JSON types, `integer` being one of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(pub(super) u8);

/// A value of `enum` or `const`.
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Number(Number),
    String(Box<str>),
}

/// One of the four numeric bounds.
pub(super) struct Bound {
    pub(super) keyword: BoundKeyword,
    pub(super) limit: Number,
    /// The limit as the schema writes it.
    pub(super) text: String,
}

#[derive(Clone, Copy)]
pub(super) enum BoundKeyword {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

/// Inclusive bounds of a count.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) min: u64,
    pub(super) max: u64,
}

pub(super) struct ArrayRules {
    pub(super) items: Option<NodeId>,
    pub(super) count: Range,
}

pub(super) struct ObjectRules {
    /// Every name in `properties` or `required`, ordered by `name_order`.
    pub(super) properties: Vec<Property>,
    pub(super) additional: Additional,
    pub(super) count: Range,
}

pub(super) struct Property {
    pub(super) name: Box<str>,
    /// `None` for a name that is only required.
    pub(super) node: Option<NodeId>,
    pub(super) required: bool,
}

/// What holds for members that `properties` does not name.
#[derive(Clone, Copy)]
pub(super) enum Additional {
    Any,
    Forbidden,
    Node(NodeId),
}

impl Types {
    pub(super) const NONE: Types = Types(0);
    pub(super) const ALL: Types = Types(0x3f);
    pub(super) const INTEGER: Types = Types(0x40);
    const NAMES: [(&'static str, Types); 7] = [
        ("null", Types(1)),
        ("boolean", Types(2)),
        ("number", Types(4)),
        ("string", Types(8)),
        ("array", Types(16)),
        ("object", Types(32)),
        ("integer", Types::INTEGER),
    ];

    /// The type that a schema calls so.
    pub(super) fn named(name: &str) -> Option<Types> {
        Types::NAMES.iter().find(|(known, _)| *known == name).map(|(_, types)| *types)
    }

    pub(super) fn union(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    /// Whether values of this kind can have one of the types, as far as the kind tells.
    pub(super) fn contains(self, kind: crate::json::Kind) -> bool {
        self.with_kinds().0 & (1 << kind as u8) != 0
    }

    /// The types with each `integer` widened to a number.
    pub(super) fn with_kinds(self) -> Types {
        Types(self.0 & Types::ALL.0 | (self.0 & Types::INTEGER.0) >> 4)
    }

    /// `type "a"` or `types "a", "b"`
    pub(super) fn describe(self) -> String {
        let names = Types::NAMES.iter().filter(|(_, types)| self.0 & types.0 != 0);
        let names: Vec<String> = names.map(|(name, _)| format!("\"{name}\"")).collect();
        format!("type{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Null => f.write_str("null"),
            Scalar::Bool(value) => value.fmt(f),
            Scalar::Number(Number::Integer(value)) => value.fmt(f),
            Scalar::Number(Number::Real(value)) => value.fmt(f),
            Scalar::String(text) => write!(f, "{text:?}"),
        }
    }
}

impl Range {
    pub(super) const ANY: Range = Range { min: 0, max: u64::MAX };
}

impl ObjectRules {
    /// The position of a name among the properties.
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        self.properties.binary_search_by(|property| name_order(property.name.as_bytes(), name)).ok()
    }
}

impl Tree {
    pub(super) fn node(&self, mut id: NodeId) -> &Node {
        // The compiler refuses circles of aliases.
        while let Some(Node::Alias(target)) = self.nodes.get(id as usize) {
            id = *target;
        }
        self.nodes.get(id as usize).unwrap_or(&Node::Any)
    }
}

/// An order that is cheap to compute: the length decides first.
pub(super) fn name_order(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}
