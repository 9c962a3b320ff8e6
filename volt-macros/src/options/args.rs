//! The options of the attribute.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, LitBool, Path, Token, Visibility, parse_quote};

use crate::errors::Errors;

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
    /// The layout, if one is asked for, and where.
    pub(crate) layout: Option<(Layout, Span)>,
    /// Where it is said that the machine stays on its thread.
    pub(crate) local: Option<Span>,
    /// Whether a native machine notes where it waits.
    pub(crate) trace: bool,
    /// Whether a native machine with type parameters keeps its coroutine in a box.
    pub(crate) boxed: bool,
    /// How many bytes a native machine with type parameters has for its coroutine.
    pub(crate) inline: Option<Expr>,
}

/// How a machine keeps what lives across its awaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// An enum of states.
    Explicit,
    /// The compiler's coroutine.
    Native,
}

/// How it is known whether a native machine may go to other threads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Send {
    /// The coroutine is asked.
    Asked,
    /// It is declared here, and proven.
    Declared(Span),
    /// It may not.
    Local,
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
            layout: None,
            local: None,
            trace: true,
            boxed: false,
            inline: None,
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
    Layout(Layout, Span),
    Local(Span),
    Trace(bool),
    Boxed,
    Inline(Expr),
}

/// What stands behind the `=` of an option.
fn given<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
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
            "unknown option: there are `name`, `crate`, `max_size`, `derive`, `send`, `local`, `vis`, \
             `explicit`, `native`, `boxed`, `inline` and `trace`",
        );
        match key.to_string().as_str() {
            "name" => given(input).map(Setting::Name),
            "max_size" => given(input).map(Setting::MaxSize),
            "derive" => parse_derive(input).map(Setting::Derive),
            "send" => Ok(Setting::Send(key.span())),
            "local" => Ok(Setting::Local(key.span())),
            "explicit" => Ok(Setting::Layout(Layout::Explicit, key.span())),
            "native" => Ok(Setting::Layout(Layout::Native, key.span())),
            "boxed" => Ok(Setting::Boxed),
            "inline" => given(input).map(Setting::Inline),
            "trace" => given(input).map(|trace: LitBool| Setting::Trace(trace.value)),
            "vis" => given(input).map(Setting::Vis),
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
            Setting::Layout(layout, span) => self.layout = Some((layout, span)),
            Setting::Local(span) => self.local = Some(span),
            Setting::Trace(trace) => self.trace = trace,
            Setting::Boxed => self.boxed = true,
            Setting::Inline(size) => self.inline = Some(size),
        }
    }

    /// Whether only an explicit machine has what is asked for.
    pub(crate) fn is_explicit(&self) -> bool {
        self.asks_for(Layout::Explicit) || !self.derive.is_empty()
    }

    /// What is left of the options for a native machine that stands in for one that is refused.
    pub(crate) fn of_native(self) -> Self {
        Self {
            derive: Vec::new(),
            max_size: None,
            ..self
        }
    }

    /// Whether this layout is asked for.
    fn asks_for(&self, layout: Layout) -> bool {
        self.layout.is_some_and(|(asked, _)| asked == layout)
    }

    /// How it is known whether a native machine may go to other threads.
    pub(crate) fn send_of(&self) -> Send {
        match (self.local, self.send) {
            (Some(_), _) => Send::Local,
            (None, Some(span)) => Send::Declared(span),
            (None, None) => Send::Asked,
        }
    }
}
