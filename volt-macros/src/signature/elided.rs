//! Names for elided lifetimes, and for the types of `impl Trait`.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Generics, ItemFn, ItemImpl, Lifetime, LifetimeParam, Macro, Signature, Type, TypeImplTrait,
    TypeParam, TypeReference, parse_quote,
};

use crate::names::{self, any_token, is_mark, known};
use crate::syntax::contains_ident;

/// The first `impl Trait` in the type.
pub(crate) fn impl_trait(ty: &Type) -> Option<&TypeImplTrait> {
    types_in(ty).into_iter().find_map(|ty| match ty {
        Type::ImplTrait(found) => Some(found),
        _ => None,
    })
}

/// The types in a type, itself first.
pub(super) fn types_in(ty: &Type) -> Vec<&Type> {
    struct Types<'t>(Vec<&'t Type>);
    impl<'t> Visit<'t> for Types<'t> {
        fn visit_type(&mut self, ty: &'t Type) {
            self.0.push(ty);
            visit::visit_type(self, ty);
        }
    }
    let mut types = Types(Vec::new());
    types.visit_type(ty);
    types.0
}

/// The lifetimes and labels that a function or an `impl` names.
#[derive(Default)]
pub(crate) struct DeclaredNames {
    names: BTreeSet<String>,
    /// `true` if a macro may declare more of them.
    has_hidden_names: bool,
}

impl DeclaredNames {
    pub(crate) fn in_function(item: &ItemFn) -> Self {
        let mut written = Self::default();
        written.visit_item_fn(item);
        written
    }

    pub(crate) fn in_block(block: &ItemImpl) -> Self {
        let mut written = Self::default();
        written.visit_item_impl(block);
        written
    }
}

impl<'ast> Visit<'ast> for DeclaredNames {
    fn visit_lifetime(&mut self, node: &'ast Lifetime) {
        self.names.insert(node.ident.to_string());
    }

    fn visit_macro(&mut self, node: &'ast Macro) {
        self.has_hidden_names |= known(node).is_none();
        let mut is_lifetime = false;
        any_token(node.tokens.clone(), &mut |token| {
            if let TokenTree::Ident(name) = token
                && is_lifetime
            {
                self.names.insert(name.to_string());
            }
            is_lifetime = is_mark(token, '\'');
            false
        });
    }
}

/// Names elided lifetimes after the argument that contains them.
pub(crate) struct NameLifetimes {
    base: String,
    span: Span,
    taken: Vec<String>,
    has_hidden_names: bool,
    pub(crate) fixed: Option<Lifetime>,
    pub(crate) made: Vec<Lifetime>,
    /// The visited lifetimes, with their new names.
    pub(super) met: Vec<Lifetime>,
    pub(crate) types: Vec<TypeParam>,
}

impl NameLifetimes {
    pub(crate) fn new(name: &Ident, generics: &Generics) -> Self {
        let lifetimes = generics.lifetimes();
        let types = generics.type_params().map(|param| param.ident.to_string());
        let names = lifetimes.map(|param| param.lifetime.ident.to_string());
        Self {
            base: name.to_string(),
            span: name.span(),
            taken: names.chain(types).collect(),
            has_hidden_names: false,
            fixed: None,
            made: Vec::new(),
            met: Vec::new(),
            types: Vec::new(),
        }
    }

    /// Excludes the names of a function or an `impl`.
    pub(crate) fn apart_from(mut self, written: &DeclaredNames) -> Self {
        self.taken.extend(written.names.iter().cloned());
        self.has_hidden_names = written.has_hidden_names;
        self
    }

    fn fresh(&mut self) -> Lifetime {
        if let Some(lifetime) = &self.fixed {
            return lifetime.clone();
        }
        let base = lifetime_name(&self.base, self.has_hidden_names);
        let name = first_free(&base, "_", |name| !self.taken.contains(name));
        // With the span of the macro, lints on names and on elision do not apply.
        let span = Span::call_site().located_at(self.span);
        let lifetime = Lifetime::new(&format!("'{name}"), span);
        self.taken.push(name);
        self.made.push(lifetime.clone());
        lifetime
    }

    /// Replaces each `impl Trait` by a type parameter whose name is no word of `words`, and names
    /// the lifetimes in its bounds.
    pub(crate) fn name_impl_traits_apart(
        &mut self,
        ty: &mut Type,
        words: &dyn Fn() -> TokenStream,
    ) {
        ReplaceImplTraits(self, words).visit_type_mut(ty);
    }

