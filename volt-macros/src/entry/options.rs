//! The options of the attributes.

use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{LitBool, LitInt, LitStr, Path, Token, parse_quote};

use super::refusal::{add, refuse};

/// Where the tasks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    CurrentThread,
    MultiThread,
}

/// What stands between the parentheses of the attribute.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) flavor: Flavor,
    pub(super) workers: Option<LitInt>,
    pub(super) start_paused: Option<LitBool>,
    /// Whether there is a tokio runtime beside it, and where that is said.
    pub(super) tokio_context: Option<LitBool>,
    /// Where volt is.
    pub(super) volt: Path,
}

enum Setting {
    Flavor(Flavor),
    Workers(LitInt),
    StartPaused(LitBool),
    TokioContext(LitBool),
    Crate(Path),
}

struct Given {
    key: String,
    span: Span,
    setting: Setting,
}

impl Parse for Given {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = input.span();
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            let setting = Setting::Crate(Path::parse_mod_style(input)?);
            let key = "crate".to_owned();
            return Ok(Self { key, span, setting });
        }
        let key = input.parse::<Ident>()?.to_string();
        if !["flavor", "workers", "start_paused", "tokio_context"].contains(&key.as_str()) {
            let text = "unknown option: there are `flavor`, `workers`, `start_paused`, `tokio_context` and `crate`";
            return Err(syn::Error::new(span, text));
        }
        input.parse::<Token![=]>()?;
        let setting = match key.as_str() {
            "flavor" => Setting::Flavor(flavor(&input.parse()?)?),
            "workers" => Setting::Workers(workers(input.parse()?)?),
            "start_paused" => Setting::StartPaused(input.parse()?),
            _ => Setting::TokioContext(input.parse()?),
        };
        Ok(Self { key, span, setting })
    }
}

fn flavor(name: &LitStr) -> syn::Result<Flavor> {
    match name.value().as_str() {
        "current_thread" => Ok(Flavor::CurrentThread),
        "multi_thread" => Ok(Flavor::MultiThread),
        _ => {
            let text = "unknown flavor: there are \"current_thread\" and \"multi_thread\"";
            Err(syn::Error::new(name.span(), text))
        }
    }
}

fn workers(count: LitInt) -> syn::Result<LitInt> {
    match count.base10_parse::<usize>()? {
        0 => Err(refuse(
            count.span(),
            "a runtime without workers",
            "nobody would run its tasks",
            "write the number of workers, or `flavor = \"current_thread\"`",
        )),
        _ => Ok(count),
    }
}

impl Options {
    /// Reads the options; those that cannot be read are as if they were not given.
    pub(super) fn parse(
        tokens: TokenStream,
        default: Flavor,
        errors: &mut Option<syn::Error>,
    ) -> Self {
        let mut options = Self {
            flavor: default,
            workers: None,
            start_paused: None,
            tokio_context: None,
            volt: parse_quote!(::volt),
        };
        match Punctuated::<Given, Token![,]>::parse_terminated.parse2(tokens) {
            Ok(given) => options.take(given, errors),
            Err(error) => add(errors, error),
        }
        options
    }

    fn take(&mut self, given: Punctuated<Given, Token![,]>, errors: &mut Option<syn::Error>) {
        let mut seen: Vec<String> = Vec::new();
        for Given { key, span, setting } in given {
            if seen.contains(&key) {
                add(errors, syn::Error::new(span, "this option is given twice"));
            }
            seen.push(key);
            match setting {
                Setting::Flavor(flavor) => self.flavor = flavor,
                Setting::Workers(workers) => self.workers = Some(workers),
                Setting::StartPaused(paused) => self.start_paused = Some(paused),
                Setting::TokioContext(context) => self.tokio_context = Some(context),
                Setting::Crate(path) => self.volt = path,
            }
        }
        self.settle(seen.iter().any(|key| key == "flavor"), errors);
    }

    /// Workers imply the flavor that has some.
    fn settle(&mut self, flavor_is_given: bool, errors: &mut Option<syn::Error>) {
        let Some(workers) = &self.workers else { return };
        if !flavor_is_given {
            self.flavor = Flavor::MultiThread;
        }
        if self.flavor == Flavor::CurrentThread {
            let refused = refuse(
                workers.span(),
                "`workers` beside `flavor = \"current_thread\"`",
                "everything runs on the thread that is there",
                "remove one of the two",
            );
            add(errors, refused);
        }
    }
}
