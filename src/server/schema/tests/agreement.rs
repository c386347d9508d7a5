//! The tree and the `jsonschema` crate must give the same verdict on every schema of the subset and every instance.

use super::*;
use crate::server::schema::{check, compile, general};

const INSTANCES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "5",
    "1.0",
    "1.5",
    "-1.5",
    "1e2",
    "1E-2",
    "100",
    "0.1",
    "2.0e0",
    "9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "-9223372036854775808",
    "9223372036854775807",
    "1e300",
    "123456789012345678901234567890",
    r#""""#,
    r#""a""#,
    r#""ab""#,
    r#""abc""#,
    r#""abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz""#,
    r#""é""#,
    r#""éé€😀""#,
    r#""\u0061""#,
    r#""\ud83d\ude00""#,
    r#""\"\\""#,
    r#""1""#,
    "[]",
    "[1]",
    "[1,2]",
    "[1,2,3]",
    r#"["a"]"#,
    r#"["a",1]"#,
    "[[]]",
    "[[1],[\"x\"]]",
    "[null,null]",
    "{}",
    r#"{"a":1}"#,
    r#"{"a":"x"}"#,
    r#"{"a":null}"#,
    r#"{"b":2}"#,
    r#"{"a":1,"b":2}"#,
    r#"{"a":1,"b":2,"c":3}"#,
    r#"{ "a" : [ 1 , 2 ] , "b" : { } }"#,
    r#"{"\u0061":1}"#,
    r#"{"a":{"a":1}}"#,
    r#"{"a":{"a":{"a":"deep"}}}"#,
    r#"{"a\"b":1}"#,
    r#"{"é":1}"#,
    r#"{"":1}"#,
    r#"{"next":{"next":null,"v":1},"v":2}"#,
    r#"{"next":{"next":{"v":"x"},"v":1},"v":2}"#,
    r#"{"v":7}"#,
    r#"{"list":[{"a":1},{"a":"x"}]}"#,
    r#"{"list":[{"a":1},{"a":2}]}"#,
    r#"{"a":"}{][,","b":"\\"}"#,
];

const SCHEMAS: &[&str] = &[
    "{}",
    r#"{"type":"object"}"#,
    r#"{"type":"array"}"#,
    r#"{"type":"string"}"#,
    r#"{"type":"number"}"#,
    r#"{"type":"integer"}"#,
    r#"{"type":"boolean"}"#,
    r#"{"type":"null"}"#,
    r#"{"type":["string","null"]}"#,
    r#"{"type":["integer","string"]}"#,
    r#"{"type":["integer","number"]}"#,
    r#"{"type":["object","array"]}"#,
    r#"{"enum":["a","b",1,null,true]}"#,
    r#"{"enum":[false,1.5,100,"éé€😀"]}"#,
    r#"{"const":"a"}"#,
    r#"{"const":1}"#,
    r#"{"const":1.0}"#,
    r#"{"const":9007199254740993}"#,
    r#"{"const":18446744073709551615}"#,
    r#"{"const":null}"#,
    r#"{"const":"\"\\"}"#,
    r#"{"type":"string","enum":["a",1]}"#,
    r#"{"type":"integer","enum":[1,2]}"#,
    r#"{"minimum":1}"#,
    r#"{"maximum":1}"#,
    r#"{"exclusiveMinimum":1}"#,
    r#"{"exclusiveMaximum":1}"#,
    r#"{"minimum":0.1,"maximum":1.5}"#,
    r#"{"minimum":-1.5,"exclusiveMaximum":9007199254740993}"#,
    r#"{"maximum":9007199254740992}"#,
    r#"{"minimum":9007199254740993}"#,
    r#"{"maximum":18446744073709551614}"#,
    r#"{"minimum":-9223372036854775807}"#,
    r#"{"type":"integer","minimum":0,"maximum":4294967295}"#,
    r#"{"maximum":1e18}"#,
    r#"{"minLength":1}"#,
    r#"{"minLength":2,"maxLength":3}"#,
    r#"{"maxLength":0}"#,
    r#"{"maxLength":4,"minLength":4}"#,
    r#"{"type":"string","minLength":20}"#,
    r#"{"items":{"type":"integer"}}"#,
    r#"{"items":{"items":{"type":"string"}}}"#,
    r#"{"items":true}"#,
    r#"{"items":false}"#,
    r#"{"minItems":1}"#,
    r#"{"maxItems":1,"items":{"type":["null","integer"]}}"#,
    r#"{"minItems":2,"maxItems":2}"#,
    r#"{"properties":{"a":{"type":"integer"}}}"#,
    r#"{"properties":{"a":true,"b":false}}"#,
    r#"{"required":["a"]}"#,
    r#"{"required":["a","b"],"additionalProperties":false,"properties":{"a":{}}}"#,
    r#"{"required":[]}"#,
    r#"{"additionalProperties":false}"#,
    r#"{"additionalProperties":{"type":"integer"}}"#,
    r#"{"properties":{"a":{}},"additionalProperties":{"type":"integer"}}"#,
    r#"{"minProperties":1,"maxProperties":2}"#,
    r#"{"properties":{"a":{"properties":{"a":{"type":"integer"}},"required":["a"]}}}"#,
    r#"{"properties":{"a\"b":{"type":"string"},"é":{"type":"string"},"":{"type":"string"}}}"#,
    r#"{"title":"t","description":"d","default":1,"examples":[1],"format":"email","x-y":1,"$comment":"","type":"string"}"#,
    r#"{"$id":"https://example.com/s","type":"string","contentEncoding":"base64","contentMediaType":"application/json"}"#,
    r##"{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}"##,
    r##"{"$ref":"#/$defs/p","$defs":{"p":{"type":"object","required":["a"]}}}"##,
    r##"{"type":"object","properties":{"list":{"type":"array","items":{"$ref":"#/definitions/a~1b"}}},
        "definitions":{"a/b":{"type":"object","properties":{"a":{"type":"integer"}}}}}"##,
    r#"{"anyOf":[{"type":"string","maxLength":1},{"type":"integer"}]}"#,
    r#"{"oneOf":[{"type":"string"},{"type":["array","null"],"maxItems":1}]}"#,
    r#"{"allOf":[{"type":"string","maxLength":1}]}"#,
    r##"{"properties":{"a":{"$ref":"#"}}}"##,
    r#"{"uniqueItems":false,"minItems":1}"#,
];

