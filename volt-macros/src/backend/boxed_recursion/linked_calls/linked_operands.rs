//! `LinkedOperands`: the calls in an operand of `.await` whose futures are used for nothing else.
//!
//! ```text
//! odd(n).await                           Box::pin(odd(n)).await
//! heap(odd(n)).await                     join_all([odd(n), odd(m)]).await
//! join_all(list.iter().map(|of| of.visit())).await
//! join_all((0..n).map(odd)).await        with a closure in place of the function
//! odd(n).heap().await                    a method of a trait of the package
//! boxed!(odd, n)                         a macro that calls a function of this name
//! boxed!(odd(n))                         a macro of the package that boxes and awaits
//! let future = odd(n); future.await      a local that is only awaited
//! ```
//!
//! The function around a call may require that the future is `Send`. The compiler would query that
//! of the copy while it still infers its type. So only functions count whose heads show that they
//! require nothing of the kind.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprClosure, ExprMethodCall, Macro, Path, ReturnType, Stmt, Token};

use crate::names::{keeps_future, last_of};
use crate::syntax::{is_neutral_function, is_neutral_macro, is_neutral_method};

/// The words that types may have. Any other type may be that of the machine.
const NEUTRAL_TYPES: [&str; 7] = [
    "Box",
    "FuturesOrdered",
    "FuturesUnordered",
    "Pin",
    "Vec",
    "VecDeque",
    "_",
];

/// The methods of iterators that end an expression whose value is kept.
const KEPT_CHAINS: [&str; 2] = ["collect", "map"];

/// The calls in an operand.
pub(super) struct LinkedOperands<'c> {
    /// A place in the package.
    place: Span,
    /// Changes a call if it is linked, and returns `true` then.
    change: &'c mut dyn FnMut(&mut Expr) -> bool,
}

impl<'c> LinkedOperands<'c> {
    pub(super) fn new(place: Span, change: &'c mut dyn FnMut(&mut Expr) -> bool) -> Self {
        Self { place, change }
    }

    /// Changes the calls in an operand of `.await`.
    pub(super) fn operand(&mut self, operand: &mut Expr) {
        match operand {
            Expr::Paren(node) => self.operand(&mut node.expr),
            Expr::Group(node) => self.operand(&mut node.expr),
            Expr::Call(call) if requires_nothing(&call.func, self.place) => {
                call.args.iter_mut().for_each(|it| self.argument(it));
            }
            Expr::Call(_) | Expr::MethodCall(_) => {
                if !(self.change)(operand)
                    && let Expr::MethodCall(call) = operand
                    && call.turbofish.is_none()
                    && self.is_neutral_method(&call.method)
                {
                    self.argument(&mut call.receiver);
                }
            }
            _ => {}
        }
    }

    /// Changes the calls in the arguments of a macro of the package.
    pub(super) fn macro_call(&mut self, node: &mut Macro) {
        let is_own = |last: &Ident| is_neutral_macro(&last.to_string(), self.place);
        if last_of(&node.path).is_some_and(is_own) {
            self.list(node);
        }
    }

    /// Changes the calls in a value that a local keeps for an `.await`.
    pub(super) fn kept(&mut self, value: &mut Expr) {
        match value {
            Expr::MethodCall(call) if KEPT_CHAINS.iter().any(|name| call.method == name) => {
                self.argument(value);
            }
            Expr::Array(_) | Expr::Macro(_) => self.argument(value),
            other => self.operand(other),
        }
    }

    /// Changes the calls in an argument of a function that takes futures.
    fn argument(&mut self, argument: &mut Expr) {
        match argument {
            Expr::Paren(node) => self.argument(&mut node.expr),
            Expr::Group(node) => self.argument(&mut node.expr),
            Expr::Array(node) => node.elems.iter_mut().for_each(|it| self.argument(it)),
            Expr::Tuple(node) => node.elems.iter_mut().for_each(|it| self.argument(it)),
            Expr::Macro(node) if node.mac.path.is_ident("vec") => self.list(&mut node.mac),
            Expr::MethodCall(_) => self.method_call(argument),
            other => self.operand(other),
        }
    }

