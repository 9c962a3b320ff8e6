//! The signature of a machine, in which every elided part has a name.

use std::cell::OnceCell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, FnArg, GenericParam, Generics, ItemFn, Lifetime, LifetimeParam, Pat, PatType,
    ReturnType, Safety, Token, Type, Visibility, WherePredicate, parse_quote,
};

use super::elided::{DeclaredNames, NameLifetimes, has_elided_lifetime, impl_trait, types_in};
use super::method::Method;
use super::static_lifetimes::{lifetimes, with_static};
use crate::names::{self, parameter};
use crate::syntax::contains_ident;
use crate::syntax::source_text;

/// An argument.
#[derive(Debug)]
pub(crate) struct Argument {
    /// The name in the function that creates the machine.
    pub(crate) name: Ident,
    /// Lint levels of the argument.
    pub(crate) attrs: Vec<Attribute>,
    /// The pattern as written.
    pub(crate) pat: Pat,
    /// The type, with its lifetimes and types named.
    pub(crate) ty: Type,
}

/// A signature in which everything has a name.
#[derive(Debug)]
pub(crate) struct Signature {
    /// The generics of the machine: those of the `impl`, of the function, and the new ones.
    pub(crate) generics: Generics,
    /// Parameters that replace an `impl Trait` and have no name in the function itself. Its callers
    /// write the other ones, as in `query::<u32>(&mut connection)`.
    pub(crate) anonymous: Vec<Ident>,
    /// `true` if the machine is returned as `impl Future`, because no code can name its arguments.
    pub(crate) is_opaque: bool,
    /// The arguments, with the receiver first.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) output: Type,
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) fn_token: Token![fn],
    pub(crate) name: Ident,
    /// The type of which it is a method. It determines which parameters outlive others.
    pub(super) self_ty: Option<Type>,
    /// All parameters that replace an `impl Trait`.
    pub(super) made: Vec<Ident>,
    /// The predicates that the arguments imply, and that the machine states.
    pub(super) implied: Vec<WherePredicate>,
}

impl Signature {
    /// Reads the signature of a function, or of a method that was moved out of its `impl`.
    pub(crate) fn of(item: &ItemFn, method: Option<&Method>) -> Self {
        let mut signature = Self::unnamed(item);
        signature.self_ty = method.map(|method| method.impl_target.self_ty.clone());
        let words = OnceCell::new();
        let words = || words.get_or_init(|| quote!(#item)).clone();
        let written = OnceCell::new();
        let written = || written.get_or_init(|| DeclaredNames::in_function(item));
        for (index, input) in item.sig.inputs.iter().enumerate() {
            if let FnArg::Typed(input) = input {
                signature.argument(index, input, &words, &written);
            }
        }
        signature
            .name_output(method.is_some_and(|method| method.original.sig.receiver().is_some()));
        signature.state_implied_bounds();
        signature
    }

    /// The signature as written, without its arguments.
    fn unnamed(item: &ItemFn) -> Self {
        let sig = &item.sig;
        Self {
            generics: sig.generics.clone(),
            anonymous: Vec::new(),
            is_opaque: false,
            arguments: Vec::new(),
            output: match &sig.output {
                ReturnType::Default => parse_quote!(()),
                ReturnType::Type(_, ty) => (**ty).clone(),
            },
            unsafety: match sig.safety {
                Safety::Unsafe(token) => Some(token),
                _ => None,
            },
            attrs: item.attrs.clone(),
            fn_token: sig.fn_token,
            name: sig.ident.clone(),
            self_ty: None,
            made: Vec::new(),
            implied: Vec::new(),
        }
    }

    fn argument<'w>(
        &mut self,
        index: usize,
        input: &PatType,
        words: &dyn Fn() -> TokenStream,
        written: &dyn Fn() -> &'w DeclaredNames,
    ) {
        let name = match &*input.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat.ident.clone(),
            _ => format_ident!("argument_{index}"),
        };
        let mut ty = (*input.ty).clone();
        let mut naming = NameLifetimes::new(&name, &self.generics);
        if has_elided_lifetime(&ty) || impl_trait(&ty).is_some() {
            naming = naming.apart_from(written());
        }
        naming.visit_type_mut(&mut ty);
        naming.name_impl_traits_apart(&mut ty, words);
        for lifetime in naming.made {
            self.insert_lifetime(lifetime);
        }
        for param in naming.types {
            self.made.push(param.ident.clone());
            self.generics.params.push(GenericParam::Type(param));
        }
        let (attrs, pat) = (input.attrs.clone(), (*input.pat).clone());
        self.arguments.push(Argument {
            name,
            attrs,
            pat,
            ty,
        });
    }

