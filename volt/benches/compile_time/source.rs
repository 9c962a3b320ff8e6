//! The source of the crate that is compiled: many functions of a few shapes, or of one.

use crate::microcontroller;

/// The bodies of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bodies {
    /// Functions of all shapes.
    Shapes,
    /// Functions of the shapes that the explicit layout supports.
    ExplicitShapes,
    /// The same function many times, with two awaits.
    TwoAwaits,
    /// The same function, which awaits futures that can be stored.
    StoredTwoAwaits,
    /// Functions of several shapes, which await futures that can be stored.
    StoredShapes,
}

/// A version of the functions.
#[derive(Clone, Copy)]
pub(crate) struct Version {
    pub(crate) name: &'static str,
    /// The attribute on each function.
    attribute: &'static str,
    /// The dependencies of the library, as lines of the manifest.
    dependencies: &'static str,
    /// `true` if the functions are methods of a trait under `#[async_trait]`.
    is_trait: bool,
}

pub(crate) const PLAIN: Version = Version {
    name: "compiler",
    attribute: "",
    dependencies: "",
    is_trait: false,
};

const VOLT: &str = "volt-async = { path = {volt}, default-features = false }";

const ASYNC_TRAIT: Version = Version {
    name: "`async_trait`",
    dependencies: "async-trait = \"0.1.92\"",
    is_trait: true,
    ..PLAIN
};

pub(crate) const INSTRUMENT: Version = Version {
    name: "`tracing::instrument`",
    attribute: "#[tracing::instrument]",
    dependencies: "tracing = \"0.1.44\"",
    ..PLAIN
};

pub(crate) const NATIVE: Version = Version {
    name: "machines, `native`",
    attribute: "#[volt::state_machine(native)]",
    dependencies: VOLT,
    ..PLAIN
};

pub(crate) const AUTOMATIC: Version = Version {
    name: "machines",
    attribute: "#[volt::state_machine]",
    ..NATIVE
};

pub(crate) const EXPLICIT: Version = Version {
    name: "machines, `explicit`",
    attribute: "#[volt::state_machine(explicit)]",
    ..NATIVE
};

/// Explicit machines beside futures that can be stored.
pub(crate) const BESIDE_STORED: Version = Version {
    name: "machines, `explicit`",
    dependencies: "volt-async = { path = {volt}, default-features = false, features = [\"serde\", \"std\"] }\n\
                   serde = { version = \"1.0.229\", default-features = false, features = [\"std\", \"derive\"] }",
    ..EXPLICIT
};

pub(crate) const STORED: Version = Version {
    name: "machines, stored",
    attribute: "#[volt::state_machine(derive(Serialize, Deserialize))]",
    ..BESIDE_STORED
};

impl Bodies {
    /// All versions with these bodies. The first is the compiler's futures, and the base of the
    /// ratios.
    pub(crate) fn versions(self) -> &'static [Version] {
        match self {
            Self::Shapes => &[PLAIN, NATIVE, AUTOMATIC],
            Self::ExplicitShapes => &[PLAIN, NATIVE, EXPLICIT],
            Self::TwoAwaits => &[PLAIN, ASYNC_TRAIT, INSTRUMENT, NATIVE, AUTOMATIC, EXPLICIT],
            Self::StoredTwoAwaits | Self::StoredShapes => &[BESIDE_STORED, STORED],
        }
    }

    /// Returns a library of `functions` functions.
    pub(crate) fn library(self, version: Version, functions: usize) -> String {
        let functions = match self {
            Self::Shapes => of_shapes(SHAPES, version, functions, |_| true),
            Self::ExplicitShapes => of_shapes(SHAPES, version, functions, is_explicit),
            Self::StoredShapes => of_shapes(STORED_SHAPES, version, functions, |_| true),
            Self::TwoAwaits if version.is_trait => of_trait(functions),
            Self::TwoAwaits | Self::StoredTwoAwaits => of_two_awaits(version, functions),
        };
        if self.is_stored() {
            let leaves = LEAVES.replace(
                "pub struct ",
                "#[derive(Serialize, Deserialize)]\npub struct ",
            );
            let leaves = leaves.replace(
                "use std::task::",
                "use serde::{Deserialize, Serialize};\nuse std::task::",
            );
            return format!("{leaves}{functions}");
        }
        format!("{LEAVES}{functions}")
    }

    /// Returns `true` if the leaves can be stored.
    fn is_stored(self) -> bool {
        matches!(self, Self::StoredTwoAwaits | Self::StoredShapes)
    }
}

