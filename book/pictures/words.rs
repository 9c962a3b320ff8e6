//! The bits of the words on which the book's internals have a page.

use crate::fields::{Field, Strip, Strips};

/// Name, first bit, and the bit after the last.
type Bits = &'static [(&'static str, u32, u32)];

const TASK: Bits = &[
    ("state", 0, 2),
    ("non-waking", 2, 8),
    ("flags", 8, 16),
    ("shields", 16, 32),
    ("references", 32, 64),
];

const WAKES: Bits = &[
    ("woken children", 0, 32),
    ("wakers", 32, 54),
    ("waking", 54, 62),
    ("", 62, 63),
    ("", 63, 64),
];

const DEADLINE: Bits = &[
    ("within a slot", 0, 14),
    ("0", 14, 20),
    ("1", 20, 26),
    ("2", 26, 32),
    ("3", 32, 38),
    ("4", 38, 44),
    ("5", 44, 50),
    ("6", 50, 56),
    ("7", 56, 62),
    ("8", 62, 64),
];

fn word(title: &str, bits: Bits) -> String {
    let fields = bits
        .iter()
        .enumerate()
        .map(|(colour, &(name, from, to))| Field {
            name: name.to_owned(),
            from,
            to,
            colour,
        });
    let strip = Strip {
        title: title.to_owned(),
        fields: fields.collect(),
    };
    let strips = Strips {
        units: 64,
        mark: 8,
        unit: "bits",
        strips: vec![strip],
        is_reversed: true,
    };
    strips.draw()
}

/// The name of each picture, and the picture.
pub(crate) fn all() -> [(&'static str, String); 3] {
    [
        ("task-word", word("State word of a task", TASK)),
        (
            "deadline",
            word("Deadline in nanoseconds: the digit of each level", DEADLINE),
        ),
        (
            "wake-word",
            word("Word of 32 children in a wake set", WAKES),
        ),
    ]
}
