//! Calls that take their receiver, where that can be told.
//!
//! `text.into_bytes()` does not show that it moves `text`. If the written type of `text` is one of
//! the standard library's, the name of the method tells, so the call becomes
//! `<String>::into_bytes(text)`: an argument is moved by its name. Should the type be another one of
//! that name, the compiler says so there.

use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprCall, ExprMethodCall, Generics, Ident, Path, Type, TypePath, parse_quote};

use super::names::{local_at, path_at, tokens_at};
use super::scope::holds_word;
use super::taking::{Question, question};

/// A local whose type tells which calls take it.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// Its type, if that can be asked for methods.
    ty: Option<Type>,
    /// Whether the local is a closure that can be called once.
    once: bool,
    /// Methods that take it by custom, if the type has them.
    hidden: Vec<Ident>,
}

impl Taken {
    /// What a type tells.
    pub(crate) fn of(ty: &Type, generics: &Generics) -> Option<Self> {
        match ty {
            Type::Group(group) => Self::of(&group.elem, generics),
            Type::Paren(paren) => Self::of(&paren.elem, generics),
            Type::Path(_) => Some(Self {
                ty: Some(ty.clone()),
                once: is_once(ty, generics),
                hidden: Vec::new(),
            }),
            _ => None,
        }
    }

    /// The same, with methods that only custom knows. Nothing, if there is no type and no such method.
    pub(crate) fn with_hidden(taken: Option<Self>, hidden: Vec<Ident>) -> Option<Self> {
        match taken {
            Some(taken) => Some(Self { hidden, ..taken }),
            None => (!hidden.is_empty()).then_some(Self {
                ty: None,
                once: false,
                hidden,
            }),
        }
    }

    /// The call of a method, with the local as an argument if it is taken.
    pub(super) fn method(&self, call: &ExprMethodCall, volt: Option<&Path>) -> Option<Expr> {
        let is_hidden = self.hidden.contains(&call.method);
        match &self.ty {
            Some(ty) if takes(ty, &call.method) || is_hidden && is_asked(ty) => {
                Some(method_of(ty, call))
            }
            _ if is_hidden => Some(opened(call, volt?)),
            _ => None,
        }
    }

