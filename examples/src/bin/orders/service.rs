//! The services that an order calls. Each request is a line of a file.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use volt::machine::StepKey;

use crate::Outcome;

static FILE: OnceLock<PathBuf> = OnceLock::new();

/// Sets the file with the requests to the services that this process calls.
pub(crate) fn set_file(effects: &Path) {
    // A second call in a process would have the same file.
    let _ = FILE.set(effects.to_owned());
}

/// Sends a request, such as `order-7: charge`, and returns a receipt, `charge`.
///
/// The service takes some time before and after the effect, so a worker can be killed on both sides
/// of it.
pub(crate) async fn request(key: StepKey, effect: String) -> String {
    volt::time::sleep(Duration::from_millis(10)).await;
    // One write, so lines of several processes do not mix.
    append(&format!("{key} {effect}\n")).expect("the file of the services can be written");
    volt::time::sleep(Duration::from_millis(10)).await;
    let (_, receipt) = effect.split_once(": ").unwrap_or_default();
    receipt.to_owned()
}

fn append(line: &str) -> io::Result<()> {
    let file = FILE.get().expect("the file of the services is set");
    let mut file = OpenOptions::new().append(true).create(true).open(file)?;
    file.write_all(line.as_bytes())
}

/// The requests of all orders.
pub(crate) struct Effects {
    /// The effects of each order, once for each key, by the number of the step.
    pub(crate) by_order: BTreeMap<String, BTreeMap<u64, String>>,
    /// The number of requests whose key an earlier request had.
    pub(crate) repeated: usize,
}

/// Reads the requests of a run.
pub(crate) fn read_effects(file: &Path) -> Outcome<Effects> {
    let mut effects = Effects {
        by_order: BTreeMap::new(),
        repeated: 0,
    };
    for line in fs::read_to_string(file)?.lines() {
        let (key, request) = line.split_once(' ').ok_or("a line without a key")?;
        let (order, effect) = request.split_once(": ").ok_or("a line without an order")?;
        let (_, step) = key.split_once('-').ok_or("a key without a step")?;
        let of_order = effects.by_order.entry(order.to_owned()).or_default();
        match of_order.insert(step.parse()?, effect.to_owned()) {
            None => {}
            Some(first) if first == effect => effects.repeated += 1,
            Some(first) => return Err(format!("{key} is `{first}` and `{effect}`").into()),
        }
    }
    Ok(effects)
}
