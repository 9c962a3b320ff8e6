//! Places that are the same at each poll, whoever looks for them.
//!
//! What is lent is found again at each poll. That cannot be told if the way there is made of names,
//! fields, `*`, elements, and of methods of the standard library that do but look. It can if a
//! function of the user's stands on it: that may count its calls, or give a guard that the function
//! as it was written holds for the whole of the await. So a method, or an index, is let through by
//! the type that is written for what it is called on.

use syn::{Expr, GenericArgument, Ident, Member, PathArguments, Type, UnOp};

use super::errors::{Errors, Rule};
use super::lending::Surroundings;
use super::parse::peel;
use super::scope::plain_name;

/// Types with elements that are found without a trace.
const INDEXED: &[&str] = &[
    "Vec", "VecDeque", "String", "str", "HashMap", "BTreeMap", "OsString", "Bytes", "BytesMut",
];

/// What only points to something else.
const POINTERS: &[&str] = &["Box", "Rc", "Arc", "Pin", "Cow"];

/// The types of the standard library, and their methods that only look.
const LOOKING: &[(&[&str], &[&str])] = &[
    (
        &["String", "str"],
        &["as_str", "as_mut_str", "as_bytes", "len"],
    ),
    (&["Vec"], &["as_slice", "as_mut_slice", "len"]),
    (
        &["VecDeque", "HashMap", "BTreeMap", "HashSet", "BTreeSet"],
        &["len"],
    ),
    (&["PathBuf", "Path"], &["as_path", "as_os_str"]),
    (&["OsString"], &["as_os_str"]),
    (
        &["Option"],
        &["as_ref", "as_mut", "as_deref", "as_deref_mut", "as_slice"],
    ),
];

/// The methods of literals that only look.
const OF_LITERALS: &[&str] = &["as_bytes", "as_slice", "len", "trim"];

/// What to write instead of an index that may change.
const NUMBER: &str = "take it before: `let index: T = {};`, and `index` in its place";

impl Surroundings<'_> {
    /// Whether the expression names a place that is the same, however often it is looked for.
    pub(super) fn stands(&self, place: &Expr) -> bool {
        match place {
            Expr::Path(_) | Expr::Lit(_) => true,
            Expr::Field(node) => self.stands(&node.base),
            Expr::Paren(node) => self.stands(&node.expr),
            Expr::Group(node) => self.stands(&node.expr),
            Expr::Unary(node) => matches!(node.op, UnOp::Deref(_)) && self.stands(&node.expr),
            Expr::Index(node) => {
                let ty = self.type_of(&node.expr);
                ty.is_none_or(is_indexed) && self.stands(&node.expr) && self.is_same(&node.index)
            }
            Expr::MethodCall(call) => {
                let looks = match &*call.receiver {
                    Expr::Lit(_) => OF_LITERALS.iter().any(|name| call.method == name),
                    receiver => self
                        .type_of(receiver)
                        .is_some_and(|ty| only_looks(ty, &call.method)),
                };
                looks && call.args.is_empty() && self.stands(&call.receiver)
            }
            _ => false,
        }
    }

    /// Whether an index is the same, as long as nobody changes what it names.
    fn is_same(&self, index: &Expr) -> bool {
        let part = |part: &Option<Box<Expr>>| part.as_deref().is_none_or(|part| self.is_same(part));
        match index {
            Expr::Range(node) => part(&node.start) && part(&node.end),
            Expr::Binary(node) => self.is_same(&node.left) && self.is_same(&node.right),
            Expr::Cast(node) => self.is_same(&node.expr),
            Expr::Reference(node) => node.mutability.is_none() && self.is_same(&node.expr),
            Expr::Paren(node) => self.is_same(&node.expr),
            other => self.stands(other),
        }
    }

    /// The type of a place, as far as it is written.
    fn type_of(&self, place: &Expr) -> Option<&Type> {
        match place {
            Expr::Paren(node) => self.type_of(&node.expr),
            Expr::Group(node) => self.type_of(&node.expr),
            Expr::Unary(node) => pointee(self.type_of(&node.expr)?),
            Expr::Index(node) if !matches!(*node.index, Expr::Range(_)) => {
                element(self.type_of(&node.expr)?)
            }
            Expr::Field(node) => match (behind(self.type_of(&node.base)?), &node.member) {
                (Type::Tuple(tuple), Member::Unnamed(at)) => tuple.elems.get(at.index as usize),
                _ => None,
            },
            other => self.type_of_name(plain_name(other)?),
        }
    }

    fn type_of_name(&self, name: &Ident) -> Option<&Type> {
        if let Some(local) = self.local(name) {
            let guess = local.guess.as_ref().filter(|_| !local.customary);
            let guess = guess.map(|(ty, _)| ty);
            return local.ty.as_ref().or(guess);
        }
        let lent = self.lent.iter().find(|lent| lent.name == *name);
        lent.map(|lent| &lent.ty)
    }

    /// Refuses a reference that cannot be given again: to a temporary, or to what may change.
    pub(super) fn refuse_reference(&self, argument: &Expr, errors: &mut Errors) {
        match argument {
            Expr::Reference(node) if leads_from_name(&node.expr) => {
                match self.changing_number(&node.expr) {
                    Some(number) => errors.refuse_as(Rule::ChangingPlace, number, NUMBER),
                    None => errors.refuse(Rule::ChangingPlace, &node.expr),
                }
            }
            Expr::Reference(_) => errors.refuse(Rule::BorrowedTemporary, argument),
            _ => {}
        }
    }

    /// The index, or the end of a range, that is all that may change in a place.
    fn changing_number<'e>(&self, place: &'e Expr) -> Option<&'e Expr> {
        let Expr::Index(node) = place else {
            return None;
        };
        let known = self.type_of(&node.expr).is_none_or(is_indexed) && self.stands(&node.expr);
        let ends = match &*node.index {
            Expr::Range(range) => [range.start.as_deref(), range.end.as_deref()],
            index => [Some(index), None],
        };
        let mut ends = ends.into_iter().flatten();
        ends.find(|end| known && !self.is_same(end))
    }
}

