//! What to write instead of an await whose type cannot be seen, in the user's own names.

use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

use super::callee::ends_with;
use super::errors::{Errors, Rule};
use super::place::is_place;
use super::scope::plain_name;
use super::source_text::source_text;

impl Errors {
    /// Refuses to await `base`, and shows the ways to write it.
    pub(crate) fn refuse_await(&mut self, rule: Rule, base: &Expr) {
        match plain_name(base) {
            Some(name) => {
                let instead = format!(
                    "write its type where it is declared: `let {name}: F = ..;`, with `F` the \
                     future's type or `Pin<Box<dyn Future<Output = T> + Send>>`"
                );
                self.refuse_as(rule, base, &instead);
            }
            None => self.refuse_as(rule, base, &ways(base)),
        }
    }

    /// Refuses to await what a pattern binds.
    pub(crate) fn refuse_bound(&mut self, base: &Expr) {
        let name = source_text(base);
        let instead = format!(
            "bind it again with its type first: `let {name}: F = {name};`, with `F` the future's \
             type or `Pin<Box<dyn Future<Output = T> + Send>>`"
        );
        self.refuse_as(Rule::NoAwaitTypes, base, &instead);
    }
}

/// What stands in `Box::pin(..)`.
fn within_box(base: &Expr) -> &Expr {
    match base {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if ends_with(&path.path, ["Box", "pin"]) => {
                call.args.first().unwrap_or(base)
            }
            _ => base,
        },
        _ => base,
    }
}

/// The ways to make the type of a future visible.
fn ways(base: &Expr) -> String {
    let base = within_box(base);
    let text = source_text(base);
    let bound = format!("`let future: F = {text};` and `future.await`, if its type has a name");
    let boxed = format!(
        "`let future: Pin<Box<dyn Future<Output = T> + Send>> = Box::pin({text});` and \
         `future.await`, if not"
    );
    let mut ways = vec![bound, boxed];
    if let Some((function, call)) = as_function(base) {
        ways.push(format!(
            "`{call}.await`, with `{function}` a free function under `#[volt::state_machine]`"
        ));
    }
    if let Expr::MethodCall(call) = base
        && is_place(&call.receiver)
    {
        let mut arguments = vec![format!("&{}", source_text(&call.receiver))];
        arguments.extend(call.args.iter().map(source_text));
        ways.insert(
            0,
            format!(
                "`Type::{}({}).await`, with the type of the receiver, if its methods are machines",
                call.method,
                arguments.join(", ")
            ),
        );
    }
    let ways = ways.iter().enumerate();
    let ways = ways.map(|(index, way)| format!("\n      {}. {way}", index + 1));
    format!("one of{}", ways.collect::<String>())
}

/// A method or associated function as a free function, and the call of it.
fn as_function(base: &Expr) -> Option<(String, String)> {
    match base {
        Expr::MethodCall(ExprMethodCall {
            receiver,
            method,
            args,
            ..
        }) => {
            let receiver = format!("&{}", source_text(receiver));
            let args = args.iter().map(source_text);
            let args: Vec<_> = std::iter::once(receiver).chain(args).collect();
            Some((method.to_string(), format!("{method}({})", args.join(", "))))
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let name = &path.path.segments.last()?.ident;
            let args = source_text(&call.args.to_token_stream());
            Some((name.to_string(), format!("{name}({args})")))
        }
        _ => None,
    }
}
