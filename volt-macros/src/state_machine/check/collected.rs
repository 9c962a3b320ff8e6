//! What is taken out of the collections of the standard library, by their written types.
//!
//! With `queue: VecDeque<Job>`, `queue.pop_front()` is an `Option<Job>`, and so is what
//! `queue.front().cloned()` gives. A type of one's own by such a name may have other methods: what is
//! told here is guessed, and the compiler compares.

use proc_macro2::Span;
use quote::format_ident;
use syn::{
    Expr, ExprCall, ExprMethodCall, GenericArgument, PathArguments, Type, UnOp, parse_quote,
};

use super::checker::Check;
use crate::state_machine::parse::peel;
use crate::state_machine::scope::plain_name;

/// Methods that look at one element, which `copied` and `cloned` make a value of.
const LOOKING: &[&str] = &[
    "get",
    "get_mut",
    "first",
    "last",
    "front",
    "back",
    "peek",
    "first_key_value",
    "last_key_value",
    "as_ref",
];

/// What may stand around a collection and does not hide it.
const POINTERS: &[&str] = &["Box", "Rc", "Arc", "Pin"];

impl Check<'_> {
    /// What a method of a collection gives.
    pub(super) fn taken_out(&self, call: &ExprMethodCall) -> Option<Type> {
        let method = call.method.to_string();
        let is_copy = matches!(method.as_str(), "copied" | "cloned") && call.args.is_empty();
        if let Expr::MethodCall(looked) = &*call.receiver
            && is_copy
            && LOOKING.iter().any(|name| looked.method == name)
        {
            let list = self.collection(&looked.receiver)?;
            return element(list).map(|ty| option(&ty, call.method.span()));
        }
        given(self.collection(&call.receiver)?, call)
    }

    /// What an iterator of a written type gives next.
    pub(super) fn next_of(&self, call: &ExprMethodCall) -> Option<Type> {
        let is_next = call.method == "next" && call.args.is_empty();
        let iterator = plain_name(&call.receiver).filter(|_| is_next)?;
        let ty = match peel(&self.type_of_name(iterator)?) {
            Type::Reference(reference) => peel(&reference.elem).clone(),
            other => other.clone(),
        };
        let item = parse_quote!(<#ty as ::core::iter::Iterator>::Item);
        let is_named = matches!(&ty, Type::Path(_));
        is_named.then(|| option(&item, call.method.span()))
    }

    /// What `mem::take(&mut place)` and `mem::replace(&mut place, ..)` give.
    pub(super) fn replaced(&self, call: &ExprCall) -> Option<Type> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let mut last = path
            .path
            .segments
            .iter()
            .rev()
            .map(|segment| &segment.ident);
        let takes = last
            .next()
            .is_some_and(|name| name == "take" || name == "replace");
        let of_mem = last.next().is_some_and(|module| module == "mem");
        match call.args.first().filter(|_| takes && of_mem)? {
            Expr::Reference(place) => self.referred_type(&place.expr),
            place => self
                .type_of_name(plain_name(place)?)
                .and_then(|ty| match peel(&ty) {
                    Type::Reference(reference) => Some((*reference.elem).clone()),
                    ty => self.is_lent(plain_name(place)?).then(|| ty.clone()),
                }),
        }
    }

    /// The collection that a method is called on, behind what points to it and what locks it.
    fn collection(&self, expr: &Expr) -> Option<Type> {
        let ty = match expr {
            Expr::Paren(node) => return self.collection(&node.expr),
            Expr::Group(node) => return self.collection(&node.expr),
            Expr::Unary(node) if matches!(node.op, UnOp::Deref(_)) => {
                return self.collection(&node.expr);
            }
            Expr::MethodCall(call) => return self.locked(call),
            Expr::Path(_) => self.type_of_name(plain_name(expr)?)?,
            Expr::Field(_) => self.plain_type(expr)?,
            _ => return None,
        };
        Some(behind(&ty))
    }

    /// What a lock guards.
    fn locked(&self, call: &ExprMethodCall) -> Option<Type> {
        let (locked, locks): (_, &[&str]) = match (&*call.receiver, call.method.to_string()) {
            (Expr::MethodCall(inner), method) if method == "unwrap" || method == "expect" => {
                match inner.method.to_string().as_str() {
                    "lock" => (&inner.receiver, &["Mutex"]),
                    "read" | "write" => (&inner.receiver, &["RwLock"]),
                    _ => return None,
                }
            }
            (_, method) if method == "borrow" || method == "borrow_mut" => {
                (&call.receiver, &["RefCell"])
            }
            (_, method) if method == "lock" => (&call.receiver, &["Mutex"]),
            _ => return None,
        };
        let lock = self.collection(locked)?;
        let (name, parameters) = named(&lock)?;
        let is_lock = locks.iter().any(|lock| name == *lock);
        parameters.first().filter(|_| is_lock).map(behind)
    }
}

