//! Whole functions, and families of them that call each other.

use super::counters::{tallies, tally};
use super::frame::{Function, frame, head};
use super::locals::{Local, Now};
use super::patterns::pattern;
use super::rng::Rng;
use super::signature::Bound;
use super::signature::{Argument, Generic, Home, Signature};
use super::switches::Switches;
use super::ty::Ty;
use super::writer::Writer;

/// The number of functions in a family.
pub(crate) const FAMILY: usize = 4;

/// The percentage of functions that are used as drawn. The others are drawn again until the
/// explicit layout supports one.
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
    let mut rng = Rng::new(seed, index);
    let mut callees: Vec<Signature> = Vec::new();
    let mut family = Vec::new();
    let mut next_id = 0;
    for number in 0..FAMILY {
        let tries = if rng.chance(AS_DRAWN) { 1 } else { TRIES };
        let mut draw = || {
            let signature = signature_of(&mut rng, format!("f{number}"));
            let (function, next) = function(&mut rng, switches, &signature, &callees, next_id);
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

fn signature_of(rng: &mut Rng, name: String) -> Signature {
    if rng.chance(12) {
        tally(rng, name)
    } else {
        signature(rng, name)
    }
}

/// Returns a function with this signature, which may call the earlier ones, and the number of the
/// next event.
fn function(
    rng: &mut Rng,
    switches: &Switches,
    signature: &Signature,
    callees: &[Signature],
    next_id: u32,
) -> (Function, u32) {
    let mut writer = writer(rng, switches, signature, callees, next_id);
    writer.indent = 1;
    for argument in &signature.arguments {
        writer.declare_bound(argument.bound.clone().unwrap_or_default());
    }
    if tallies(signature) {
        writer.tallied(&signature.returns)
    } else {
        writer.whole(&signature.returns)
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
    rng: &mut Rng,
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
        borrowed: argument.borrowed,
        untyped: false,
        now: Now::there(),
    });
    let locals: Vec<Local> = locals.collect();
    // Of the short ones most are explicit, of the long ones few.
    let budget = if rng.chance(60) {
        1 + rng.below(6)
    } else {
        5 + rng.below(18)
    };
    let seed = u64::try_from(rng.below(1 << 30)).expect("small");
    Writer {
        rng: Rng::new(seed, 0),
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
        is_sync: false,
        strict: false,
        busy: Vec::new(),
    }
}

fn signature(rng: &mut Rng, name: String) -> Signature {
    let home =
        [Home::Module, Home::Host, Home::OtherImpl, Home::Trait][rng.weighted(&[64, 18, 8, 10])];
    let mut generics = Vec::new();
    if home == Home::OtherImpl || rng.chance(15) {
        generics.push(Generic::Type("T".to_owned()));
    }
    // The machine of a method is found by types.
    if home == Home::Module && rng.chance(8) {
        generics.push(Generic::Length("N".to_owned()));
    }
    let mut arguments: Vec<Argument> = receiver(rng, home).into_iter().collect();
    arguments.extend(generics.iter().map(of_generic));
    // A call with explicit generic arguments could not name `impl Fresh`.
    let unnamed = home == Home::Module && generics.is_empty();
    for index in 0..rng.below(4) {
        let behind = arguments.iter().any(|argument| argument.bound.is_some());
        let some = match (unnamed, behind) {
            (true, true) => 25,
            (true, false) => 4,
            (false, _) => 0,
        };
        arguments.push(argument(rng, index, some));
    }
    Signature {
        name,
        returns: returned(rng, &generics),
        home,
        risky: home != Home::Trait && rng.chance(6),
        behind: rng.chance(30),
        generics,
        arguments,
    }
}

/// `self`, unless there is none.
fn receiver(rng: &mut Rng, home: Home) -> Option<Argument> {
    let ty = match home {
        Home::Module => return None,
        Home::Host | Home::Trait => Ty::Host,
        Home::OtherImpl => Ty::OtherImpl(Box::new(Ty::Param("T".to_owned()))),
    };
    let (mutable, borrowed) = match rng.below(8) {
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
        borrowed,
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
        borrowed: None,
        bound: None,
    }
}

/// An argument; of so many in a hundred the type is `impl Fresh`.
fn argument(rng: &mut Rng, index: usize, some: usize) -> Argument {
    let name = format!("{}", char::from(b'a' + u8::try_from(index).expect("few")));
    if rng.chance(25) {
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
        let ty = rng.pick(&lendable);
        let changed = ty == Ty::Source || rng.chance(50);
        if ty == Ty::U32 && !changed && rng.chance(50) {
            return referred(name);
        }
        return Argument {
            name,
            mutable: false,
            ty,
            borrowed: Some(changed),
            bound: None,
        };
    }
    let ty = match rng.below(24) {
        0 | 1 => Ty::Outside,
        2 | 3 => Ty::Step(Box::new(Ty::U32)),
        _ if rng.chance(some) => Ty::Some,
        _ => Ty::random(rng),
    };
    if rng.chance(50)
        && let Some((name, bound)) = pattern(rng, &name, &ty)
    {
        return Argument {
            name,
            mutable: false,
            ty,
            borrowed: None,
            bound: Some(bound),
        };
    }
    let (name, mutable) = match rng.below(10) {
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
        borrowed: None,
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
        borrowed: Some(false),
        bound: Some(vec![bound]),
    }
}

fn returned(rng: &mut Rng, generics: &[Generic]) -> Ty {
    if generics.contains(&Generic::Type("T".to_owned())) && rng.chance(50) {
        return Ty::Param("T".to_owned());
    }
    let inner = rng.pick(&[Ty::U32, Ty::U32, Ty::Noisy, Ty::Unit]);
    match rng.below(10) {
        0..=1 => inner.maybe(),
        2..=4 => inner.outcome(rng.chance(50)),
        5 => Ty::random(rng),
        6 => Ty::Bool,
        _ => inner,
    }
}

/// A call with arguments out of nothing.
fn call(writer: &mut Writer<'_>, signature: &Signature) -> String {
    let instance = writer.instance(signature);
    let arguments = signature.arguments.iter().map(|argument| {
        let value = writer.fresh(&instance.apply(&argument.ty));
        if argument.borrowed.is_some() {
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
