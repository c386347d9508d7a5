//! `mcp_completion_result_t`: suggestions.

use mcp::CompleteResult;

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// Suggestions in the making. The setters never fail: what is not valid is told by `mcp_respond_completion`. Not to be used
/// from two threads at once.
pub struct mcp_completion_result_t(pub(crate) Draft<CompleteResult>);

/// No suggestions.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_completion_result_new() -> *mut mcp_completion_result_t {
    guard_pointer(|| give(mcp_completion_result_t(Draft::new(CompleteResult::default()))))
}

/// Frees a result that was not answered with. NULL is fine.
///
/// # Safety
/// `result` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_completion_result_delete(result: *mut mcp_completion_result_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(result) }));
}

/// Adds a suggestion, best first. The client receives the first 100.
///
/// # Safety
/// `result` is NULL or a live handle; `value` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_completion_result_add_value(result: *mut mcp_completion_result_t, value: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        edit(
            result,
            |result| &mut result.0,
            |mut result| {
                result.values.push(value.string("value")?);
                Ok(result)
            },
        );
    }
}

/// Says how many suggestions there are in all.
///
/// # Safety
/// `result` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_completion_result_set_total(result: *mut mcp_completion_result_t, total: u64) {
    // SAFETY: as promised by the caller.
    unsafe { edit(result, |result| &mut result.0, |result| Ok(CompleteResult { total: Some(total), ..result })) };
}

/// Says whether there are more suggestions than those added.
///
/// # Safety
/// `result` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_completion_result_set_has_more(result: *mut mcp_completion_result_t, has_more: bool) {
    // SAFETY: as promised by the caller.
    unsafe { edit(result, |result| &mut result.0, |result| Ok(CompleteResult { has_more: Some(has_more), ..result })) };
}
