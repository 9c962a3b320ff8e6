//! The heads of functions, and how they are called.

use super::parameters::{GENERIC, OUTPUTS, PARAMETERS, Parameter, RECEIVERS};
use super::writer::Writer;
use crate::generate::Dice;

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Module,
    Host,
    Shelf,
    Trait,
    /// In a `macro_rules!` macro that is given fragments.
    Macro,
}

/// The head of a function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) home: Home,
    pub(super) returns: char,
    output: &'static str,
    is_unsafe: bool,
    behind: bool,
    receiver: Option<(&'static str, &'static str, &'static str)>,
    generics: Vec<(&'static str, &'static str)>,
    parameters: Vec<Parameter>,
    /// Whether the last parameter is returned.
    pub(super) lends: bool,
}

/// Draws a head.
pub(super) fn signature(dice: &mut Dice, name: String) -> Signature {
    let homes = [
        Home::Module,
        Home::Host,
        Home::Shelf,
        Home::Trait,
        Home::Macro,
    ];
    let home = homes[dice.weighted(&[50, 20, 8, 10, 12])];
    let has_receiver = !matches!(home, Home::Module | Home::Macro) && dice.chance(85);
    let receiver = has_receiver.then(|| dice.pick(RECEIVERS));
    let mut parameters: Vec<Parameter> = Vec::new();
    for _ in 0..dice.below(4) {
        let parameter = dice.pick(PARAMETERS);
        let is_named = |it: &Parameter| it.0.starts_with("future") || it.0.contains("gone");
        // A trait's `impl Trait` has no name that its `impl` could repeat.
        if home == Home::Trait && parameter.0.contains("impl ") {
            continue;
        }
        if !(is_named(&parameter) && parameters.iter().any(|it| it.0 == parameter.0)) {
            parameters.push(parameter);
        }
    }
    let mut generics = Vec::new();
    if home != Home::Macro {
        for &(ty, declared, parameter) in GENERIC {
            if dice.chance(7) && !(home == Home::Shelf && ty == "T") {
                generics.push((ty, declared));
                parameters.push(parameter);
            }
        }
    }
    let (returns, output) = dice.pick(OUTPUTS);
    let is_unsafe = home != Home::Trait && dice.chance(6);
    let mut signature = Signature {
        name,
        home,
        returns,
        output,
        is_unsafe,
        behind: dice.chance(30),
        receiver,
        generics,
        parameters,
        lends: false,
    };
    // No other lifetime among the arguments.
    let lifetimes =
        |it: &Parameter| it.0.contains('&') || it.0.contains("'p") || it.0.contains("dyn");
    let is_alone = !signature.parameters.iter().any(lifetimes) && signature.receiver.is_none();
    if is_alone && dice.chance(15) {
        signature
            .parameters
            .push(("@1: &D", "leak(d(@#))", "&(@d)", "r1", ""));
        signature.output = "&D";
        signature.lends = true;
    }
    signature
}

impl Signature {
    /// Declares the arguments for a body, and writes the head; gives what the body begins with.
    pub(super) fn head(&self, writer: &mut Writer<'_>) -> (String, String) {
        let (mut arguments, mut begin) = (Vec::new(), String::new());
        if let Some((receiver, _, _)) = self.receiver {
            arguments.push(receiver.to_owned());
            begin += &writer.filled(
                "    note(self.n); tick(@#).await; look(&self.number());\n",
                &[],
            );
        }
        for (declared, _, _, locals, used) in &self.parameters {
            let (declared, used) = writer.parameter(declared, locals, used);
            arguments.push(declared);
            if !used.is_empty() {
                begin += &format!("    {used}\n");
            }
        }
        if self.lends {
            writer.returns = '&';
            writer.lent = writer.locals.last().map(|local| local.name.clone());
        }
        let (bounds, generics): (Vec<&str>, Vec<&str>) = self
            .generics
            .iter()
            .map(|it| it.1)
            .partition(|it| self.behind && it.contains(": ") && !it.starts_with("const"));
        let mut generics: Vec<&str> = generics;
        let names: Vec<&str> = self
            .generics
            .iter()
            .filter(|it| bounds.contains(&it.1))
            .map(|it| it.0)
            .collect();
        generics.extend(names);
        generics.sort_by_key(|it| !it.contains('\''));
        let generics = listed("<", &generics, ">");
        let bounds = listed(" where ", &bounds, "");
        let output = match self.output {
            "" => String::new(),
            output => format!(" -> {output}"),
        };
        let word = match (self.home, self.is_unsafe) {
            (Home::Trait, _) => "async fn",
            (_, true) => "pub async unsafe fn",
            (_, false) => "pub async fn",
        };
        let name = &self.name;
        let head = format!(
            "{word} {name}{generics}({}){output}{bounds}",
            arguments.join(", ")
        );
        (head, begin)
    }

    /// A call: from outside, or in another function.
    pub(super) fn call(&self, writer: &mut Writer<'_>, outside: bool) -> String {
        let mut arguments = Vec::new();
        if let Some((_, out, inner)) = self.receiver {
            let host = match self.home {
                Home::Shelf => "shelf(@#, d(@#))",
                _ => "host(@#)",
            };
            let template = if outside { out } else { inner };
            arguments.push(writer.filled(&template.replace("@host", host), &[]));
        }
        for (_, out, inner, _, _) in &self.parameters {
            let template = if outside || !writer.fits(inner) {
                out
            } else {
                inner
            };
            if !template.is_empty() {
                arguments.push(writer.filled(template, &[]));
            }
        }
        let path = match self.home {
            Home::Module | Home::Macro => self.name.clone(),
            Home::Host | Home::Trait => format!("Host::{}", self.name),
            Home::Shelf => format!("Shelf::<D>::{}", self.name),
        };
        let call = format!("{path}({})", arguments.join(", "));
        match self.is_unsafe && outside {
            true => format!("unsafe {{ {call} }}"),
            false => call,
        }
    }

    /// The output of a call as a number.
    pub(super) fn as_number(&self, call: &str) -> String {
        let number = match (self.returns, self.lends) {
            ('u', false) if self.output == "u32" => format!("({call}.await)"),
            ('n', false) => format!("({{ {call}.await; 1 }})"),
            _ => format!("({call}.await.number())"),
        };
        match self.is_unsafe {
            true => format!("(unsafe {{ {number} }})"),
            false => number,
        }
    }
}

/// The parts between `before` and `after`; nothing at all if there are none.
fn listed(before: &str, parts: &[&str], after: &str) -> String {
    match parts {
        [] => String::new(),
        _ => format!("{before}{}{after}", parts.join(", ")),
    }
}
