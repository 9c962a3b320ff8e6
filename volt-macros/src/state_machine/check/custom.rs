//! The types of values that are made as everybody makes them.
//!
//! `Client::new()` gives a `Client`, `name.clone()` what `name` is, `Some(3u32)` an `Option<u32>`:
//! by custom, not by law. What is said here is only ever asked where the function would otherwise
//! be refused, and is then written on the `let`, so that the compiler has the last word.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{
    BinOp, Expr, ExprCall, ExprMethodCall, ExprPath, GenericArgument, Path, PathArguments, Type,
    parse_quote,
};

use super::checker::Check;
use super::seen::is_primitive;
use super::written::string;
use crate::state_machine::callee::without_last;
use crate::state_machine::lending::{is_screaming, is_upper};
use crate::state_machine::parse::peel;
use crate::state_machine::scope::plain_name;

/// What holds one value of any type, and is made of it by `new`.
const HOLDERS: &[&str] = &[
    "Arc", "Rc", "Box", "Mutex", "RwLock", "RefCell", "Cell", "Wrapping", "Reverse", "Some",
];

/// Types of the standard library that need a parameter, and names that are no types at all.
const NOT_ALONE: &[&str] = &[
    "Vec",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "Option",
    "Result",
    "Some",
    "None",
    "Ok",
    "Err",
    "Weak",
    "Pin",
    "Cow",
    "OnceLock",
    "OnceCell",
    "PhantomData",
    "Default",
    "From",
    "Into",
    "Iterator",
    "FromIterator",
    "IntoIterator",
    "FromStr",
    "Clone",
];

/// Methods whose result has the same type whatever they are called on.
const RESULTS: &[(&[&str], &str)] = &[
    (
        &[
            "is_some",
            "is_none",
            "is_ok",
            "is_err",
            "is_empty",
            "contains",
            "contains_key",
            "starts_with",
            "ends_with",
            "is_finished",
        ],
        "bool",
    ),
    (&["len", "count", "capacity"], "usize"),
    (&["as_secs"], "u64"),
    (&["as_millis", "as_micros", "as_nanos"], "u128"),
    (&["as_secs_f64"], "f64"),
    (&["to_lowercase", "to_uppercase"], "String"),
];

