//! Whole functions, and families of them that call each other.

use super::dice::Dice;
use super::frame::{Function, frame, head};
use super::locals::{Local, Now};
use super::patterns::{Bound, pattern};
use super::signature::{Argument, Generic, Home, Signature};
use super::switches::Switches;
use super::tallying::{tallies, tally};
use super::ty::Ty;
use super::writer::Writer;

/// How many functions stand in a family.
pub(crate) const FAMILY: usize = 4;

/// How many functions of a hundred are taken as they are drawn, and how often the others are drawn until the macro is sure of
/// one.
const AS_DRAWN: usize = 25;
const TRIES: usize = 16;

/// Writes the `index`-th family below `seed`: functions of which the later may call the earlier.
#[cfg(test)]
pub(crate) fn family(seed: u64, index: u64, switches: &Switches) -> Vec<Function> {
    sure_family(seed, index, switches, |_| true)
}

/// The same, of functions of which most are sure.
pub(crate) fn sure_family(
    seed: u64,
    index: u64,
    switches: &Switches,
    is_sure: impl Fn(&Function) -> bool,
) -> Vec<Function> {
    let mut dice = Dice::new(seed, index);
    let mut callees: Vec<Signature> = Vec::new();
    let mut family = Vec::new();
    let mut next_id = 0;
    for number in 0..FAMILY {
        let tries = if dice.chance(AS_DRAWN) { 1 } else { TRIES };
        let mut draw = || {
            let signature = signature_of(&mut dice, format!("f{number}"));
            let (function, next) = function(&mut dice, switches, &signature, &callees, next_id);
            (signature, function, next)
        };
        let mut drawn = draw();
        for _ in 1..tries {
            if is_sure(&drawn.1) {
                break;
            }
            drawn = draw();
        }
        let (signature, function, next) = drawn;
        next_id = next;
        family.push(function);
        callees.push(signature);
    }
    family
}

fn signature_of(dice: &mut Dice, name: String) -> Signature {
    match dice.chance(12) {
        true => tally(dice, name),
        false => signature(dice, name),
    }
}

/// A function with that signature, which may call those before it, and the number of the next event.
fn function(
    dice: &mut Dice,
    switches: &Switches,
    signature: &Signature,
    callees: &[Signature],
    next_id: u32,
) -> (Function, u32) {
    let mut writer = writer(dice, switches, signature, callees, next_id);
    writer.indent = 1;
    for argument in &signature.arguments {
        writer.declare_bound(argument.bound.clone().unwrap_or_default());
    }
    match tallies(signature) {
        true => writer.tallied(&signature.returns),
        false => writer.whole(&signature.returns),
    }
    let call = call(&mut writer, signature);
    let next_id = writer.next_id;
    let body = std::mem::take(&mut writer.out);
    let function = Function {
        name: signature.name.clone(),
        source: format!("{} {{\n{body}}}", head(signature)),
        call,
        frame: frame(signature),
        wrap: None,
    };
    (function, next_id)
}