    /// Changes a method call. If it is not linked, it may be the last of a chain.
    fn method_call(&mut self, call: &mut Expr) {
        if !(self.change)(call)
            && let Expr::MethodCall(chain) = call
        {
            self.chain(chain);
        }
    }

    /// Changes the calls in a chain of methods, such as those of an iterator: the outputs of its
    /// closures, and functions as in `map(odd)`. Its first value may be a list. A method of a
    /// future may require that the future is `Send`, as `odd(n).boxed()` does.
    fn chain(&mut self, chain: &mut ExprMethodCall) {
        let types = chain.turbofish.to_token_stream();
        if !has_neutral_types(types) {
            return;
        }
        match &mut *chain.receiver {
            receiver if keeps_future(&chain.method) || self.is_neutral_method(&chain.method) => {
                self.argument(receiver);
            }
            Expr::MethodCall(before) => self.chain(before),
            list @ (Expr::Array(_) | Expr::Macro(_)) => self.argument(list),
            _ => {}
        }
        let is_map = chain.method == "map";
        for argument in &mut chain.args {
            match argument {
                Expr::Closure(closure) => self.closure(closure),
                Expr::Path(function) if is_map && !has_types(&function.path) => {
                    (self.change)(argument);
                }
                _ => {}
            }
        }
    }

    fn is_neutral_method(&self, method: &Ident) -> bool {
        is_neutral_method(&method.to_string(), self.place)
    }

    fn closure(&mut self, closure: &mut ExprClosure) {
        if !matches!(closure.output, ReturnType::Default) {
            return;
        }
        let mut body = &mut *closure.body;
        while let Expr::Block(node) = body {
            let Some(Stmt::Expr(last, None)) = node.block.stmts.last_mut() else {
                return;
            };
            body = last;
        }
        self.argument(body);
    }

    /// Returns the names among the arguments of a macro of the package, which may be those of
    /// functions.
    pub(super) fn names_in(&self, node: &Macro) -> Vec<Ident> {
        let is_own = |last: &Ident| is_neutral_macro(&last.to_string(), self.place);
        if !last_of(&node.path).is_some_and(is_own) {
            return Vec::new();
        }
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        let list = node.parse_body_with(parse).unwrap_or_default();
        let names = list.iter().filter_map(single_name).cloned();
        names.collect()
    }

    /// Changes the calls in the arguments of a macro that are expressions.
    fn list(&mut self, node: &mut Macro) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut list) = node.parse_body_with(parse) {
            list.iter_mut().for_each(|it| self.argument(it));
            node.tokens = list.into_token_stream();
        }
    }
}

/// Returns `true` if a function requires no auto trait of its arguments.
pub(super) fn requires_nothing(function: &Expr, place: Span) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let is_known = |last: &Ident| is_neutral_function(&last.to_string(), place);
    !has_types(&path.path) && (is_box_pin(function) || last_of(&path.path).is_some_and(is_known))
}

/// Returns `true` if generic arguments do not name a type that may contain the machine.
pub(super) fn has_neutral_types(types: TokenStream) -> bool {
    types.into_iter().all(|token| match token {
        TokenTree::Ident(word) => NEUTRAL_TYPES.iter().any(|neutral| word == neutral),
        TokenTree::Punct(_) => true,
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns the name that an expression consists of.
pub(super) fn single_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(node) => node.path.get_ident(),
        _ => None,
    }
}

/// Returns `true` if the path of a function has generic arguments, which may name the machine.
fn has_types(function: &Path) -> bool {
    let mut segments = function.segments.iter();
    segments.any(|segment| !segment.arguments.is_none())
}

/// Returns `true` if a function is `Box::pin`.
fn is_box_pin(function: &Expr) -> bool {
    let Expr::Path(function) = function else {
        return false;
    };
    let mut words = function.path.segments.iter().rev().map(|it| &it.ident);
    words.next().is_some_and(|word| word == "pin") && words.next().is_some_and(|word| word == "Box")
}
