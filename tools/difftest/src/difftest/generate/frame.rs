//! The text around the body of a function: its head, and the block that contains it.

use std::fmt;

use super::signature::{Argument, Generic, Home, Signature};
use super::ty::Ty;

/// A function, and how it is called.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// From its first word to its last brace.
    pub(crate) source: String,
    /// An expression that calls it.
    pub(crate) call: String,
    pub(crate) frame: Frame,
    /// The text before the attribute and after the function, if a macro writes both.
    pub(crate) wrap: Option<[String; 2]>,
}

/// The text before and after a function.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The additional items of the compiler's version, and of the machine's.
    items: [String; 2],
    /// The first line of the block, in both versions; nothing for a function of the module.
    open: Option<[String; 2]>,
}

impl Frame {
    /// One whose block has the same first line in both versions.
    pub(crate) fn new(items: [String; 2], open: Option<&str>) -> Self {
        let open = open.map(|open| [open.to_owned(), open.to_owned()]);
        Self { items, open }
    }
}

impl Function {
    /// Returns the items of one version. `attribute` is the call of the macro.
    pub(crate) fn items(&self, machine: bool, attribute: &str) -> String {
        let version = usize::from(machine);
        let items = &self.frame.items[version];
        let (before, after) = match &self.wrap {
            Some([before, after]) => (before.as_str(), after.as_str()),
            None => ("", "\n"),
        };
        format!("{items}{before}{attribute}{}{after}", self.block(machine))
    }

    /// Returns the item with the attribute.
    pub(crate) fn block(&self, machine: bool) -> String {
        let source = if machine {
            self.source.clone()
        } else {
            without_states(&self.source)
        };
        match &self.frame.open {
            None => source,
            Some(open) => format!("{}\n{source}\n}}", open[usize::from(machine)]),
        }
    }
}

/// Returns the source for the compiler, which does not know the attribute `#[state]`.
fn without_states(source: &str) -> String {
    let lines = source.split_inclusive('\n');
    let lines = lines.filter(|line| !line.trim_start().starts_with("#[state("));
    lines.collect()
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}// {}", self.items(true, "@machine\n"), self.call)
    }
}

/// The block that the function is in.
pub(crate) fn frame(signature: &Signature) -> Frame {
    let none = || [String::new(), String::new()];
    let plain = |open: &str| Frame {
        items: none(),
        open: Some([open.to_owned(), open.to_owned()]),
    };
    match signature.home {
        Home::Module => Frame {
            items: none(),
            open: None,
        },
        Home::Host => plain("impl Host {"),
        Home::OtherImpl if signature.behind => {
            plain("impl<T> OtherImpl<T>\nwhere\n    T: Fresh,\n{")
        }
        Home::OtherImpl => plain("impl<T: Fresh> OtherImpl<T> {"),
        Home::Trait => of_trait(signature),
    }
}

/// A trait of its own for the function; the machine's may name the future.
fn of_trait(signature: &Signature) -> Frame {
    let name = format!("Way{}", &signature.name[1..]);
    let declared = |head: &str, named: &str| format!("trait {name} {{\n{named}    {head};\n}}\n");
    let native = declared(&declaration(signature, true), "");
    let open = format!("impl {name} for Host {{");
    let borrowed: Vec<&Argument> = signature
        .arguments
        .iter()
        .filter(|a| a.borrowed.is_some())
        .collect();
    let named = signature
        .arguments
        .iter()
        .any(|a| a.ty == Ty::Outside || a.ty == Ty::Some);
    if named || !signature.generics.is_empty() || borrowed.iter().any(|a| a.name != "self") {
        return Frame {
            items: [native.clone(), native],
            open: Some([open.clone(), open]),
        };
    }
    let (returns, machine) = (&signature.returns, format!("HostF{}", &signature.name[1..]));
    let (of, behind, elided) = if borrowed.is_empty() {
        ("", "", "")
    } else {
        ("<'f>", " where Self: 'f", "<'_>")
    };
    let future = format!("    type Future{of}: Future<Output = {returns}>{behind};\n");
    let head = format!("{} -> Self::Future{elided}", declaration(signature, false));
    Frame {
        items: [native, declared(&head, &future)],
        open: Some([
            open.clone(),
            format!("{open}\n    type Future{of} = {machine}{of}{behind};"),
        ]),
    }
}

/// The function as a trait declares it; without its output if it is not `async`.
fn declaration(signature: &Signature, is_async: bool) -> String {
    let mut declared = signature.clone();
    for (index, argument) in declared.arguments.iter_mut().enumerate() {
        argument.mutable = false;
        if argument.bound.is_some() {
            argument.name = format!("argument_{index}");
        }
    }
    let head = head(&declared);
    if is_async {
        return head;
    }
    let head = head.replace("async ", "");
    let end = head.rfind(") -> ").map_or(head.len(), |end| end + 1);
    head[..end].to_owned()
}

/// `pub async fn f<..>(..) -> ..`
pub(crate) fn head(signature: &Signature) -> String {
    let word = match (signature.home, signature.risky) {
        (Home::Trait, _) => "async fn",
        (_, true) => "pub async unsafe fn",
        (_, false) => "pub async fn",
    };
    let mut generics = Vec::new();
    let mut bounds = Vec::new();
    let named = |argument: &Argument| argument.ty == Ty::Outside;
    if signature.arguments.iter().any(named) {
        generics.push("'a".to_owned());
    }
    let own = usize::from(signature.home == Home::OtherImpl);
    for generic in signature.generics.iter().skip(own) {
        match generic {
            Generic::Type(name) if signature.behind => {
                generics.push(name.clone());
                bounds.push(format!("{name}: Fresh"));
            }
            Generic::Type(name) => generics.push(format!("{name}: Fresh")),
            Generic::Length(name) => generics.push(format!("const {name}: usize")),
        }
    }
    let arguments: Vec<String> = signature.arguments.iter().map(written).collect();
    let returns = match &signature.returns {
        Ty::Unit => String::new(),
        ty => format!(" -> {ty}"),
    };
    format!(
        "{word} {}{}({}){returns}{}",
        signature.name,
        listed("<", &generics, ">"),
        arguments.join(", "),
        listed(" where ", &bounds, "")
    )
}

/// The parts between `before` and `after`; nothing at all if there are none.
fn listed(before: &str, parts: &[String], after: &str) -> String {
    match parts {
        [] => String::new(),
        _ => format!("{before}{}{after}", parts.join(", ")),
    }
}

fn written(argument: &Argument) -> String {
    let Argument { name, ty, .. } = argument;
    let word = if argument.mutable { "mut " } else { "" };
    let mark = match argument.borrowed {
        Some(true) => "&mut ",
        Some(false) => "&",
        None => word,
    };
    match name.as_str() {
        "self" => format!("{mark}self"),
        _ if argument.borrowed.is_some() => format!("{name}: {mark}{ty}"),
        _ => format!("{mark}{name}: {ty}"),
    }
}