fn writer<'a>(
    dice: &mut Dice,
    switches: &'a Switches,
    signature: &'a Signature,
    callees: &'a [Signature],
    next_id: u32,
) -> Writer<'a> {
    let whole = signature
        .arguments
        .iter()
        .filter(|argument| argument.bound.is_none());
    let locals = whole.map(|argument| Local {
        name: argument.name.clone(),
        ty: argument.ty.clone(),
        mutable: argument.mutable,
        lent: argument.lent,
        untyped: false,
        now: Now::there(),
    });
    let locals: Vec<Local> = locals.collect();
    // Of the short ones most are explicit, of the long ones few.
    let budget = match dice.chance(60) {
        true => 1 + dice.below(6),
        false => 5 + dice.below(18),
    };
    let seed = u64::try_from(dice.below(1 << 30)).expect("small");
    Writer {
        dice: Dice::new(seed, 0),
        switches,
        out: String::new(),
        indent: 0,
        locals,
        around: Vec::new(),
        returns: signature.returns.clone(),
        own: signature,
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
    let home =
        [Home::Module, Home::Host, Home::Shelf, Home::Trait][dice.weighted(&[64, 18, 8, 10])];
    let mut generics = Vec::new();
    if home == Home::Shelf || dice.chance(15) {
        generics.push(Generic::Type("T".to_owned()));
    }
    // The machine of a method is found by types.
    if home == Home::Module && dice.chance(8) {
        generics.push(Generic::Length("N".to_owned()));
    }
    let mut arguments: Vec<Argument> = receiver(dice, home).into_iter().collect();
    arguments.extend(generics.iter().map(of_generic));
    // A call that says what the parameters are would have to name `impl Fresh` too.
    let unnamed = home == Home::Module && generics.is_empty();
    for index in 0..dice.below(4) {
        let behind = arguments.iter().any(|argument| argument.bound.is_some());
        let some = match (unnamed, behind) {
            (true, true) => 25,
            (true, false) => 4,
            (false, _) => 0,
        };
        arguments.push(argument(dice, index, some));
    }
    Signature {
        name,
        returns: returned(dice, &generics),
        home,
        risky: home != Home::Trait && dice.chance(6),
        behind: dice.chance(30),
        generics,
        arguments,
    }
}

/// `self`, unless there is none.
fn receiver(dice: &mut Dice, home: Home) -> Option<Argument> {
    let ty = match home {
        Home::Module => return None,
        Home::Host | Home::Trait => Ty::Host,
        Home::Shelf => Ty::Shelf(Box::new(Ty::Param("T".to_owned()))),
    };
    let (mutable, lent) = match dice.below(8) {
        0 => return None,
        1..=2 => (false, Some(false)),
        3..=5 => (false, Some(true)),
        6 => (true, None),
        _ => (false, None),
    };
    Some(Argument {
        name: "self".to_owned(),
        mutable,
        ty,
        lent,
        bound: None,
    })
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
        bound: None,
    }
}

/// An argument; of so many in a hundred the type is `impl Fresh`.
fn argument(dice: &mut Dice, index: usize, some: usize) -> Argument {
    let name = format!("{}", char::from(b'a' + u8::try_from(index).expect("few")));
    if dice.chance(25) {
        let large = Ty::Numbers("20".to_owned());
        let lendable = [
            Ty::Noisy,
            Ty::Noisy,
            Ty::U32,
            Ty::Pair,
            Ty::Source,
            Ty::Host,
            large,
        ];
        let ty = dice.pick(&lendable);
        let changed = ty == Ty::Source || dice.chance(50);
        if ty == Ty::U32 && !changed && dice.chance(50) {
            return referred(name);
        }
        return Argument {
            name,
            mutable: false,
            ty,
            lent: Some(changed),
            bound: None,
        };
    }
    let ty = match dice.below(24) {
        0 | 1 => Ty::Outside,
        2 | 3 => Ty::Step(Box::new(Ty::U32)),
        _ if dice.chance(some) => Ty::Some,
        _ => Ty::random(dice),
    };
    if dice.chance(50)
        && let Some((name, bound)) = pattern(dice, &name, &ty)
    {
        return Argument {
            name,
            mutable: false,
            ty,
            lent: None,
            bound: Some(bound),
        };
    }
    let (name, mutable) = match dice.below(10) {
        _ if ty == Ty::Some => (name, false),
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
        bound: None,
    }
}

/// `&a: &u32`
fn referred(name: String) -> Argument {
    let bound = Bound {
        name: name.clone(),
        ty: Ty::U32,
        mutable: false,
        typed: true,
    };
    Argument {
        name: format!("&{name}"),
        mutable: false,
        ty: Ty::U32,
        lent: Some(false),
        bound: Some(vec![bound]),
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
    let call = format!("{}({})", instance.path(signature), arguments.join(", "));
    if signature.risky {
        format!("unsafe {{ {call} }}")
    } else {
        call
    }
}
