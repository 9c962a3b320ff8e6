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
            twin: true,
        }
    }
}

enum Setting {
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
            "unknown option: there are `name`, `crate`, `max_size`, `send`, `vis` and `twin`",
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
            Setting::Vis(vis) => self.vis = Some(vis),
            Setting::Twin(twin) => self.twin = twin,
        }
    }
}
