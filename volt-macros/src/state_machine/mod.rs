//! From an `async fn` to a state machine.
//!
//! ```text
//! tokens ─parse→ Function ─shadow→ unique names ─check→ Body ─flow→ Flow
//!        ─liveness→ what each point keeps ─lower→ Machine ─expand→ tokens
//! ```
//!
//! - `parse` reads the signature: which arguments are stored, which are lent.
//! - `shadow` renames locals that hide others which are still in scope.
//! - `check` takes the statements on the way to an await apart, and refuses what it does not
//!   know. Everything else stays whole.
//! - `flow` draws the control flow with each use, move and assignment of a local.
//! - `liveness` decides, for each suspend point, what is kept and how.
//! - `lower` chooses the places of `poll` that are jumped to, and gives everything its name.
//! - `expand` writes it down.
//!
//! There are two gates: errors of the signature stop before the body is looked at, errors of the
//! body are collected and reported together. Behind either gate the signature still expands.

pub(crate) mod errors;
pub(crate) mod names;
pub(crate) mod args;
pub(crate) mod scope;
pub(crate) mod parse;
pub(crate) mod shadow;
pub(crate) mod body;
pub(crate) mod operand;
pub(crate) mod check;
pub(crate) mod flow;
pub(crate) mod liveness;
pub(crate) mod model;
pub(crate) mod lower;
pub(crate) mod expand;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ItemFn;

use args::Options;
use errors::Errors;
use model::Machine;
use parse::Function;

/// Expands the attribute on `item`.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(options, &mut errors);
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    let Some(function) = Function::parse(function.clone(), &mut errors) else {
        return expand::dead(&function, &errors);
    };
    match model(function, options.clone(), &mut errors) {
        Ok(machine) => expand::machine(&machine),
        Err(function) => {
            let machine = stand_in(*function, options).map(|machine| expand::machine(&machine));
            let errors = errors.to_compile_errors();
            quote!(#errors #machine)
        }
    }
}

/// A machine of the same signature that does nothing, for a body that is refused. Its twin still
/// has the body, so that the compiler finds the other mistakes in it.
fn stand_in(mut function: Function, mut options: Options) -> Option<Machine> {
    function.item.block = syn::parse_quote!({ ::core::panic!("the state machine is refused") });
    options.max_size = None;
    function.refused = true;
    model(function, options, &mut Errors::default()).ok()
}

/// The model of a function, or the function as it was if something in it is refused.
pub(crate) fn model(
    mut function: Function,
    options: Options,
    errors: &mut Errors,
) -> Result<Machine, Box<Function>> {
    shadow::rename(&mut function, errors);
    let body = check::body(&function, errors);
    let flow = flow::draw(&function, &body);
    let points = liveness::decide(&function, &body, &flow, errors);
    if !errors.is_empty() {
        return Err(Box::new(function));
    }
    Ok(lower::lower(function, options, body, &flow, points))
}

/// The tokens of anything as text without the spaces that tokens get between them.
pub(crate) fn source_text(tokens: &impl ToTokens) -> String {
    names::tidy(&tokens.to_token_stream().to_string())
}
