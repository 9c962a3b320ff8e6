//! The copy of a recursive function that determines whether its machine is `Send`.
//!
//! ```text
//! const _: () = {
//!     fn walk(_: u32) -> OwnFuture<Walk> { .. }
//!     async fn __WalkCopy(n: u32) -> u32 { the body }
//!     impl AutoTraitInfo for Walk where for<'x> Walk: HasMarker<'x> {
//!         const AUTO: AutoTraits = auto_traits_of(|| probe_output::<(u32,), _>(__WalkCopy).__volt_auto());
//!     }
//! };
//! ```
//!
//! In the copy the own name is a function whose future is `Send`. In the copy of a method, such a
//! future replaces the output of each call by the name, if the output is the machine:
//!
//! ```text
//! impl Walk { fn __volt_own(self) -> OwnFuture<Walk> { .. } }
//! impl Tree { async fn __TreeWalkCopy(&self) { Box::pin(self.left.walk().__volt_own()).await } }
//! ```
//!
//! So the copy is `Send` if the coroutine is, for the case that its own machine is. If the copy is
//! not `Send`, the machine is not, and neither is the compiler's own future.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ItemFn;

use super::super::other_attributes::is_foreign;
use super::marked::MarkerImpl;
use super::plain_fn::PlainFn;
use crate::names::is_mark;
use crate::options::Options;
use crate::signature::{FunctionTokens, Method, machine_name};
use crate::syntax::words_lead_back;

/// Returns `true` if a copy of a function that awaits itself determines `Send`.
///
/// No path may end with the name of a function. A method may only be called, and a call whose
/// output is not awaited at once shows that its machine may be in a box. A type that names the
/// machine would not match the future of the copy.
pub(super) fn may_be_copied(
    item: &ItemFn,
    method: Option<&Method>,
    tokens: &FunctionTokens,
    options: &Options,
) -> bool {
    if options.editor || item.attrs.iter().any(is_foreign) {
        return false;
    }
    let name = &item.sig.ident;
    let mut uses = PathEnds::new(name);
    uses.replace(tokens.tokens().clone());
    let may_be = match method {
        Some(_) => uses.is_stored && !uses.is_value,
        None => !uses.is_stored && !uses.is_value,
    };
    let machine = machine_name(options, item, method).to_string();
    let names_machine = || {
        tokens.contains(&machine)
            || words_lead_back([&machine, &machine], name.span(), tokens.text())
    };
    may_be && !names_machine()
}

/// The uses of a name at the end of a path, or as a method.
struct PathEnds<'a> {
    name: &'a Ident,
    /// `true` if the output of a call is not awaited at once.
    is_stored: bool,
    /// `true` if a use is no call.
    is_value: bool,
}

impl<'a> PathEnds<'a> {
    fn new(name: &'a Ident) -> Self {
        Self {
            name,
            is_stored: false,
            is_value: false,
        }
    }

    /// Returns the tokens, with a further method call after each call.
    fn replace(&mut self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let (mut out, mut before) = (TokenStream::new(), [false; 2]);
        while let Some(token) = tokens.next() {
            let is_use = matches!(&token, TokenTree::Ident(word) if word == self.name);
            let is_end = is_use && (before[1] && !before[0] || before == [true, true]);
            before = [before[1], is_mark(&token, '.') || is_mark(&token, ':')];
            match token {
                TokenTree::Group(group) => self.group(&group).to_tokens(&mut out),
                token => token.to_tokens(&mut out),
            }
            if !is_end {
                continue;
            }
            let mut depth = 0;
            // A path of types may follow: `walk::<u32>(..)`.
            while let Some(next) =
                tokens.next_if(|next| depth > 0 || is_mark(next, ':') || is_mark(next, '<'))
            {
                depth += usize::from(is_mark(&next, '<'));
                depth -= usize::from(is_mark(&next, '>'));
                next.to_tokens(&mut out);
            }
            match tokens.next_if(is_call) {
                Some(TokenTree::Group(group)) => {
                    let group = self.group(&group);
                    self.is_stored |= !is_awaited(tokens.clone());
                    out.extend(quote!(#group.__volt_own()));
                }
                other => {
                    self.is_value = true;
                    other.to_tokens(&mut out);
                }
            }
            before = [false; 2];
        }
        out
    }

    fn group(&mut self, group: &Group) -> Group {
        let mut inner = Group::new(group.delimiter(), self.replace(group.stream()));
        inner.set_span(group.span());
        inner
    }
}

/// Returns `true` if the tokens begin with `.await`.
fn is_awaited(mut tokens: impl Iterator<Item = TokenTree>) -> bool {
    let first = tokens.next();
    first.is_some_and(|first| is_mark(&first, '.'))
        && matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "await")
}

fn is_call(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
}

impl MarkerImpl<'_> {
    /// Returns the implementation with the auto traits of the copy.
    pub(super) fn recursive_copy(&self) -> TokenStream {
        let (volt, name, signature) = (self.volt, self.name, self.signature);
        let private = quote!(#volt::__private);
        let (parameters, bounds) = signature.of_any_lifetimes();
        let bounds = bounds.map(|bounds| quote!(#bounds,));
        let (arguments, bound, tuple) = (signature.arguments(), self.bound(), signature.tuple());
        let copy = PlainFn {
            item: self.item,
            method: self.method,
            signature,
            machine: name,
            name: format_ident!("__{name}Copy"),
        };
        let body = copy.body().into_token_stream();
        let (own, body) = match self.method {
            Some(_) => (
                self.own_method(),
                PathEnds::new(&signature.name).replace(body),
            ),
            None => (self.own_function(), body),
        };
        let (declared, closure) = (copy.declare(&body), copy.closure(&tuple, false));
        quote! {
            const _: () = {
                #private::inferred::allow_lints! { {
                    #own
                    #declared
                    #[doc(hidden)]
                    #[automatically_derived]
                    impl<#parameters> #private::inferred::AutoTraitInfo for #name<#arguments> where #bounds #bound {
                        const AUTO: #private::native::AutoTraits = #private::native::auto_traits_of(|| {
                            let _never = #private::inferred::never();
                            #private::inferred::probe_output::<(#tuple,), _>(#closure).__volt_auto()
                        });
                    }
                } }
            };
        }
    }

    /// Returns the function that has the user's name in the copy.
    fn own_function(&self) -> TokenStream {
        let (volt, name, signature) = (self.volt, self.name, self.signature);
        let (unsafety, ident) = (signature.unsafety, &signature.name);
        let (parameters, arguments) = (signature.parameters(), signature.arguments());
        let bounds = signature.bounds().map(|bounds| quote!(where #bounds));
        let types = signature.arguments.iter().map(|argument| &argument.ty);
        quote! {
            #unsafety fn #ident<#parameters>(#(_: #types),*) -> #volt::__private::native::OwnFuture<#name<#arguments>> #bounds {
                #volt::__private::native::OwnFuture::new()
            }
        }
    }

    /// Returns the method that replaces a machine in the copy. It precedes that of the trait, which
    /// all other types have.
    fn own_method(&self) -> TokenStream {
        let (volt, name, signature) = (self.volt, self.name, self.signature);
        let (parameters, arguments) = (signature.parameters(), signature.arguments());
        let bounds = signature.bounds();
        quote! {
            use #volt::__private::native::KeepValue as _;
            impl<#parameters> #name<#arguments> where #bounds {
                fn __volt_own(self) -> #volt::__private::native::OwnFuture<Self> {
                    #volt::__private::native::OwnFuture::of(self)
                }
            }
        }
    }
}
