//! The options of the attribute.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, LitBool, Path, Token, Visibility, parse_quote};

use super::errors::Errors;

/// What stands between the parentheses of the attribute.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The name of the machine's type, if given.
    pub(crate) name: Option<Ident>,
    /// Where volt is.
    pub(crate) volt: Path,
    /// The largest size allowed.
    pub(crate) max_size: Option<Expr>,
    /// The visibility of the machine of a trait's method, which has none of its own.
    pub(crate) vis: Option<Visibility>,
    /// Where it is asked that the machine be `Send`.
    pub(crate) send: Option<Span>,
    /// The traits that the machine implements besides its own.
    pub(crate) derive: Vec<Derived>,
    /// Whether the compiler's version of the function stands beside the machine.
    pub(crate) twin: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: None,
            volt: parse_quote!(::volt),
            max_size: None,
            vis: None,
            send: None,
            derive: Vec::new(),
            twin: true,
        }
    }
}

/// A trait that a machine can be given, and where it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    pub(crate) name: Ident,
    pub(crate) of: Trait,
}

/// The traits that a machine can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    Clone,
    PartialEq,
    Eq,
    Hash,
}

impl Parse for Derived {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path = Path::parse_mod_style(input)?;
        let last = path.segments.last();
        let Some(name) = last.map(|last| last.ident.clone()) else {
            return Err(input.error("a trait"));
        };
        let of = match name.to_string().as_str() {
            "Clone" => Trait::Clone,
            "PartialEq" => Trait::PartialEq,
            "Eq" => Trait::Eq,
            "Hash" => Trait::Hash,
            "Debug" => return Err(syn::Error::new_spanned(path, "every machine is `Debug`")),
            _ => {
                let text = "a machine can be given `Clone`, `PartialEq`, `Eq` and `Hash`";
                return Err(syn::Error::new_spanned(path, text));
            }
        };
        Ok(Self { name, of })
    }
}

/// The traits in the parentheses of `derive(..)`.
fn parse_derive(input: ParseStream<'_>) -> syn::Result<Vec<Derived>> {
    let content;
    syn::parenthesized!(content in input);
    let traits = Punctuated::<Derived, Token![,]>::parse_terminated(&content)?;
    let traits: Vec<_> = traits.into_iter().collect();
    let has = |of: Trait| traits.iter().find(|derived| derived.of == of);
    match (has(Trait::Eq), has(Trait::PartialEq)) {
        (Some(eq), None) => Err(syn::Error::new_spanned(&eq.name, "`Eq` needs `PartialEq`")),
        _ => Ok(traits),
    }
}

enum Setting {
    Derive(Vec<Derived>),
    Name(Ident),
    Crate(Path),
    MaxSize(Expr),
    Vis(Visibility),
    Send(Span),
    Twin(bool),
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Setting::Crate(Path::parse_mod_style(input)?));
        }
        let key: Ident = input.parse()?;
        let unknown = syn::Error::new(
            key.span(),
            "unknown option: there are `name`, `crate`, `max_size`, `derive`, `send`, `vis` and `twin`",
        );
        match key.to_string().as_str() {
            "name" => input
                .parse::<Token![=]>()
                .and_then(|_| input.parse())
                .map(Setting::Name),
            "max_size" => input
                .parse::<Token![=]>()
                .and_then(|_| input.parse())
                .map(Setting::MaxSize),
            "derive" => parse_derive(input).map(Setting::Derive),
            "send" => Ok(Setting::Send(key.span())),
            "vis" => {
                input.parse::<Token![=]>()?;
                input.parse().map(Setting::Vis)
            }
            "twin" => {
                input.parse::<Token![=]>()?;
                input
                    .parse::<LitBool>()
                    .map(|twin| Setting::Twin(twin.value))
            }
            _ => Err(unknown),
        }
    }
}

impl Options {
    /// Reads the options; those that cannot be read are as if they were not given.
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        Self::default().with(tokens, errors)
    }

    /// These options, and those of `tokens` over them.
    pub(crate) fn with(&self, tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut options = self.clone();
        let settings = Punctuated::<Setting, Token![,]>::parse_terminated.parse2(quote!(#tokens));
        match settings {
            Ok(settings) => settings
                .into_iter()
                .for_each(|setting| options.set(setting)),
            Err(error) => errors.push(error),
        }
        options
    }

    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Name(name) => self.name = Some(name),
            Setting::Crate(path) => self.volt = path,
            Setting::MaxSize(size) => self.max_size = Some(size),
            Setting::Send(span) => self.send = Some(span),
            Setting::Derive(traits) => self.derive = traits,
            Setting::Vis(vis) => self.vis = Some(vis),
            Setting::Twin(twin) => self.twin = twin,
        }
    }
}
