//! From a schema to its tree, when the schema stays within the subset.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::number::Number;
use super::tree::{
    Additional, ArrayRules, Bound, BoundKeyword, Node, NodeId, ObjectRules, Property, Range, Rules, Scalar, Tree,
    Types, name_order,
};

/// Names that one object schema may mention; the walk keeps a bit for each.
pub(super) const MAX_NAMES: usize = 256;

/// How long a chain of references may be, each met while the one before is compiled.
const MAX_REFERENCES: usize = 64;

/// The tree of a schema of a supported dialect; `None` when it uses more than the subset or is not well formed.
pub(super) fn compile(root: &Value, is_draft07: bool) -> Option<Tree> {
    let mut compiler = Compiler { root, is_draft07, nodes: Vec::new(), references: HashMap::new(), depth: 0 };
    let root = compiler.schema(root)?;
    let tree = Tree { nodes: compiler.nodes, root };
    (0..tree.nodes.len()).all(|start| ends(&tree.nodes, start)).then_some(tree)
}

struct Compiler<'s> {
    root: &'s Value,
    is_draft07: bool,
    nodes: Vec<Node>,
    references: HashMap<&'s str, NodeId>,
    depth: usize,
}

impl<'s> Compiler<'s> {
    fn schema(&mut self, schema: &'s Value) -> Option<NodeId> {
        let object = match schema {
            Value::Bool(true) => return self.add(Node::Any),
            Value::Bool(false) => return self.add(Node::Rules(Box::new(Rules { types: Types::NONE, ..no_rules() }))),
            Value::Object(object) => object,
            _ => return None,
        };
        if !object.iter().all(|(keyword, value)| self.is_known(keyword, value, object)) {
            return None;
        }
        self.definitions(object)?;
        let applicators = ["$ref", "anyOf", "oneOf", "allOf"];
        if let Some(applicator) = applicators.into_iter().find(|keyword| object.contains_key(*keyword)) {
            let is_alone = object.keys().all(|keyword| keyword == applicator || is_annotation(keyword));
            return if is_alone { self.applicator(applicator, &object[applicator]) } else { None };
        }
        let rules = self.rules(object)?;
        self.add(Node::Rules(Box::new(rules)))
    }

    fn is_known(&self, keyword: &str, value: &Value, schema: &Map<String, Value>) -> bool {
        match keyword {
            "$id" => value.is_string() && std::ptr::eq(schema, self.root.as_object().unwrap_or(schema)),
            "uniqueItems" => value == &Value::Bool(false),
            "items" => !value.is_array(),
            // An assertion in draft-07.
            "contentMediaType" | "contentEncoding" => !self.is_draft07 && value.is_string(),
            _ if keyword.starts_with("x-") => true,
            _ if is_annotation(keyword) => is_annotation_value(keyword, value),
            _ => is_rule(keyword),
        }
    }

    /// Definitions must be well formed also where nothing refers to them.
    fn definitions(&mut self, schema: &'s Map<String, Value>) -> Option<()> {
        for definitions in ["$defs", "definitions"].into_iter().filter_map(|keyword| schema.get(keyword)) {
            for definition in definitions.as_object()?.values() {
                self.schema(definition)?;
            }
        }
        Some(())
    }

    fn applicator(&mut self, keyword: &str, value: &'s Value) -> Option<NodeId> {
        match (keyword, value) {
            ("$ref", Value::String(pointer)) => self.reference(pointer),
            ("allOf", Value::Array(branches)) if branches.len() == 1 => self.schema(&branches[0]),
            ("anyOf" | "oneOf", Value::Array(branches)) => self.union(branches),
            _ => None,
        }
    }

    /// The node of a `$ref`, which may be under construction.
    fn reference(&mut self, pointer: &'s str) -> Option<NodeId> {
        if let Some(id) = self.references.get(pointer) {
            return Some(*id);
        }
        let target = self.target(pointer)?;
        let id = self.add(Node::Any)?;
        self.references.insert(pointer, id);
        self.depth += 1;
        let node = if self.depth > MAX_REFERENCES { None } else { self.schema(target) }?;
        self.depth -= 1;
        self.nodes[id as usize] = Node::Alias(node);
        Some(id)
    }

