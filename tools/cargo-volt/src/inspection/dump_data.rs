//! A dump of schema 1, as far as the commands use it. Unknown keys and columns are ignored.

use std::collections::HashMap;

use serde_json::Value;

/// The data of a dump, or of its groups alone.
#[derive(Clone, Debug, Default)]
pub(super) struct DumpData {
    pub(super) runtime: String,
    pub(super) name: String,
    pub(super) pid: u64,
    pub(super) instance: String,
    pub(super) taken_ms: u64,
    pub(super) alive: u64,
    pub(super) queued: u64,
    /// The numbers of timers by the time that is left: element `n` counts those of less than 10ⁿ
    /// milliseconds.
    pub(super) timers_by_decade: Vec<u64>,
    /// The number of all timers, also of those whose futures are not known.
    pub(super) timers: u64,
    pub(super) workers: Vec<WorkerData>,
    /// The threads in `block_on`.
    pub(super) threads: Vec<ThreadData>,
    pub(super) findings: Vec<FindingData>,
    pub(super) groups: Vec<GroupData>,
    /// The numbers of tasks by the place of their spawn. Empty if the server is of an older
    /// version.
    pub(super) spawns: Vec<SpawnData>,
    pub(super) tasks: Vec<TaskData>,
    /// `true` if the program has polled its idle tasks for this dump.
    pub(super) is_by_poll: bool,
}

/// A worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WorkerData {
    /// The task that it polls.
    pub(super) running: Option<String>,
    /// The duration of this poll in milliseconds.
    pub(super) for_ms: u64,
    pub(super) queued: u64,
    pub(super) polled: u64,
}

/// A thread that waits in `block_on`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ThreadData {
    pub(super) name: String,
    pub(super) ms: Option<u64>,
    /// The file, the line and the column of the call.
    pub(super) location: String,
}

/// A probable cause of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FindingData {
    pub(super) is_error: bool,
    pub(super) text: String,
    /// The next step. Empty if the server is of an older version.
    pub(super) advice: String,
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlaceData {
    pub(super) text: String,
    /// `true` for a place with a file that is not part of a dependency.
    pub(super) is_of_program: bool,
}

/// The tasks that wait at the same place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupData {
    pub(super) key: String,
    /// The places from the outermost machine to the innermost.
    pub(super) places: Vec<PlaceData>,
    /// The same places as JSON.
    pub(super) trace: Vec<Value>,
    /// `true` if only the place of the spawn is known.
    pub(super) is_spawn_only: bool,
    /// The place at which all of them were spawned, if the group has other places.
    pub(super) spawned_at: Option<String>,
    pub(super) count: u64,
    pub(super) idle: u64,
    pub(super) longest_ms: Option<u64>,
    pub(super) shortest_ms: Option<u64>,
}

/// The tasks that were spawned at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SpawnData {
    /// The file, the line and the column of the spawn.
    pub(super) place: String,
    pub(super) count: u64,
    pub(super) longest_ms: Option<u64>,
}

/// A task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaskData {
    pub(super) id: String,
    pub(super) name: String,
    /// `i` idle, `q` queued, `r` running, `c` complete.
    pub(super) state: String,
    pub(super) ms: Option<u64>,
    pub(super) polls: u64,
    /// The places of its machines, the outermost first; that of its spawn if it has none.
    pub(super) places: Vec<PlaceData>,
    /// The index of its group.
    pub(super) group: usize,
    /// The futures in it, in depth-first order.
    pub(super) tree: Vec<NodeData>,
}

/// A future of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeData {
    pub(super) depth: usize,
    pub(super) place: String,
    /// The column of the place, which its text does not contain.
    pub(super) column: u64,
    /// The number of the child, if its parent has several.
    pub(super) index: Option<u64>,
    pub(super) status: String,
    /// Names and texts of values, or `waits for` and the event.
    pub(super) details: Vec<(String, String)>,
}