    fn insert_lifetime(&mut self, lifetime: Lifetime) {
        let index = self.generics.lifetimes().count();
        let param = GenericParam::Lifetime(LifetimeParam::new(lifetime));
        self.generics.params.insert(index, param);
    }

    /// Names the elided lifetimes of the output, by the rules of the language: the lifetime of a
    /// reference to `self`, or the only one among the arguments.
    fn name_output(&mut self, has_receiver: bool) {
        let receiver = self.arguments.first().filter(|_| has_receiver);
        let of_receiver = receiver.and_then(|receiver| first_reference(&receiver.ty));
        let Some(lifetime) = of_receiver.or_else(|| self.only_lifetime()) else {
            return;
        };
        let name = Ident::new("output", Span::call_site());
        let mut naming = NameLifetimes::new(&name, &self.generics);
        naming.fixed = Some(lifetime);
        naming.visit_type_mut(&mut self.output);
    }

    fn only_lifetime(&self) -> Option<Lifetime> {
        let mut naming = NameLifetimes::new(&self.name, &self.generics);
        for argument in &self.arguments {
            naming.visit_type_mut(&mut argument.ty.clone());
        }
        let mut named = naming
            .met
            .into_iter()
            .filter(|lifetime| lifetime.ident != "static");
        let only = named.next()?;
        named.all(|other| other == only).then_some(only)
    }

    /// The parameters as declared. Here and below an empty list is `None`: `quote!` skips that, and
    /// an empty stream costs it as much as any other.
    pub(crate) fn parameters(&self) -> Option<TokenStream> {
        param_list(self.generics.params.iter())
    }

    /// The parameters of the function alone that have a name in it.
    pub(crate) fn written_parameters(&self, method: Option<&Method>) -> Option<TokenStream> {
        param_list(
            self.own_params(method)
                .filter(|param| !self.is_anonymous(param)),
        )
    }

    /// The where clause of the function alone.
    pub(crate) fn bounds_of_function(&self, method: Option<&Method>) -> Option<TokenStream> {
        match method {
            Some(method) => {
                let clause = method.original.sig.generics.where_clause.as_ref();
                clause.map(ToTokens::to_token_stream)
            }
            None => self.written_bounds().map(|bounds| quote!(where #bounds)),
        }
    }

    /// The parameters of the function alone.
    pub(crate) fn own_params<'g>(
        &'g self,
        method: Option<&'g Method>,
    ) -> impl Iterator<Item = &'g GenericParam> {
        let own = self.generics.params.iter();
        own.filter(move |param| !method.is_some_and(|method| method.is_outer(param)))
    }

    /// Returns `true` if only the names of elided lifetimes were added to what the user wrote.
    pub(crate) fn is_as_written(&self) -> bool {
        self.made.is_empty() && self.implied.is_empty()
    }

    /// Returns `true` if a parameter is the name of a lifetime that the function elides.
    pub(crate) fn names_elided(&self, item: &ItemFn, param: &GenericParam) -> bool {
        let GenericParam::Lifetime(param) = param else {
            return false;
        };
        let mut written = item.sig.generics.lifetimes();
        !written.any(|written| written.lifetime == param.lifetime)
    }

    /// The types and constants among the parameters of the function alone, as arguments: `T, N`.
    pub(crate) fn inferred(&self, method: Option<&Method>) -> Option<TokenStream> {
        let names = self.own_params(method).filter_map(|param| match param {
            GenericParam::Lifetime(_) => None,
            param if self.is_anonymous(param) => Some(quote!(_)),
            param => Some(parameter(param)),
        });
        listed(names)
    }

