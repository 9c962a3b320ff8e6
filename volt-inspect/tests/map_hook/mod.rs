//! A hook that stores registrations in a map, for tests without a runtime.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Mutex;

use volt_inspect::{RegisterHook, TypeRegistration, set_hook};

static TYPES: Mutex<Option<HashMap<TypeId, TypeRegistration>>> = Mutex::new(None);

fn record(registration: &TypeRegistration) {
    let mut types = TYPES.lock().unwrap();
    let types = types.get_or_insert_default();
    types.entry(registration.type_id).or_insert(*registration);
}

fn find(type_id: TypeId) -> Option<TypeRegistration> {
    TYPES.lock().unwrap().as_ref()?.get(&type_id).copied()
}

/// Installs the hook. Must be called before the first future is created.
pub(crate) fn install_hook() {
    static HOOK: RegisterHook = RegisterHook::new(record, find);
    set_hook(&HOOK);
}
