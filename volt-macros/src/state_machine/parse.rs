//! The signature of a function: what is stored, what is lent, how it is called.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, FnArg, GenericParam, Generics, ItemFn, Lifetime, LifetimeParam, Pat, ReturnType,
    Safety, Token, Type, TypeReference, Visibility, parse_quote,
};

use super::argument::{bind_patterns, take_patterns};
use super::elided::{NameLifetimes, elides, impl_trait};
use super::errors::{Errors, Rule};
use super::method::Method;
use super::names;
use super::scope::{holds_word, mentioned};

/// The function under the attribute.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// As it was written.
    pub(crate) original: ItemFn,
    /// Its body, in which names may be made unique.
    pub(crate) item: ItemFn,
    pub(crate) params: Vec<Param>,
    /// The generics, with a lifetime for each that was elided and is stored.
    pub(crate) generics: Generics,
    /// The lifetimes of what is lent, in the order of the arguments.
    pub(crate) lent: Vec<Lifetime>,
    /// What the future gives.
    pub(crate) output: Type,
    /// The method that the function was lifted out of.
    pub(crate) method: Option<Method>,
    /// Whether the body was refused, and something else stands in its place.
    pub(crate) refused: bool,
}

/// An argument.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    /// Its name; made up for `_`.
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    /// The type, with its lifetimes named.
    pub(crate) ty: Type,
    /// How a lent argument is borrowed, if it is one.
    pub(crate) lent: Option<TypeReference>,
    /// Whether it was said to be large.
    pub(crate) in_place: bool,
}

impl Param {
    /// The type as the body may write it: there is no lifetime in it for what is lent.
    fn inner_type(&self) -> Type {
        let mut ty = self.ty.clone();
        if let Type::Reference(reference) = &mut ty
            && self.lent.is_some()
        {
            reference.lifetime = None;
        }
        ty
    }
}

impl Function {
    /// Reads the signature, or finds that no machine can be made.
    #[cfg(test)]
    pub(crate) fn parse(item: ItemFn, errors: &mut Errors) -> Option<Self> {
        let before = errors.len();
        let function = Self::read(item, errors);
        (before == errors.len()).then_some(function)
    }

