//! Rule: a file imports from lower floors and from its own room, never up, across, or through
//! `lib.rs`.

use crate::modules::{File, Import, Library};
use crate::source::{Violation, Workspace};

const RULE: &str = "floors";

/// The rooms of `volt`, lowest first.
const FLOORS: [&[&str]; 7] = [
    &["loom", "util", "machine"],
    &["task", "driver", "inspect"],
    &["scheduler"],
    &["runtime"],
    &["time", "io"],
    &["net", "signal", "fs"],
    &["process"],
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut violations = Vec::new();
    for library in Library::all(workspace) {
        let imports = library.imports();
        violations.extend(imports.iter().filter_map(|i| through_face(&library, i)));
        if library.name == "volt" {
            violations.extend(library.files.iter().filter_map(unknown_room));
            violations.extend(library.files.iter().flat_map(rooms_upside_down));
            violations.extend(imports.iter().filter_map(up_or_across));
        }
    }
    violations
}

fn floor(room: &str) -> Option<usize> {
    let at = FLOORS.iter().position(|rooms| rooms.contains(&room))?;
    Some(at + 1)
}

/// `crate::Thing`, where `Thing` is no room but what `lib.rs` shows to the world.
fn through_face(library: &Library<'_>, import: &Import<'_>) -> Option<Violation> {
    let own_face = import.from.module.is_empty();
    let room = import.to.get(..1);
    let known = room.is_some_and(|room| library.is_module(room) || library.exports_macro(room));
    if own_face || known {
        return None;
    }
    let said = format!(
        "`{}` goes through lib.rs, which only shows the house to the world: import it from the \
         room that makes it",
        import.written
    );
    Some(import.from.source.violation(import.line, RULE, said))
}

fn unknown_room(file: &File<'_>) -> Option<Violation> {
    let room = file.module.first()?;
    if file.module.len() > 1 || floor(room).is_some() {
        return None;
    }
    let said = format!(
        "the room `{room}` stands on no floor: move the file into a room that does, or give this \
         one its floor in ui-tests/tests/tidy/floors.rs"
    );
    Some(file.source.violation(1, RULE, said))
}

/// The `mod` lines of `lib.rs` climb.
fn rooms_upside_down(file: &File<'_>) -> Vec<Violation> {
    let rooms = file.source.reading.mods.iter();
    let placed: Vec<_> = rooms
        .filter_map(|room| Some((room, floor(&room.name)?)))
        .collect();
    let descents = placed.windows(2).filter(|pair| pair[1].1 < pair[0].1);
    let in_face = descents.filter(|_| file.module.is_empty());
    in_face
        .map(|pair| {
            let [(above, _), (room, _)] = pair else {
                unreachable!("windows of two")
            };
            let said = format!(
                "`mod {}` stands below `mod {}`, which is built on it: the `mod` lines of lib.rs \
                 climb from floor to floor",
                room.name, above.name
            );
            file.source.violation(room.line, RULE, said)
        })
        .collect()
}

fn up_or_across(import: &Import<'_>) -> Option<Violation> {
    let (here, there) = (import.from.module.first()?, import.to.first()?);
    let (own, other) = (floor(here)?, floor(there)?);
    if here == there || other < own {
        return None;
    }
    let fault = if other == own {
        format!("`{here}` and `{there}` stand on the same floor and know nothing of each other")
    } else {
        format!("`{there}` (floor {other}) stands above `{here}` (floor {own})")
    };
    let said = format!(
        "`{}`: {fault}. Pass the value in, or name a trait on floor {own} or below that `{there}` \
         implements",
        import.written
    );
    Some(import.from.source.violation(import.line, RULE, said))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    /// A small house: each room has one file, `thing.rs`.
    fn house<'a>(path: &'a str, text: &'a str) -> Vec<(&'a str, &'a str)> {
        let face = "//! .\nmod loom;\nmod task;\nmod driver;\nmod scheduler;\n";
        let mut files = vec![("volt/src/lib.rs", face), (path, text)];
        for room in ["loom", "task", "driver", "scheduler"] {
            let path: &'static str = format!("volt/src/{room}/mod.rs").leak();
            files.push((path, "//! .\nmod thing;\nmod other;\n"));
        }
        files
    }

    #[test]
    fn import_from_below_is_clean() {
        let text = "//! .\nuse crate::task::Task;\nuse crate::loom::sync::Arc;\n";
        expect::clean(&house("volt/src/scheduler/thing.rs", text));
    }

    #[test]
    fn import_from_above_is_found() {
        let text = "//! .\nuse crate::scheduler::Handle;\n";
        let files = house("volt/src/task/thing.rs", text);
        expect::one(&files, RULE, "volt/src/task/thing.rs:2");
    }

    #[test]
    fn import_from_above_in_a_test_is_found() {
        let text = "//! .\n#[cfg(test)]\nmod tests {\n    use crate::scheduler::Handle;\n}\n";
        let files = house("volt/src/task/thing.rs", text);
        expect::one(&files, RULE, "volt/src/task/thing.rs:4");
    }

    #[test]
    fn path_to_above_inside_code_is_found() {
        let text = "//! .\nfn f() {\n    let _ = crate::scheduler::current();\n}\n";
        let files = house("volt/src/task/thing.rs", text);
        expect::one(&files, RULE, "volt/src/task/thing.rs:3");
    }

    #[test]
    fn import_from_the_room_beside_is_found() {
        let text = "//! .\nuse crate::{loom::sync::Arc, task::Task};\n";
        let files = house("volt/src/driver/thing.rs", text);
        expect::one(&files, RULE, "volt/src/driver/thing.rs:2");
    }

    #[test]
    fn import_through_the_face_is_found() {
        let text = "//! .\nuse crate::JoinHandle;\n";
        let files = house("volt/src/scheduler/thing.rs", text);
        expect::one(&files, RULE, "volt/src/scheduler/thing.rs:2");
    }

    #[test]
    fn exported_macro_from_the_root_is_clean() {
        let text = "//! .\n#[macro_export]\nmacro_rules! shown { () => {} }\nuse crate::shown;\n";
        expect::clean(&house("volt/src/scheduler/thing.rs", text));
    }

    #[test]
    fn glob_through_the_face_is_found() {
        let text = "//! .\nuse crate::*;\n";
        let files = house("volt/src/scheduler/thing.rs", text);
        expect::one(&files, RULE, "volt/src/scheduler/thing.rs:2");
    }

    #[test]
    fn rooms_declared_upside_down_are_found() {
        let files = [(
            "volt/src/lib.rs",
            "//! .\nmod loom;\nmod scheduler;\nmod task;\n",
        )];
        expect::one(&files, RULE, "volt/src/lib.rs:4");
    }

    #[test]
    fn room_without_a_floor_is_found() {
        let files = [
            ("volt/src/lib.rs", "//! .\nmod attic;\n"),
            ("volt/src/attic.rs", "//! .\n"),
        ];
        expect::one(&files, RULE, "volt/src/attic.rs:1");
    }
}