/// Outside of the subset: they must not get a tree.
const GENERAL: &[&str] = &[
    r#"{"pattern":"a"}"#,
    r#"{"prefixItems":[{}]}"#,
    r#"{"not":{}}"#,
    r#"{"anyOf":[{"type":"number"},{"type":"integer"}]}"#,
    r#"{"type":"object","anyOf":[{"type":"string"}]}"#,
    r#"{"allOf":[{},{}]}"#,
    r#"{"const":[1]}"#,
    r#"{"enum":[{}]}"#,
    r#"{"patternProperties":{"a":{}}}"#,
    r#"{"if":{}}"#,
    r#"{"multipleOf":2}"#,
    r#"{"uniqueItems":true}"#,
    r#"{"propertyNames":{}}"#,
    r#"{"dependentRequired":{"a":["b"]}}"#,
    r#"{"unevaluatedProperties":false}"#,
    r#"{"contains":{}}"#,
    r##"{"$ref":"#","minItems":1}"##,
    r##"{"$ref":"#"}"##,
    r#"{"unknown":1}"#,
    r##"{"$ref":"#a","$defs":{"a":{"$anchor":"a"}}}"##,
    r#"{"properties":{"a":{"$id":"https://example.com/x"}}}"#,
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","contentEncoding":"base64"}"#,
    r#"{"minLength":2.0}"#,
    r#"{"anyOf":[{"minimum":1},{"type":"null"}]}"#,
];

fn forms(schema: &str) -> (Option<crate::server::schema::tree::Tree>, general::General) {
    let value: Value = serde_json::from_str(schema).unwrap();
    let draft = if schema.contains("draft-07") { Draft::Draft7 } else { Draft::Draft202012 };
    (compile::compile(&value, draft == Draft::Draft7), general::General::compile(&value, draft).unwrap())
}

fn disagreements(schema: &str) -> Vec<String> {
    let (tree, general) = forms(schema);
    let tree = tree.unwrap_or_else(|| panic!("{schema} has no tree"));
    // The walk must leave every value where it ends: whatever follows is still checked. A schema with references can't
    // be moved.
    let is_movable = !schema.contains("$ref") && !schema.contains("$id") && !schema.contains("$schema");
    let in_list = is_movable.then(|| forms(&format!(r#"{{"items":{schema},"maxItems":3}}"#)).0).flatten();
    let mut found = Vec::new();
    for instance in INSTANCES {
        let (quick, thorough) = (check::check(&tree, instance.as_bytes()), general.check(instance.as_bytes()));
        if quick.is_ok() != thorough.is_ok() {
            found.push(format!("{schema} {instance}: {quick:?} {thorough:?}"));
        }
        let list = format!("[{instance},{instance} , {instance}]");
        if let Some(in_list) = &in_list
            && check::check(in_list, list.as_bytes()).is_ok() != quick.is_ok()
        {
            found.push(format!("{schema} {list}"));
        }
    }
    found
}

#[test]
fn the_tree_and_the_general_validator_agree() {
    let found: Vec<String> = SCHEMAS.iter().flat_map(|schema| disagreements(schema)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn they_agree_under_draft_07_too() {
    let dialect = r#"{"$schema":"http://json-schema.org/draft-07/schema#","#;
    let schemas = SCHEMAS.iter().filter(|s| s.len() > 2 && !s.contains("content") && !s.contains("$defs"));
    let found: Vec<String> = schemas.flat_map(|s| disagreements(&s.replacen('{', dialect, 1))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn schemas_outside_of_the_subset_have_no_tree() {
    for schema in GENERAL {
        assert!(forms(schema).0.is_none(), "{schema}");
    }
}

#[test]
fn the_tree_compares_exactly_where_the_general_validator_rounds() {
    let (tree, _) = forms(r#"{"maximum":18446744073709551615}"#);
    let tree = tree.unwrap();
    assert!(check::check(&tree, b"18446744073709551615").is_ok());
    assert!(check::check(&tree, b"18446744073709551616").is_err());
    assert!(check::check(&tree, b"1e400").is_err());
    let (tree, _) = forms(r#"{"maximum":9007199254740992}"#);
    assert!(check::check(&tree.unwrap(), b"9007199254740993.0").is_err());
}

#[test]
fn more_names_than_the_walk_can_mark_have_no_tree() {
    let schema = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("\"p{i}\":{{\"type\":\"integer\"}}")).collect();
        format!("{{\"properties\":{{{}}},\"required\":[\"p{}\"]}}", names.join(","), n - 1)
    };
    let (tree, _) = forms(&schema(256));
    let tree = tree.unwrap();
    assert!(check::check(&tree, br#"{"p255":1,"p0":2,"p128":3}"#).is_ok());
    assert!(check::check(&tree, br#"{"p254":1}"#).is_err());
    assert!(check::check(&tree, br#"{"p255":1,"p128":"x"}"#).is_err());
    assert!(check::check(&tree, br#"{"p255":1,"p255":1}"#).is_err());
    assert!(forms(&schema(257)).0.is_none());
}
