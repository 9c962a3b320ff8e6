//! Sizes of machines, as JSON.

use serde_json::{Value, json};

use super::sizes::CrateSizes;
use crate::macro_reports::sizes::{LocalSize, MachineSizes, StateSizes};

/// Returns the sizes as JSON. An unknown number is `null`.
pub(super) fn value(sizes: &CrateSizes) -> Value {
    let unmeasured = sizes.unmeasured.iter();
    let unmeasured = unmeasured
        .map(|(file, line, name)| json!({ "file": file, "line": line, "function": name }));
    json!({
        "schema": 1,
        "machines": sizes.machines.iter().map(machine).collect::<Vec<_>>(),
        "unmeasured": unmeasured.collect::<Vec<_>>(),
    })
}

fn machine(machine: &MachineSizes) -> Value {
    let reason = machine.reason.as_ref();
    json!({
        "name": machine.name,
        "function": machine.function,
        "file": machine.file,
        "line": machine.line,
        "size": machine.size,
        "align": machine.align,
        "compiler_size": machine.compiler_size,
        "layout": machine.layout,
        "reason": reason.map(|(text, _)| text),
        "reason_line": reason.map(|(_, line)| line),
        "cut": machine.is_cut,
        "states": machine.states.iter().map(state).collect::<Vec<_>>(),
    })
}

fn state(state: &StateSizes) -> Value {
    json!({
        "name": state.name,
        "line": state.line,
        "stored": state.stored(),
        "future_size": state.future.size,
        "future_offset": state.future.offset,
        "locals": state.locals.iter().map(local).collect::<Vec<_>>(),
    })
}

fn local(local: &LocalSize) -> Value {
    json!({
        "name": local.name,
        "type": local.ty,
        "size": local.bytes.size,
        "offset": local.bytes.offset,
    })
}
