//! The walk through a body that finds what is doubted.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprAssign, ExprBreak, ExprMethodCall, ExprStruct, Item, Local, Macro,
    PatIdent, Path, StmtMacro, Type,
};

use super::branches::{coerced, expected, may_be_coerced};
use super::items;
use super::tokens::{doubts, prints_address};
use crate::state_machine::body::{await_in_tokens, holds_await};
use crate::state_machine::errors::{Errors, Rule};
use crate::state_machine::macros::is_known;
use crate::state_machine::parse::{Function, is_condition, peel};
use crate::state_machine::scope::{is_upper_name, macro_arguments};

/// Refuses what in the body of the function is doubted.
pub(crate) fn refuse_doubts(function: &Function, errors: &mut Errors) {
    if let Some(unsafety) = function.unsafety() {
        errors.refuse(Rule::UnsafeCode, &unsafety);
    }
    if matches!(peel(&function.output), Type::Never(_)) {
        errors.refuse(Rule::NeverOutput, &function.item.sig.output);
    }
    Doubts { errors }.visit_block(&function.item.block);
}

struct Doubts<'e> {
    errors: &'e mut Errors,
}

impl Doubts<'_> {
    fn method(&mut self, method: &Ident) {
        const ADDRESSES: &[&str] = &[
            "addr",
            "as_mut_ptr",
            "as_mut_ptr_range",
            "as_ptr",
            "as_ptr_range",
        ];
        if ADDRESSES.iter().any(|name| method == name) {
            self.errors.refuse(Rule::TakenAddress, method);
        }
    }
}

impl<'ast> Visit<'ast> for Doubts<'_> {
    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        if is_condition(attr) {
            self.errors.refuse(Rule::ConfiguredStatement, attr);
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if let Some(rule) = items::doubt(item) {
            self.errors.refuse(rule, item);
        }
    }

    fn visit_expr_unsafe(&mut self, node: &'ast syn::ExprUnsafe) {
        self.errors.refuse(Rule::UnsafeCode, &node.unsafe_token);
        visit::visit_expr_unsafe(self, node);
    }

    fn visit_expr_raw_addr(&mut self, node: &'ast syn::ExprRawAddr) {
        self.errors.refuse(Rule::TakenAddress, node);
        visit::visit_expr_raw_addr(self, node);
    }

    fn visit_type_ptr(&mut self, node: &'ast syn::TypePtr) {
        self.errors.refuse(Rule::TakenAddress, node);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let mut modules = path.segments.iter().rev().skip(1);
        let of_pointers = modules.any(|segment| segment.ident == "ptr");
        let pointer = path.segments.iter().any(|one| one.ident == "NonNull");
        match path.segments.last().filter(|_| of_pointers || pointer) {
            Some(last) => self.errors.refuse(Rule::TakenAddress, &last.ident),
            None => visit::visit_path(self, path),
        }
    }

    fn visit_expr_method_call(&mut self, node: &'ast ExprMethodCall) {
        self.method(&node.method);
        visit::visit_expr_method_call(self, node);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        for end in coerced(expr) {
            self.errors.refuse(Rule::CoercedBranch, end);
        }
        visit::visit_expr(self, expr);
    }

    fn visit_expr_break(&mut self, node: &'ast ExprBreak) {
        if let Some(value) = node.expr.as_ref().filter(|value| may_be_coerced(value)) {
            self.errors.refuse(Rule::CoercedBranch, value);
        }
        visit::visit_expr_break(self, node);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(value) = expected(local) {
            self.errors.refuse(Rule::CoercedBranch, value);
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        let name = pat.ident.to_string();
        if is_upper_name(pat) && name != "None" && name.contains(char::is_lowercase) {
            self.errors.refuse(Rule::BareVariant, pat);
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_assign(&mut self, node: &'ast ExprAssign) {
        // Its value would be kept as long as a local.
        if matches!(*node.left, Expr::Infer(_)) && holds_await(&*node.right) {
            self.errors.refuse(Rule::UnknownExpression, node);
        }
        visit::visit_expr_assign(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast ExprStruct) {
        if let Some(rest) = node.rest.as_deref().filter(|rest| holds_await(*rest)) {
            self.errors.refuse(Rule::AwaitInRest, rest);
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_stmt_macro(&mut self, node: &'ast StmtMacro) {
        // That of the standard library gives a value, others declare a local.
        match node.mac.path.is_ident("pin") && node.semi_token.is_some() {
            true => self.errors.refuse(Rule::UnknownMacro, &node.mac),
            false => visit::visit_stmt_macro(self, node),
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        // An await in it is refused by itself.
        if !is_known(mac) && await_in_tokens(mac.tokens.clone()).is_none() {
            return self.errors.refuse(Rule::UnknownMacro, mac);
        }
        let Some(arguments) = macro_arguments(mac) else {
            for (rule, place) in doubts(mac.tokens.clone()) {
                self.errors.refuse(rule, &place);
            }
            return;
        };
        for argument in &arguments {
            if let Expr::Lit(literal) = argument
                && prints_address(&literal.to_token_stream().to_string())
            {
                self.errors.refuse(Rule::TakenAddress, literal);
            }
            self.visit_expr(argument);
        }
    }
}
