//! The options of the attributes.

use proc_macro2::{Ident, Span, TokenStream};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, LitBool, LitInt, LitStr, Path, parse_quote};

use crate::errors::Errors;

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
    /// The variant of `volt::runtime::OrphanPolicy`.
    pub(super) orphans: Option<Ident>,
    /// Where volt is.
    pub(super) volt: Path,
}

fn flavor(name: &LitStr) -> syn::Result<Flavor> {
    match name.value().as_str() {
        "current_thread" => Ok(Flavor::CurrentThread),
        "multi_thread" => Ok(Flavor::MultiThread),
        _ => {
            let text = "unknown flavor: there are \"current_thread\" and \"multi_thread\"";
            Err(Error::new(name.span(), text))
        }
    }
}

fn orphans(name: &LitStr) -> syn::Result<Ident> {
    let variant = match name.value().as_str() {
        "ignore" => "Ignore",
        "log" => "Log",
        "cancel" => "Cancel",
        "panic" => "Panic",
        _ => {
            let text = "unknown policy: there are \"ignore\", \"log\", \"cancel\" and \"panic\"";
            return Err(Error::new(name.span(), text));
        }
    };
    Ok(Ident::new(variant, name.span()))
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
    pub(super) fn parse(tokens: TokenStream, default: Flavor, errors: &mut Errors) -> Self {
        let mut options = Self {
            flavor: default,
            workers: None,
            start_paused: None,
            tokio_context: None,
            orphans: None,
            volt: parse_quote!(::volt),
        };
        let mut seen = Vec::new();
        let read = syn::meta::parser(|meta| {
            if seen.contains(&meta.path) {
                return Err(meta.error("this option is given twice"));
            }
            seen.push(meta.path.clone());
            options.read(&meta)
        });
        if let Err(error) = read.parse2(tokens) {
            errors.push(error);
        }
        options.settle(seen.iter().any(|key| key.is_ident("flavor")), errors);
        options
    }

    /// Reads one option.
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let key = meta.path.get_ident().map(Ident::to_string);
        match key.as_deref().unwrap_or_default() {
            "flavor" => self.flavor = flavor(&meta.value()?.parse()?)?,
            "workers" => self.workers = Some(workers(meta.value()?.parse()?)?),
            "start_paused" => self.start_paused = Some(meta.value()?.parse()?),
            "tokio_context" => self.tokio_context = Some(meta.value()?.parse()?),
            "orphans" => self.orphans = Some(orphans(&meta.value()?.parse()?)?),
            "crate" => self.volt = meta.value()?.call(Path::parse_mod_style)?,
            _ => {
                let text = "unknown option: there are `flavor`, `workers`, `start_paused`, `tokio_context`, \
                            `orphans` and `crate`";
                return Err(Error::new(meta.path.span(), text));
            }
        }
        Ok(())
    }

    /// Workers imply the flavor that has some.
    fn settle(&mut self, flavor_is_given: bool, errors: &mut Errors) {
        let Some(workers) = &self.workers else { return };
        if !flavor_is_given {
            self.flavor = Flavor::MultiThread;
        }
        if self.flavor == Flavor::CurrentThread {
            errors.push(refuse(
                workers.span(),
                "`workers` beside `flavor = \"current_thread\"`",
                "everything runs on the thread that is there",
                "remove one of the two",
            ));
        }
    }
}

/// An error of the house's form.
pub(super) fn refuse(span: Span, what: &str, reason: &str, instead: &str) -> syn::Error {
    let text = format!("{what}\n  = reason: {reason}\n  = instead: {instead}");
    syn::Error::new(span, text)
}
