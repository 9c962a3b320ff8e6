//! Calls of a function by itself whose future is used as a value: the `.await` is missing.
//!
//! ```text
//! walk(n - 1)?                        Box::pin(walk(n - 1))?
//! let Ok(page) = walk(n - 1) ..       a pattern of a literal, a tuple, `Ok`, `Err`, `Some`
//! walk(n - 1) + 1                     sum += walk(n - 1), where `sum` is a number
//! walk(n - 1).unwrap()                let below = walk(n - 1); below?
//! let sum: u32 = walk(n - 1);         a type of the standard library
//! ```
//!
//! The copies of a recursive function name its future by another type, so the compiler would report
//! the error of each copy. Such a function stays as it is.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprLet, ExprMatch, ExprMethodCall, ExprTry, FnArg, Item, Lit,
    Local, Pat, PatIdent, ReturnType, Signature, Stmt, StmtMacro, Type, TypePath,
};

use crate::names::known;
use crate::syntax::macros::contains_ident;

/// Returns `true` if a function or method uses its own future so. `is_inherent` is that of a method
/// outside of a trait, and none of a function.
pub(crate) fn forgets_own_await(sig: &Signature, body: &Block, is_inherent: Option<bool>) -> bool {
    if is_inherent == Some(false) || !contains_ident(body.to_token_stream(), &sig.ident.to_string())
    {
        return false;
    }
    let mut uses = OwnValues {
        name: &sig.ident,
        is_method: is_inherent.is_some(),
        may_mean_others: contains_ident(body.to_token_stream(), "cfg"),
        is_found: false,
        names: KnownLocals::default(),
    };
    sig.inputs.iter().for_each(|input| uses.visit_fn_arg(input));
    let names = KnownLocals::of(sig, body, &uses);
    uses.names = names;
    uses.visit_block(body);
    if let (ReturnType::Type(_, output), Some(Stmt::Expr(tail, None))) =
        (&sig.output, body.stmts.last())
    {
        uses.is_found |= is_of_std(output) && uses.is_own(tail);
    }
    uses.is_found && !uses.may_mean_others
}

struct OwnValues<'a> {
    name: &'a Ident,
    is_method: bool,
    /// `true` if something else may have the name, or if a condition may remove the call.
    may_mean_others: bool,
    is_found: bool,
    names: KnownLocals<'a>,
}

/// The locals of a function that have only one binding.
#[derive(Default)]
struct KnownLocals<'a> {
    futures: Vec<&'a Ident>,
    numbers: Vec<&'a Ident>,
}

impl<'a> KnownLocals<'a> {
    /// The locals that are the own future, or a number.
    fn of(sig: &'a Signature, body: &'a Block, uses: &OwnValues<'_>) -> Self {
        let mut bindings = SingleBindings::default();
        for input in &sig.inputs {
            bindings.visit_fn_arg(input);
            if let FnArg::Typed(input) = input
                && let Pat::Ident(pat) = &*input.pat
                && matches!(&*input.ty, Type::Path(ty) if is_named(ty, NUMBERS))
            {
                bindings.numbers.push(&pat.ident);
            }
        }
        bindings.visit_block(body);
        let is_single = |name: &&Ident| bindings.all.iter().filter(|it| *it == name).count() == 1;
        let values = bindings.values.iter();
        let values = values.filter(|(name, value)| uses.is_own(value) && is_single(name));
        let numbers = bindings
            .values
            .iter()
            .filter(|(_, value)| is_literal(value));
        let numbers = numbers.map(|(name, _)| *name);
        Self {
            futures: values.map(|(name, _)| *name).collect(),
            numbers: numbers
                .chain(bindings.numbers.iter().copied())
                .filter(is_single)
                .collect(),
        }
    }
}

#[derive(Default)]
struct SingleBindings<'a> {
    all: Vec<&'a Ident>,
    values: Vec<(&'a Ident, &'a Expr)>,
    numbers: Vec<&'a Ident>,
}

impl<'a> Visit<'a> for SingleBindings<'a> {
    fn visit_pat_ident(&mut self, node: &'a PatIdent) {
        self.all.push(&node.ident);
        visit::visit_pat_ident(self, node);
    }

    fn visit_local(&mut self, node: &'a Local) {
        if let (Pat::Ident(pat), Some(init)) = (&node.pat, &node.init)
            && pat.by_ref.is_none()
            && pat.subpat.is_none()
        {
            self.values.push((&pat.ident, &init.expr));
        }
        visit::visit_local(self, node);
    }
}