impl DumpData {
    /// Reads the JSON of a dump.
    pub(super) fn read(value: &Value) -> Self {
        let places: Vec<&Value> = list(&value["places"]).collect();
        let named = |index: &Value| places.get(usize::try_from(index.as_u64()?).ok()?).copied();
        let trace = |trace: &Value, spawned: &Value| -> Vec<&Value> {
            let places: Vec<_> = list(trace).filter_map(named).collect();
            if places.is_empty() {
                return named(spawned).into_iter().collect();
            }
            places
        };
        let group = |group: &Value| {
            let is_spawn_only = list(&group["trace"]).next().is_none();
            let trace = trace(&group["trace"], &group["spawned"]);
            GroupData {
                key: text(&group["key"]),
                places: trace.iter().copied().map(place_data).collect(),
                trace: trace.into_iter().cloned().collect(),
                is_spawn_only,
                spawned_at: named(&group["spawned_at"])
                    .filter(|_| !is_spawn_only)
                    .map(location),
                count: number(&group["count"]),
                idle: number(&group["idle"]),
                longest_ms: group["longest_ms"].as_u64(),
                shortest_ms: group["shortest_ms"].as_u64(),
            }
        };
        let spawn = |spawn: &Value| SpawnData {
            place: named(&spawn["place"]).map(location).unwrap_or_default(),
            count: number(&spawn["count"]),
            longest_ms: spawn["longest_ms"].as_u64(),
        };
        let node = |node: &Value| NodeData {
            depth: index(&node[0]),
            place: named(&node[1]).map(place).unwrap_or_default(),
            column: named(&node[1]).map_or(0, |place| number(&place[4])),
            index: node[2][0].as_u64(),
            status: node[2][1].as_str().unwrap_or("waiting").to_owned(),
            details: details(node),
        };
        let columns = list(&value["columns"]).enumerate();
        let columns: HashMap<String, usize> =
            columns.map(|(index, name)| (text(name), index)).collect();
        let task = |row: &Value| {
            let column = |name: &str| match columns.get(name) {
                Some(index) => &row[*index],
                None => &Value::Null,
            };
            TaskData {
                id: text(column("id")),
                name: text(column("name")),
                state: text(column("state")),
                ms: column("ms").as_u64(),
                polls: number(column("polls")),
                places: trace(column("trace"), column("spawned"))
                    .into_iter()
                    .map(place_data)
                    .collect(),
                group: index(column("group")),
                tree: list(column("tree")).map(node).collect(),
            }
        };
        let stats = &value["stats"];
        Self {
            runtime: text(&value["runtime"]),
            name: text(&value["name"]),
            pid: number(&value["pid"]),
            instance: text(&value["instance"]),
            taken_ms: number(&value["taken_ms"]),
            alive: number(&stats["alive"]),
            queued: number(&stats["queued"]),
            timers: number(&value["timers"]["all"]),
            timers_by_decade: list(&value["timers"]["by_decade"]).map(number).collect(),
            workers: list(&value["workers"]).map(worker).collect(),
            threads: list(&value["threads"]).map(thread).collect(),
            findings: list(&value["findings"]).map(finding).collect(),
            groups: list(&value["groups"]).map(group).collect(),
            spawns: list(&value["spawns"]).map(spawn).collect(),
            tasks: list(&value["tasks"]).map(task).collect(),
            is_by_poll: value["by_poll"].is_object(),
        }
    }
}

fn worker(worker: &Value) -> WorkerData {
    WorkerData {
        running: worker["running"].as_str().map(str::to_owned),
        for_ms: number(&worker["for_ms"]),
        queued: number(&worker["queued"]),
        polled: number(&worker["polled"]),
    }
}

fn thread(thread: &Value) -> ThreadData {
    ThreadData {
        name: text(&thread[0]),
        ms: thread[1].as_u64(),
        location: text(&thread[2]),
    }
}

