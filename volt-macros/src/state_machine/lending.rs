//! What is lent to a call: the expressions that give it again at each poll.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprCall, Ident, Path, Stmt, Type};

use super::body::Local;
use super::method::{Home, Sibling};
use super::names::RECEIVER;
use super::scope::{holds_word, plain_name};

/// What is known where an operand stands.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) locals: &'a [Local],
    /// The locals in scope, innermost last.
    pub(crate) scope: &'a [usize],
    /// What the function is lent.
    pub(crate) lent: &'a [Lent],
    /// The `impl` that the function was lifted out of.
    pub(crate) home: Option<&'a Home>,
    /// The names of the generic parameters.
    pub(crate) generic: &'a [String],
    /// The path to volt.
    pub(crate) volt: &'a Path,
}

/// A lent argument.
#[derive(Clone, Debug)]
pub(crate) struct Lent {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    /// The type behind the reference.
    pub(crate) ty: Type,
}

impl Surroundings<'_> {
    pub(super) fn local(&self, name: &Ident) -> Option<&Local> {
        let mut scope = self.scope.iter().rev().map(|&id| &self.locals[id]);
        scope.find(|local| local.name == *name)
    }

    pub(super) fn lent(&self, name: &Ident) -> Option<bool> {
        let found = self.lent.iter().find(|lent| lent.name == *name);
        found.map(|lent| lent.mutable)
    }

    /// The name in `name`, and in `*name` of what is lent.
    pub(super) fn reborrowed<'e>(&self, place: &'e Expr) -> Option<&'e Ident> {
        match place {
            Expr::Unary(node) if matches!(node.op, syn::UnOp::Deref(_)) => {
                let name = plain_name(&node.expr)?;
                let lent = self.local(name).is_none() && self.lent(name) == Some(true);
                lent.then_some(name)
            }
            place => plain_name(place),
        }
    }

    /// The machine of a method of the same `impl` of a trait, called on `self`.
    pub(super) fn sibling_of(&self, receiver: &Ident, method: &Ident) -> Option<TokenStream> {
        let sibling = self.sibling(method).filter(|_| receiver == RECEIVER)?;
        sibling.machine.clone()
    }

    /// The machine of a method of the same `impl` of a trait, called by the path of its type.
    pub(super) fn sibling_at(&self, owner: &Path, method: &Ident) -> Option<TokenStream> {
        let sibling = self.sibling(method).filter(|_| self.is_home(owner))?;
        sibling.machine.clone()
    }

    /// Whether the path is that of the type that the `impl` is for.
    pub(super) fn is_home(&self, owner: &Path) -> bool {
        let path = self.home.and_then(Home::path).to_token_stream();
        path.to_string() == owner.to_token_stream().to_string()
    }

    pub(super) fn sibling(&self, method: &Ident) -> Option<&Sibling> {
        let mut siblings = self.home?.siblings.iter();
        siblings.find(|sibling| sibling.name == *method)
    }

    /// The expression that gives an argument again at each poll, if it can be given again.
    pub(super) fn lend(&self, argument: &Expr) -> Option<Expr> {
        if let Some(name) = plain_name(argument) {
            return self.lend_name(name, argument);
        }
        match argument {
            Expr::Lit(_) => Some(argument.clone()),
            Expr::Reference(reference) if self.stands(&reference.expr) => Some(argument.clone()),
            Expr::MethodCall(_) if self.stands(argument) => Some(argument.clone()),
            Expr::Paren(paren) => self.lend(&paren.expr),
            _ => None,
        }
    }

    /// Whether the value of an argument that cannot be given again may be a reference.
    pub(super) fn may_borrow(&self, argument: &Expr) -> bool {
        match plain_name(argument).and_then(|name| self.local(name)) {
            Some(local) => local.ty.is_none() && (local.guess.is_none() || local.customary),
            None => may_borrow(argument),
        }
    }

    /// The receiver of a call that lends these too: shared, if one of them is of the same local.
    pub(super) fn lend_receiver(
        &self,
        name: &Ident,
        receiver: &Expr,
        others: &[Option<Expr>],
    ) -> Expr {
        let word = name.to_string();
        let mentions = |other: &Expr| holds_word(other.to_token_stream(), &word).is_some();
        let shares = others.iter().flatten().any(mentions);
        match self.lend_name(name, receiver) {
            Some(Expr::Reference(_)) if shares => syn::parse_quote!(&*#name),
            Some(lend) => lend,
            None if shares => syn::parse_quote!(&#name),
            None => syn::parse_quote!(&mut #name),
        }
    }

    pub(super) fn lend_name(&self, name: &Ident, argument: &Expr) -> Option<Expr> {
        let mutable = match self.local(name) {
            Some(local) => match local.ty.as_ref()? {
                Type::Reference(reference) => reference.mutability.is_some(),
                _ => return None,
            },
            None if is_screaming(name) => false,
            None => self.lent(name)?,
        };
        let reborrow = syn::parse_quote!(&mut *#name);
        Some(if mutable { reborrow } else { argument.clone() })
    }
}

/// The name in `{name}`, which moves what it names.
pub(super) fn moved_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Block(node) if node.label.is_none() => match &node.block.stmts[..] {
            [Stmt::Expr(expr, None)] => plain_name(expr),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn is_upper(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// Whether it is the name of a constant. That of a variant, as `None`, has small letters too.
pub(crate) fn is_screaming(name: &Ident) -> bool {
    is_upper(name) && !name.to_string().contains(char::is_lowercase)
}

/// Whether the argument is the same whoever evaluates it, so that giving it again costs nothing.
pub(crate) fn is_constant(argument: &Expr) -> bool {
    matches!(argument, Expr::Lit(_)) || plain_name(argument).is_some_and(is_screaming)
}

/// Whether the value of an argument may be a reference, as far as it shows.
pub(crate) fn may_borrow(argument: &Expr) -> bool {
    match argument {
        Expr::Paren(paren) => may_borrow(&paren.expr),
        Expr::Group(group) => may_borrow(&group.expr),
        Expr::Call(call) => call.args.iter().any(may_borrow),
        Expr::MethodCall(call) => !gives_value(&call.method),
        Expr::Reference(_)
        | Expr::Path(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::If(_)
        | Expr::Match(_)
        | Expr::Block(_)
        | Expr::Unsafe(_)
        | Expr::Try(_) => true,
        _ => false,
    }
}

/// Methods of the standard library that give no reference.
fn gives_value(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "clone",
        "cloned",
        "copied",
        "len",
        "to_owned",
        "to_string",
        "to_vec",
    ];
    NAMES.iter().any(|name| method == name)
}

/// Whether a string is among the arguments: a lent one, most likely.
pub(super) fn holds_text(call: &ExprCall) -> bool {
    call.args.iter().any(|argument| match argument {
        Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_) | syn::Lit::ByteStr(_)),
        other => is_constant(other),
    })
}