impl OwnValues<'_> {
    /// Returns `true` for the own future, and for a box with it.
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(node) => self.is_own(&node.expr),
            Expr::Path(node) => {
                let name = node.path.get_ident();
                name.is_some_and(|name| self.names.futures.contains(&name))
            }
            Expr::Call(node) => match &*node.func {
                Expr::Path(path) if path.qself.is_none() => {
                    let names = path.path.segments.iter().map(|segment| &segment.ident);
                    let names: Vec<&Ident> = names.collect();
                    match names[..] {
                        [name] => !self.is_method && name == self.name,
                        [owner, name] if owner == "Self" => self.is_method && name == self.name,
                        [owner, name] if owner == "Box" && name == "pin" => {
                            node.args.len() == 1 && self.is_own(&node.args[0])
                        }
                        _ => false,
                    }
                }
                _ => false,
            },
            Expr::MethodCall(node) => {
                let is_self = matches!(&*node.receiver, Expr::Path(it) if it.path.is_ident("self"));
                self.is_method && is_self && node.method == *self.name
            }
            _ => false,
        }
    }

    fn is_number(&self, expr: &Expr) -> bool {
        let name = match expr {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        is_literal(expr) || name.is_some_and(|name| self.names.numbers.contains(&name))
    }

    fn compare(&mut self, value: &Expr, pat: &Pat) {
        self.is_found |= is_of_value(pat) && self.is_own(value);
    }
}

impl<'a> Visit<'a> for OwnValues<'a> {
    fn visit_expr_try(&mut self, node: &'a ExprTry) {
        self.is_found |= self.is_own(&node.expr);
        visit::visit_expr_try(self, node);
    }

    fn visit_expr_binary(&mut self, node: &'a ExprBinary) {
        let is_arithmetic = matches!(
            node.op,
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::AddAssign(_)
        );
        let (left, right) = (&node.left, &node.right);
        let is_sum = self.is_own(left) && (self.is_number(right) || self.is_own(right))
            || self.is_number(left) && self.is_own(right);
        self.is_found |= is_arithmetic && is_sum;
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'a ExprMethodCall) {
        const OF_VALUES: &str = "unwrap expect is_ok is_err is_some is_none";
        let mut names = OF_VALUES.split(' ');
        let is_of_value = names.any(|name| node.method == name);
        self.is_found |= is_of_value && self.is_own(&node.receiver);
        visit::visit_expr_method_call(self, node);
    }

    fn visit_expr_match(&mut self, node: &'a ExprMatch) {
        for arm in &node.arms {
            self.compare(&node.expr, &arm.pat);
        }
        visit::visit_expr_match(self, node);
    }

    fn visit_expr_let(&mut self, node: &'a ExprLet) {
        self.compare(&node.expr, &node.pat);
        visit::visit_expr_let(self, node);
    }

    fn visit_local(&mut self, node: &'a Local) {
        if let Some(init) = &node.init {
            match &node.pat {
                Pat::Type(typed) => {
                    self.is_found |= is_of_std(&typed.ty) && self.is_own(&init.expr)
                }
                pat => self.compare(&init.expr, pat),
            }
        }
        visit::visit_local(self, node);
    }

    fn visit_pat_ident(&mut self, node: &'a PatIdent) {
        self.may_mean_others |= node.ident == *self.name;
        visit::visit_pat_ident(self, node);
    }

    fn visit_stmt_macro(&mut self, node: &'a StmtMacro) {
        self.may_mean_others |= known(&node.mac).is_none();
    }

    fn visit_item(&mut self, _: &'a Item) {
        self.may_mean_others = true;
    }
}

/// Returns `true` for a pattern that neither an opaque type nor a box has.
fn is_of_value(pat: &Pat) -> bool {
    match pat {
        Pat::Lit(_) | Pat::Range(_) | Pat::Slice(_) | Pat::Tuple(_) => true,
        Pat::TupleStruct(node) => ["Ok", "Err", "Some"]
            .iter()
            .any(|it| node.path.is_ident(it)),
        Pat::Or(node) => node.cases.iter().any(is_of_value),
        Pat::Paren(node) => is_of_value(&node.pat),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_) | Lit::Float(_)))
}

const NUMBERS: &str = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64";

/// Returns `true` for a type of the standard library that is no future.
fn is_of_std(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) => true,
        Type::Path(node) => {
            is_named(node, NUMBERS) || is_named(node, "bool char String Result Vec Option")
        }
        _ => false,
    }
}

fn is_named(ty: &TypePath, names: &str) -> bool {
    let segments = &ty.path.segments;
    ty.qself.is_none() && segments.len() == 1 && names.split(' ').any(|it| segments[0].ident == it)
}