/// Refuses an index that an argument of the same call may change.
pub(super) fn refuse_changed_in(lends: &[Option<Expr>], errors: &mut Errors) {
    for (at, lend) in lends.iter().enumerate() {
        let Some(lend) = lend else { continue };
        let others = lends.iter().enumerate();
        let others = others.filter(|(other, _)| *other != at);
        let others: Vec<&Expr> = others.filter_map(|(_, other)| other.as_ref()).collect();
        refuse_changed(lend, &others, errors);
        // Nobody changes a length through an element.
        let elements = numbers_of(lend).into_iter();
        let elements = elements.filter(|number| !matches!(number, Expr::MethodCall(_)));
        elements.for_each(|number| refuse_number(number, &[lend], errors));
    }
}

/// Refuses an index in what is lent that one of the others may change: it was read once, and would
/// be read again.
pub(super) fn refuse_changed(lend: &Expr, others: &[&Expr], errors: &mut Errors) {
    let numbers = numbers_of(lend).into_iter();
    numbers.for_each(|number| refuse_number(number, others, errors));
}

fn refuse_number(number: &Expr, lends: &[&Expr], errors: &mut Errors) {
    let way = steps(number);
    let mut changed = lends.iter().filter_map(|lend| changed_by(lend)).map(steps);
    if changed.any(|changed| way.iter().zip(&changed).all(|(a, b)| a == b)) {
        errors.refuse_as(Rule::ChangingPlace, number, NUMBER);
    }
}

fn numbers_of(lend: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    numbers(lend, false, &mut found);
    found
}

/// The places within the indices of a place.
fn numbers<'e>(expr: &'e Expr, within: bool, found: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Index(node) => {
            numbers(&node.expr, within, found);
            numbers(&node.index, true, found);
        }
        Expr::Path(_) | Expr::Field(_) | Expr::Unary(_) | Expr::MethodCall(_) if within => {
            found.push(expr);
        }
        Expr::Field(node) => numbers(&node.base, within, found),
        Expr::Unary(node) => numbers(&node.expr, within, found),
        Expr::Reference(node) => numbers(&node.expr, within, found),
        Expr::Paren(node) => numbers(&node.expr, within, found),
        Expr::Group(node) => numbers(&node.expr, within, found),
        Expr::Cast(node) => numbers(&node.expr, within, found),
        Expr::MethodCall(node) => numbers(&node.receiver, false, found),
        Expr::Binary(node) => {
            numbers(&node.left, within, found);
            numbers(&node.right, within, found);
        }
        Expr::Range(node) => {
            let ends = [node.start.as_deref(), node.end.as_deref()];
            ends.into_iter()
                .flatten()
                .for_each(|end| numbers(end, within, found));
        }
        _ => {}
    }
}