    /// The call of the local, by value if it can be called once.
    pub(super) fn call(&self, call: &ExprCall) -> Option<Expr> {
        let (function, args) = (&call.func, &call.args);
        self.once.then(|| parse_quote!(({ #function })(#args)))
    }
}

/// The method of the type, with what it is called on as an argument.
fn method_of(ty: &Type, call: &ExprMethodCall) -> Expr {
    let (method, turbofish) = (&call.method, &call.turbofish);
    let (receiver, args) = (&call.receiver, &call.args);
    let (span, attrs) = (method.span(), &call.attrs);
    let ty = tokens_at(ty.to_token_stream(), span);
    let function = quote_spanned!(span=> <#ty>::#method #turbofish);
    let args = args.iter();
    parse_quote!(#(#attrs)* #function(#receiver #(, #args)*))
}

/// The method of an `Option` or a `Result`, with the proof that it is one, or that nobody can tell.
fn opened(call: &ExprMethodCall, volt: &Path) -> Expr {
    let mut call = call.clone();
    let (receiver, span) = (&call.receiver, call.method.span());
    let (volt, it) = (path_at(volt, span), local_at("it", span));
    let taken = quote_spanned!(span=> #volt::__private::lasting(#receiver, |#it| #it.opened()));
    *call.receiver = parse_quote!(#taken);
    Expr::MethodCall(call)
}

/// Whether the type is that of what can be called once, and not again.
pub(crate) fn is_once(ty: &Type, generics: &Generics) -> bool {
    let Type::Path(TypePath { path, .. }) = ty else {
        return false;
    };
    let Some(name) = path.get_ident() else {
        let last = path.segments.last();
        let is_box = last.is_some_and(|last| last.ident == "Box");
        return is_box && holds_word(quote!(#ty), "FnOnce").is_some();
    };
    let mut params = generics.type_params();
    let bounds = params.find(|param| param.ident == *name);
    let bounds = bounds.map(|param| param.bounds.to_token_stream());
    let mut tokens = bounds.unwrap_or_default();
    let clause = generics.where_clause.iter();
    let predicates = clause.flat_map(|clause| &clause.predicates);
    for predicate in predicates {
        if let syn::WherePredicate::Type(bound) = predicate
            && matches!(&bound.bounded_ty, Type::Path(of) if of.path.is_ident(name))
        {
            bound.bounds.to_tokens(&mut tokens);
        }
    }
    holds_word(tokens, "FnOnce").is_some()
}

/// Whether a method of the type takes what it is called on.
fn takes(ty: &Type, method: &Ident) -> bool {
    let Type::Path(TypePath { path, .. }) = ty else {
        return false;
    };
    let Some(last) = path.segments.last() else {
        return false;
    };
    let is_of = |types: &&[&str]| types.iter().any(|name| last.ident == name);
    let of_type = METHODS.iter().filter(|(types, _)| is_of(types));
    let methods = of_type.flat_map(|(_, methods)| methods.iter());
    let mut known = methods.chain(&["into", "try_into"]);
    known.any(|name| method == name)
}

/// The types of the standard library, and their methods by value.
const METHODS: &[(&[&str], &[&str])] = &[
    (&["Option", "Result"], OF_BOTH),
    (
        &["Option"],
        &[
            "ok_or",
            "ok_or_else",
            "xor",
            "filter",
            "zip",
            "unzip",
            "is_none_or",
        ],
    ),
    (&["Option"], &["is_some_and"]),
    (
        &["Result"],
        &["unwrap_err", "expect_err", "map_err", "ok", "err"],
    ),
    (&["Result"], &["inspect_err", "is_ok_and", "is_err_and"]),
    (&["String"], &["into_bytes", "into_boxed_str", "leak"]),
    (&["Vec"], &["into_iter", "into_boxed_slice", "leak"]),
    (
        &["VecDeque", "HashSet", "BTreeSet", "LinkedList"],
        &["into_iter"],
    ),
    (
        &["HashMap", "BTreeMap"],
        &["into_iter", "into_keys", "into_values"],
    ),
    (
        &["BinaryHeap"],
        &["into_iter", "into_vec", "into_sorted_vec"],
    ),
    (&["PathBuf"], &["into_os_string", "into_boxed_path"]),
    (
        &["OsString"],
        &["into_string", "into_encoded_bytes", "into_boxed_os_str"],
    ),
    (&["Mutex", "RwLock", "Cell", "RefCell"], &["into_inner"]),
];

/// What both `Option` and `Result` have.
const OF_BOTH: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "map",
    "map_or",
    "map_or_else",
    "and",
    "and_then",
    "or",
    "or_else",
    "inspect",
    "transpose",
    "flatten",
    "copied",
    "cloned",
    "into_iter",
];

/// Whether the type of a local tells what becomes of it in a call of a method that takes what it is called
/// on by custom.
pub(crate) fn is_told(ty: Option<&Type>, method: &Ident) -> bool {
    ty.is_some_and(is_asked) || question(method) == Question::Ask("opened")
}

/// Whether the methods of a type that is written can be asked for by the type: not those of what it
/// points to.
fn is_asked(ty: &Type) -> bool {
    const POINTERS: &[&str] = &["Box", "Rc", "Arc", "Pin", "Cow"];
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| !POINTERS.iter().any(|name| last.ident == name))
}

/// Whether a method looks at what it is called on: its type tells so, or all custom of its name.
pub(crate) fn may_only_look(ty: Option<&Type>, method: &Ident) -> bool {
    const POINTERS: &[&str] = &["Rc", "Arc", "Cow"];
    const NAMES: &[&str] = &[
        "clear", "clone", "contains", "get", "insert", "iter", "iter_mut", "len", "load", "lock",
        "next", "poll", "pop", "push", "read", "remove", "send", "set", "store", "take", "write",
    ];
    const BEGINNINGS: &[&str] = &[
        "as_",
        "borrow",
        "contains_",
        "fetch_",
        "get_",
        "has_",
        "is_",
        "poll_",
        "push_",
        "read_",
        "set_",
        "to_",
        "try_",
        "write_",
    ];
    let is_known = |ty: &Type| match ty {
        Type::Path(TypePath { path, .. }) => path.segments.last().is_some_and(|last| {
            let mut types = METHODS
                .iter()
                .flat_map(|(types, _)| types.iter())
                .chain(POINTERS);
            types.any(|name| last.ident == name)
        }),
        _ => true,
    };
    let name = method.to_string();
    let looks = NAMES.contains(&&*name) || BEGINNINGS.iter().any(|begin| name.starts_with(begin));
    looks || ty.is_some_and(is_known)
}

/// Whether methods of this name take what they are called on in many types.
pub(crate) fn may_take(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "abort", "build", "close", "commit", "complete", "consume", "end", "finish", "finalize",
        "freeze", "join", "release", "rollback", "shutdown", "split", "stop", "unlock",
    ];
    NAMES.iter().any(|name| method == name)
}

/// Whether a method of this name takes what it is called on, by all custom.
pub(crate) fn takes_by_custom(method: &Ident) -> bool {
    const NAMES: &[&str] = &[
        "unwrap",
        "expect",
        "unwrap_or",
        "unwrap_or_else",
        "unwrap_or_default",
        "map_err",
        "ok_or",
        "ok_or_else",
        "and_then",
        "or_else",
    ];
    method.to_string().starts_with("into_") || NAMES.iter().any(|name| method == name)
}