    fn target(&self, pointer: &str) -> Option<&'s Value> {
        let path = pointer.strip_prefix('#')?;
        let is_plain = path.is_empty() || path.starts_with("/$defs/") || path.starts_with("/definitions/");
        if !is_plain || path.contains('%') { None } else { self.root.pointer(path) }
    }

    /// Branches of which no two share a kind of value, so that the kind alone selects the branch.
    fn union(&mut self, branches: &'s [Value]) -> Option<NodeId> {
        let (mut by_kind, mut all) = ([None; 6], Types::NONE);
        for branch in branches {
            let types = self.types_of(branch)?;
            let node = self.schema(branch)?;
            for (kind, slot) in by_kind.iter_mut().enumerate() {
                if types.with_kinds().0 & (1 << kind) != 0 && slot.replace(node).is_some() {
                    return None;
                }
            }
            all = all.union(types);
        }
        self.add(Node::Union(Box::new((by_kind, all))))
    }

    fn types_of(&self, schema: &'s Value) -> Option<Types> {
        let mut schema = schema;
        for _ in 0..8 {
            match schema.get("$ref") {
                Some(pointer) => schema = self.target(pointer.as_str()?)?,
                None => return types(schema.get("type")?),
            }
        }
        None
    }

    fn rules(&mut self, schema: &'s Map<String, Value>) -> Option<Rules> {
        let mut rules = no_rules();
        if let Some(value) = schema.get("type") {
            rules.types = types(value)?;
        }
        rules.choice = match (schema.get("enum"), schema.get("const")) {
            (None, None) => None,
            (Some(Value::Array(values)), None) => Some(values.iter().map(scalar).collect::<Option<_>>()?),
            (None, Some(value)) => Some(vec![scalar(value)?]),
            _ => return None,
        };
        rules.bounds = bounds(schema)?;
        rules.length = range(schema, "minLength", "maxLength")?;
        rules.array = self.array_rules(schema)?;
        rules.object = self.object_rules(schema)?;
        Some(rules)
    }

    fn array_rules(&mut self, schema: &'s Map<String, Value>) -> Option<Option<ArrayRules>> {
        if !["items", "minItems", "maxItems"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return Some(None);
        }
        let items = match schema.get("items") {
            Some(items) => Some(self.schema(items)?),
            None => None,
        };
        Some(Some(ArrayRules { items, count: range(schema, "minItems", "maxItems")? }))
    }

    fn object_rules(&mut self, schema: &'s Map<String, Value>) -> Option<Option<ObjectRules>> {
        const KEYWORDS: [&str; 5] =
            ["properties", "required", "additionalProperties", "minProperties", "maxProperties"];
        if !KEYWORDS.iter().any(|keyword| schema.contains_key(*keyword)) {
            return Some(None);
        }
        let mut properties = Vec::new();
        let listed = schema.get("properties").map(Value::as_object);
        if listed == Some(None) {
            return None;
        }
        for (name, property) in listed.flatten().into_iter().flatten() {
            properties.push(Property {
                name: name.as_str().into(),
                node: Some(self.schema(property)?),
                required: false,
            });
        }
        let required = match schema.get("required") {
            Some(names) => names.as_array()?.as_slice(),
            None => &[],
        };
        for name in required {
            let name = name.as_str()?;
            match properties.iter_mut().find(|property| &*property.name == name) {
                Some(property) if property.required => return None,
                Some(property) => property.required = true,
                None => properties.push(Property { name: name.into(), node: None, required: true }),
            }
        }
        if properties.len() > MAX_NAMES {
            return None;
        }
        properties.sort_by(|a, b| name_order(a.name.as_bytes(), b.name.as_bytes()));
        let additional = match schema.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Additional::Any,
            Some(Value::Bool(false)) => Additional::Forbidden,
            Some(schema) => Additional::Node(self.schema(schema)?),
        };
        Some(Some(ObjectRules { properties, additional, count: range(schema, "minProperties", "maxProperties")? }))
    }

    fn add(&mut self, node: Node) -> Option<NodeId> {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).ok()
    }
}

