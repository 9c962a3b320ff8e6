//! Whole functions, and families of them that call each other.

use super::dice::Dice;
use super::locals::{Local, Now};
use super::signature::{Argument, Generic, Signature};
use super::switches::Switches;
use super::ty::Ty;
use super::writer::Writer;

/// Functions that are written together; the later may call the earlier.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The functions; where the attribute goes stands [`ATTRIBUTE`].
    pub(crate) source: String,
    /// For each function its name, and an expression that calls it.
    pub(crate) calls: Vec<(String, String)>,
}

/// The line that becomes the attribute, or nothing.
pub(crate) const ATTRIBUTE: &str = "@machine";

/// How many functions stand in a family.
pub(crate) const FAMILY: usize = 4;

/// Writes the `index`-th family below `seed`.
pub(crate) fn family(seed: u64, index: u64, switches: &Switches) -> Family {
    let mut dice = Dice::new(seed, index);
    let mut callees: Vec<Signature> = Vec::new();
    let mut family = Family {
        source: String::new(),
        calls: Vec::new(),
    };
    let mut next_id = 0;
    for number in 0..FAMILY {
        let signature = signature(&mut dice, format!("f{number}"));
        let mut writer = writer(&mut dice, switches, &signature, &callees, next_id);
        writer.indent = 1;
        let returns = signature.returns.clone();
        writer.whole(&returns);
        let call = call(&mut writer, &signature);
        next_id = writer.next_id;
        let body = std::mem::take(&mut writer.out);
        family.source += &format!("{ATTRIBUTE}\n{} {{\n{body}}}\n\n", head(&signature));
        family.calls.push((signature.name.clone(), call));
        callees.push(signature);
    }
    family
}

fn writer<'a>(
    dice: &mut Dice,
    switches: &'a Switches,
    signature: &Signature,
    callees: &'a [Signature],
    next_id: u32,
) -> Writer<'a> {
    let locals = signature.arguments.iter().map(|argument| Local {
        name: argument.name.clone(),
        ty: argument.ty.clone(),
        mutable: argument.mutable,
        lent: argument.lent,
        untyped: false,
        now: Now::there(),
    });
    let locals: Vec<Local> = locals.collect();
    let budget = 5 + dice.below(18);
    let seed = u64::try_from(dice.below(1 << 30)).expect("small");
    Writer {
        dice: Dice::new(seed, 0),
        switches,
        out: String::new(),
        indent: 0,
        locals,
        around: Vec::new(),
        returns: signature.returns.clone(),
        callees,
        calls_left: 2,
        next_id,
        budget,
        still: false,
        strict: false,
        busy: Vec::new(),
    }
}

fn signature(dice: &mut Dice, name: String) -> Signature {
    let mut generics = Vec::new();
    if dice.chance(15) {
        generics.push(Generic::Type("T".to_owned()));
    }
    if dice.chance(8) {
        generics.push(Generic::Length("N".to_owned()));
    }
    let count = dice.below(4);
    let mut arguments: Vec<Argument> = generics.iter().map(of_generic).collect();
    for index in 0..count {
        arguments.push(argument(dice, index));
    }
    Signature {
        name,
        returns: returned(dice, &generics),
        generics,
        arguments,
    }
}

fn of_generic(generic: &Generic) -> Argument {
    let (name, ty) = match generic {
        Generic::Type(name) => ("t", Ty::Param(name.clone())),
        Generic::Length(name) => ("n", Ty::Numbers(name.clone())),
    };
    Argument {
        name: name.to_owned(),
        mutable: false,
        ty,
        lent: None,
    }
}

fn argument(dice: &mut Dice, index: usize) -> Argument {
    let name = format!("{}", char::from(b'a' + u8::try_from(index).expect("few")));
    if dice.chance(25) {
        let lendable = [Ty::Noisy, Ty::Noisy, Ty::U32, Ty::Pair, Ty::Source];
        let ty = dice.pick(&lendable);
        let changed = ty == Ty::Source || dice.chance(50);
        return Argument {
            name,
            mutable: false,
            ty,
            lent: Some(changed),
        };
    }
    let ty = match dice.below(12) {
        0 => Ty::Outside,
        1 => Ty::Step(Box::new(Ty::U32)),
        _ => Ty::random(dice),
    };
    let (name, mutable) = match dice.below(10) {
        0 => ("_".to_owned(), false),
        1 => (format!("_{name}"), false),
        2..=5 => (name, true),
        _ => (name, false),
    };
    Argument {
        name,
        mutable,
        ty,
        lent: None,
    }
}

fn returned(dice: &mut Dice, generics: &[Generic]) -> Ty {
    if generics.contains(&Generic::Type("T".to_owned())) && dice.chance(50) {
        return Ty::Param("T".to_owned());
    }
    let inner = dice.pick(&[Ty::U32, Ty::U32, Ty::Noisy, Ty::Unit]);
    match dice.below(10) {
        0..=1 => inner.maybe(),
        2..=4 => inner.outcome(dice.chance(50)),
        5 => Ty::random(dice),
        6 => Ty::Bool,
        _ => inner,
    }
}

/// `pub async fn f<..>(..) -> ..`
fn head(signature: &Signature) -> String {
    let mut generics = Vec::new();
    if signature
        .arguments
        .iter()
        .any(|argument| argument.ty == Ty::Outside)
    {
        generics.push("'a".to_owned());
    }
    generics.extend(signature.generics.iter().map(|generic| match generic {
        Generic::Type(name) => format!("{name}: Fresh"),
        Generic::Length(name) => format!("const {name}: usize"),
    }));
    let generics = if generics.is_empty() {
        String::new()
    } else {
        format!("<{}>", generics.join(", "))
    };
    let arguments: Vec<String> = signature.arguments.iter().map(written).collect();
    let returns = match &signature.returns {
        Ty::Unit => String::new(),
        ty => format!(" -> {ty}"),
    };
    format!(
        "pub async fn {}{generics}({}){returns}",
        signature.name,
        arguments.join(", ")
    )
}

fn written(argument: &Argument) -> String {
    let Argument { name, ty, .. } = argument;
    let word = if argument.mutable { "mut " } else { "" };
    match argument.lent {
        Some(true) => format!("{name}: &mut {ty}"),
        Some(false) => format!("{name}: &{ty}"),
        None => format!("{word}{name}: {ty}"),
    }
}

/// A call with arguments out of nothing.
fn call(writer: &mut Writer<'_>, signature: &Signature) -> String {
    let instance = writer.instance(signature);
    let arguments = signature.arguments.iter().map(|argument| {
        let value = writer.fresh(&instance.apply(&argument.ty));
        if argument.lent.is_some() {
            format!("leak({value})")
        } else {
            value
        }
    });
    let arguments: Vec<String> = arguments.collect();
    format!(
        "{}{}({})",
        signature.name,
        instance.turbofish(),
        arguments.join(", ")
    )
}
