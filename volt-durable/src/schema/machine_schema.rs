//! `MachineSchema`: the states of one type of machines, with the values that they store.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::form::{Definition, Fields, Form, Types, Variant};
use super::tracing::Tracer;
use crate::machine::Durable;

/// The states of one type of machines, with the values that they store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MachineSchema {
    /// The values of each state by their names.
    pub(super) states: BTreeMap<String, Fields>,
    /// The states whose names are older ones, which the build reads and never stores.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) older: BTreeSet<String>,
    /// The output.
    pub(super) outcome: Form,
    /// The types of the values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) types: Types,
}

impl MachineSchema {
    /// Describes a type of machines, and returns its name.
    ///
    /// # Panics
    ///
    /// Panics if serde does not read the type as an enum.
    pub(super) fn of<M: Durable>() -> (String, Self) {
        let mut tracer = Tracer::default();
        let form = tracer.trace::<M>();
        let outcome = tracer.trace::<M::Outcome>();
        let mut types = tracer.into_types();
        let name = crate::machine::type_name_of::<M>();
        let Some(Definition::Enum(variants)) = types.get(&form.to_string()).cloned() else {
            panic!("`{name}` is no machine: serde does not read it as an enum");
        };
        if !is_used(&types, &form) {
            types.remove(&form.to_string());
        }
        let (mut states, mut older) = (BTreeMap::new(), BTreeSet::new());
        for (state, mut values) in variants {
            if let Variant::Older(same) = values {
                older.insert(state.clone());
                values = *same;
            }
            let fields = match values {
                Variant::Struct(fields) | Variant::Strict(fields) => fields,
                _ => Fields::new(),
            };
            states.insert(state, fields);
        }
        let schema = Self {
            states,
            older,
            outcome,
            types,
        };
        (name, schema)
    }
}

/// Returns `true` if a definition contains the form, such as that of a recursive machine.
fn is_used(types: &Types, form: &Form) -> bool {
    let Ok(text) = serde_json::to_string(types) else {
        return true;
    };
    let name = serde_json::to_string(form).unwrap_or_default();
    // The name of the definition itself is followed by a colon.
    text.replace(&format!("{name}:"), "").contains(&name)
}
