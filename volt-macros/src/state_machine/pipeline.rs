//! From a function to its model, or to the errors.

use proc_macro2::Ident;
use syn::Path;

use super::args::Options;
use super::body::{Body, LocalId};
use super::errors::{Errors, Rule};
use super::flow::Flow;
use super::guard::unless_panicking;
use super::imports::Imports;
use super::in_place::InPlace;
use super::liveness::Points;
use super::model::Machine;
use super::parse::Function;
use super::substitute::Replacement;
use super::taken::Taken;
use super::{
    adopt, assignment, check, doubled, doubt, flow, in_place, irrefutable, liveness, lower, places,
    shadow,
};

/// A machine of the same signature that does nothing, for a body that is refused. Its twin still
/// has the body, so that the compiler finds the other mistakes in it.
pub(crate) fn stand_in(mut function: Function, mut options: Options) -> Option<Machine> {
    function.item.block = syn::parse_quote!({ ::core::panic!("the state machine is refused") });
    options.max_size = None;
    function.refused = true;
    model(function, options, &mut Errors::default()).ok()
}

/// Makes calls that take their receiver show it.
fn show_moves(function: &Function, body: &mut Body, hidden: &[(LocalId, Ident)], volt: &Path) {
    let taken = body.locals.iter().enumerate().map(|(id, local)| {
        let guess = local.guess.as_ref().filter(|_| !local.customary);
        let guess = guess.map(|(ty, _)| ty);
        let ty = local.ty.as_ref().or(guess);
        let taken = ty.and_then(|ty| Taken::of(ty, &function.generics));
        let hidden = hidden.iter().filter(|(known, _)| *known == id);
        let hidden = hidden.map(|(_, method)| method.clone()).collect();
        let taken = Taken::with_hidden(taken, hidden)?;
        Some(Replacement::Taken(Box::new(taken)))
    });
    let taken = taken.collect();
    places::replace(body, taken, function.stored().count(), volt);
}

/// What is known of a body before anything is written.
struct Known {
    body: Body,
    imports: Imports,
    flow: Flow,
    in_place: InPlace,
    points: Points,
}

/// What is known, where methods that take their receiver by custom are asked for by its type.
fn analyse(function: &Function, options: &Options, errors: &mut Errors) -> Known {
    let mut found = Errors::default();
    let known = look_at(function, options, &[], &mut found);
    if known.points.hidden.is_empty() {
        errors.append(found);
        return known;
    }
    look_at(function, options, &known.points.hidden, errors)
}

fn look_at(
    function: &Function,
    options: &Options,
    hidden: &[(LocalId, Ident)],
    errors: &mut Errors,
) -> Known {
    let mut body = check::body(function, &options.volt, errors);
    let imports = Imports::of(function);
    imports.resolve(&mut body);
    show_moves(function, &mut body, hidden, &options.volt);
    let flow = flow::draw(function, &body);
    adopt::adopt(&mut body, &flow);
    let in_place = in_place::choose(function, options, &body, &flow);
    let points = liveness::decide(&body, &flow, &in_place.locals(), errors);
    Known {
        body,
        imports,
        flow,
        in_place,
        points,
    }
}

/// The model of a function, or the function as it was if something in it is refused.
pub(crate) fn model(
    function: Function,
    options: Options,
    errors: &mut Errors,
) -> Result<Machine, Box<Function>> {
    guarded(function, errors, |function, errors| {
        analysed(function, options, errors)
    })
}

/// What the work makes of the function; if it panics the function is refused.
pub(crate) fn guarded(
    function: Function,
    errors: &mut Errors,
    work: impl FnOnce(Function, &mut Errors) -> Result<Machine, Box<Function>>,
) -> Result<Machine, Box<Function>> {
    let written = function.clone();
    unless_panicking(|| work(function, errors)).unwrap_or_else(|| {
        errors.refuse(Rule::UnreadFunction, &written.item.sig.ident);
        Err(Box::new(written))
    })
}

fn analysed(
    mut function: Function,
    options: Options,
    errors: &mut Errors,
) -> Result<Machine, Box<Function>> {
    irrefutable::mark_bindings(&mut function.item.block);
    assignment::take_apart(&mut function.item.block);
    doubt::refuse_doubts(&function, errors);
    let needed = |function: &Function| {
        let known = analyse(function, &options, &mut Errors::default());
        doubled::names(
            function,
            &known.body,
            &known.flow,
            &known.in_place,
            &known.points,
        )
    };
    shadow::rename(&mut function, needed, errors);
    let known = analyse(&function, &options, errors);
    let Known {
        mut body,
        imports,
        flow,
        in_place,
        points,
    } = known;
    imports.check(&mut body, &flow, &points, errors);
    if !errors.is_empty() {
        return Err(Box::new(function));
    }
    let arguments = function.stored().count();
    places::substitute(&mut body, &in_place, &points, arguments, &options.volt);
    Ok(lower::lower(
        function, options, body, &flow, points, in_place,
    ))
}
