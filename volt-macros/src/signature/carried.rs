//! Types that the struct of a machine carries as defaults of type parameters.
//!
//! ```text
//! struct Hold<T: 'static>(T);
//! async fn take<T>(hold: Hold<T>) { .. }
//!
//! struct Take<T, A = (Hold<T>,)> { arguments: A, .. }
//! impl<T> Future for Take<T> { .. }
//! ```
//!
//! A function may rely on the bounds that its arguments imply, here `T: 'static`. A struct has to
//! state such a bound if a field implies it, and the macro does not see the declaration of `Hold`.
//! The default of a parameter is not checked where it is declared. An `impl` names it by `Take<T>`,
//! and relies on the same bounds as the function.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, Visibility};

use super::method::Method;
use super::named::Signature;
use crate::names::is_mark;

/// A type that is the default of a parameter.
#[derive(Debug)]
pub(crate) struct Carried {
    name: Ident,
    ty: TokenStream,
}

impl Carried {
    /// The parameter.
    pub(crate) fn name(&self) -> TokenStream {
        self.name.to_token_stream()
    }

    /// The parameter as it is declared.
    pub(crate) fn declared(&self) -> TokenStream {
        let Self { name, ty } = self;
        quote!(#name = #ty)
    }

    /// The type within the struct.
    pub(crate) fn within(carried: Option<&Self>, ty: &TokenStream) -> TokenStream {
        match carried {
            Some(carried) => carried.name.to_token_stream(),
            None => ty.clone(),
        }
    }
}

/// The generics of a struct for all types that it may carry.
pub(crate) struct Struct {
    pub(crate) parameters: TokenStream,
    pub(crate) arguments: TokenStream,
    pub(crate) bounds: TokenStream,
}

impl Struct {
    /// The parameters, the arguments and the predicates, in brackets.
    pub(crate) fn lists(&self) -> TokenStream {
        let Self {
            parameters,
            arguments,
            bounds,
        } = self;
        quote!([#parameters] [#arguments] [#bounds])
    }
}

impl Signature {
    /// The struct of a machine. A destructor is for all types that the struct may carry, and needs
    /// a trait that the machine has for its own types alone.
    pub(crate) fn with_carried<'c>(
        &self,
        name: &Ident,
        carried: impl Iterator<Item = &'c Carried>,
        needs: &TokenStream,
    ) -> Struct {
        let names: Vec<_> = carried.map(|carried| &carried.name).collect();
        let (parameters, arguments) = (self.parameters(), self.arguments());
        let bounds = self.bounds();
        let parameters = parameters
            .into_iter()
            .chain(names.iter().map(ToTokens::to_token_stream));
        let arguments = arguments
            .into_iter()
            .chain(names.iter().map(ToTokens::to_token_stream));
        let arguments = quote!(#(#arguments),*);
        let own = (!names.is_empty()).then(|| quote!(#name<#arguments>: #needs,));
        Struct {
            parameters: quote!(#(#parameters),*),
            bounds: quote!(#bounds #own),
            arguments,
        }
    }

    /// Returns the further parameters for which the future of a struct is implemented.
    ///
    /// The type of an opaque future has no lifetimes but those of its function. And the compiler
    /// infers the parameters of the struct from the carried types there.
    pub(crate) fn carried_by_future(&self, carried: [Option<Carried>; 2]) -> TokenStream {
        let carried = carried.into_iter().flatten();
        let carried = carried.filter(|_| !self.is_opaque);
        carried
            .map(|Carried { name, .. }| quote!(, #name))
            .collect()
    }

    /// A type of the machine under this name, if it may imply a bound.
    ///
    /// The machine of a function that other modules may see carries no type. The type may be
    /// private to this module, and a private argument of a type is an error elsewhere ("type is
    /// private"), which a private field is not. A caller of a trait's method has values of the
    /// types in its signature, so these are visible: see `carrying_vis`.
    pub(crate) fn carried(
        &self,
        name: &str,
        ty: &TokenStream,
        vis: &Visibility,
    ) -> Option<Carried> {
        let Visibility::Inherited = vis else {
            return None;
        };
        let params = self.generics.type_params();
        let params: Vec<_> = params.map(|param| param.ident.to_string()).collect();
        if has_short_projection(ty.clone(), &params) {
            return None;
        }
        holds_within(ty.clone(), &params, 0).then(|| Carried {
            name: format_ident!("__Volt{name}", span = Span::call_site()),
            ty: ty.clone(),
        })
    }

    /// The type that the machine is a method of, if it may imply a bound.
    pub(crate) fn carried_home(&self, vis: &Visibility) -> Option<Carried> {
        let impl_target = self.self_ty.as_ref()?;
        self.carried("Home", &quote!(*const #impl_target), vis)
    }

    /// A type that has a place for each parameter: the body may use a lifetime
    /// in any way, so the machine is invariant in it.
    pub(crate) fn phantom(&self, impl_target: Option<&Carried>) -> TokenStream {
        let types = self.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => {
                let name = &param.ident;
                Some(quote!(fn() -> *const #name))
            }
            GenericParam::Lifetime(param) => {
                let lifetime = &param.lifetime;
                Some(quote!(fn(&#lifetime ()) -> &#lifetime ()))
            }
            GenericParam::Const(_) => None,
        });
        let own = self
            .self_ty
            .as_ref()
            .map(|impl_target| quote!(*const #impl_target));
        let impl_target = own
            .map(|own| Carried::within(impl_target, &own))
            .into_iter();
        quote!(::core::marker::PhantomData<(#(#types,)* #(fn() -> #impl_target,)*)>)
    }
}

/// Returns the visibility that determines whether a machine carries the types of its signature.
/// `own` is that of the machine.
pub(crate) fn carrying_vis<'v>(
    method: Option<&Method>,
    given: Option<&Visibility>,
    own: &'v Visibility,
) -> &'v Visibility {
    let is_of_trait = method.is_some_and(|method| method.impl_target.trait_path.is_some());
    if is_of_trait && given.is_none() {
        &Visibility::Inherited
    } else {
        own
    }
}

/// Returns `true` if the type contains `S::Future` for a parameter `S`. In the default of a
/// parameter rustc does not resolve it (E0220) where the bound of `S` names another parameter.
fn has_short_projection(tokens: TokenStream, params: &[String]) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(index, token)| match token {
        TokenTree::Group(group) => has_short_projection(group.stream(), params),
        TokenTree::Ident(word) => {
            let is_path = |at: usize| tokens.get(at).is_some_and(|token| is_mark(token, ':'));
            is_path(index + 1) && is_path(index + 2) && params.contains(&word.to_string())
        }
        _ => false,
    })
}

/// Returns `true` if one of the parameters is an argument of a type, `Hold<T>`, or if the type is a
/// projection, `<&'a u8 as Trait>::Y`.
fn holds_within(tokens: TokenStream, params: &[String], depth: usize) -> bool {
    let (mut depth, mut is_arrow) = (depth, false);
    for token in tokens {
        let was_arrow = std::mem::replace(&mut is_arrow, is_mark(&token, '-'));
        match &token {
            TokenTree::Ident(word) if depth > 0 => {
                let word = word.to_string();
                if word == "as" || params.contains(&word) {
                    return true;
                }
            }
            TokenTree::Group(group) if holds_within(group.stream(), params, depth) => return true,
            token if is_mark(token, '<') => depth += 1,
            token if is_mark(token, '>') && !was_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}
