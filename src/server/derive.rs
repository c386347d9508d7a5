//! Schemas from Rust types.

use super::handler::IntoToolResult;
use crate::json::RawJson;
use crate::protocol::tool::ToolOptions;

/// JSON Schema of a Rust type, with bounds in place of the number formats that JSON Schema does not define.
pub(crate) fn schema_of<T: schemars::JsonSchema>() -> RawJson {
    fn tidy(schema: &mut schemars::Schema) {
        let format = schema.get("format").and_then(|format| format.as_str()).unwrap_or_default().to_owned();
        let range = match format.as_str() {
            "int8" => Some((i64::from(i8::MIN), i64::from(i8::MAX))),
            "int16" => Some((i64::from(i16::MIN), i64::from(i16::MAX))),
            "int32" => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
            "uint8" => Some((0, i64::from(u8::MAX))),
            "uint16" => Some((0, i64::from(u16::MAX))),
            "uint32" => Some((0, i64::from(u32::MAX))),
            _ => None,
        };
        if range.is_some() || format.starts_with("int") || format.starts_with("uint") || is_real(&format) {
            schema.remove("format");
        }
        if let Some((least, greatest)) = range {
            let object = schema.ensure_object();
            object.entry("minimum").or_insert(least.into());
            object.entry("maximum").or_insert(greatest.into());
        }
        schemars::transform::transform_subschemas(&mut tidy, schema);
    }
    fn is_real(format: &str) -> bool {
        matches!(format, "float" | "double")
    }
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut schema = settings.with_transform(tidy).into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value().into()
}

/// Completes a tool's options with the schemas of its function's types.
pub(crate) fn typed_options<T: schemars::JsonSchema, R: IntoToolResult>(mut options: ToolOptions) -> ToolOptions {
    options.input_schema.get_or_insert_with(schema_of::<T>);
    options.output_schema = options.output_schema.or_else(R::output_schema);
    options
}
