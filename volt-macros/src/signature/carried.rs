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
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, GenericParam, Lifetime, Type, TypeParamBound, TypePath, Visibility};

use super::method::Method;
use super::named::Signature;
use super::static_lifetimes::{lifetimes, replaced};
use crate::names::{any_token, is_mark};

/// A type that is the default of a parameter.
#[derive(Clone, Debug)]
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

/// The types of a signature as one type, for all lifetimes:
///
/// ```text
/// for<'y> fn((&'y (),)) -> PhantomData<((&'y List<T>,), T)>
/// ```
///
/// Within an `async` block that has to be `Send`, the compiler replaces each lifetime of a held
/// future by one of its own. This type has no lifetime that could differ from that of the machine.
#[derive(Debug)]
pub(crate) struct AnyLifetimes {
    pub(crate) parameter: Carried,
    /// The lifetimes of the machine, as one type.
    pub(crate) lifetimes: TokenStream,
    /// The types for the lifetimes of the machine.
    pub(crate) types: TokenStream,
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
        let params = self.type_names();
        if has_short_projection(ty.clone(), &params) {
            return None;
        }
        holds_within(ty.clone(), &params, 0).then(|| Carried {
            name: format_ident!("__Volt{name}", span = Span::call_site()),
            ty: ty.clone(),
        })
    }

    /// The types of the signature for all lifetimes, if the compiler can name them. It cannot if a
    /// projection contains a lifetime: a bound may hold for that of the function alone.
    /// A visible machine has to name its output, because that may be private.
    pub(crate) fn any_lifetimes(&self, vis: &Visibility) -> Option<AnyLifetimes> {
        let arguments = self.arguments.iter().map(|argument| &argument.ty);
        let mut held = self.self_ty.iter().chain(arguments.clone());
        if held.any(has_bound_projection) {
            return None;
        }
        // A type with a short projection is not carried, so the struct itself has its bounds.
        let is_short = |ty: &&Type| has_short_projection(ty.to_token_stream(), &self.type_names());
        let own = self.self_ty.iter().filter(|ty| !is_short(ty));
        let own = own.map(named_objects).map(|own| quote!(*const #own));
        let has_short = arguments.clone().any(|ty| is_short(&ty));
        let arguments = arguments.filter(|_| !has_short).map(named_objects);
        let output = Some(&self.output).filter(|ty| !has_bound_projection(ty) && !is_short(ty));
        if output.is_none() && !matches!(vis, Visibility::Inherited) {
            return None;
        }
        let types = own.chain(arguments).chain(output.map(named_objects));
        let types = quote!(::core::marker::PhantomData<(#(#types,)*)>);
        let mut declared = lifetimes(&self.generics);
        let name = |name: &Ident| format_ident!("__volt_{name}", span = Span::call_site());
        let mut has_static = false;
        let any = replaced(types.clone(), &mut |lifetime| {
            let is_static = lifetime == "static";
            has_static |= is_static;
            (is_static || declared.contains(lifetime)).then(|| name(lifetime))
        });
        if has_static {
            declared.push(Ident::new("static", Span::call_site()));
        }
        if declared.is_empty() {
            return None;
        }
        let of = |lifetime: &Ident| lifetime_of(lifetime);
        let (own, any_names): (Vec<_>, Vec<_>) = declared
            .iter()
            .map(|lifetime| (of(lifetime), of(&name(lifetime))))
            .unzip();
        Some(AnyLifetimes {
            parameter: Carried {
                name: format_ident!("__VoltSignature", span = Span::call_site()),
                ty: quote!(for<#(#any_names),*> fn((#(&#any_names (),)*)) -> #any),
            },
            lifetimes: quote!((#(&#own (),)*)),
            types,
        })
    }

    /// The names of the type parameters.
    fn type_names(&self) -> Vec<String> {
        let params = self.generics.type_params();
        params.map(|param| param.ident.to_string()).collect()
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

/// Returns the type with the lifetime of each trait object, as in `Box<dyn Fn() + 'static>`.
fn named_objects(ty: &Type) -> TokenStream {
    let mut ty = ty.clone();
    NamedObjects.visit_type_mut(&mut ty);
    ty.into_token_stream()
}

/// Writes the lifetime of trait objects that are arguments of a type. That of a reference to an
/// object is the lifetime of the reference.
struct NamedObjects;

impl VisitMut for NamedObjects {
    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Type(Type::TraitObject(object)) = argument {
            let mut bounds = object.bounds.iter();
            if !bounds.any(|bound| matches!(bound, TypeParamBound::Lifetime(_))) {
                let name = Ident::new("static", Span::call_site());
                object
                    .bounds
                    .push(TypeParamBound::Lifetime(lifetime_of(&name)));
            }
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }
}

fn lifetime_of(name: &Ident) -> Lifetime {
    Lifetime {
        apostrophe: Span::call_site(),
        ident: name.clone(),
    }
}

/// Returns `true` if a projection contains a lifetime, or if the type has no name.
fn has_bound_projection(ty: &Type) -> bool {
    let mut bound = BoundProjection(false);
    bound.visit_type(ty);
    bound.0
}

struct BoundProjection(bool);

impl<'ast> Visit<'ast> for BoundProjection {
    fn visit_type(&mut self, ty: &'ast Type) {
        self.0 |= matches!(ty, Type::ImplTrait(_) | Type::Infer(_) | Type::Macro(_));
        visit::visit_type(self, ty);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.0 |= lifetime.ident == "_";
    }

    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        let tokens = ty.qself.as_ref().map(|_| ty.to_token_stream());
        self.0 |= tokens.is_some_and(|tokens| any_token(tokens, &mut |token| is_mark(token, '\'')));
        visit::visit_type_path(self, ty);
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
