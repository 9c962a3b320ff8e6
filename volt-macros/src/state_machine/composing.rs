//! Calls of combinators, seen to be what they are.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Expr, ExprCall, ExprMethodCall, ExprPath, ExprReference, PathArguments, Type, parse_quote,
};

use super::body::Operand;
use super::callee::{arguments, without_last};
use super::composed::{LentCall, Part, borrowed_type, loan_type, operands, operands_mut};
use super::errors::{Errors, Rule};

use super::lending::{Surroundings, moved_name};
use super::method::Sibling;
use super::names::RECEIVER;
use super::scope::{holds_word, plain_name};
use super::standing::refuse_changed;

/// A function's name, how many operands it has, and which of them are futures, that give its type
/// its parameters.
const FUNCTIONS: &[(&str, usize, &[usize])] = &[
    ("cooperative", 1, &[0]),
    ("join", 2, &[0, 1]),
    ("race", 2, &[0, 1]),
    ("shielded", 1, &[0]),
    ("timeout", 2, &[1]),
    ("timeout_at", 2, &[1]),
    ("try_join", 2, &[0, 1]),
    ("unconstrained", 1, &[0]),
];

/// The methods of tuples, and the types of what they give.
const METHODS: &[(&str, &str)] = &[
    ("join", "Join"),
    ("race", "Race"),
    ("race_ok", "RaceOk"),
    ("settle", "Settle"),
    ("try_join", "TryJoin"),
];

/// What to write instead of a closure that is polled.
const OF_ITS_OWN: &str = "a machine of its own, which is lent what the closure uses: \
     `#[volt::state_machine] async fn polls(io: &mut T) -> U { poll_fn(|cx| ..).await }`, and \
     `polls(&mut io)` here";

/// Whether it is the name of a combinator that is a method of tuples.
pub(super) fn is_combinator(method: &Ident) -> bool {
    METHODS.iter().any(|(name, _)| method == name)
}

/// Whether the path leads to a machine of the user's own, whatever its name.
pub(super) fn is_own(path: &ExprPath) -> bool {
    let first = path.path.segments.first();
    let own = ["self", "super", "crate"];
    first.is_some_and(|first| own.iter().any(|own| first.ident == own))
}

/// An operand: its type within the combinator, what becomes of it, and how it is evaluated.
struct Seen {
    ty: TokenStream,
    part: Part,
    value: Expr,
}

