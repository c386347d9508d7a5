//! What the types of the C++ API write, as `tests/cpp/emit_results.cpp` prints it and its own test compares it.

use mcp::ProtocolVersion;
use serde_json::Value;

use crate::harness::schema;

const RESULTS: &str = include_str!("../cpp/results.jsonl");
/// What `CallToolResult` and its kin leave to the library, which writes it for the client's revision.
const WRITTEN_BY_THE_LIBRARY: [(&str, &str); 3] =
    [("resultType", "\"complete\""), ("ttlMs", "0"), ("cacheScope", "\"private\"")];

#[test]
fn every_type_of_the_cpp_api_is_written_as_the_official_schema_says() {
    let mut problems = Vec::new();
    let mut types = 0;
    for line in RESULTS.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (name, mut value) = (line["type"].as_str().unwrap(), line["value"].clone());
        if name.ends_with("Result")
            && let Some(members) = value.as_object_mut()
        {
            for (member, text) in WRITTEN_BY_THE_LIBRARY {
                members.entry(member).or_insert_with(|| serde_json::from_str(text).unwrap());
            }
        }
        let checked = match name {
            "InitializeResult" => schema::check(ProtocolVersion::V2025_11_25, name, &value),
            "CreateTaskResult" => schema::check_tasks(name, &value),
            _ => schema::check(ProtocolVersion::LATEST, name, &value),
        };
        types += 1;
        problems.extend(checked.err());
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(types >= 50, "only {types} types were written");
}
