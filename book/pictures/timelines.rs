//! The order of events in joins, races, scopes and groups.

use crate::timeline::End::{Done, Dropped, Failed};
use crate::timeline::{Bar, Timeline, draw};

const JOIN: [Timeline; 3] = [
    Timeline {
        call: "[a, b, c].join()",
        events: &["first poll", "b ready", "a, c ready"],
        bars: &[
            Bar("a", 0, 2, Done("A")),
            Bar("b", 0, 1, Done("output kept")),
            Bar("c", 0, 2, Done("C")),
        ],
        result: "returns (A, B, C)",
    },
    Timeline {
        call: "[a, b, c].try_join()",
        events: &["first poll", "b fails"],
        bars: &[
            Bar("a", 0, 1, Dropped("")),
            Bar("b", 0, 1, Failed("Err(e)")),
            Bar("c", 0, 1, Dropped("")),
        ],
        result: "drops a and c, then returns Err(e)",
    },
    Timeline {
        call: "[a, b, c].settle()",
        events: &["first poll", "b fails", "a, c ready"],
        bars: &[
            Bar("a", 0, 2, Done("Ok(A)")),
            Bar("b", 0, 1, Failed("error kept")),
            Bar("c", 0, 2, Done("Ok(C)")),
        ],
        result: "returns Err([(1, e)])",
    },
];

const RACE: [Timeline; 3] = [
    Timeline {
        call: "[a, b, c].race()",
        events: &["first poll", "b ready"],
        bars: &[
            Bar("a", 0, 1, Dropped("")),
            Bar("b", 0, 1, Done("B")),
            Bar("c", 0, 1, Dropped("")),
        ],
        result: "drops a and c, then returns B",
    },
    Timeline {
        call: "[a, b, c].race_ok()",
        events: &["first poll", "b fails", "c ready"],
        bars: &[
            Bar("a", 0, 2, Dropped("")),
            Bar("b", 0, 1, Failed("error kept")),
            Bar("c", 0, 2, Done("Ok(C)")),
        ],
        result: "returns Ok(C); if all fail, all errors",
    },
    Timeline {
        call: "[a, b, c].select(): four calls of next",
        events: &["first poll", "next: (1, B)", "next: (0, A)", "next: (2, C)"],
        bars: &[
            Bar("a", 0, 2, Done("")),
            Bar("b", 0, 1, Done("")),
            Bar("c", 0, 3, Done("")),
        ],
        result: "the fourth returns None",
    },
];

const GROUP: [Timeline; 4] = [
    Timeline {
        call: "FutureGroup of a, b, c, d",
        events: &["insert", "a done", "b panics", "c done", "drop"],
        bars: &[
            Bar("a", 0, 1, Done("next: (0, A)")),
            Bar("b", 0, 2, Failed("next panics")),
            Bar("c", 0, 3, Done("next: (2, C)")),
            Bar("d", 0, 4, Dropped("")),
        ],
        result: "",
    },
    Timeline {
        call: "scope with children a, b",
        events: &["spawn", "a done", "body ends", "b done"],
        bars: &[
            Bar("body", 0, 2, Done("T")),
            Bar("a", 0, 1, Done("output in its handle")),
            Bar("b", 0, 3, Done("")),
        ],
        result: "returns T when b is done",
    },
    Timeline {
        call: "Group, FailFast",
        events: &["spawn", "a done", "b panics", "c dropped"],
        bars: &[
            Bar("a", 0, 1, Done("value kept")),
            Bar("b", 0, 2, Failed("panic")),
            Bar("c", 0, 3, Dropped("cancelled")),
        ],
        result: "wait resumes the panic of b",
    },
    Timeline {
        call: "Group, Supervise",
        events: &["spawn", "a done", "b panics", "c done"],
        bars: &[
            Bar("a", 0, 1, Done("value kept")),
            Bar("b", 0, 2, Failed("panic kept")),
            Bar("c", 0, 3, Done("value kept")),
        ],
        result: "wait returns Err([(1, Panicked)])",
    },
];

/// The name of each picture, and the picture.
pub(crate) fn all() -> [(&'static str, String); 3] {
    [
        ("join-timeline", draw(&JOIN)),
        ("race-timeline", draw(&RACE)),
        ("group-timeline", draw(&GROUP)),
    ]
}
