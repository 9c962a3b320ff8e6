//! Places in the source, each of which a dump stores once.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::panic::Location;
use std::time::Duration;

use volt_inspect::Node;

use crate::machine::State;
use crate::task::{Lifecycle, TaskInfo};

/// A place in the source at which tasks wait or were spawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The type of the machine or future, or `spawn` for the place of a spawn.
    pub name: &'static str,
    /// The state of a machine, such as `await sleep`. Empty for other places.
    pub state: &'static str,
    /// The source file. Empty if it is unknown.
    pub file: &'static str,
    /// The line, or zero if it is unknown.
    pub line: u32,
    /// The column, or zero if it is unknown.
    pub column: u32,
}

impl Place {
    /// A place without a name and a file.
    #[cfg(feature = "inspect")]
    pub(super) const UNKNOWN: Self = Self {
        name: "",
        state: "",
        file: "",
        line: 0,
        column: 0,
    };

    pub(super) fn of_state(state: &'static State) -> Self {
        Self {
            name: state.machine,
            state: state.name,
            file: state.file,
            line: state.line,
            column: state.column,
        }
    }

    fn of_spawn(location: &'static Location<'static>) -> Self {
        Self {
            name: "spawn",
            state: "",
            file: location.file(),
            line: location.line(),
            column: location.column(),
        }
    }

    fn of_type(name: &'static str) -> Self {
        Self {
            name,
            state: "",
            file: "",
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let Self { state, file, .. } = self;
        match (*state, *file) {
            ("", "") => return Ok(()),
            (_, "") => return write!(f, " at {state}"),
            ("", _) => f.write_str(" at ")?,
            _ => write!(f, " at {state}, ")?,
        }
        write!(f, "{file}:{}:{}", self.line, self.column)
    }
}

/// The number of a place in its [`PlaceTable`].
pub(super) type PlaceIndex = u32;

/// A list of different places.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceTable {
    places: Vec<Place>,
    indices: HashMap<Place, PlaceIndex>,
    /// The indices by the address and length of a static value, to compare few strings. The length
    /// distinguishes strings that the compiler stores at one address.
    cache: HashMap<(usize, usize), PlaceIndex, BuildHasherDefault<AddressHasher>>,
}

impl PlaceTable {
    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    pub(super) fn get(&self, index: PlaceIndex) -> Place {
        self.places[index as usize]
    }

    pub(super) fn add_state(&mut self, state: &'static State) -> PlaceIndex {
        let address = std::ptr::from_ref(state).addr();
        self.cached((address, 0), || Place::of_state(state))
    }

    /// Adds the current step of a future.
    pub(super) fn add_node(&mut self, node: &Node) -> PlaceIndex {
        if let Some(state) = node.state {
            return self.add_state(state);
        }
        match (node.label, node.place) {
            ("", None) => self.add_type(node.kind),
            (label, place) => self.insert(Place {
                name: node.kind,
                state: label,
                file: place.map_or("", |place| place.file),
                line: place.map_or(0, |place| place.line),
                column: place.map_or(0, |place| place.column),
            }),
        }
    }

    pub(super) fn add_spawn(&mut self, location: &'static Location<'static>) -> PlaceIndex {
        let address = std::ptr::from_ref(location).addr();
        self.cached((address, 0), || Place::of_spawn(location))
    }

    pub(super) fn add_type(&mut self, name: &'static str) -> PlaceIndex {
        self.cached((name.as_ptr().addr(), name.len()), || Place::of_type(name))
    }

    fn cached(&mut self, key: (usize, usize), place: impl FnOnce() -> Place) -> PlaceIndex {
        if let Some(index) = self.cache.get(&key) {
            return *index;
        }
        let index = self.insert(place());
        self.cache.insert(key, index);
        index
    }

    pub(super) fn insert(&mut self, place: Place) -> PlaceIndex {
        let next = PlaceIndex::try_from(self.places.len()).expect("a program has fewer places");
        *self.indices.entry(place).or_insert_with(|| {
            self.places.push(place);
            next
        })
    }

    /// Returns a hash of these places that is equal in each dump of a program.
    pub(super) fn stable_hash(&self, trace: &[PlaceIndex]) -> u64 {
        let mut hasher = DefaultHasher::new();
        for index in trace {
            self.get(*index).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A hasher for addresses, which no input from outside can choose.
#[derive(Clone, Debug, Default)]
pub(super) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize((*byte).into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_usize(number as usize);
    }

    fn write_u64(&mut self, number: u64) {
        self.write_usize(number as usize);
    }

    fn write_usize(&mut self, number: usize) {
        // The multiplier of the golden ratio. The rotation moves the mixed bits to the lowest.
        let mixed = (self.0 ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed.rotate_left(32);
    }
}

pub(super) fn lifecycle(task: &TaskInfo) -> &'static str {
    match task.lifecycle {
        Lifecycle::Idle => "idle",
        Lifecycle::Scheduled => "queued",
        Lifecycle::Running => "running",
        Lifecycle::Complete => "complete",
    }
}

/// Returns the name of the kind of a task, for texts.
pub(super) fn kind(task: &TaskInfo) -> &'static str {
    if task.block_on {
        "future"
    } else if task.blocking {
        "blocking job"
    } else {
        "task"
    }
}

/// Returns a number of tasks, for texts.
pub(super) fn counted(tasks: usize) -> String {
    match tasks {
        1 => "1 task".to_owned(),
        count => format!("{count} tasks"),
    }
}

/// Returns a duration with a unit that fits: `250 ms`, `2.9 s`, `40.0 min`, `12.5 h`, `30.0 days`.
pub(super) fn period(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        1..120 => format!("{seconds:.1} s"),
        120..7_200 => format!("{:.1} min", seconds / 60.0),
        7_200..172_800 => format!("{:.1} h", seconds / 3_600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}
