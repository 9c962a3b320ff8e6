//! The types of locals that their initial values tell, where no `let` writes them.
//!
//! A type that is guessed is used where one is needed that nobody wrote, and is then written on the
//! `let`, where the compiler compares.

use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprMethodCall, Lit, Local as SynLocal, Macro, Member, Pat, Type, TypePath, UnOp,
    parse_quote,
};

use super::checker::Check;
use super::seen::is_primitive;
use super::told::Told;
use super::written::{is_number, pair_types, primitive, shown_type, string};
use crate::state_machine::body::{LocalId, Origin};
use crate::state_machine::callee::without_last;
use crate::state_machine::lending::is_upper;
use crate::state_machine::operators::is_comparison;
use crate::state_machine::parse::peel;
use crate::state_machine::pattern::unascribed;
use crate::state_machine::scope::{Binding, plain_name};
use crate::state_machine::source_text::source_text;

impl Check<'_> {
    /// Declares the locals of a `let`.
    pub(super) fn declare_let(&mut self, local: &SynLocal) -> Vec<LocalId> {
        let origin = Origin::Let {
            initialised: local.init.is_some(),
        };
        let init = local.init.as_ref().map(|init| &*init.expr);
        let later = self.later.take();
        let mut typed = Vec::new();
        pair_types(&local.pat, None, init, &mut typed);
        let is_name = matches!(&local.pat, Pat::Ident(pat) if pat.by_ref.is_none());
        let untyped = is_name && typed.iter().all(|(_, ty)| ty.is_none());
        let told = init.or(later.as_ref()).filter(|_| untyped);
        if let (Some(mut told), [(binding, _)]) =
            (told.and_then(|init| self.told(init)), &typed[..])
        {
            if init.is_none() {
                (told.known, told.customary) = (false, true);
            }
            return vec![self.declare_told(binding, told, origin)];
        }
        let in_pattern = !matches!(unascribed(&local.pat), Pat::Ident(_));
        let parts = init.filter(|_| in_pattern && !matches!(local.pat, Pat::Type(_)));
        let told = parts.and_then(|init| self.told_by_value(init));
        let declared = typed.into_iter().map(|(binding, ty)| {
            let ty = ty.filter(|_| !binding.by_ref);
            let local = self.declare(&binding, ty, origin);
            self.locals[local].in_pattern = in_pattern;
            self.locals[local].advice = init.and_then(|init| advice(&binding, init));
            local
        });
        let declared: Vec<_> = declared.collect();
        self.guess_parts(&local.pat, told, &declared);
        declared
    }

    fn declare_told(&mut self, binding: &Binding, told: Told, origin: Origin) -> LocalId {
        let Told {
            ty,
            known,
            customary,
            text,
        } = told;
        let glue = self.glue(&ty);
        let local = self.declare(binding, known.then(|| ty.clone()), origin);
        let info = &mut self.locals[local];
        info.type_text = text;
        info.guess = (!known).then_some((ty, glue));
        info.customary = customary;
        local
    }

    /// The type of a value that is made of values of known types in the ways of the language.
    pub(super) fn plain_type(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Path(_) => self.named_type(plain_name(expr)?),
            Expr::Paren(paren) => self.plain_type(&paren.expr),
            Expr::Group(group) => self.plain_type(&group.expr),
            Expr::Unary(node) => match node.op {
                UnOp::Neg(_) | UnOp::Not(_) => self.plain_type(&node.expr).filter(is_primitive),
                _ => None,
            },
            Expr::Binary(node) => self.arithmetic(node),
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let types = tuple.elems.iter().map(|elem| self.plain_type(elem));
                let types = types.collect::<Option<Vec<_>>>()?;
                Some(parse_quote!((#(#types,)*)))
            }
            Expr::Field(field) => match (self.plain_type(&field.base)?, &field.member) {
                (Type::Tuple(tuple), Member::Unnamed(index)) => {
                    tuple.elems.get(index.index as usize).cloned()
                }
                _ => None,
            },
            Expr::MethodCall(call) => self.known_method(call).or_else(|| self.taken_out(call)),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => made_by(&path.path),
                _ => None,
            },
            Expr::Struct(node) => is_written_whole(&node.path).then(|| {
                let path = &node.path;
                parse_quote!(#path)
            }),
            Expr::Macro(node) if node.mac.path.is_ident("vec") => self.listed(&node.mac),
            _ => shown_type(expr),
        }
    }

    /// What `vec!` makes.
    fn listed(&self, mac: &Macro) -> Option<Type> {
        let tokens = &mac.tokens;
        let array: Expr = syn::parse2(quote!([#tokens])).ok()?;
        let elem = match &array {
            Expr::Repeat(node) => self.plain_type(&node.expr),
            Expr::Array(node) => node.elems.iter().find_map(|elem| self.plain_type(elem)),
            _ => None,
        }?;
        let vec = format_ident!("Vec", span = mac.path.span());
        Some(parse_quote!(#vec<#elem>))
    }

    fn arithmetic(&self, node: &syn::ExprBinary) -> Option<Type> {
        match node.op {
            op if is_comparison(&op) => Some(primitive("bool", node)),
            BinOp::Shl(_) | BinOp::Shr(_) => {
                let right = is_number(&node.right) || self.plain_type(&node.right).is_some();
                self.plain_type(&node.left)
                    .filter(|ty| right && is_primitive(ty))
            }
            BinOp::And(_) | BinOp::Or(_) => Some(primitive("bool", node)),
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_) => {
                let ty = match (is_number(&node.left), is_number(&node.right)) {
                    (false, true) => self.plain_type(&node.left),
                    (true, false) => self.plain_type(&node.right),
                    (false, false) => {
                        same(self.plain_type(&node.left)?, self.plain_type(&node.right)?)
                    }
                    (true, true) => None,
                };
                ty.filter(|ty| is_primitive(ty) || is_projected(ty))
            }
            _ => None,
        }
    }

    /// What a method of a number, of a collection or of anything that can be printed gives.
    fn known_method(&self, call: &ExprMethodCall) -> Option<Type> {
        const SAME: &[&str] = &[
            "min",
            "max",
            "saturating_add",
            "saturating_sub",
            "saturating_mul",
            "wrapping_add",
            "wrapping_sub",
            "wrapping_mul",
            "div_ceil",
            "pow",
            "abs",
            "abs_diff",
            "clamp",
            "next_power_of_two",
        ];
        let is = |name: &str| call.method == name && call.args.is_empty();
        if is("to_string") {
            return Some(string(call));
        }
        let receiver = match plain_name(&call.receiver) {
            Some(name) => self.type_of_name(name),
            None => self.plain_type(&call.receiver),
        }?;
        if is("len") && counts(&receiver) {
            return Some(primitive("usize", call));
        }
        if is("is_empty") && counts(&receiver) {
            return Some(primitive("bool", call));
        }
        let same = SAME.iter().any(|name| call.method == name);
        Some(receiver).filter(|ty| same && is_primitive(ty))
    }

    /// The type of a local, or of what is lent, behind references.
    pub(super) fn type_of_name(&self, name: &syn::Ident) -> Option<Type> {
        let lent = self.lent.iter().find(|lent| lent.name == *name);
        match (self.local(name), lent) {
            (None, Some(lent)) => Some(lent.ty.clone()),
            _ => self.named_type(name),
        }
    }
}

/// Whether the type is what some machine gives: a number, if it is reckoned with.
fn is_projected(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_some())
}

/// The type of two operands that must have the same, if they are numbers.
fn same(left: Type, right: Type) -> Option<Type> {
    match (is_projected(&left), is_projected(&right)) {
        (true, _) => Some(right),
        (_, true) => Some(left),
        _ => (left == right).then_some(left),
    }
}

/// What to write where the initial value tells more than that a type is missing.
fn advice(binding: &Binding, init: &Expr) -> Option<String> {
    let (name, mutable) = (&binding.ident, if binding.mutable { "mut " } else { "" });
    let name = source_text(name);
    match init {
        Expr::Closure(_) => Some(format!(
            "write it again after the await; or, if it captures nothing, `let {name}: fn(A) -> B = \
             ..`, or a function"
        )),
        init if is_number(init) => {
            let (text, ty) = (
                source_text(init),
                if is_float(init) { "f64" } else { "u32" },
            );
            Some(format!(
                "write the type, as in `let {mutable}{name}: {ty} = {text}`, or a suffix, as in \
                 `{text}{ty}`"
            ))
        }
        _ => None,
    }
}

fn is_float(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(literal.lit, Lit::Float(_)))
}

/// The type of the standard library of which the path names a function that makes one.
fn made_by(path: &syn::Path) -> Option<Type> {
    const MAKERS: &[(&str, &[&str])] = &[
        ("String", &["new", "from", "with_capacity"]),
        ("PathBuf", &["new", "from"]),
        ("Instant", &["now"]),
        ("SystemTime", &["now"]),
        (
            "Duration",
            &[
                "new",
                "from_secs",
                "from_millis",
                "from_micros",
                "from_nanos",
                "from_secs_f32",
                "from_secs_f64",
            ],
        ),
    ];
    let mut last = path.segments.iter().rev();
    let (function, owner) = (&last.next()?.ident, &last.next()?.ident);
    let makes = |(ty, functions): &&(&str, &[&str])| {
        owner == ty && functions.iter().any(|name| function == name)
    };
    MAKERS.iter().find(makes)?;
    let ty = without_last(path);
    Some(parse_quote!(#ty))
}

/// Whether the path is that of a struct, as far as it shows: a variant has its enum before it.
fn is_written_whole(path: &syn::Path) -> bool {
    let mut last = path.segments.iter().rev().skip(1);
    !last.next().is_some_and(|owner| is_upper(&owner.ident))
}

/// Whether the type is a collection of the standard library, whose length is a `usize`.
fn counts(ty: &Type) -> bool {
    const NAMES: &[&str] = &[
        "String",
        "Vec",
        "VecDeque",
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "str",
    ];
    match peel(ty) {
        Type::Array(_) | Type::Slice(_) => true,
        Type::Reference(reference) => counts(&reference.elem),
        Type::Path(TypePath { path, .. }) => {
            let last = path.segments.last();
            last.is_some_and(|last| NAMES.iter().any(|name| last.ident == name))
        }
        _ => false,
    }
}