    /// Reads the signature, without what is wrong in it.
    pub(crate) fn read(item: ItemFn, errors: &mut Errors) -> Self {
        check_qualifiers(&item, errors);
        check_attributes(&item.attrs, errors);
        let mut function = Self {
            params: Vec::new(),
            generics: item.sig.generics.clone(),
            lent: Vec::new(),
            output: match &item.sig.output {
                ReturnType::Default => parse_quote!(()),
                ReturnType::Type(_, ty) => (**ty).clone(),
            },
            original: item.clone(),
            method: None,
            refused: false,
            item,
        };
        if let Some(found) = impl_trait(&function.output) {
            errors.refuse(Rule::ImplTraitOutput, found);
        }
        let unbound = take_patterns(&mut function.item);
        let inputs: Vec<_> = function.item.sig.inputs.iter().cloned().collect();
        let borrows_output = elides(&function.output);
        for (index, input) in inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(receiver) => errors.refuse(Rule::Receiver, receiver),
                FnArg::Typed(input) => {
                    let stored = borrows_output && (index == 0 || !function.has_receiver());
                    function.param(index, input, stored, errors);
                }
            }
        }
        function.name_output_lifetimes();
        let params = &function.params;
        let ty = |name: &Ident| {
            let mut params = params.iter();
            params
                .find(|param| param.name == *name)
                .map(Param::inner_type)
        };
        bind_patterns(&unbound, ty, &mut function.item.block, errors);
        function
    }

    /// Reads the signature of a method as that of a function.
    pub(crate) fn lifted(method: Method, errors: &mut Errors) -> Option<Self> {
        let mut function = Self::read(method.function()?, errors);
        function.method = Some(method);
        Some(function)
    }

    /// Whether the first argument stands for `self`.
    fn has_receiver(&self) -> bool {
        let first = self.params.first();
        first.is_some_and(|param| param.name == names::RECEIVER)
    }

    fn param(&mut self, index: usize, input: &syn::PatType, stored: bool, errors: &mut Errors) {
        let mut conditions = input.attrs.iter();
        if let Some(attr) = conditions.find(|attr| is_condition(attr)) {
            errors.refuse(Rule::ConfiguredArgument, attr);
        }
        let (name, mutable) = match &*input.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                (pat.ident.clone(), pat.mutability.is_some())
            }
            pat => (format_ident!("argument_{index}", span = pat.span()), false),
        };
        let mut ty = peel(&input.ty).clone();
        let lendable = matches!(&ty, Type::Reference(reference) if reference.lifetime.is_none());
        let is_lent = lendable && !mutable && !stored;
        let mut naming = NameLifetimes::new(&name, &self.generics);
        naming.visit_type_mut(&mut ty);
        if impl_trait(&ty).is_some() {
            let mut words = Vec::new();
            mentioned(self.original.to_token_stream(), &mut words);
            naming.avoid(words);
        }
        naming.name_impl_traits(&mut ty);
        let lent = match &ty {
            Type::Reference(reference) if is_lent => Some(reference.clone()),
            _ => None,
        };
        let outer = lent
            .as_ref()
            .and_then(|reference| reference.lifetime.clone());
        for lifetime in naming.made {
            if Some(&lifetime) == outer.as_ref() {
                self.lent.push(lifetime);
            } else {
                let index = self.generics.lifetimes().count();
                let param = GenericParam::Lifetime(LifetimeParam::new(lifetime));
                self.generics.params.insert(index, param);
            }
        }
        self.generics.params.extend(naming.types);
        let in_place = input.attrs.iter().any(is_in_place);
        self.params.push(Param {
            in_place: in_place && lent.is_none(),
            name,
            mutable,
            ty,
            lent,
        });
    }

    /// The lifetime that the language gives to the elided ones of the output.
    fn elided_lifetime(&self) -> Option<Lifetime> {
        let receiver = self.params.first().filter(|_| self.has_receiver());
        if let Some(Type::Reference(receiver)) = receiver.map(|param| &param.ty) {
            return receiver.lifetime.clone();
        }
        let mut lifetimes = self.generics.lifetimes();
        match (lifetimes.next(), lifetimes.next()) {
            (Some(only), None) => Some(only.lifetime.clone()),
            _ => None,
        }
    }

    /// Names the elided lifetimes of the output.
    fn name_output_lifetimes(&mut self) {
        if let Some(lifetime) = self.elided_lifetime()
            && elides(&self.output)
        {
            let name = Ident::new("output", Span::call_site());
            let mut naming = NameLifetimes::new(&name, &self.generics);
            naming.fixed = Some(lifetime);
            naming.visit_type_mut(&mut self.output);
        }
    }

    /// The arguments that the machine stores.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.lent.is_none())
    }

    /// `unsafe`, if the function is.
    pub(crate) fn unsafety(&self) -> Option<Token![unsafe]> {
        match self.item.sig.safety {
            Safety::Unsafe(token) => Some(token),
            _ => None,
        }
    }

    /// Whether there is anything to lend at each poll.
    pub(crate) fn lends(&self) -> bool {
        self.params.iter().any(|param| param.lent.is_some())
    }

    /// Whether the machine and its future are two types: the future holds what the machine is
    /// lent, or what only the method's own module may see.
    pub(crate) fn splits(&self) -> bool {
        self.lends() || self.method.as_ref().is_some_and(Method::is_hidden)
    }

    /// The visibility of the machine. What is found by the type must be as visible as a type can
    /// be; the function itself and what it gives need not.
    pub(crate) fn machine_vis(&self) -> Visibility {
        match self.method.as_ref().is_some_and(Method::is_hidden) {
            true => parse_quote!(pub),
            false => self.item.vis.clone(),
        }
    }

    /// The generic parameters of the machine: bounds and all, defaults none.
    pub(crate) fn parameters(&self) -> TokenStream {
        written(self.generics.params.iter())
    }

    /// The generic parameters of the function: without those of the `impl` that it stands in.
    pub(crate) fn parameters_of_function(&self) -> TokenStream {
        let own = self.generics.params.iter();
        written(own.filter(|param| {
            let method = self.method.as_ref();
            !method.is_some_and(|method| method.is_outer(param))
        }))
    }

    /// A type that mentions the parameters that no stored argument does, if there are any.
    pub(crate) fn phantom(&self) -> Option<TokenStream> {
        let stored: TokenStream = self
            .stored()
            .map(|param| param.ty.to_token_stream())
            .collect();
        let is_used = |name: &Ident| holds_word(stored.clone(), &name.to_string()).is_some();
        let unused: Vec<_> = self
            .generics
            .params
            .iter()
            .filter_map(|param| match param {
                GenericParam::Type(param) if !is_used(&param.ident) => {
                    let name = &param.ident;
                    Some(quote!(*const #name))
                }
                GenericParam::Lifetime(param) if !is_used(&param.lifetime.ident) => {
                    let lifetime = &param.lifetime;
                    Some(quote!(&#lifetime ()))
                }
                _ => None,
            })
            .collect();
        let some = !unused.is_empty();
        some.then(|| quote!(::core::marker::PhantomData<fn() -> (#(#unused,)*)>))
    }

    /// The generic arguments of the machine.
    pub(crate) fn arguments(&self) -> TokenStream {
        let names = self.generics.params.iter().map(|param| match param {
            GenericParam::Type(param) => param.ident.to_token_stream(),
            GenericParam::Lifetime(param) => param.lifetime.to_token_stream(),
            GenericParam::Const(param) => param.ident.to_token_stream(),
        });
        quote!(#(#names),*)
    }

    /// The predicates of the where clause.
    pub(crate) fn bounds(&self) -> TokenStream {
        let clause = self.generics.where_clause.as_ref();
        let predicates = clause.map(|clause| &clause.predicates);
        match predicates {
            Some(list) if list.empty_or_trailing() => quote!(#list),
            Some(list) => quote!(#list,),
            None => TokenStream::new(),
        }
    }

    /// Whether the machine has type or const parameters.
    pub(crate) fn is_generic(&self) -> bool {
        self.generics.type_params().next().is_some()
            || self.generics.const_params().next().is_some()
    }

    /// Attributes that belong on every item made from the function.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Attribute> {
        self.item
            .attrs
            .iter()
            .filter(|attr| attr.path().is_ident("cfg"))
    }
}

/// Whether the attribute says that a local is large.
pub(crate) fn is_in_place(attr: &Attribute) -> bool {
    attr.path().is_ident("in_place")
}

/// Whether the attribute decides if what it stands on is there.
pub(crate) fn is_condition(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

/// The type within the invisible delimiters that a macro may have put around it.
pub(crate) fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        other => other,
    }
}

fn check_qualifiers(item: &ItemFn, errors: &mut Errors) {
    let sig = &item.sig;
    if sig.asyncness.is_none() {
        errors.refuse(Rule::NotAsync, &sig.fn_token);
    }
    if let Some(constness) = &sig.constness {
        errors.refuse(Rule::Qualifier, constness);
    }
    if let Some(abi) = &sig.abi {
        errors.refuse(Rule::Qualifier, abi);
    }
    if let Some(variadic) = &sig.variadic {
        errors.refuse(Rule::Qualifier, variadic);
    }
}

fn check_attributes(attrs: &[Attribute], errors: &mut Errors) {
    const KNOWN: &[&str] = &[
        "doc",
        "allow",
        "warn",
        "deny",
        "expect",
        "forbid",
        "must_use",
        "cfg",
        "deprecated",
        "inline",
        "cold",
        "track_caller",
    ];
    for attr in attrs {
        let known = KNOWN.iter().any(|name| attr.path().is_ident(name));
        let tool = ["clippy", "rustfmt"];
        let first = attr.path().segments.first();
        if !known && !first.is_some_and(|segment| tool.iter().any(|name| segment.ident == name)) {
            errors.refuse(Rule::ForeignAttribute, attr);
        }
    }
}

/// Generic parameters with their bounds, without defaults.
fn written<'g>(params: impl Iterator<Item = &'g GenericParam>) -> TokenStream {
    let params = params.map(|param| match param {
        GenericParam::Type(param) => {
            let (name, colon, bounds) = (&param.ident, &param.colon_token, &param.bounds);
            quote!(#name #colon #bounds)
        }
        GenericParam::Lifetime(param) => param.to_token_stream(),
        GenericParam::Const(param) => {
            let (name, ty) = (&param.ident, &param.ty);
            quote!(const #name: #ty)
        }
    });
    quote!(#(#params),*)
}