    /// The name for the type of an `impl Trait` in the argument.
    fn type_name(&self, words: &dyn Fn() -> TokenStream) -> String {
        let base = format!("{}Type", names::upper_camel(&self.base));
        first_free(&base, "", |name| {
            !self.taken.contains(name) && !contains_ident(words(), name)
        })
    }
}

/// The name of a lifetime after an argument. A raw name may be a keyword. If a macro may declare
/// lifetimes that the attribute does not see, and for a name of one letter, the lifetime gets a
/// name that none has.
fn lifetime_name(argument: &str, has_hidden_names: bool) -> String {
    let plain = argument.strip_prefix("r#");
    match plain.unwrap_or(argument) {
        names::RECEIVER => "this".to_owned(),
        name if has_hidden_names || plain.is_some() || is_reserved(name) => {
            format!("arg_{name}")
        }
        name => name.to_owned(),
    }
}

/// Returns `true` for a name of one letter, which a lifetime often has, and for a name of the
/// expansion's own lifetimes.
fn is_reserved(name: &str) -> bool {
    name.chars().count() == 1 || name.starts_with("__volt")
}

/// The name, or the first numbered one that is free.
fn first_free(base: &str, gap: &str, is_free: impl Fn(&String) -> bool) -> String {
    let numbered = (2..).map(|count| format!("{base}{gap}{count}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(is_free).expect("there is no last one")
}

/// Replaces each `impl Trait` by a type parameter.
struct ReplaceImplTraits<'a>(&'a mut NameLifetimes, &'a dyn Fn() -> TokenStream);

impl VisitMut for ReplaceImplTraits<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        // A name needs no parentheses: `&mut (impl Read + Send)`.
        if let Type::Paren(around) = ty
            && matches!(*around.elem, Type::ImplTrait(_))
        {
            *ty = (*around.elem).clone();
        }
        visit_mut::visit_type_mut(self, ty);
        let Type::ImplTrait(found) = ty else { return };
        for bound in &mut found.bounds {
            self.0.visit_type_param_bound_mut(bound);
        }
        let name = self.0.type_name(self.1);
        let ident = Ident::new(&name, found.span());
        let bounds = &found.bounds;
        self.0.types.push(parse_quote!(#ident: #bounds));
        self.0.taken.push(name);
        *ty = parse_quote!(#ident);
    }
}

impl VisitMut for NameLifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.fresh());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.fresh();
        }
        self.met.push(lifetime.clone());
    }

    // Elided lifetimes in the type of a function belong to that function.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
    }

    /// The `impl Trait` of an argument becomes a parameter, whose bounds are visited later.
    fn visit_type_impl_trait_mut(&mut self, node: &mut TypeImplTrait) {
        if self.fixed.is_some() {
            visit_mut::visit_type_impl_trait_mut(self, node);
        }
    }
}

/// Returns `true` if a type has an elided lifetime. In an output, the arguments do not determine
/// it.
pub(crate) fn has_elided_lifetime(ty: &Type) -> bool {
    let name = Ident::new("output", Span::call_site());
    let mut naming = NameLifetimes::new(&name, &Generics::default());
    naming.visit_type_mut(&mut ty.clone());
    !naming.made.is_empty()
}

/// Returns `true` if a signature names a lifetime that neither it nor its `impl` declares. The
/// compiler reports that best, because it reads the signature once, and an expansion repeats it.
pub(crate) fn has_undeclared_lifetime(sig: &Signature, outer: Option<&Generics>) -> bool {
    let mut found = LifetimeNames::default();
    found.visit_signature(sig);
    if let Some(outer) = outer {
        found.visit_generics(outer);
    }
    let is_declared = |name: &&Lifetime| {
        name.ident == "static" || name.ident == "_" || found.declared.contains(name)
    };
    !found.named.iter().all(is_declared)
}

#[derive(Default)]
struct LifetimeNames<'a> {
    named: Vec<&'a Lifetime>,
    declared: Vec<&'a Lifetime>,
}

impl<'a> Visit<'a> for LifetimeNames<'a> {
    fn visit_lifetime(&mut self, node: &'a Lifetime) {
        self.named.push(node);
    }

    /// With the lifetimes of `for<'a>`.
    fn visit_lifetime_param(&mut self, node: &'a LifetimeParam) {
        self.declared.push(&node.lifetime);
        visit::visit_lifetime_param(self, node);
    }
}
