//! The source of the crate that is compiled: many functions of a few shapes.

/// A version of the functions.
#[derive(Clone, Copy)]
pub(crate) struct Version {
    pub(crate) name: &'static str,
    /// The attribute on each function.
    attribute: &'static str,
}

/// All versions. The first is the compiler's futures, and the base of the ratios.
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

/// The leaves that the functions await, each with its own type.
const LEAVES: &str = include_str!("leaves.txt");

/// The shapes of the functions. `{n}` is replaced by a number, `{attribute}` by the attribute.
const SHAPES: &str = include_str!("shapes.txt");

/// Returns a library of `functions` functions, each of which is polled.
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

/// Returns the manifest of the library. `volt` is the path of volt.
pub(crate) fn manifest(volt: &str) -> String {
    format!(
        "[package]\nname = \"measured\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nvolt-async = {{ path = {volt:?}, default-features = false }}\n\n[workspace]\n"
    )
}
