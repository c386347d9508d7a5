use bytes::Bytes;

use super::*;

fn is_json(text: &str) -> bool {
    RawJson::parse(text.to_owned()).is_ok()
}

#[test]
fn the_scanner_accepts_what_serde_json_accepts_and_refuses_what_it_refuses() {
    let texts = [
        "0",
        "-0",
        "1.5e-3",
        "1E+2",
        "01",
        "1.",
        ".5",
        "-",
        "+1",
        "1e",
        "true",
        "tru",
        "null ",
        " [ ] ",
        "[1,]",
        "[,1]",
        "{}",
        r#"{"a":1}"#,
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        r#"{a:1}"#,
        r#"["a" "b"]"#,
        r#""\u00e9""#,
        r#""\x""#,
        r#""\u12""#,
        "\"a\nb\"",
        "\"abc",
        "[1] 2",
        "",
        " ",
        "{",
        "[",
        "[}",
        r#"{"a":[1,{"b":null}],"c":"d"}"#,
        "\"\u{7f}\"",
    ];
    for text in texts {
        assert_eq!(is_json(text), serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text:?}");
    }
}

#[test]
fn a_lone_surrogate_is_refused_and_a_pair_is_accepted() {
    assert!(!is_json(r#""\ud800""#));
    assert!(!is_json(r#""\ud800\u0041""#));
    assert!(!is_json(r#""\ude00""#));
    assert!(is_json(r#""\ud83d\ude00""#));
}

#[test]
fn invalid_utf8_is_refused_with_its_place() {
    let error = RawJson::parse(Bytes::from_static(b"\n \xff")).unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 2));
}

#[test]
fn nesting_is_bounded_without_recursion() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(is_json(&nested(128)));
    assert!(!is_json(&nested(129)));
    assert!(!is_json(&nested(1_000_000)));
    assert!(!is_json(&"[".repeat(1_000_000)));
    assert!(!is_json(&r#"{"a":"#.repeat(1_000_000)));
}

#[test]
fn every_character_survives_writing_and_reading() {
    let text: String = (0..=0x2ff).chain([0x2028, 0x1f600]).filter_map(char::from_u32).collect();
    for shift in 0..40 {
        let shifted = "x".repeat(shift) + &text;
        let raw = RawJson::string(&shifted);
        assert!(is_json(raw.as_str()));
        assert_eq!(raw.to_text().as_deref(), Some(shifted.as_str()));
    }
}

#[test]
fn the_writer_places_commas() {
    let mut w = JsonWriter::default();
    w.begin_object();
    w.string_member("a", "x");
    w.key("b");
    w.begin_array();
    w.value(&1);
    w.begin_object();
    w.end_object();
    w.string("");
    w.end_array();
    w.optional_string("c", None);
    w.value_member("d", &true);
    w.end_object();
    assert_eq!(w.into_raw().as_str(), r#"{"a":"x","b":[1,{},""],"d":true}"#);
}

#[test]
fn members_are_found_by_name_also_when_the_name_is_escaped() {
    let raw = RawJson::parse(r#"{"n\u0061me": 1, "other": [2]}"#).unwrap();
    let members = Members::of(&raw).unwrap();
    assert_eq!(members.get("name").unwrap().unwrap().as_str(), "1");
    assert_eq!(members.get("other").unwrap().unwrap().as_str(), "[2]");
    assert!(members.get("nothing").unwrap().is_none());
}

#[test]
fn an_object_with_a_member_that_occurs_twice_is_refused_when_it_is_read() {
    let raw = RawJson::parse(r#"{"a":1,"a":2,"b":3}"#).unwrap();
    let members = Members::of(&raw).unwrap();
    assert!(members.get("a").is_err());
    assert!(members.get("b").is_err());
}

#[test]
fn rust_types_are_read_as_serde_json_reads_them() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    enum Choice {
        Unit,
        New(u8),
        Named { a: i8 },
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct All {
        s: String,
        n: i64,
        u: u64,
        f: f64,
        b: bool,
        o: Option<u8>,
        m: Option<String>,
        list: Vec<Vec<i32>>,
        map: std::collections::BTreeMap<String, String>,
        c: Vec<Choice>,
        raw: RawJson,
        any: serde_json::Value,
        unit: (),
        pair: (u8, String),
    }
    let text = r#" {"s":"a\n\u00e9\ud83d\ude00\/","n":-9223372036854775808,"u":18446744073709551615,"f":1e2,"b":true,
        "o":null,"list":[[],[1, 2]],"map":{"k\"":"v"},"c":["Unit",{"New":1},{"Named":{"a":-1}}],"raw":{"x" : [1]},
        "any":{"a":[1,2.5,"x",null]},"unit":null,"pair":[1,"b"],"ignored":{"deep":[[["x"]]]}} "#;
    let expected: All = serde_json::from_str(text).unwrap();
    assert_eq!(RawJson::parse(text).unwrap().deserialize::<All>().unwrap(), expected);
    for wrong in ["[]", "{}", r#"{"s":1}"#, r#"{"s":"x","s":"y"}"#, "1", "null"] {
        assert!(RawJson::parse(wrong).unwrap().deserialize::<All>().is_err(), "{wrong}");
    }
}

#[test]
fn a_seed_reads_what_its_host_wants() {
    struct Sum(i64);
    impl<'de> serde::de::DeserializeSeed<'de> for Sum {
        type Value = i64;
        fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<i64, D::Error> {
            let numbers: Vec<i64> = serde::Deserialize::deserialize(deserializer)?;
            Ok(self.0 + numbers.iter().sum::<i64>())
        }
    }
    assert_eq!(RawJson::parse("[1, 2]").unwrap().deserialize_seed(Sum(10)).unwrap(), 13);
    assert!(RawJson::parse("{}").unwrap().deserialize_seed(Sum(10)).is_err());
}

#[test]
fn a_writer_writes_every_kind_of_value() {
    let mut w = JsonWriter::new();
    w.begin_object();
    w.any_key("a \"b\"");
    w.begin_array();
    w.null();
    w.bool(true);
    w.bool(false);
    w.integer(-3);
    w.number(1.5);
    w.number(f64::INFINITY);
    w.string("line\n");
    w.value(&[1, 2]);
    w.raw(&RawJson::parse("{\n}").unwrap());
    w.end_array();
    w.any_key("o");
    w.begin_object();
    w.end_object();
    w.end_object();
    assert_eq!(w.into_raw().as_str(), r#"{"a \"b\"":[null,true,false,-3,1.5,null,"line\n",[1,2],{ }],"o":{}}"#);
}

#[test]
fn a_writer_never_returns_what_is_not_one_value() {
    assert!(JsonWriter::new().finish().is_err());
    let mut open = JsonWriter::new();
    open.begin_object();
    assert!(open.finish().is_err());
    let mut two = JsonWriter::new();
    two.null();
    two.bool(true);
    assert!(two.finish().is_err());
    let mut deep = JsonWriter::new();
    (0..200).for_each(|_| deep.begin_array());
    (0..200).for_each(|_| deep.end_array());
    assert!(deep.finish().is_err());
}
