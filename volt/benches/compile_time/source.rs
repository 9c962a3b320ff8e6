//! The source of the crate that is compiled: many functions of a few shapes.

/// Which version of the functions is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Version {
    pub(crate) name: &'static str,
    /// The attribute on each function.
    attribute: &'static str,
}

/// The compiler's own futures first: the others are measured by them.
pub(crate) const VERSIONS: [Version; 3] = [
    Version {
        name: "compiler",
        attribute: "",
    },
    Version {
        name: "machines",
        attribute: "#[volt::state_machine]",
    },
    Version {
        name: "machines, `native`",
        attribute: "#[volt::state_machine(native)]",
    },
];

/// What the functions wait for: leaves, each with a type of its own name.
const LEAVES: &str = include_str!("leaves.txt");

/// The shapes: `{n}` stands for a number, `{attribute}` for the attribute.
const SHAPES: &str = include_str!("shapes.txt");

/// A library of so many functions, each of which is polled somewhere.
pub(crate) fn library(version: Version, functions: usize) -> String {
    let shapes: Vec<&str> = SHAPES.split("\n---\n").collect();
    let mut source = LEAVES.to_owned();
    let (mut number, mut made) = (0, 0);
    while made < functions {
        let shape = shapes[number % shapes.len()];
        made += shape.matches("{attribute}").count();
        let shape = shape.replace("{n}", &number.to_string());
        source += &shape.replace("{attribute}", version.attribute);
        number += 1;
    }
    source
}

/// The manifest of the library; volt stands at `volt`.
pub(crate) fn manifest(volt: &str) -> String {
    format!(
        "[package]\nname = \"measured\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nvolt-async = {{ path = {volt:?}, default-features = false }}\n\n[workspace]\n"
    )
}
