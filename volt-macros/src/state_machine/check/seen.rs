//! The types of expressions that the source shows without a name in between.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{BinOp, Expr, Member, Type, parse_quote};

use super::checker::Check;
use super::written::{is_number, shown_type};
use crate::state_machine::body::{Operand, holds_await};
use crate::state_machine::errors::Errors;
use crate::state_machine::lending::Surroundings;
use crate::state_machine::operators::is_comparison;
use crate::state_machine::parse::peel;
use crate::state_machine::scope::plain_name;

impl Check<'_> {
    /// The type of an expression, if the source shows it.
    ///
    /// Methods are known by their name, which may belong to something else. What is said here
    /// becomes the type of a `let`, so a wrong guess is a type error at the expression.
    pub(super) fn seen_type(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Path(_) => self.named_type(plain_name(expr)?),
            Expr::Paren(paren) => self.seen_type(&paren.expr),
            Expr::Group(group) => self.seen_type(&group.expr),
            Expr::Await(node) => self.awaited_type(&node.base),
            Expr::Unary(unary) => self.unary_type(unary),
            Expr::Binary(node) => self.binary_type(node),
            Expr::MethodCall(call) => self.method_type(call),
            Expr::Field(field) => self.field_type(field),
            Expr::Tuple(tuple) => {
                let types = tuple.elems.iter().map(|elem| self.seen_type(elem));
                let types = types.collect::<Option<Vec<_>>>()?;
                Some(parse_quote!((#(#types,)*)))
            }
            Expr::Array(array) => {
                let elem = array.elems.iter().find_map(|elem| self.seen_type(elem))?;
                let length = array.elems.len();
                Some(parse_quote!([#elem; #length]))
            }
            Expr::Repeat(repeat) => {
                let (elem, length) = (self.seen_type(&repeat.expr)?, &repeat.len);
                Some(parse_quote!([#elem; #length]))
            }
            _ => shown_type(expr),
        }
    }

    /// The type of a local, an argument or a const parameter.
    pub(super) fn named_type(&self, name: &Ident) -> Option<Type> {
        if let Some(local) = self.local(name) {
            return local.likely_type().cloned();
        }
        let mut consts = self.consts.iter();
        let found = consts.find(|(known, _)| known == name);
        found.map(|(_, ty)| ty.clone())
    }

    /// What is known where an operand stands.
    pub(super) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            locals: &self.locals,
            scope: &self.scope,
            lent: &self.lent,
            home: self.home,
            generic: &self.generic,
            volt: self.volt,
        }
    }

    fn awaited_type(&self, base: &Expr) -> Option<Type> {
        let none_awaits = !holds_await(base);
        let operand =
            none_awaits.then(|| self.surroundings().operand(base, &mut Errors::default()))?;
        self.output_of(&operand?.0)
    }

    /// What awaiting the operand gives.
    pub(super) fn output_of(&self, operand: &Operand) -> Option<Type> {
        let volt = self.volt;
        match operand {
            Operand::Stored { ty, .. }
            | Operand::Call { ty, .. }
            | Operand::Composed { ty, .. } => {
                Some(parse_quote!(<#ty as #volt::__private::Awaited>::Output))
            }
            Operand::Borrowed(borrow) => {
                let ty = self.type_of_name(borrowed_name(borrow)?)?;
                Some(parse_quote!(<#ty as ::core::future::Future>::Output))
            }
            Operand::Closure(_) => None,
        }
    }

    fn unary_type(&self, unary: &syn::ExprUnary) -> Option<Type> {
        let ty = self.seen_type(&unary.expr)?;
        match (&unary.op, &ty) {
            (syn::UnOp::Deref(_), Type::Reference(reference)) => Some((*reference.elem).clone()),
            (syn::UnOp::Neg(_) | syn::UnOp::Not(_), _) => Some(ty).filter(is_primitive),
            _ => None,
        }
    }

    fn binary_type(&self, node: &syn::ExprBinary) -> Option<Type> {
        if let Some(operator) = arithmetic(&node.op) {
            let (left, right) = (self.seen_type(&node.left), self.seen_type(&node.right));
            return match (left, right) {
                (Some(ty), _) | (_, Some(ty)) if is_primitive(&ty) => Some(ty),
                (Some(ty), _) if is_number(&node.right) => Some(ty),
                (_, Some(ty)) if is_number(&node.left) => Some(ty),
                (left, right) => {
                    let (left, right) = (left?, right?);
                    Some(parse_quote!(<#left as ::core::ops::#operator<#right>>::Output))
                }
            };
        }
        match node.op {
            BinOp::Shl(_) | BinOp::Shr(_) => self.seen_type(&node.left).filter(is_primitive),
            BinOp::And(_) | BinOp::Or(_) => Some(parse_quote!(bool)),
            op if is_comparison(&op) => Some(parse_quote!(bool)),
            _ => None,
        }
    }

    fn method_type(&self, call: &syn::ExprMethodCall) -> Option<Type> {
        const COUNTS: &[&str] = &["len", "count"];
        const SAME: &[&str] = &["min", "max", "saturating_add", "saturating_sub", "div_ceil"];
        if COUNTS.iter().any(|name| call.method == name) && call.args.is_empty() {
            let usize = format_ident!("usize", span = call.method.span());
            return Some(parse_quote!(#usize));
        }
        let receiver = || self.seen_type(&call.receiver).filter(is_primitive);
        let same = SAME.iter().any(|name| call.method == name);
        same.then(receiver)?
    }

    fn field_type(&self, field: &syn::ExprField) -> Option<Type> {
        match (self.seen_type(&field.base)?, &field.member) {
            (Type::Tuple(tuple), Member::Unnamed(index)) => {
                tuple.elems.get(index.index as usize).cloned()
            }
            _ => None,
        }
    }
}

/// The trait of an operator that makes a value of two.
fn arithmetic(op: &BinOp) -> Option<Ident> {
    let name = match op {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::Div(_) => "Div",
        BinOp::Rem(_) => "Rem",
        BinOp::BitAnd(_) => "BitAnd",
        BinOp::BitOr(_) => "BitOr",
        BinOp::BitXor(_) => "BitXor",
        _ => return None,
    };
    Some(format_ident!("{name}"))
}

/// Whether the type is a number or a truth value, by its name.
pub(super) fn is_primitive(ty: &Type) -> bool {
    const NAMES: &[&str] = &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool",
    ];
    match peel(ty) {
        Type::Path(path) => {
            let name = path.path.get_ident();
            name.is_some_and(|name| NAMES.iter().any(|known| name == known))
        }
        _ => false,
    }
}

/// The name of the future in `&mut future` and `&mut *future`.
fn borrowed_name(borrow: &Expr) -> Option<&Ident> {
    match borrow {
        Expr::Reference(borrow) => borrowed_name(&borrow.expr),
        Expr::Unary(unary) => borrowed_name(&unary.expr),
        other => plain_name(other),
    }
}