impl Check<'_> {
    /// The type of an expression, as custom has it.
    pub(super) fn customary_type(&self, expr: &Expr) -> Option<Type> {
        self.plain_type(expr).or_else(|| match expr {
            Expr::Paren(node) => self.customary_type(&node.expr),
            Expr::Group(node) => self.customary_type(&node.expr),
            Expr::Path(path) => named_value(path),
            Expr::Call(call) => self.replaced(call).or_else(|| self.made_by_call(call)),
            Expr::Tuple(node) if !node.elems.is_empty() => {
                let types = node.elems.iter().map(|elem| self.customary_type(elem));
                let types = types.collect::<Option<Vec<_>>>()?;
                Some(parse_quote!((#(#types,)*)))
            }
            Expr::MethodCall(call) => self.made_by_method(call).or_else(|| self.next_of(call)),
            Expr::Binary(node) => self.moved_in_time(node),
            Expr::Await(_) => self.made_by_await(expr),
            Expr::Try(node) => self.awaited_by_custom(&node.expr),
            Expr::If(node) => self.tail_type(&node.then_branch),
            Expr::Block(node) => self.tail_type(&node.block),
            Expr::Match(node) => node
                .arms
                .iter()
                .find_map(|arm| self.customary_type(&arm.body)),
            _ => None,
        })
    }

    /// What an associated function gives that cannot fail: `Client::new(..).await`.
    fn made_by_await(&self, value: &Expr) -> Option<Type> {
        let never_fails = ["new", "default", "build", "start"];
        made_awaited(value, &never_fails)
    }

    /// What `?` takes out of an await: a connection out of `TcpStream::connect(..).await?`, the
    /// number of bytes out of `stream.read(..).await?`.
    pub(super) fn awaited_by_custom(&self, value: &Expr) -> Option<Type> {
        let may_fail = ["connect", "open", "create", "bind", "new", "build", "start"];
        made_awaited(value, &may_fail).or_else(|| counted_bytes(value))
    }

    /// The type of a block that is but its tail: no name in it means another local.
    fn tail_type(&self, block: &syn::Block) -> Option<Type> {
        match &block.stmts[..] {
            [syn::Stmt::Expr(tail, None)] => self.customary_type(tail),
            _ => None,
        }
    }

    fn made_by_call(&self, call: &ExprCall) -> Option<Type> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let function = &path.path.segments.last()?.ident;
        let owner = owner_of(path);
        let holder = owner.as_ref().map_or(function, |owner| name_of(owner));
        if function == "clone" && owner.is_some() {
            return self.cloned(call.args.first()?);
        }
        let is_holder = HOLDERS.iter().any(|name| holder == name);
        if is_holder && (owner.is_none() || function == "new") {
            let held = self.customary_type(call.args.first()?)?;
            let variant_of = || match function == "Some" {
                true => parse_quote!(Option),
                false => path.path.clone(),
            };
            let holder = owner.unwrap_or_else(variant_of);
            let says = holder
                .segments
                .last()
                .is_some_and(|last| !last.arguments.is_empty());
            if says {
                return Some(parse_quote!(#holder));
            }
            return Some(parse_quote!(#holder<#held>));
        }
        if call.args.iter().any(|argument| self.may_lend(argument)) {
            return None;
        }
        match owner {
            Some(owner) => makes_its_own(&owner, function).then(|| parse_quote!(#owner)),
            None => (is_upper(function) && stands_alone(&path.path)).then(|| parse_quote!(#path)),
        }
    }

    /// Whether what is made of the argument may have a lifetime, or a type that has no name.
    fn may_lend(&self, argument: &Expr) -> bool {
        let named = plain_name(argument);
        match argument {
            Expr::Reference(_) | Expr::Closure(_) | Expr::Async(_) => true,
            _ => named.is_some_and(|name| match self.local(name) {
                Some(local) => local.likely_type().is_some_and(|ty| !owns_itself(ty)),
                None => self.lent.iter().any(|lent| lent.name == *name),
            }),
        }
    }

    /// What `clone` gives of what is written as `&value`, or of a reference.
    fn cloned(&self, value: &Expr) -> Option<Type> {
        let value = match value {
            Expr::Reference(node) => &node.expr,
            other => other,
        };
        let ty = self.referred_type(value)?;
        let is_sized = !is_text(&ty) && !matches!(ty, Type::Slice(_) | Type::TraitObject(_));
        is_sized.then_some(ty)
    }

    /// The type of a value, or of what it refers to.
    pub(super) fn referred_type(&self, value: &Expr) -> Option<Type> {
        let ty = match plain_name(value) {
            Some(name) => self.type_of_name(name),
            None => self.customary_type(value),
        }?;
        Some(match peel(&ty) {
            Type::Reference(reference) => peel(&reference.elem).clone(),
            other => other.clone(),
        })
    }

    /// What `to_owned` gives: a `String` of a text, a clone of anything else.
    fn owned(&self, value: &Expr) -> Option<Type> {
        let is_text = self.referred_type(value).as_ref().is_some_and(is_text);
        let text = || string(value);
        is_text.then(text).or_else(|| self.cloned(value))
    }

    fn made_by_method(&self, call: &ExprMethodCall) -> Option<Type> {
        let method = call.method.to_string();
        if method == "clone" && call.args.is_empty() {
            return self.cloned(&call.receiver);
        }
        if method == "to_owned" && call.args.is_empty() {
            return self.owned(&call.receiver);
        }
        if let Some(ty) = turbofish(call) {
            return ty;
        }
        if method == "elapsed" {
            return Some(parse_quote!(::core::time::Duration));
        }
        if UNWRAPPING.contains(&method.as_str()) {
            return unwrapped(&self.customary_type(&call.receiver)?);
        }
        let mut results = RESULTS.iter();
        let (_, name) = results.find(|(methods, _)| methods.contains(&method.as_str()))?;
        let name = format_ident!("{name}", span = call.method.span());
        Some(parse_quote!(#name))
    }

    /// A point in time, and how far it is moved.
    fn moved_in_time(&self, node: &syn::ExprBinary) -> Option<Type> {
        if !matches!(node.op, BinOp::Add(_)) {
            return None;
        }
        let ty = self.customary_type(&node.left)?;
        let Type::Path(path) = &ty else { return None };
        let last = &path.path.segments.last()?.ident;
        let known = ["Instant", "SystemTime", "Duration"];
        known.iter().any(|name| last == name).then_some(ty)
    }
}

fn is_text(ty: &Type) -> bool {
    let name = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    name.is_some_and(|last| last.ident == "str")
}

/// The type whose function of one of these names is awaited.
fn made_awaited(value: &Expr, functions: &[&str]) -> Option<Type> {
    let Expr::Await(node) = value else {
        return None;
    };
    let Expr::Call(call) = &*node.base else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let (owner, function) = (owner_of(path)?, path.path.segments.last()?);
    let is_known = functions.iter().any(|name| function.ident == name);
    (is_known && stands_alone(&owner)).then(|| parse_quote!(#owner))
}

/// The number of bytes that a method reads or writes.
fn counted_bytes(value: &Expr) -> Option<Type> {
    let Expr::Await(node) = value else {
        return None;
    };
    let Expr::MethodCall(call) = &*node.base else {
        return None;
    };
    let counts = ["read", "write", "peek"];
    let usize = format_ident!("usize", span = call.method.span());
    let counts = counts.iter().any(|name| call.method == name) && call.args.len() == 1;
    counts.then(|| parse_quote!(#usize))
}

/// Methods that take the value out of an `Option` or a `Result`.
pub(super) const UNWRAPPING: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
];

/// What is in an `Option`, or in a `Result` that went well.
fn unwrapped(ty: &Type) -> Option<Type> {
    parameter(ty, 0)
}

/// A parameter of an `Option` or a `Result`.
pub(super) fn parameter(ty: &Type, index: usize) -> Option<Type> {
    let Type::Path(path) = peel(ty) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let known = last.ident == "Option" || last.ident == "Result";
    let PathArguments::AngleBracketed(own) = &last.arguments else {
        return None;
    };
    match own.args.get(index).filter(|_| known)? {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// What a method gives that is told the type: none if that leaves something open.
fn turbofish(call: &ExprMethodCall) -> Option<Option<Type>> {
    let own = call.turbofish.as_ref()?.args.first()?;
    let GenericArgument::Type(ty) = own else {
        return Some(None);
    };
    let method = call.method.to_string();
    Some(match method.as_str() {
        _ if !is_closed(ty) => None,
        "collect" | "sum" | "product" => Some(ty.clone()),
        "parse" => Some(parse_quote!(
            ::core::result::Result<#ty, <#ty as ::core::str::FromStr>::Err>
        )),
        _ => None,
    })
}

/// Whether no part of the type is left to be found.
fn is_closed(ty: &Type) -> bool {
    struct Open(bool);
    impl syn::visit::Visit<'_> for Open {
        fn visit_type_infer(&mut self, _: &syn::TypeInfer) {
            self.0 = true;
        }
    }
    let mut open = Open(false);
    syn::visit::Visit::visit_type(&mut open, ty);
    !open.0
}

/// The type of a variant, of a struct without fields, or of a constant of a number's type.
fn named_value(path: &ExprPath) -> Option<Type> {
    let name = &path.path.segments.last()?.ident;
    let Some(owner) = owner_of(path) else {
        let is_unit = is_upper(name) && !is_screaming(name) && stands_alone(&path.path);
        return is_unit.then(|| parse_quote!(#path));
    };
    let ty: Type = parse_quote!(#owner);
    let is_limit = is_primitive(&ty) && (name == "MAX" || name == "MIN");
    let is_variant = is_upper(name) && !is_screaming(name) && stands_alone(&owner);
    (is_limit || is_variant).then_some(ty)
}

/// The type that a path leads through, by the way it is written.
fn owner_of(path: &ExprPath) -> Option<Path> {
    if path.qself.is_some() {
        return None;
    }
    let owner = without_last(&path.path);
    let last = owner.segments.last()?;
    let ty: Type = parse_quote!(#owner);
    (is_upper(&last.ident) || is_primitive(&ty)).then_some(owner)
}

fn name_of(path: &Path) -> &Ident {
    &path.segments[path.segments.len() - 1].ident
}

/// Whether the function of the type makes one of it.
fn makes_its_own(owner: &Path, function: &Ident) -> bool {
    let is_maker = ["new", "default", "from", "with_capacity"]
        .iter()
        .any(|name| function == name);
    (is_maker || is_upper(function)) && stands_alone(owner)
}

/// Whether the path is that of a type as it is written.
fn stands_alone(path: &Path) -> bool {
    let Some(last) = path.segments.last() else {
        return false;
    };
    if let PathArguments::AngleBracketed(_) = last.arguments {
        return is_closed(&parse_quote!(#path));
    }
    let partial = NOT_ALONE.iter().chain(HOLDERS);
    !partial.into_iter().any(|name| last.ident == name)
}

/// Whether the type is not a reference, as far as it shows.
fn owns_itself(ty: &Type) -> bool {
    !matches!(peel(ty), Type::Reference(_) | Type::ImplTrait(_))
}