impl Surroundings<'_> {
    /// A call of a combinator by its path. Nothing, if it is none or the type of a future does not
    /// show; with errors, if others are lent something.
    pub(super) fn composed_call(
        &self,
        path: &ExprPath,
        call: &ExprCall,
        errors: &mut Errors,
    ) -> Option<Operand> {
        let last = path.path.segments.last()?;
        if is_own(path) || path.qself.is_some() || !matches!(last.arguments, PathArguments::None) {
            return None;
        }
        let mut known = FUNCTIONS.iter();
        let (_, len, futures) = known.find(|(name, ..)| last.ident == name)?;
        if call.args.len() != *len {
            return None;
        }
        let seen = call.args.iter().enumerate();
        let seen = seen.map(|(n, operand)| (operand, futures.contains(&n)));
        let seen = self.parts(seen, errors)?;
        let types = futures.iter().map(|&n| &seen[n].ty);
        let ty = quote!(#path::<#(#types),*>);
        Some(composed(ty, Expr::Call(call.clone()), seen, errors))
    }

    /// The type of an operand that is stored as it is, whatever it is given.
    pub(super) fn shown_type(&self, operand: &Expr) -> Option<TokenStream> {
        let seen = self.part(operand, &mut Errors::default())?;
        match seen.part {
            Part::Owned => Some(seen.ty),
            Part::Lent(LentCall {
                ty, boxed: None, ..
            }) => Some(ty),
            _ => None,
        }
    }

    /// A call of a combinator as a method of a tuple.
    pub(super) fn composed_method(
        &self,
        call: &ExprMethodCall,
        errors: &mut Errors,
    ) -> Option<Operand> {
        let mut known = METHODS.iter();
        let (_, name) = known.find(|(name, _)| call.method == name)?;
        let futures = tuple(&call.receiver).filter(|_| call.args.is_empty())?;
        let seen = self.parts(futures.into_iter().map(|future| (future, true)), errors)?;
        let types = seen.iter().map(|seen| match (&seen.part, &seen.value) {
            (Part::Owned, Expr::Path(_)) => {
                let ty = &seen.ty;
                quote!(<#ty as ::core::future::IntoFuture>::IntoFuture)
            }
            _ => seen.ty.clone(),
        });
        let (volt, name) = (self.volt, Ident::new(name, call.method.span()));
        let ty = quote!(#volt::future::#name<(#(#types,)*)>);
        Some(composed(ty, Expr::MethodCall(call.clone()), seen, errors))
    }

    /// What becomes of each operand, of which some are futures.
    fn parts<'e>(
        &self,
        operands: impl Iterator<Item = (&'e Expr, bool)>,
        errors: &mut Errors,
    ) -> Option<Vec<Seen>> {
        let mut found = Errors::default();
        let seen = operands.map(|(operand, is_future)| match is_future {
            true => self.part(operand, &mut found),
            false => Some(Seen {
                ty: TokenStream::new(),
                part: Part::Value,
                value: operand.clone(),
            }),
        });
        let seen: Vec<Option<Seen>> = seen.collect();
        let mut shown = seen.iter().flatten();
        let lends = shown.any(|seen| !matches!(seen.part, Part::Value | Part::Owned));
        let whole: Option<Vec<Seen>> = seen.into_iter().collect();
        if lends || whole.is_some() {
            errors.append(found);
        }
        whole
    }

    /// One of the futures that a combinator is given, if its type shows.
    fn part(&self, operand: &Expr, errors: &mut Errors) -> Option<Seen> {
        if let Expr::Paren(paren) = operand {
            return self.part(&paren.expr, errors);
        }
        let seen = match self.operand(operand, errors)?.0 {
            Operand::Stored {
                ty, value, convert, ..
            } => Seen {
                ty: match convert {
                    true => self.written_type(&value)?,
                    false => ty,
                },
                part: Part::Owned,
                value,
            },
            Operand::Call {
                ty,
                value,
                lends,
                boxed,
            } => {
                let loan = loan_type(&ty, self.private_output(&value), self.volt);
                Seen {
                    ty: match boxed.as_ref().map(|pin| without_last(&pin.path)) {
                        Some(owner) => quote!(::core::pin::Pin<#owner<#loan>>),
                        None => loan,
                    },
                    part: Part::Lent(LentCall { ty, lends, boxed }),
                    value,
                }
            }
            Operand::Composed { ty, value, parts } => Seen {
                ty,
                part: Part::Composed(parts),
                value,
            },
            Operand::Borrowed(borrow) => {
                let ty = self.borrowed_type(&borrow)?;
                Seen {
                    ty: borrowed_type(&ty, self.volt),
                    part: Part::Borrowed(ty, borrow),
                    value: operand.clone(),
                }
            }
            Operand::Closure(_) => {
                errors.refuse_as(Rule::LentOperand, operand, OF_ITS_OWN);
                return None;
            }
        };
        Some(seen)
    }

    /// What a private method of the same `impl` gives.
    fn private_output(&self, call: &Expr) -> Option<&Type> {
        self.called_sibling(call)?.output.as_ref()
    }

    /// The method of the same `impl` that is called.
    pub(super) fn called_sibling(&self, call: &Expr) -> Option<&Sibling> {
        let (method, is_ours) = match call {
            Expr::Paren(paren) => return self.called_sibling(&paren.expr),
            Expr::MethodCall(call) => {
                let name = moved_name(&call.receiver).or_else(|| plain_name(&call.receiver));
                (&call.method, name.is_some_and(|name| name == RECEIVER))
            }
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => {
                    let last = &path.path.segments.last()?.ident;
                    (last, self.is_home(&without_last(&path.path)))
                }
                _ => return None,
            },
            _ => return None,
        };
        self.sibling(method).filter(|_| is_ours)
    }

    /// The type of the future behind `&mut name`.
    fn borrowed_type(&self, borrow: &Expr) -> Option<TokenStream> {
        let Expr::Reference(ExprReference { expr: place, .. }) = borrow else {
            return None;
        };
        match &**place {
            Expr::Unary(node) => {
                let name = plain_name(&node.expr)?;
                let lent = self.lent.iter().find(|lent| lent.name == *name)?;
                Some(lent.ty.to_token_stream())
            }
            name => self.written_type(name),
        }
    }

    /// The type of a local.
    fn written_type(&self, name: &Expr) -> Option<TokenStream> {
        let ty = self.local(plain_name(name)?)?.likely_type()?;
        Some(ty.to_token_stream())
    }
}

/// Refuses an index in what one part is lent that another part may change.
fn refuse_changed_across(parts: &[Part], errors: &mut Errors) {
    let lends: Vec<Vec<Expr>> = parts.iter().map(lent_by).collect();
    for (index, own) in lends.iter().enumerate() {
        let others = lends.iter().enumerate();
        let others = others.filter(|(other, _)| *other != index);
        let others: Vec<&Expr> = others.flat_map(|(_, lends)| lends).collect();
        own.iter()
            .for_each(|lend| refuse_changed(lend, &others, errors));
    }
}

/// The futures that a combinator is given, by its name.
pub(super) fn futures_of<'e>(name: &Ident, call: &'e ExprCall) -> Vec<&'e Expr> {
    let mut known = FUNCTIONS.iter();
    let known = known.find(|(known, len, _)| name == known && call.args.len() == *len);
    let futures = known.into_iter().flat_map(|(.., futures)| *futures);
    futures.map(|&n| &call.args[n]).collect()
}

