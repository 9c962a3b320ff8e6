//! `MachineJson`: the states and transitions of a machine type as JSON.

use std::fmt::{self, Display};

use super::value::{Elements, Entries, Value};
use crate::machine::{State, Tables, Transition};

/// The JSON of a machine type, which is written by `Display`.
pub(in crate::runtime) struct MachineJson(pub(in crate::runtime) &'static Tables);

impl Display for MachineJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.0;
        let machine = Value::Object(&|put| {
            put("machine", Value::Text(tables.name));
            put("states", Value::List(&|put| put_states(tables, put)));
            let transitions = &|put: Elements<'_>| put_transitions(tables.transitions, put);
            put("transitions", Value::List(transitions));
        });
        machine.fmt(f)
    }
}

fn put_states(tables: &Tables, put: Elements<'_>) {
    for state in tables.states {
        put(Value::Object(&|put| put_state(state, put)));
    }
}

fn put_state(state: &State, put: Entries<'_>) {
    put("name", Value::Text(state.name));
    put("file", Value::Text(state.file));
    put("line", Value::Number(state.line.into()));
    put("column", Value::Number(state.column.into()));
    put(
        "locals",
        Value::List(&|put| {
            for local in state.locals {
                put(Value::Text(local.name));
            }
        }),
    );
}

fn put_transitions(transitions: &[Transition], put: Elements<'_>) {
    for step in transitions {
        put(Value::List(&|put| {
            put(Value::Number(step.from as u64));
            put(Value::Number(step.to as u64));
        }));
    }
}