/// The leaves that the functions await, each with its own type.
const LEAVES: &str = include_str!("leaves.txt");

/// The shapes of the functions. `{n}` is replaced by a number, `{attribute}` by the attribute.
const SHAPES: &str = include_str!("shapes.txt");

/// The shapes of functions that can be stored.
const STORED_SHAPES: &str = include_str!("stored_shapes.txt");

/// The parameters, the output and the body of a function with two awaits.
const SIGNATURE: &str = "times: u64) -> u64";
const BODY: &str = "{
    let first = step(times).await;
    let second = step(first + 1).await;
    first + second
}
";

/// Returns `true` if the explicit layout supports a shape: it has no type parameter, and calls no
/// method that may move its receiver in the last use of a local before an await.
fn is_explicit(shape: &str) -> bool {
    !shape.contains("choose_") && !shape.contains("generic_")
}

/// Returns functions of the shapes that are used, each of which is polled.
fn of_shapes(
    shapes: &str,
    version: Version,
    functions: usize,
    is_used: fn(&str) -> bool,
) -> String {
    let shapes = shapes.split("\n---\n").filter(|shape| is_used(shape));
    let shapes: Vec<&str> = shapes.collect();
    let (mut source, mut number, mut made) = (String::new(), 0, 0);
    while made < functions {
        let shape = shapes[number % shapes.len()];
        made += shape.matches("{attribute}").count();
        let shape = shape.replace("{n}", &number.to_string());
        source += &shape.replace("{attribute}", version.attribute);
        number += 1;
    }
    source
}

fn of_two_awaits(version: Version, functions: usize) -> String {
    let attribute = version.attribute;
    let function = |n| format!("{attribute}\npub async fn work_{n}({SIGNATURE} {BODY}");
    (0..functions).map(function).collect()
}

/// Returns a trait with the functions as its methods, and an implementation.
fn of_trait(functions: usize) -> String {
    let declared = (0..functions).map(|n| format!("async fn work_{n}(&self, {SIGNATURE};\n"));
    let declared: String = declared.collect();
    let methods = (0..functions).map(|n| format!("async fn work_{n}(&self, {SIGNATURE} {BODY}"));
    let methods: String = methods.collect();
    format!(
        "#[async_trait::async_trait]\npub trait Work {{\n{declared}}}\npub struct Worker;\n\
         #[async_trait::async_trait]\nimpl Work for Worker {{\n{methods}}}\n"
    )
}

/// Returns a program with the functions of the library, which polls each of them.
///
/// The compiler does not know the polled future, so it cannot remove the states that no call
/// reaches.
pub(crate) fn program(library: &str, is_bare: bool) -> String {
    let functions = library.replace("pin!(", "opaque(pin!(");
    let functions = functions.replace(").poll(cx).is_ready()", ")).poll(cx).is_ready()");
    let names = library.lines().filter_map(|line| {
        let name = line.strip_prefix("pub fn ")?.split_once("(cx")?.0;
        Some(format!("{name}, "))
    });
    let names: String = names.collect();
    if is_bare {
        return functions + &microcontroller::entry(library, &names);
    }
    format!("{functions}{OPAQUE}\nconst CALLS: &[fn(&mut Context<'_>) -> bool] = &[{names}];\n")
}

/// The entry of the program.
const OPAQUE: &str = "
fn opaque<T>(future: Pin<&mut dyn Future<Output = T>>) -> Pin<&mut dyn Future<Output = T>> {
    std::hint::black_box(future)
}
fn main() {
    let mut cx = Context::from_waker(std::task::Waker::noop());
    for call in std::hint::black_box(CALLS) {
        std::hint::black_box(call(&mut cx));
    }
}";

/// Returns the manifest of the library. `volt` is the path of volt, with the feature `rt` if
/// `has_runtime` is set.
pub(crate) fn manifest(version: Version, volt: &str, has_runtime: bool) -> String {
    let mut dependencies = version.dependencies.replace("{volt}", &format!("{volt:?}"));
    if has_runtime {
        dependencies = dependencies.replace(", default-features = false", "");
    }
    format!(
        "[package]\nname = \"measured\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependencies}\n\n[workspace]\n"
    )
}
