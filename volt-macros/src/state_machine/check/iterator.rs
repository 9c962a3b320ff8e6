//! The iterators whose types the source shows.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, GenericArgument, PathArguments, Type, TypePath, parse_quote};

use super::checker::Check;
use crate::state_machine::parse::peel;
use crate::state_machine::scope::plain_name;

/// An iterator whose type the source shows.
#[derive(Clone, Debug)]
pub(super) struct Iterator {
    pub(super) ty: Type,
    pub(super) item: Type,
}

impl Iterator {
    fn made(ty: TokenStream, item: Type) -> Option<Self> {
        let ty = Type::Verbatim(ty);
        Some(Self { ty, item })
    }

    /// The iterator that a value of the type turns into.
    fn of(ty: &Type) -> Self {
        let item = match peel(ty) {
            Type::Array(array) => (*array.elem).clone(),
            Type::Reference(reference) => match peel(&reference.elem) {
                Type::Array(syn::TypeArray { elem, .. })
                | Type::Slice(syn::TypeSlice { elem, .. }) => {
                    let (lifetime, mutability) = (&reference.lifetime, &reference.mutability);
                    parse_quote!(&#lifetime #mutability #elem)
                }
                _ => parse_quote!(<#ty as ::core::iter::IntoIterator>::Item),
            },
            _ => item_of(ty)
                .unwrap_or_else(|| parse_quote!(<#ty as ::core::iter::IntoIterator>::Item)),
        };
        Self {
            ty: parse_quote!(<#ty as ::core::iter::IntoIterator>::IntoIter),
            item,
        }
    }
}

impl Check<'_> {
    /// What `IntoIterator::into_iter` makes of the expression, if the source shows it.
    pub(super) fn seen_iterator(&self, expr: &Expr) -> Option<Iterator> {
        match expr {
            Expr::Paren(paren) => self.seen_iterator(&paren.expr),
            Expr::Group(group) => self.seen_iterator(&group.expr),
            Expr::Range(range) => self.range(range),
            Expr::MethodCall(call) => self.adapter(call).or_else(|| self.plain_iterator(expr)),
            _ => self.plain_iterator(expr),
        }
    }

    fn plain_iterator(&self, expr: &Expr) -> Option<Iterator> {
        self.seen_type(expr).map(|ty| Iterator::of(&ty))
    }

    fn range(&self, range: &syn::ExprRange) -> Option<Iterator> {
        let mut ends = range.start.iter().chain(&range.end);
        let ty = ends.find_map(|end| self.seen_type(end))?;
        let name = match (&range.start, &range.limits, &range.end) {
            (None, ..) => return None,
            (Some(_), syn::RangeLimits::HalfOpen(_), None) => quote!(RangeFrom),
            (Some(_), syn::RangeLimits::HalfOpen(_), Some(_)) => quote!(Range),
            (Some(_), syn::RangeLimits::Closed(_), _) => quote!(RangeInclusive),
        };
        Iterator::made(quote!(::core::ops::#name<#ty>), ty)
    }

    /// The adapters of the standard library whose types have names.
    fn adapter(&self, call: &syn::ExprMethodCall) -> Option<Iterator> {
        let name = call.method.to_string();
        let argument = call.args.first();
        if let ("iter", None, Some(Type::Reference(reference))) =
            (name.as_str(), argument, self.seen_type(&call.receiver))
        {
            let shared = reference.lifetime.is_some() && reference.mutability.is_none();
            return shared.then(|| Iterator::of(&Type::Reference(reference)));
        }
        let Iterator { ty, item } = self.seen_iterator(&call.receiver)?;
        let std = quote!(::core::iter);
        match (name.as_str(), argument) {
            ("into_iter", None) => Some(Iterator { ty, item }),
            ("rev", None) => Iterator::made(quote!(#std::Rev<#ty>), item),
            ("fuse", None) => Iterator::made(quote!(#std::Fuse<#ty>), item),
            ("cycle", None) => Iterator::made(quote!(#std::Cycle<#ty>), item),
            ("enumerate", None) => {
                let item = parse_quote!((::core::primitive::usize, #item));
                Iterator::made(quote!(#std::Enumerate<#ty>), item)
            }
            ("skip", Some(_)) => Iterator::made(quote!(#std::Skip<#ty>), item),
            ("take", Some(_)) => Iterator::made(quote!(#std::Take<#ty>), item),
            ("step_by", Some(_)) => Iterator::made(quote!(#std::StepBy<#ty>), item),
            ("copied" | "cloned", None) => {
                let Type::Reference(reference) = &item else {
                    return None;
                };
                let adapter =
                    format_ident!("{}", if name == "copied" { "Copied" } else { "Cloned" });
                Iterator::made(quote!(#std::#adapter<#ty>), (*reference.elem).clone())
            }
            ("zip" | "chain", Some(other)) => {
                let other = self.seen_iterator(other)?;
                let (other_ty, other_item) = (&other.ty, &other.item);
                match name.as_str() {
                    "zip" => {
                        let item = parse_quote!((#item, #other_item));
                        Iterator::made(quote!(#std::Zip<#ty, #other_ty>), item)
                    }
                    _ => Iterator::made(quote!(#std::Chain<#ty, #other_ty>), item),
                }
            }
            _ => None,
        }
    }
}

/// The items of a collection of the standard library whose type is written, as a pattern may take
/// them apart.
fn item_of(ty: &Type) -> Option<Type> {
    const LISTS: &[&str] = &[
        "Vec",
        "VecDeque",
        "LinkedList",
        "HashSet",
        "BTreeSet",
        "BinaryHeap",
        "Option",
    ];
    let Type::Path(TypePath {
        qself: None, path, ..
    }) = peel(ty)
    else {
        return None;
    };
    let last = path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    match types.collect::<Vec<_>>()[..] {
        [item] if LISTS.iter().any(|name| last.ident == name) => Some(item.clone()),
        [key, value] if last.ident == "HashMap" || last.ident == "BTreeMap" => {
            Some(parse_quote!((#key, #value)))
        }
        _ => None,
    }
}

/// Calls `into_iter` by its path where it is called on a name, so that it is seen to move.
pub(super) fn by_path(expr: &mut Expr) {
    let Expr::MethodCall(call) = expr else { return };
    by_path(&mut call.receiver);
    call.args.iter_mut().for_each(by_path);
    if call.method == "into_iter" && call.args.is_empty() && plain_name(&call.receiver).is_some() {
        let receiver = &call.receiver;
        let span = receiver.span();
        *expr = syn::parse_quote_spanned!(span=> ::core::iter::IntoIterator::into_iter(#receiver));
    }
}