    /// These arguments after a name: `::<T, N>`.
    pub(crate) fn turbofish(&self, method: Option<&Method>) -> Option<TokenStream> {
        let types = self.inferred(method);
        types.map(|types| quote!(::<#types>))
    }

    /// The parameters as arguments.
    pub(crate) fn arguments(&self) -> Option<TokenStream> {
        listed(self.generics.params.iter().map(parameter))
    }

    /// The parameters as arguments, with `'static` for each lifetime.
    pub(crate) fn static_arguments(&self) -> Option<TokenStream> {
        let params = self.generics.params.iter().map(|param| match param {
            GenericParam::Lifetime(param) => {
                Lifetime::new("'static", param.lifetime.span()).to_token_stream()
            }
            param => parameter(param),
        });
        listed(params)
    }

    /// The predicates of the where clause.
    pub(crate) fn bounds(&self) -> Option<TokenStream> {
        let clause = self.generics.where_clause.as_ref()?;
        let list = &clause.predicates;
        let comma = (!list.trailing_punct()).then(<Token![,]>::default);
        (!list.is_empty()).then(|| quote!(#list #comma))
    }

    /// The parameters and the predicates, without bounds of lifetimes, which the type of the
    /// machine implies. After an await the compiler requires the bound for any lifetimes, and such
    /// a bound does not satisfy it.
    pub(crate) fn of_any_lifetimes(&self) -> (Option<TokenStream>, Option<TokenStream>) {
        let mut generics = self.generics.clone();
        for param in generics.lifetimes_mut() {
            param.colon_token = None;
            param.bounds.clear();
        }
        let predicates = generics
            .where_clause
            .iter()
            .flat_map(|clause| &clause.predicates);
        let predicates =
            predicates.filter(|predicate| !matches!(predicate, WherePredicate::Lifetime(_)));
        let predicates = listed(predicates.map(ToTokens::to_token_stream));
        (param_list(generics.params.iter()), predicates)
    }

    /// The parameters, the same as arguments, and the predicates: three lists for the support
    /// macros.
    pub(crate) fn lists(&self) -> TokenStream {
        let (parameters, arguments) = (self.parameters(), self.arguments());
        let bounds = self.bounds();
        quote!([#parameters] [#arguments] [#bounds])
    }

    /// The arguments as one type.
    pub(crate) fn tuple(&self) -> TokenStream {
        let types = self.arguments.iter().map(|argument| &argument.ty);
        quote!((#(#types,)*))
    }

    /// The arguments as one type, with `'static` for each lifetime of the machine.
    pub(crate) fn static_tuple(&self) -> TokenStream {
        with_static(self.tuple(), &lifetimes(&self.generics))
    }

    /// Returns `true` if there are type or const parameters, on which the size of the coroutine may
    /// depend.
    pub(crate) fn is_generic(&self) -> bool {
        let mut params = self.generics.params.iter();
        params.any(|param| !matches!(param, GenericParam::Lifetime(_)))
    }

    /// The place of errors about the machine itself, such as a duplicate name.
    pub(crate) fn place(&self) -> Span {
        Span::call_site().located_at(self.name.span())
    }

    /// The first line of the documentation of the machine, with the output of the future.
    pub(crate) fn doc_of_output(&self) -> String {
        match &self.output {
            Type::Tuple(tuple) if tuple.elems.is_empty() => {
                " A future without an output.".to_owned()
            }
            output => format!(" A future with the output `{}`.", source_text(output)),
        }
    }

    /// Attributes that decide whether the new items exist.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
    }

    /// Attributes that hide the function, and its machine, from rustdoc.
    pub(crate) fn hiding(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| {
            let tokens = attr.to_token_stream();
            let is_doc = attr.path().is_ident("doc") || attr.path().is_ident("cfg_attr");
            is_doc && contains_ident(tokens.clone(), "doc") && contains_ident(tokens, "hidden")
        })
    }

    /// The type alias with the name of the function, by which other machines name the machine.
    pub(crate) fn alias(&self, vis: &Visibility, ty: &TokenStream) -> TokenStream {
        let (name, conditions) = (&self.name, self.conditions());
        let parameters = self.generics.params.iter().map(|param| match param {
            GenericParam::Const(param) => {
                let (name, ty) = (&param.ident, &param.ty);
                quote!(const #name: #ty)
            }
            param => parameter(param),
        });
        // A literal would be parsed each time.
        let reason = "the name of its function";
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #[allow(unused, non_camel_case_types, private_interfaces, type_alias_bounds, reason = #reason)]
            #vis type #name<#(#parameters),*> = #ty;
        }
    }
}

/// Generic parameters with their bounds.
fn param_list<'g>(params: impl Iterator<Item = &'g GenericParam>) -> Option<TokenStream> {
    listed(params.map(ToTokens::to_token_stream))
}

/// The parts with commas between them, if there are any.
pub(super) fn listed(parts: impl Iterator<Item = TokenStream>) -> Option<TokenStream> {
    let mut parts = parts.peekable();
    parts.peek().is_some().then(|| quote!(#(#parts),*))
}

/// The lifetime of the first reference in a type.
fn first_reference(ty: &Type) -> Option<Lifetime> {
    types_in(ty).into_iter().find_map(|ty| match ty {
        Type::Reference(reference) => reference.lifetime.clone(),
        _ => None,
    })
}

/// The name of the function that contains the body.
pub(crate) fn body_name(name: &Ident) -> Ident {
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    format_ident!(
        "__{text}",
        span = name.span().resolved_at(Span::call_site())
    )
}

/// Returns `true` for the argument of the receiver.
pub(crate) fn is_receiver(argument: &Argument) -> bool {
    argument.name == names::RECEIVER
}