/// Whether following aliases and nothing else comes to an end.
fn ends(nodes: &[Node], start: usize) -> bool {
    let mut at = start;
    for _ in 0..=nodes.len() {
        match nodes.get(at) {
            Some(Node::Alias(target)) => at = *target as usize,
            Some(Node::Union(_) | Node::Rules(_) | Node::Any) | None => return true,
        }
    }
    false
}

fn no_rules() -> Rules {
    Rules { types: Types::ALL, choice: None, bounds: Vec::new(), length: Range::ANY, array: None, object: None }
}

fn is_annotation(keyword: &str) -> bool {
    const NAMES: [&str; 16] = [
        "$schema",
        "$comment",
        "$id",
        "$defs",
        "definitions",
        "title",
        "description",
        "default",
        "examples",
        "format",
        "deprecated",
        "readOnly",
        "writeOnly",
        "contentMediaType",
        "contentEncoding",
        "contentSchema",
    ];
    NAMES.contains(&keyword) || keyword.starts_with("x-")
}

/// Whether an annotation has the type that the meta-schema wants.
fn is_annotation_value(keyword: &str, value: &Value) -> bool {
    match keyword {
        "default" => true,
        "examples" => value.is_array(),
        "deprecated" | "readOnly" | "writeOnly" => value.is_boolean(),
        "$defs" | "definitions" => value.is_object(),
        "contentSchema" => value.is_boolean() || value.is_object(),
        _ => value.is_string(),
    }
}

fn is_rule(keyword: &str) -> bool {
    const NAMES: [&str; 20] = [
        "type",
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
        "$ref",
        "anyOf",
        "oneOf",
        "allOf",
    ];
    NAMES.contains(&keyword)
}

fn types(value: &Value) -> Option<Types> {
    match value {
        Value::String(name) => Types::named(name),
        Value::Array(names) => {
            // The meta-schema wants at least one, and each once.
            let repeats = |(n, name): (usize, &Value)| names[..n].contains(name);
            if names.is_empty() || names.iter().enumerate().any(repeats) {
                return None;
            }
            names.iter().try_fold(Types::NONE, |all, name| Some(all.union(Types::named(name.as_str()?)?)))
        }
        _ => None,
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    Some(match value {
        Value::Null => Scalar::Null,
        Value::Bool(value) => Scalar::Bool(*value),
        Value::Number(number) => Scalar::Number(Number::parse(number.to_string().as_bytes())?),
        Value::String(text) => Scalar::String(text.as_str().into()),
        Value::Array(_) | Value::Object(_) => return None,
    })
}

fn bounds(schema: &Map<String, Value>) -> Option<Vec<Bound>> {
    const KEYWORDS: [(&str, BoundKeyword); 4] = [
        ("minimum", BoundKeyword::Minimum),
        ("maximum", BoundKeyword::Maximum),
        ("exclusiveMinimum", BoundKeyword::ExclusiveMinimum),
        ("exclusiveMaximum", BoundKeyword::ExclusiveMaximum),
    ];
    let present = KEYWORDS.iter().filter_map(|(name, keyword)| Some((*keyword, schema.get(*name)?)));
    present
        .map(|(keyword, value)| {
            let text = value.as_number()?.to_string();
            Some(Bound { keyword, limit: Number::parse(text.as_bytes())?, text })
        })
        .collect()
}

fn range(schema: &Map<String, Value>, min: &str, max: &str) -> Option<Range> {
    let bound = |name, otherwise| match schema.get(name) {
        None => Some(otherwise),
        // `2.0` is allowed and rare: the general validator knows it.
        Some(value) => value.as_u64(),
    };
    Some(Range { min: bound(min, 0)?, max: bound(max, u64::MAX)? })
}