fn finding(finding: &Value) -> FindingData {
    FindingData {
        is_error: finding["severity"] == "error",
        text: text(&finding["text"]),
        advice: text(&finding["advice"]),
    }
}

/// Returns `Session at await read, src/session.rs:52`, or `spawned at src/main.rs:7`.
fn place(place: &Value) -> String {
    let [name, state, file] = [0, 1, 2].map(|index| text(&place[index]));
    if name == "spawn" && state.is_empty() && !file.is_empty() {
        return format!("spawned at {file}:{}", number(&place[3]));
    }
    let at = if state.is_empty() {
        name
    } else {
        format!("{name} at {state}")
    };
    if file.is_empty() {
        return at;
    }
    format!("{at}, {file}:{}", number(&place[3]))
}

/// Returns `src/session.rs:52:30`.
fn location(place: &Value) -> String {
    let (line, column) = (number(&place[3]), number(&place[4]));
    format!("{}:{line}:{column}", text(&place[2]))
}

fn place_data(data: &Value) -> PlaceData {
    PlaceData {
        text: place(data),
        is_of_program: is_of_program(&text(&data[2])),
    }
}

/// Returns `true` for a file of the program. The path of a file of a dependency begins with the
/// name and the version of a package, such as `tokio-1.54.1/src/sync/notify.rs`.
fn is_of_program(file: &str) -> bool {
    let folder = file.split('/').next().unwrap_or_default();
    let version = folder.rsplit_once('-').map_or("", |(_, version)| version);
    !file.is_empty() && !version.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Returns the values and events of a future.
fn details(node: &Value) -> Vec<(String, String)> {
    let details = list(node).skip(3);
    details
        .map(|detail| (text(&detail[0]), text(&detail[1])))
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn index(value: &Value) -> usize {
    usize::try_from(number(value)).unwrap_or(usize::MAX)
}

/// Returns a duration with its unit: `25 ms`, `4.0 s`, `3.2 h`. The findings round in the same way.
pub(super) fn duration(ms: Option<u64>) -> String {
    let Some(ms) = ms else { return "-".to_owned() };
    let (unit, name) = match ms {
        0..1_000 => return format!("{ms} ms"),
        1_000..120_000 => (1_000, "s"),
        120_000..7_200_000 => (60_000, "min"),
        7_200_000..172_800_000 => (3_600_000, "h"),
        _ => (86_400_000, "days"),
    };
    let tenths = (u128::from(ms) * 10 + unit / 2) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{DumpData, TaskData, duration, is_of_program};

    #[test]
    fn files_of_dependencies_have_a_version() {
        assert!(is_of_program("src/main.rs"));
        assert!(is_of_program("my-app/src/main.rs"));
        assert!(!is_of_program("tokio-1.54.1/src/sync/notify.rs"));
        assert!(!is_of_program(""));
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let value = json!({
            "columns": ["later", "polls", "trace", "id", "spawned"],
            "places": [["spawn", "", "a.rs", 1, 2], ["Session", "await read", "b.rs", 52, 30]],
            "tasks": [[true, 7, [1], "1.1", 0], [true, 0, [], "2.1", 0]],
        });
        let data = DumpData::read(&value);
        assert_eq!((data.tasks[0].id.as_str(), data.tasks[0].polls), ("1.1", 7));
        let texts = |task: &TaskData| {
            let places = task.places.iter();
            places.map(|place| place.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&data.tasks[0]), ["Session at await read, b.rs:52"]);
        assert_eq!(texts(&data.tasks[1]), ["spawned at a.rs:1"]);
        assert_eq!(data.tasks[1].ms, None);
    }

    #[test]
    fn duration_has_a_fitting_unit() {
        let times = [25, 2_950, 600_000, 11_700_000, 2_591_997_000].map(Some);
        let texts = times.map(duration);
        assert_eq!(texts, ["25 ms", "3.0 s", "10.0 min", "3.3 h", "30.0 days"]);
        assert_eq!(duration(None), "-");
    }
}
