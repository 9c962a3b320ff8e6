//! The heads of functions.

use super::ambiguous::INFERRED;
use super::parameters::{GENERIC, OUTPUTS, PARAMETERS, Parameter, RECEIVERS};
use crate::generate::Rng;

/// The place of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Module,
    Host,
    OtherImpl,
    Trait,
    /// In a `macro_rules!` macro that takes fragments.
    Macro,
}

/// The head of a function.
#[derive(Clone, Debug)]
pub(super) struct FunctionHead {
    pub(super) name: String,
    pub(super) home: Container,
    pub(super) returns: char,
    pub(super) output: &'static str,
    pub(super) is_unsafe: bool,
    pub(super) behind: bool,
    pub(super) receiver: Option<(&'static str, &'static str, &'static str)>,
    pub(super) generics: Vec<(&'static str, &'static str)>,
    pub(super) parameters: Vec<Parameter>,
    /// `true` if the last parameter is returned.
    pub(super) lends: bool,
}

/// Draws the head of the function of a number. Some methods have the name of a method whose output
/// type is inferred.
pub(super) fn signature(rng: &mut Rng, number: usize) -> FunctionHead {
    let homes = [
        Container::Module,
        Container::Host,
        Container::OtherImpl,
        Container::Trait,
        Container::Macro,
    ];
    let home = homes[rng.weighted(&[50, 20, 8, 10, 12])];
    let is_inferred = matches!(home, Container::Host | Container::OtherImpl) && rng.chance(25);
    let name = match INFERRED.get(number).filter(|_| is_inferred) {
        Some((name, _)) => (*name).to_owned(),
        None => format!("f{number}"),
    };
    let has_receiver = !matches!(home, Container::Module | Container::Macro) && rng.chance(85);
    let receiver = has_receiver.then(|| rng.pick(RECEIVERS));
    let mut parameters: Vec<Parameter> = Vec::new();
    for _ in 0..rng.below(4) {
        let parameter = rng.pick(PARAMETERS);
        let names = ["future", "r#type", "volt", "own_name"];
        let is_named = |it: &Parameter| {
            names.iter().any(|name| it.0.starts_with(name)) || it.0.contains("gone")
        };
        // A trait's `impl Trait` has no name that its `impl` could repeat.
        if home == Container::Trait && parameter.0.contains("impl ") {
            continue;
        }
        if !(is_named(&parameter) && parameters.iter().any(|it| it.0 == parameter.0)) {
            parameters.push(parameter);
        }
    }
    let mut generics = Vec::new();
    if home != Container::Macro {
        for &(ty, declared, parameter) in GENERIC {
            if rng.chance(7) && !(home == Container::OtherImpl && ty == "T") {
                generics.push((ty, declared));
                parameters.push(parameter);
            }
        }
    }
    let (returns, output) = rng.pick(OUTPUTS);
    let is_unsafe = home != Container::Trait && rng.chance(6);
    let mut signature = FunctionHead {
        name,
        home,
        returns,
        output,
        is_unsafe,
        behind: rng.chance(30),
        receiver,
        generics,
        parameters,
        lends: false,
    };
    // No other lifetime among the arguments.
    let lifetimes =
        |it: &Parameter| it.0.contains('&') || it.0.contains("'p") || it.0.contains("dyn");
    let is_alone = !signature.parameters.iter().any(lifetimes) && signature.receiver.is_none();
    if is_alone && rng.chance(15) {
        signature
            .parameters
            .push(("@1: &DropLogger", "leak(d(@#))", "&(@d)", "r1", ""));
        signature.output = "&DropLogger";
        signature.lends = true;
    }
    signature
}

impl FunctionHead {
    /// Returns `true` if a parameter or the output has no name, as `impl Look`.
    pub(super) fn has_unnamed_type(&self) -> bool {
        let mut declared = self.parameters.iter().map(|parameter| parameter.0);
        declared.any(|text| text.contains("impl ")) || self.output.contains("impl ")
    }

    /// Returns a call that has the output as a number.
    pub(super) fn as_number(&self, call: &str) -> String {
        let number = match (self.returns, self.lends) {
            ('u', false) if self.output == "u32" => format!("({call}.await)"),
            ('n', false) => format!("({{ {call}.await; 1 }})"),
            _ => format!("({call}.await.number())"),
        };
        if self.is_unsafe {
            format!("(unsafe {{ {number} }})")
        } else {
            number
        }
    }
}
