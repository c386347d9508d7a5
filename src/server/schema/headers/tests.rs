use super::*;

fn raw(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).unwrap()
}

fn headers(properties: &str) -> Result<Vec<ParamHeader>, String> {
    param_headers(&raw(&format!(r#"{{"type":"object","properties":{properties}}}"#)))
}

#[test]
fn annotations_are_found_with_their_path() {
    let found = headers(
        r#"{"region":{"type":"string","x-mcp-header":"Region"},
            "deep":{"type":"object","properties":{"x-mcp-header":{"type":"integer","x-mcp-header":"n!"}}},
            "flag":{"type":"boolean","x-mcp-header":"Flag","enum":[true]}}"#,
    );
    let mut found = found.unwrap();
    found.sort_by(|a, b| a.header.cmp(&b.header));
    let summary: Vec<_> = found.iter().map(|h| (h.header.as_str(), h.path.join("/"), h.kind)).collect();
    let expected = [
        ("mcp-param-flag", "flag".to_owned(), ParamKind::Boolean),
        ("mcp-param-n!", "deep/x-mcp-header".to_owned(), ParamKind::Integer),
        ("mcp-param-region", "region".to_owned(), ParamKind::String),
    ];
    assert_eq!(summary, expected);
    assert_eq!(headers(r#"{"a":{"type":"string"}}"#), Ok(vec![]));
    assert_eq!(headers(r#"{"x-mcp-header":{"type":"string"}}"#), Ok(vec![]));
}

#[test]
fn bad_annotations_are_refused() {
    let cases = [
        r#"{"a":{"type":"string","x-mcp-header":""}}"#,
        r#"{"a":{"type":"string","x-mcp-header":"a b"}}"#,
        r#"{"a":{"type":"string","x-mcp-header":"X\r\nY"}}"#,
        r#"{"a":{"type":"string","x-mcp-header":"Grün"}}"#,
        r#"{"a":{"type":"string","x-mcp-header":"a:b"}}"#,
        r#"{"a":{"type":"string","x-mcp-header":7}}"#,
        r#"{"a":{"type":"string","x-mcp-h\u0065ader":"a b"}}"#,
        r#"{"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"string","x-mcp-header":"r"}}"#,
        r#"{"a":{"type":"number","x-mcp-header":"N"}}"#,
        r#"{"a":{"type":"object","x-mcp-header":"N"}}"#,
        r#"{"a":{"type":["string","null"],"x-mcp-header":"N"}}"#,
        r#"{"a":{"x-mcp-header":"N"}}"#,
        r#"{"a":{"items":{"type":"string","x-mcp-header":"N"}}}"#,
        r#"{"a":{"items":{"properties":{"b":{"type":"string","x-mcp-header":"N"}}}}}"#,
        r#"{"a":{"prefixItems":[{"type":"string","x-mcp-header":"N"}]}}"#,
        r#"{"a":{"anyOf":[{"type":"string","x-mcp-header":"N"}]}}"#,
        r#"{"a":{"oneOf":[{"properties":{"b":{"type":"string","x-mcp-header":"N"}}}]}}"#,
        r#"{"a":{"allOf":[{"type":"string","x-mcp-header":"N"}]}}"#,
        r#"{"a":{"not":{"type":"string","x-mcp-header":"N"}}}"#,
        r#"{"a":{"if":{"type":"string","x-mcp-header":"N"}}}"#,
        r#"{"a":{"then":{"type":"string","x-mcp-header":"N"}}}"#,
        r#"{"a":{"else":{"type":"string","x-mcp-header":"N"}}}"#,
        r#"{"a":{"additionalProperties":{"type":"string","x-mcp-header":"N"}}}"#,
        r#"{"a":{"patternProperties":{"x":{"type":"string","x-mcp-header":"N"}}}}"#,
        r##"{"a":{"$ref":"#/$defs/x","$defs":{"x":{"type":"string","x-mcp-header":"N"}}}}"##,
    ];
    for case in cases {
        assert!(headers(case).is_err(), "{case}");
    }
    assert!(param_headers(&raw(r#"{"type":"object","x-mcp-header":"N"}"#)).is_err());
}

#[test]
fn a_header_must_agree_with_the_body() {
    let found = headers(
        r#"{"s":{"type":"string","x-mcp-header":"S"},"i":{"type":"integer","x-mcp-header":"I"},
            "b":{"type":"boolean","x-mcp-header":"B"},
            "o":{"type":"object","properties":{"s":{"type":"string","x-mcp-header":"OS"}}}}"#,
    );
    let found = found.unwrap();
    let cases = [
        ("S", Some("us-west1"), r#"{"s":"us-west1"}"#, true),
        ("S", Some("US-west1"), r#"{"s":"us-west1"}"#, false),
        ("S", None, r#"{"s":"us-west1"}"#, false),
        ("S", None, r#"{"s":null}"#, true),
        ("S", None, "{}", true),
        ("S", Some("x"), r#"{"s":null}"#, false),
        ("S", Some("x"), "{}", false),
        ("S", Some(""), "{}", true),
        ("S", Some(""), r#"{"s":""}"#, true),
        ("S", None, r#"{"s":""}"#, false),
        ("S", Some("a"), r#"{"\u0073":"\u0061"}"#, true),
        ("S", Some("a"), r#"{"s":"a","s":"b"}"#, false),
        ("S", None, r#"{"s":["a"]}"#, true),
        ("S", Some("7"), r#"{"s":7}"#, true),
        ("S", Some("=?base64?SGVsbG8sIOS4lueVjA==?="), r#"{"s":"Hello, 世界"}"#, true),
        ("S", Some("=?base64?IHBhZGRlZCA=?="), r#"{"s":" padded "}"#, true),
        ("S", Some("=?base64?bGluZTEKbGluZTI=?="), r#"{"s":"line1\nline2"}"#, true),
        ("S", Some("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="), r#"{"s":"=?base64?literal?="}"#, true),
        ("S", Some("=?base64?literal?="), r#"{"s":"=?base64?literal?="}"#, false),
        ("S", Some("=?BASE64?YQ==?="), r#"{"s":"a"}"#, false),
        ("S", Some("=?base64?YQ?="), r#"{"s":"a"}"#, false),
        ("S", Some("世界"), r#"{"s":"世界"}"#, false),
        ("I", Some("42"), r#"{"i":42}"#, true),
        ("I", Some("042"), r#"{"i":42}"#, true),
        ("I", Some("42.0"), r#"{"i":42}"#, true),
        ("I", Some("42"), r#"{"i":4.2e1}"#, true),
        ("I", Some("43"), r#"{"i":42}"#, false),
        ("I", Some("-7"), r#"{"i":-7}"#, true),
        ("I", Some("+42"), r#"{"i":42}"#, false),
        ("I", Some("0x2a"), r#"{"i":42}"#, false),
        ("I", Some(""), r#"{"i":0}"#, false),
        ("I", Some("=?base64?NDI=?="), r#"{"i":42}"#, true),
        ("I", Some("9007199254740992"), r#"{"i":9007199254740993}"#, false),
        ("B", Some("true"), r#"{"b":true}"#, true),
        ("B", Some("True"), r#"{"b":true}"#, false),
        ("B", Some("false"), r#"{"b":true}"#, false),
        ("OS", Some("x"), r#"{"o":{"s":"x"},"s":"y"}"#, true),
        ("OS", None, r#"{"o":7,"s":"y"}"#, true),
        ("OS", None, r#"{"s":"y"}"#, true),
        ("OS", Some("y"), r#"{"o":{},"s":"y"}"#, false),
    ];
    for (name, value, arguments, fits) in cases {
        let header = found.iter().find(|header| header.name == name).unwrap();
        let value = value.map(str::as_bytes);
        let result = check(header, value, false, &raw(arguments));
        assert_eq!(result.is_ok(), fits, "{name} {value:?} {arguments} {result:?}");
        assert!(check(header, value, true, &raw(arguments)).is_err());
    }
}

#[test]
fn header_values_are_decoded_strictly() {
    let cases: [(&[u8], Option<&str>); 14] = [
        (b"plain text\twith tab", Some("plain text\twith tab")),
        (b"", Some("")),
        (b"=?base64??=", Some("")),
        (b"=?base64?YQ==?=", Some("a")),
        (b"=?base64?=", Some("=?base64?=")),
        (b"=?base64?YQ==", Some("=?base64?YQ==")),
        (b"=?Base64?YQ==?=", Some("=?Base64?YQ==?=")),
        (b"=?base64?YQ=?=", None),
        (b"=?base64?YR==?=", None),
        (b"=?base64?Y Q==?=", None),
        (b"=?base64?_-8=?=", None),
        (b"=?base64?/w==?=", None),
        (b"a\x00b", None),
        ("é".as_bytes(), None),
    ];
    for (value, expected) in cases {
        assert_eq!(decode_header_value(value).ok().as_deref(), expected, "{value:?}");
    }
}