/// What a method of a collection of this type takes out of it.
fn given(list: Type, call: &ExprMethodCall) -> Option<Type> {
    let (name, parameters) = named(&list)?;
    let (method, span) = (call.method.to_string(), call.method.span());
    let some = |ty: &Type| Some(option(ty, span));
    let is = |names: &[&str]| names.contains(&method.as_str());
    match (name.as_str(), &parameters[..]) {
        ("Option", [_]) if is(&["take", "replace", "take_if"]) => Some(list),
        ("Vec", [item]) if is(&["remove", "swap_remove"]) => Some(item.clone()),
        ("Vec" | "BinaryHeap", [item]) if is(&["pop", "pop_if"]) => some(item),
        ("VecDeque" | "LinkedList", [item]) if is(&["pop_front", "pop_back"]) => some(item),
        ("VecDeque", [item]) if is(&["remove", "swap_remove_back", "swap_remove_front"]) => {
            some(item)
        }
        ("Vec" | "VecDeque" | "LinkedList" | "String", _) if is(&["split_off"]) => Some(list),
        ("HashSet" | "BTreeSet", [item, ..]) if is(&["take", "pop_first", "pop_last"]) => {
            some(item)
        }
        ("HashMap" | "BTreeMap", [_, value, ..]) if is(&["remove", "insert"]) => some(value),
        ("HashMap" | "BTreeMap", [key, value, ..])
            if is(&["remove_entry", "pop_first", "pop_last"]) =>
        {
            some(&parse_quote!((#key, #value)))
        }
        ("IntoIter", [item]) if is(&["next", "next_back"]) => some(item),
        ("String", []) if is(&["pop"]) => some(&parse_quote!(::core::primitive::char)),
        ("String", []) if is(&["remove"]) => Some(parse_quote!(::core::primitive::char)),
        _ => None,
    }
}

/// The type of an element that is looked at.
fn element(list: Type) -> Option<Type> {
    match list {
        Type::Array(list) => Some(*list.elem),
        Type::Slice(list) => Some(*list.elem),
        list => {
            let (name, parameters) = named(&list)?;
            let is = |names: &[&str]| names.contains(&name.as_str());
            match &parameters[..] {
                [item] if is(&["Vec", "VecDeque", "LinkedList", "BinaryHeap", "Option"]) => {
                    Some(item.clone())
                }
                [item, ..] if is(&["HashSet", "BTreeSet"]) => Some(item.clone()),
                [_, value, ..] if is(&["HashMap", "BTreeMap"]) => Some(value.clone()),
                _ => None,
            }
        }
    }
}

/// The type behind references and pointers.
fn behind(ty: &Type) -> Type {
    match peel(ty) {
        Type::Reference(reference) => behind(&reference.elem),
        ty => match named(ty) {
            Some((name, parameters)) if POINTERS.contains(&name.as_str()) => {
                parameters.first().map_or_else(|| ty.clone(), behind)
            }
            _ => ty.clone(),
        },
    }
}

/// The last name of a type and the types that it is given.
fn named(ty: &Type) -> Option<(String, Vec<Type>)> {
    let Type::Path(path) = peel(ty) else {
        return None;
    };
    let last = path.path.segments.last().filter(|_| path.qself.is_none())?;
    let types = match &last.arguments {
        PathArguments::AngleBracketed(own) => own.args.iter().collect(),
        _ => Vec::new(),
    };
    let types = types.into_iter().filter_map(|own| match own {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    Some((last.ident.to_string(), types.collect()))
}

fn option(ty: &Type, span: Span) -> Type {
    let option = format_ident!("Option", span = span);
    parse_quote!(#option<#ty>)
}