/// The futures of a tuple of several.
fn tuple(expr: &Expr) -> Option<Vec<&Expr>> {
    match expr {
        Expr::Paren(paren) => tuple(&paren.expr),
        Expr::Group(group) => tuple(&group.expr),
        Expr::Tuple(tuple) => Some(tuple.elems.iter().collect()),
        _ => None,
    }
}

/// The call, with its operands evaluated as was seen.
fn composed(ty: TokenStream, mut value: Expr, seen: Vec<Seen>, errors: &mut Errors) -> Operand {
    let mut parts = Vec::new();
    for (operand, seen) in operands_mut(&mut value).into_iter().zip(seen) {
        *operand = seen.value;
        parts.push(seen.part);
    }
    let owned = |part: &Part| matches!(part, Part::Value | Part::Owned);
    if parts.iter().all(owned) {
        return Operand::Stored {
            ty,
            value,
            convert: false,
        };
    }
    share(&value, &mut parts);
    refuse_changed_across(&parts, errors);
    Operand::Composed { ty, value, parts }
}

/// Lends by a shared reference what several parts are lent by name: if one of them changed it, the
/// function as it was written would not compile.
fn share(value: &Expr, parts: &mut [Part]) {
    let lends: Vec<Vec<Expr>> = parts.iter().map(lent_by).collect();
    let operands = operands(value);
    for (index, (part, operand)) in parts.iter_mut().zip(operands).enumerate() {
        let others = lends
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let others: Vec<&Expr> = others.flat_map(|(_, lends)| lends).collect();
        share_with(&others, operand, part);
    }
}

fn lent_by(part: &Part) -> Vec<Expr> {
    let mut lends = Vec::new();
    part.each_lend(&mut |lend| lends.push(lend.clone()));
    lends
}

fn share_with(others: &[&Expr], operand: &Expr, part: &mut Part) {
    match part {
        Part::Value | Part::Owned | Part::Borrowed(..) => {}
        Part::Lent(call) => {
            for (given, lend) in arguments(operand).zip(&mut call.lends) {
                let shared = plain_name(given).zip(lend.as_ref());
                let shared = shared.and_then(|(name, lend)| shared_lend(name, lend, others));
                *lend = shared.or(lend.take());
            }
        }
        Part::Composed(parts) => {
            let operands = operands(operand).into_iter();
            operands
                .zip(parts)
                .for_each(|(operand, part)| share_with(others, operand, part));
        }
    }
}

/// `&*name` for `&mut *name` and `&name` for `&mut name`, if others are lent the same.
fn shared_lend(name: &Ident, lend: &Expr, others: &[&Expr]) -> Option<Expr> {
    let Expr::Reference(ExprReference {
        mutability: Some(_),
        expr: place,
        ..
    }) = lend
    else {
        return None;
    };
    let word = name.to_string();
    let mut others = others.iter();
    let is_lent = others.any(|other| holds_word(other.to_token_stream(), &word).is_some());
    is_lent.then(|| parse_quote!(&#place))
}
