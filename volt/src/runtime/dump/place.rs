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

    /// Returns `true` for the place of a spawn.
    pub(super) fn is_spawn(&self) -> bool {
        self.name == "spawn" && self.state.is_empty() && !self.file.is_empty()
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
        let Self { state, file, .. } = self;
        if self.is_spawn() {
            return write!(f, "{SPAWNED}{file}:{}:{}", self.line, self.column);
        }
        f.write_str(&shown_type(self.name))?;
        match (*state, *file) {
            ("", "") => return Ok(()),
            (_, "") => return write!(f, " at {state}"),
            ("", _) => f.write_str(" at ")?,
            _ => write!(f, " at {state}, ")?,
        }
        write!(f, "{file}:{}:{}", self.line, self.column)
    }
}

/// The begin of the text of the place of a spawn.
const SPAWNED: &str = "spawned at ";

/// Returns a text in which a task at an unknown place has the place of its spawn.
pub(super) fn with_spawns(text: &str) -> String {
    let text = text.replace(", at spawned at ", ", spawned at ");
    let text = text.replace("; at spawned at ", "; spawned at ");
    text.replace(" at spawned at ", ", spawned at ")
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

/// Returns the function of a task or job, for texts: `app::serve`, or `a closure in app::main`.
pub(super) fn function_of(task: &TaskInfo) -> String {
    let code = code_of_job(task.type_name);
    let name = shown_type(code);
    if task.blocking && code.ends_with(CLOSURE) {
        return format!("a closure in {name}");
    }
    name
}

/// Returns the type of the closure in the future of a blocking job, or the type itself.
fn code_of_job(type_name: &str) -> &str {
    let job = type_name.strip_suffix('>');
    let code = job.and_then(|job| job.split_once("::BlockingJob<"));
    match code {
        Some((path, code)) if path.starts_with("volt::") => code,
        _ => type_name,
    }
}

/// Returns the name of a type without the closures at its end.
pub(super) fn path_of_type(name: &str) -> &str {
    code_of_job(name).trim_end_matches(CLOSURE)
}

/// The end of the name of a closure, an `async` block, or the future of an `async fn`.
const CLOSURE: &str = "::{{closure}}";

/// Returns a type without the paths in its arguments, and without the names of closures at its end:
/// `tokio::sync::mutex::Mutex<Vec<String>>::lock`.
pub(super) fn shown_type(name: &str) -> String {
    let name = path_of_type(name);
    let Some((outer, arguments)) = name.split_once('<') else {
        return name.to_owned();
    };
    let mut shown = format!("{outer}<");
    let is_of_path = |letter: char| letter.is_alphanumeric() || "_:{}".contains(letter);
    for part in arguments.split_inclusive(|letter| !is_of_path(letter)) {
        let is_method = shown.ends_with('>') && part.starts_with("::");
        let begin = part.rfind("::").filter(|_| !is_method);
        shown.push_str(begin.map_or(part, |begin| &part[begin + 2..]));
    }
    shown
}

/// Returns the last argument of a list that ends with `>`, without paths.
pub(super) fn last_argument(list: &str) -> Option<String> {
    let (mut depth, mut begin) = (0_usize, 0);
    for (index, letter) in list.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            ',' if depth == 0 => begin = index + 1,
            '>' if depth == 0 => {
                // The arguments of a type are shown without their paths.
                let shown = shown_type(&format!("<{}>", list[begin..index].trim()));
                return Some(shown.replace(' ', ""));
            }
            '>' if !list[..index].ends_with('-') => depth -= 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Returns a number of tasks, for texts.
pub(super) fn counted(tasks: usize) -> String {
    match tasks {
        1 => "1 task".to_owned(),
        count => format!("{count} tasks"),
    }
}

/// Returns a duration with a unit that fits: `250 ms`, `2.9 s`, `40.0 min`, `12.5 h`, `30.0 days`.
///
/// The page and `cargo volt` round and select the unit in the same way, so a time has one text.
pub(super) fn period(time: Duration) -> String {
    let millis = time.as_millis();
    let (unit, name) = match time.as_secs() {
        0 => return format!("{millis} ms"),
        1..120 => (1_000, "s"),
        120..7_200 => (60_000, "min"),
        7_200..172_800 => (3_600_000, "h"),
        _ => (86_400_000, "days"),
    };
    let tenths = (millis * 10 + unit / 2) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use std::time::Duration;

    use super::{function_of, period, shown_type};
    use crate::runtime::dump::sample::task;
    use crate::task::TaskInfo;

    #[test]
    fn period_is_rounded_to_a_tenth() {
        let periods = [
            (999, "999 ms"),
            (1_250, "1.3 s"),
            (2_949, "2.9 s"),
            (119_960, "120.0 s"),
            (150_000, "2.5 min"),
            (2_591_997_000, "30.0 days"),
        ];
        for (millis, text) in periods {
            assert_eq!(period(Duration::from_millis(millis)), text);
        }
        assert_eq!(period(Duration::MAX), "213503982334601.3 days");
    }

    #[test]
    fn arguments_of_a_type_have_no_paths() {
        let types = [
            (
                "tokio::sync::mutex::Mutex<alloc::vec::Vec<alloc::string::String>>::lock::{{closure}}",
                "tokio::sync::mutex::Mutex<Vec<String>>::lock",
            ),
            ("app::serve::{{closure}}", "app::serve"),
            ("app::Map<a::B, &c::D>", "app::Map<B, &D>"),
            ("Sleep", "Sleep"),
        ];
        for (name, expected) in types {
            assert_eq!(shown_type(name), expected);
        }
    }

    #[test]
    fn closure_of_a_job_is_in_its_function() {
        let mut job = TaskInfo {
            type_name: "app::main::{{closure}}::{{closure}}",
            ..task(1, 10)
        };
        assert_eq!(function_of(&job), "app::main");
        job.blocking = true;
        assert_eq!(function_of(&job), "a closure in app::main");
        job.type_name = "volt::runtime::blocking::BlockingJob<app::main::{{closure}}>";
        assert_eq!(function_of(&job), "a closure in app::main");
        job.type_name = "app::fill";
        assert_eq!(function_of(&job), "app::fill");
    }
}
