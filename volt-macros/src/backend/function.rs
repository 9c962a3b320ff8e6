//! The function that creates a machine, in either layout, and the check of `max_size`.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ReturnType, Type, Visibility};

use super::lint_reason::LINT_REASON;
use super::other_attributes::{is_for_constructor, is_outer};
use crate::names::{as_if_written, located_at};
use crate::options::Options;
use crate::signature::{Method, Signature, is_receiver};
use crate::syntax::contains_ident;

/// Returns the function, from its return type and body. `lint` is one more lint that it allows.
pub(crate) fn function(
    (signature, method, vis): (&Signature, Option<&Method>, &Visibility),
    returned: TokenStream,
    lint: Option<TokenStream>,
    body: TokenStream,
) -> TokenStream {
    let attrs = signature.attrs.iter().filter(|attr| stays(attr));
    let vis = method.map_or(vis, |method| &method.original.vis);
    let (unsafety, name) = (&signature.unsafety, &signature.name);
    let places = Places::of(signature, method);
    let mut fn_token = signature.fn_token;
    fn_token.span = places.begin;
    let parameters = signature.written_parameters(method);
    let bounds = signature.bounds_of_function(method);
    let params = parameters_of(signature, method);
    let returned = if is_of_trait(method) {
        located_at(returned, places.output)
    } else {
        returned
    };
    let ty = as_if_written(returned, places.output);
    let mut body = Group::new(Delimiter::Brace, body);
    body.set_span(places.body);
    let mut documented = signature.attrs.iter();
    let doc = documented.any(|attr| attr.path().is_ident("doc")).then(|| {
        let output = signature.doc_of_output();
        quote!(#[doc = ""] #[doc = #output])
    });
    let clippy = allow_clippy(signature, method);
    quote! {
        #(#attrs)*
        #doc
        #[allow(
            single_use_lifetimes, refining_impl_trait, unreachable_pub, private_interfaces, #lint reason = #LINT_REASON
        )]
        #clippy
        #vis #unsafety #fn_token #name<#parameters>(#(#params),*) -> #ty #bounds #body
    }
}

/// The places of the function in the source.
struct Places {
    begin: Span,
    output: Span,
    body: Span,
}

impl Places {
    /// The compiler compares a method with that of its trait, and shows the whole method, its head
    /// or its output. Other errors are about the machine, and show the name.
    fn of(signature: &Signature, method: Option<&Method>) -> Self {
        let name = signature.name.span();
        let places = Self {
            begin: signature.fn_token.span,
            output: name,
            body: name,
        };
        let Some(method) = method.filter(|_| is_of_trait(method)) else {
            return places;
        };
        let sig = &method.original.sig;
        let begin = sig.asyncness.map(|asyncness| asyncness.span);
        Self {
            begin: begin.unwrap_or(places.begin),
            output: match &sig.output {
                ReturnType::Type(_, ty) => ty.span(),
                ReturnType::Default => sig.paren_token.span.close(),
            },
            body: method.original.block.brace_token.span.join(),
        }
    }
}

fn is_of_trait(method: Option<&Method>) -> bool {
    method.is_some_and(|method| method.impl_target.trait_path.is_some())
}

/// Allows the lints of clippy about code that the macro writes. Other lints of the signature are
/// raised as for the plain function.
fn allow_clippy(signature: &Signature, method: Option<&Method>) -> Option<TokenStream> {
    let is_must_use = |attr: &Attribute| attr.path().is_ident("must_use");
    let mut arguments = signature.arguments.iter();
    // The macro writes the type where the user wrote `Self`.
    let self_type = method.map(|_| quote!(clippy::use_self,));
    let must_use = signature.attrs.iter().any(is_must_use);
    let must_use = must_use.then(|| quote!(clippy::double_must_use,));
    // The macro uses each argument, also one that the body does not use.
    let used = arguments.any(|argument| argument.name.to_string().starts_with('_'));
    let used = used.then(|| quote!(clippy::used_underscore_binding,));
    // The method returns its machine, whose output may be `Self`, also by another name.
    let is_new = method.is_some() && signature.name == "new" && !is_basic(&signature.output);
    let is_new = is_new.then(|| quote!(clippy::new_ret_no_self,));
    let lints = quote!(#self_type #must_use #used #is_new);
    (!lints.is_empty()).then(|| quote!(#[cfg_attr(clippy, allow(#lints reason = #LINT_REASON))]))
}

/// Returns `true` for a type that is no type of the user's: `()`, a number or a text, also behind
/// a reference.
fn is_basic(ty: &Type) -> bool {
    const BASIC: &str =
        "bool char str String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64";
    match ty {
        Type::Tuple(tuple) => tuple.elems.is_empty(),
        Type::Reference(reference) => is_basic(&reference.elem),
        Type::Path(ty) => BASIC.split(' ').any(|name| ty.path.is_ident(name)),
        _ => false,
    }
}

/// Returns the parameters of that function.
fn parameters_of(
    signature: &Signature,
    method: Option<&Method>,
) -> impl Iterator<Item = TokenStream> {
    signature.arguments.iter().map(move |argument| {
        let (name, ty) = (&argument.name, &argument.ty);
        let method = method.filter(|_| is_receiver(argument));
        let receiver = method.and_then(|method| method.receiver(ty));
        receiver.unwrap_or_else(|| {
            let ty = signature.with_impl_traits(ty);
            // The lint is raised for the body's own argument, unless it is allowed there.
            let is_snake = !name.to_string().contains(char::is_uppercase);
            let allow =
                (!is_snake).then(|| quote!(#[allow(non_snake_case, reason = #LINT_REASON)]));
            quote!(#allow #name: #ty)
        })
    })
}

/// Returns `true` for an attribute that stays on the function.
fn stays(attr: &Attribute) -> bool {
    is_outer(attr) || is_for_constructor(attr)
}

/// Returns the check of `max_size` within the function, for a machine whose size depends on type
/// parameters, or a bound that names `Self`.
pub(crate) fn max_size_check(
    options: &Options,
    signature: &Signature,
    ty: &TokenStream,
) -> Option<TokenStream> {
    let limit = options.max_size.as_ref()?;
    let bound = bound(options, ty)?;
    let is_item = is_item(signature, limit);
    (!is_item).then(|| quote!(const { #bound };))
}

/// Returns the check of `max_size` as an item next to the function, which `cargo check` evaluates.
pub(crate) fn max_size_item(
    options: &Options,
    signature: &Signature,
    name: &Ident,
) -> Option<TokenStream> {
    let limit = options.max_size.as_ref()?;
    let arguments = signature.static_arguments();
    let bound = bound(options, &quote!(#name<#arguments>))?;
    let conditions = signature.conditions();
    let is_item = is_item(signature, limit);
    is_item.then(|| quote!(#(#conditions)* const _: () = #bound;))
}

fn is_item(signature: &Signature, limit: &Expr) -> bool {
    !signature.is_generic() && !contains_ident(limit.to_token_stream(), "Self")
}

fn bound(options: &Options, ty: &TokenStream) -> Option<TokenStream> {
    let (volt, limit) = (&options.volt, options.max_size.as_ref()?);
    let bound = quote!(#volt::__private::assert_max_size::<#ty>(#limit));
    let place = options.max_size_place.unwrap_or_else(|| limit.span());
    Some(located_at(bound, place))
}