/// What may be changed through a lent argument.
fn changed_by(lend: &Expr) -> Option<&Expr> {
    match lend {
        Expr::Reference(node) => node.mutability.is_some().then_some(&node.expr),
        Expr::MethodCall(call) => call
            .method
            .to_string()
            .contains("mut")
            .then_some(&call.receiver),
        _ => None,
    }
}

/// The name and the fields that lead to a place, or to what it is an element of.
fn steps(place: &Expr) -> Vec<String> {
    match place {
        Expr::Field(node) => {
            let mut steps = steps(&node.base);
            let is_whole = matches!(&*node.base, Expr::Index(_) | Expr::MethodCall(_));
            if !is_whole {
                let member = &node.member;
                steps.push(quote::quote!(#member).to_string());
            }
            steps
        }
        Expr::Index(node) => steps(&node.expr),
        Expr::MethodCall(node) => steps(&node.receiver),
        Expr::Unary(node) => steps(&node.expr),
        Expr::Paren(node) => steps(&node.expr),
        Expr::Group(node) => steps(&node.expr),
        name => plain_name(name).map(Ident::to_string).into_iter().collect(),
    }
}

/// Whether the place is looked for from a name on, by whatever calls.
fn leads_from_name(place: &Expr) -> bool {
    fn from_name(place: &Expr) -> bool {
        match place {
            Expr::Path(_) => true,
            Expr::Field(node) => from_name(&node.base),
            Expr::Index(node) => from_name(&node.expr),
            Expr::Unary(node) => matches!(node.op, UnOp::Deref(_)) && from_name(&node.expr),
            Expr::Paren(node) => from_name(&node.expr),
            Expr::Group(node) => from_name(&node.expr),
            Expr::MethodCall(call) => from_name(&call.receiver),
            _ => false,
        }
    }
    !matches!(place, Expr::MethodCall(_)) && from_name(place)
}

/// The last name of a type, and its first parameter.
fn named(ty: &Type) -> Option<(&Ident, Option<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let first = match &last.arguments {
        PathArguments::AngleBracketed(own) => own.args.iter().find_map(|own| match own {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    };
    Some((&last.ident, first))
}

/// What a reference or a pointer of the standard library points to.
fn pointee(ty: &Type) -> Option<&Type> {
    match peel(ty) {
        Type::Reference(reference) => Some(&reference.elem),
        other => named(other).and_then(|(name, first)| {
            let points = POINTERS.iter().any(|known| name == known);
            first.filter(|_| points)
        }),
    }
}

/// The type behind references and pointers.
fn behind(ty: &Type) -> &Type {
    pointee(ty).map_or_else(|| peel(ty), behind)
}

/// The type of an element.
fn element(ty: &Type) -> Option<&Type> {
    match behind(ty) {
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        other => {
            let (name, first) = named(other)?;
            first.filter(|_| name == "Vec" || name == "VecDeque")
        }
    }
}

fn is_indexed(ty: &Type) -> bool {
    match behind(ty) {
        Type::Array(_) | Type::Slice(_) => true,
        other => named(other).is_some_and(|(name, _)| INDEXED.iter().any(|known| name == known)),
    }
}

/// Whether a method without arguments only looks at what it is called on.
fn only_looks(ty: &Type, method: &Ident) -> bool {
    let is = |names: &[&str]| names.iter().any(|name| method == name);
    match (peel(ty), behind(ty)) {
        (ty, _) if pointee(ty).is_some() && is(&["as_ref", "as_mut", "deref", "deref_mut"]) => {
            !matches!(ty, Type::Reference(_))
        }
        (_, Type::Array(_) | Type::Slice(_)) => is(&["as_slice", "as_mut_slice", "len"]),
        (_, other) => named(other).is_some_and(|(name, _)| {
            let mut known = LOOKING.iter();
            known.any(|(types, methods)| types.iter().any(|known| name == known) && is(methods))
        }),
    }
}
