use std::time::{Duration, Instant};

use super::*;

mod agreement;

fn raw(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).unwrap()
}

fn compile(text: &str) -> Result<Schema, String> {
    Schema::compile(&raw(text))
}

fn error(schema: &str, instance: &str) -> String {
    compile(schema).unwrap().validate(&raw(instance)).unwrap_err()
}

#[test]
fn bad_schemas_are_refused_with_a_sentence() {
    let nested = |levels: usize| r#"{"not":"#.repeat(levels) + "{}" + &"}".repeat(levels);
    let many = format!(r#"{{"anyOf":[{}]}}"#, vec!["{}"; 10_001].join(","));
    let cases = [
        ("true", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("\"x\"", "must be a JSON object"),
        (r#"{"$schema":"http://json-schema.org/draft-04/schema#"}"#, "not supported"),
        (r#"{"$schema":"https://example.com/mine"}"#, "not supported"),
        (r#"{"$schema":7}"#, "must be a string"),
        (r#"{"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}"#, "another `$schema`"),
        (r#"{"type":"strin"}"#, "not valid at \"/type\""),
        (r#"{"properties":{"a":{"minLength":-1}}}"#, "not valid at \"/properties/a/minLength\""),
        (r#"{"required":"a"}"#, "not valid"),
        (r#"{"maximum":1e400}"#, "can't be read"),
        (r#"{"$ref":"http://127.0.0.1:9/x"}"#, "must stay within"),
        (r#"{"properties":{"a":{"items":{"$ref":"other.json"}}}}"#, "must stay within"),
        (r#"{"$dynamicRef":"http://127.0.0.1:9/x#y"}"#, "must stay within"),
        (r##"{"$ref":"#/$defs/none"}"##, "can't be resolved"),
        (r##"{"$dynamicRef":"#none"}"##, "can't be resolved"),
        (r#"{"properties":{"a":{"pattern":"(["}}}"#, "regular expression at \"/properties/a/pattern\""),
        (r#"{"pattern":"((a{1000}){1000}){1000}"}"#, "regular expression"),
        (&nested(63), ""),
        (&nested(64 + 1), "nested deeper"),
        (&many, "more than 10000"),
    ];
    for (schema, expected) in cases {
        match compile(schema) {
            Ok(_) => assert_eq!(expected, "", "{schema}"),
            Err(error) => assert!(!expected.is_empty() && error.contains(expected), "{schema}: {error}"),
        }
    }
}

#[test]
fn both_dialects_are_known_in_every_spelling() {
    for dialect in ["json-schema.org/draft/2020-12/schema", "json-schema.org/draft-07/schema"] {
        for spelling in [format!("https://{dialect}"), format!("http://{dialect}#"), format!("https://{dialect}#")] {
            assert!(compile(&format!(r#"{{"$schema":"{spelling}","type":"object"}}"#)).is_ok(), "{spelling}");
        }
    }
    let tuple = r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}"#;
    assert!(compile(tuple).unwrap().validate(&raw("[1]")).is_err());
    assert!(compile(r#"{"items":[{"type":"string"}]}"#).is_err());
}

#[test]
fn violations_name_the_field() {
    let schema = r#"{"type":"object","required":["b"],"additionalProperties":false,"properties":{
        "a":{"type":"number"},"b":{"enum":["x","y"]},"o":{"type":"object","required":["in"]},
        "l":{"type":"array","items":{"type":["string","null"]}}}}"#;
    let cases = [
        (r#"{"a":"x","b":"x"}"#, r#""a": "x" is not of type "number""#),
        ("{}", r#"missing required field "b""#),
        (r#"{"b":"z"}"#, r#""b": "z" is not one of "x", "y""#),
        (r#"{"b":"x","c":1}"#, r#"unexpected field "c""#),
        (r#"{"b":"x","o":{}}"#, r#""o": missing required field "in""#),
        (r#"{"b":"x","l":[null,"s",5]}"#, r#""l/2": 5 is not of types "null", "string""#),
        (r#"{"b":"x","b":"y"}"#, r#"the field "b" occurs more than once"#),
        ("[1]", r#"[1] is not of type "object""#),
    ];
    for (instance, expected) in cases {
        assert_eq!(error(schema, instance), expected);
    }
    let general = schema.replace(r#""required":["b"]"#, r#""required":["b"],"if":true"#);
    assert_eq!(error(&general, r#"{"a":"x","b":"x"}"#), r#""a": "x" is not of type "number""#);
    assert_eq!(error(&general, "{}"), r#"missing required field "b""#);
    assert_eq!(error(&general, r#"{"b":"x","c":1}"#), r#"unexpected field "c""#);
    assert!(error(&general, r#"{"b":"x","b":"x"}"#).contains("more than once"));
}

#[test]
fn reports_stay_short_whatever_the_instance_holds() {
    let long = format!(r#"["{}", "{}"]"#, "é".repeat(100_000), "\\u0000".repeat(1_000));
    let many = format!("[{}]", vec!["true"; 50_000].join(","));
    let key = format!(r#"{{"{}":1}}"#, "k".repeat(100_000));
    for schema in [
        r#"{"items":{"type":"number"},"additionalProperties":false}"#,
        r#"{"items":{"type":"number","not":{"const":7}},"additionalProperties":false}"#,
        r#"{"not":{}}"#,
    ] {
        for instance in [&long, &many, &key] {
            let started = Instant::now();
            assert!(error(schema, instance).len() < 2_500);
            assert!(started.elapsed() < Duration::from_secs(5));
        }
    }
}

#[test]
fn catastrophic_patterns_and_deep_recursion_end() {
    let started = Instant::now();
    let text = RawJson::string(&("a".repeat(60_000) + "b"));
    for pattern in ["(a+)+$", "^(?!.*x)(a+)+(?=c)$", "(a|a)*c(?<!b)", "(a*)*b(?=c)"] {
        let schema = format!(r#"{{"pattern":"{pattern}"}}"#);
        assert!(compile(&schema).unwrap().validate(&text).is_err(), "{pattern}");
    }
    let deep = raw(&("[".repeat(126) + &"]".repeat(126)));
    let list = compile(r##"{"type":"array","items":{"$ref":"#"}}"##).unwrap();
    assert!(list.validate(&deep).is_ok());
    let general = compile(r##"{"type":"array","contains":true,"minContains":0,"items":{"$ref":"#"}}"##).unwrap();
    assert!(general.validate(&deep).is_ok());
    for circle in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"anyOf":[{"$ref":"#"},{"type":"null"}]}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ] {
        let _ = compile(circle).map(|schema| schema.validate(&deep));
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn chains_of_references_are_bounded() {
    let chain = |length: usize, link: &str| {
        let link = |i: usize| format!(r#""d{i}":{}"#, link.replace("NEXT", &format!("#/$defs/d{}", i + 1)));
        let links: Vec<String> = (0..length).map(link).collect();
        compile(&format!(
            r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d{length}":{{"type":"string"}}}}}}"##,
            links.join(",")
        ))
    };
    for link in [r#"{"$ref":"NEXT"}"#, r#"{"allOf":[{"$ref":"NEXT"}]}"#, r#"{"not":{"not":{"$ref":"NEXT"}}}"#] {
        let short = chain(20, link).unwrap();
        assert!(short.validate(&raw("\"x\"")).is_ok());
        assert!(short.validate(&raw("7")).is_err());
        assert!(chain(70, link).unwrap_err().contains("references"), "{link}");
        assert!(chain(4_000, link).is_err());
    }
    // Links that each consume a level of the instance may be many.
    let long = chain(2_000, r#"{"properties":{"a":{"$ref":"NEXT"}}}"#).unwrap();
    assert!(long.validate(&raw(r#"{"a":{"a":{}}}"#)).is_ok());
}

#[test]
fn strings_end_where_they_end_at_any_length_and_offset() {
    let schema =
        |n: usize| compile(&format!(r#"{{"items":{{"minLength":{n},"maxLength":{n}}},"maxItems":2}}"#)).unwrap();
    for length in 0..140 {
        for filler in ["x", "é", "\"", "\\", "!", "]", "\n", "\u{1f600}"] {
            let text = RawJson::string(&filler.repeat(length));
            let list = raw(&format!("[{text},{text}]"));
            assert!(schema(length).validate(&list).is_ok(), "{list}");
            assert!(schema(length + 1).validate(&list).is_err(), "{list}");
        }
    }
}

#[test]
fn input_schemas_get_an_object_at_the_root() {
    let cases = [
        ("{}", Some(r#"{"type":"object"}"#)),
        ("{ }", Some(r#"{"type":"object" }"#)),
        (r#"{"properties":{"a":{}}}"#, Some(r#"{"type":"object","properties":{"a":{}}}"#)),
        (r#"{"anyOf":[{}]}"#, Some(r#"{"type":"object","anyOf":[{}]}"#)),
        (r#"{"type":"object"}"#, Some(r#"{"type":"object"}"#)),
        ("true", None),
        ("null", None),
        ("\"x\"", None),
        ("[]", None),
        (r#"{"type":"string"}"#, None),
        (r#"{"type":["object"]}"#, None),
        (r#"{"type":"object","type":"string"}"#, None),
    ];
    for (schema, expected) in cases {
        let result = normalise_input(&raw(schema));
        assert_eq!(result.as_ref().ok().map(RawJson::as_str), expected, "{schema} {result:?}");
        assert!(result.is_err() || root_is_object(&result.unwrap()));
    }
    assert!(!root_is_object(&raw(r#"{"type":"array"}"#)));
    assert!(!root_is_object(&raw("true")));
}

#[test]
fn elements_are_counted_on_all_levels() {
    let cases = [
        ("{}", 0),
        ("[]", 0),
        ("7", 0),
        ("\"[1,2,3]\"", 0),
        ("[1]", 1),
        ("[[],[[]],1]", 4),
        (r#"{"a":[1,2],"b":{"c":{}}, "d":"x,y\"[{"}"#, 6),
        ("[ [ ] , { } ]", 2),
    ];
    for (text, count) in cases {
        let value = raw(text);
        assert_eq!(cursor::count_elements(value.as_bytes(), usize::MAX), count, "{text}");
        assert!(!element_count_exceeds(&value, count), "{text}");
        assert!(count == 0 || element_count_exceeds(&value, count - 1), "{text}");
    }
    assert!(element_count_exceeds(&raw(&format!("[{}1]", "1,".repeat(100_000))), 100_000));
}
