//! The options of `#[volt::main]` and `#[volt::test]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::meta::ParseNestedMeta;
use syn::{Error, LitBool, LitInt, LitStr, Path, parse_quote};

use crate::errors::{Errors, labelled};
use crate::options::{CheckForms, Form, Forms, parse_options, unknown_word};

/// The threads that run the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    CurrentThread,
    MultiThread,
}

/// The accepted options.
static FORMS: Forms = Forms {
    options: &[
        ("flavor", Form::Value("flavor = \"current_thread\"")),
        ("workers", Form::Value("workers = 4")),
        ("start_paused", Form::Value("start_paused = true")),
        ("tokio_context", Form::Value("tokio_context = true")),
        ("orphans", Form::Value("orphans = \"log\"")),
        ("crate", Form::Value("crate = my_crate::volt")),
    ],
    exclusive: &[],
};

/// The options of one attribute.
#[derive(Debug)]
pub(super) struct EntryOptions {
    pub(super) flavor: Flavor,
    pub(super) workers: Option<LitInt>,
    pub(super) start_paused: Option<LitBool>,
    /// The option for a tokio runtime beside this one.
    pub(super) tokio_context: Option<LitBool>,
    /// The variant of `volt::runtime::OrphanPolicy`.
    pub(super) orphans: Option<Ident>,
    /// The path of volt.
    pub(super) volt: Path,
}

fn flavor(name: &LitStr) -> syn::Result<Flavor> {
    match name.value().as_str() {
        "current_thread" => Ok(Flavor::CurrentThread),
        "multi_thread" => Ok(Flavor::MultiThread),
        _ => {
            let accepted = ["current_thread", "multi_thread"];
            Err(unknown_word(
                name.span(),
                "flavor",
                &name.value(),
                &accepted,
            ))
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
            let (policy, accepted) = (name.value(), ["ignore", "log", "cancel", "panic"]);
            return Err(unknown_word(
                name.span(),
                "orphan policy",
                &policy,
                &accepted,
            ));
        }
    };
    Ok(Ident::new(variant, name.span()))
}

fn workers(count: LitInt) -> syn::Result<LitInt> {
    match count.base10_parse::<usize>()? {
        0 => Err(refuse(
            count.span(),
            "`workers` must be at least 1",
            "a runtime without workers runs no task",
            "write the number of workers, or `flavor = \"current_thread\"`",
        )),
        _ => Ok(count),
    }
}

impl EntryOptions {
    /// Reads the options. The options before an error are kept.
    pub(super) fn parse(tokens: TokenStream, default: Flavor, errors: &mut Errors) -> Self {
        let mut options = Self {
            flavor: default,
            workers: None,
            start_paused: None,
            tokio_context: None,
            orphans: None,
            volt: parse_quote!(::volt),
        };
        let (mut has_flavor, mut forms) = (false, CheckForms::new(&FORMS));
        let read = parse_options(tokens, |key, meta| {
            forms.check(key, meta)?;
            has_flavor |= key == "flavor";
            options.read(key, meta)
        });
        if let Err(error) = read {
            errors.push(error);
        }
        options.check_workers(has_flavor, errors);
        options
    }

    /// Reads one option, whose form is checked.
    fn read(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match key {
            "flavor" => self.flavor = flavor(&meta.value()?.parse()?)?,
            "workers" => self.workers = Some(workers(meta.value()?.parse()?)?),
            "start_paused" => self.start_paused = Some(meta.value()?.parse()?),
            "tokio_context" => self.tokio_context = Some(meta.value()?.parse()?),
            "orphans" => self.orphans = Some(orphans(&meta.value()?.parse()?)?),
            _ => self.volt = meta.value()?.call(Path::parse_mod_style)?,
        }
        Ok(())
    }

    /// Sets the flavor that `workers` implies, or refuses `workers` with the other flavor.
    fn check_workers(&mut self, has_flavor: bool, errors: &mut Errors) {
        let Some(workers) = &self.workers else { return };
        if !has_flavor {
            self.flavor = Flavor::MultiThread;
        }
        if self.flavor == Flavor::CurrentThread {
            errors.push(refuse(
                workers.span(),
                "`workers` is combined with `flavor = \"current_thread\"`",
                "this flavor runs all tasks on the calling thread",
                "remove one of the two",
            ));
        }
    }
}

/// An error with its cause and the code to write instead.
pub(super) fn refuse(span: Span, fault: &str, note: &str, help: &str) -> Error {
    Error::new(span, labelled(fault, note, help))
}
