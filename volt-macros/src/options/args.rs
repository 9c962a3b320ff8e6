//! The options of the attribute.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Error, Expr, LitBool, LitInt, Path, Token, Visibility};

use super::accepted::FORMS;
use super::editor::is_editor;
use super::forms::CheckForms;
use super::keys::{parse_options, unknown_word};
use super::layout_variable::prefers_native;
use super::older_names::OlderNames;
use crate::errors::Errors;
use crate::names::last_of;

/// The options of one attribute.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The name of the machine's type.
    pub(crate) name: Option<Ident>,
    /// `true` if the machine gets a type alias with the name of the function.
    pub(crate) alias: bool,
    /// The path of volt.
    pub(crate) volt: Path,
    /// The maximum size in bytes.
    pub(crate) max_size: Option<Expr>,
    /// The place of the error of `max_size`, if it is not that of the option.
    pub(crate) max_size_place: Option<Span>,
    /// The visibility of the machine of a trait's method, which has none of its own.
    pub(crate) vis: Option<Visibility>,
    /// The shape of a public machine.
    pub(crate) public: Option<Public>,
    /// The option `send`, which asserts that the machine is `Send`.
    pub(crate) send: Option<Span>,
    /// The traits that the machine derives.
    pub(crate) derive: Vec<Ident>,
    /// The required layout, and the option.
    pub(crate) layout: Option<(LayoutOption, Span)>,
    /// The option `local`, by which the machine stays on its thread.
    pub(crate) local: Option<Span>,
    /// `true` if a native machine records the await at which it waits.
    pub(crate) trace: bool,
    /// `true` if a generic native machine stores its coroutine in a box.
    pub(crate) boxed: bool,
    /// The number of bytes for the coroutine of a generic native machine.
    pub(crate) inline: Option<Expr>,
    /// The locals whose values inspections do not show.
    pub(crate) secrets: Secrets,
    /// The names and defaults by which the machine reads snapshots of older builds.
    pub(crate) older: OlderNames,
    /// The option `deny(dormant)`, by which no future may be held across an await that does not
    /// poll it.
    pub(crate) deny_dormant: Option<Span>,
    /// `true` if an editor expands the attribute.
    pub(crate) editor: bool,
    /// `true` if the environment selects the native layout for functions whose machine has the same
    /// public shape in both.
    pub(crate) prefers_native: bool,
}

/// The locals whose values inspections do not show.
#[derive(Clone, Debug)]
pub(crate) enum Secrets {
    All,
    /// The locals with these names.
    Named(BTreeSet<String>),
}

impl Default for Secrets {
    fn default() -> Self {
        Self::Named(BTreeSet::new())
    }
}

impl Secrets {
    /// Adds the locals with these names.
    pub(crate) fn add(&mut self, names: BTreeSet<String>) {
        if let Self::Named(named) = self {
            named.extend(names);
        }
    }

    /// Returns `true` if the local with this name is secret.
    pub(crate) fn contains(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(named) => named.contains(name),
        }
    }
}

/// The properties on which users of a public machine rely.
#[derive(Clone, Debug)]
pub(crate) struct Public {
    /// The span of the word `public`, or of the method that inherits the option.
    pub(crate) span: Span,
    /// The span of the word `public`.
    word: Span,
    /// The auto traits that the machine implements.
    pub(crate) traits: Vec<Ident>,
    /// The number of its type and const parameters.
    pub(crate) parameters: Option<LitInt>,
}

/// The layout that an option requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutOption {
    /// Fields and states that the macro writes.
    Explicit,
    /// The compiler's coroutine.
    Native,
}

/// The meaning of a copy that is not `Send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyAnswer {
    /// The machine is not `Send`.
    Exact,
    /// The machine may be in the copy, so its arguments decide.
    OrArguments,
    /// The machine is not `Send`. The copies of the functions in its cycle are in the copy.
    Linked,
    /// The machine is not `Send`. Unknown functions receive the futures of its cycle, so the copy
    /// assumes the auto traits of these, and holds the copies of their functions.
    Assumed,
}

/// The way in which `Send` is decided.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Send {
    /// By the coroutine, with a query.
    Asked,
    /// As `Asked`. The machine has a copy for the other functions of its cycle.
    AskedInCycle,
    /// By the option `send`, which a function proves.
    Declared(Span),
    /// By the arguments, which a function proves. The function may await itself again, so its
    /// coroutine cannot be queried.
    OfArguments(Span),
    /// By a copy of the coroutine whose own calls return a future that is `Send`. The function
    /// awaits itself by its own name only.
    OfCopy(Span, CopyAnswer),
    /// The machine is not `Send`.
    Local,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: None,
            alias: true,
            // Parsing the path for each function takes ten times as long.
            volt: Path {
                leading_colon: Some(<Token![::]>::default()),
                ..Path::from(Ident::new("volt", Span::call_site()))
            },
            max_size: None,
            max_size_place: None,
            vis: None,
            public: None,
            send: None,
            derive: Vec::new(),
            layout: None,
            local: None,
            trace: true,
            boxed: false,
            inline: None,
            secrets: Secrets::default(),
            older: OlderNames::default(),
            deny_dormant: None,
            editor: is_editor(),
            prefers_native: prefers_native(),
        }
    }
}

/// Reads one of the traits in the parentheses of `derive(..)`.
fn derived(path: &Path) -> syn::Result<Ident> {
    const KNOWN: [&str; 6] = [
        "Clone",
        "PartialEq",
        "Eq",
        "Hash",
        "Serialize",
        "Deserialize",
    ];
    let is_known = |name: &&Ident| KNOWN.iter().any(|known| name == known);
    match last_of(path) {
        Some(name) if is_known(&name) => Ok(name.clone()),
        Some(name) if name == "Debug" => {
            let text = "every machine implements `Debug`\n  = help: remove `Debug` from `derive`";
            Err(Error::new_spanned(path, text))
        }
        name => {
            let name = name.map(Ident::to_string).unwrap_or_default();
            Err(unknown_word(path.span(), "derived trait", &name, &KNOWN))
        }
    }
}

/// The properties in the parentheses of `public(..)`.
const PROPERTIES: [&str; 4] = ["Send", "Sync", "Unpin", "parameters = N"];

/// Reads the word in the parentheses of `deny(..)`.
fn denied(meta: &ParseNestedMeta<'_>) -> syn::Result<Span> {
    let mut denied = None;
    meta.parse_nested_meta(|of| {
        if !of.path.is_ident("dormant") {
            let name = of.path.get_ident().map(Ident::to_string);
            let name = name.unwrap_or_default();
            return Err(unknown_word(
                of.path.span(),
                "argument",
                &name,
                &["dormant"],
            ));
        }
        denied = Some(of.path.span());
        Ok(())
    })?;
    denied.ok_or_else(|| meta.error("expected `deny(dormant)`"))
}

/// Reads the shape in the parentheses of `public(..)`.
fn public(meta: &ParseNestedMeta<'_>) -> syn::Result<Public> {
    let mut public = Public {
        span: meta.path.span(),
        word: meta.path.span(),
        traits: Vec::new(),
        parameters: None,
    };
    meta.parse_nested_meta(|of| {
        let name = of.path.get_ident().map(Ident::to_string);
        match (name.as_deref(), of.path.get_ident()) {
            (Some("parameters"), _) => public.parameters = Some(of.value()?.parse()?),
            (Some("Send" | "Sync" | "Unpin"), Some(name)) => public.traits.push(name.clone()),
            (name, _) => {
                let (span, name) = (of.path.span(), name.unwrap_or_default());
                return Err(unknown_word(span, "property", name, &PROPERTIES));
            }
        }
        Ok(())
    })?;
    Ok(public)
}

/// Reads the traits in the parentheses of `derive(..)`.
fn derive(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<Ident>> {
    let mut traits = Vec::new();
    meta.parse_nested_meta(|of| {
        traits.push(derived(&of.path)?);
        Ok(())
    })?;
    let named = |name: &str| traits.iter().find(|of| *of == name);
    let required = [
        ("Eq", "PartialEq"),
        ("Serialize", "Deserialize"),
        ("Deserialize", "Serialize"),
    ];
    for (of, other) in required {
        if let (Some(of), None) = (named(of), named(other)) {
            let text = format!("`{of}` requires `{other}`");
            return Err(Error::new_spanned(of, text));
        }
    }
    Ok(traits)
}

/// Returns `true` for a derived trait that writes or reads a machine.
fn is_of_serde(of: &Ident) -> bool {
    of == "Serialize" || of == "Deserialize"
}

impl Options {
    /// Returns the options of a block for one of its methods. Errors of the checks are at the
    /// method, because the options do not show which method is at fault.
    pub(crate) fn inherited_by(&self, method: &Ident) -> Self {
        let (mut options, place) = (self.clone(), method.span());
        options.max_size_place = Some(place);
        if let Some(public) = &mut options.public {
            public.span = place;
            for of in &mut public.traits {
                of.set_span(of.span().located_at(place));
            }
            if let Some(number) = &mut public.parameters {
                number.set_span(number.span().located_at(place));
            }
        }
        options
    }

    /// Returns these options, overridden by those of `tokens`. After an error they are unchanged.
    pub(crate) fn with(&self, tokens: TokenStream, errors: &mut Errors) -> Self {
        let (mut options, mut forms) = (self.clone(), CheckForms::new(&FORMS));
        let read = parse_options(tokens, |key, meta| {
            forms.check(key, meta)?;
            options.read(key, meta)
        });
        match read {
            Ok(()) => options,
            Err(error) => {
                errors.push(error);
                self.clone()
            }
        }
    }

    /// Reads one option, whose form is checked.
    fn read(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let span = meta.path.span();
        match key {
            "name" => self.name = Some(meta.value()?.parse()?),
            "crate" => self.volt = meta.value()?.call(Path::parse_mod_style)?,
            "max_size" => {
                self.max_size = Some(meta.value()?.parse()?);
                self.max_size_place = None;
            }
            "derive" => self.derive = derive(meta)?,
            "send" => (self.send, self.local) = (Some(span), None),
            "local" => (self.send, self.local) = (None, Some(span)),
            "explicit" => self.layout = Some((LayoutOption::Explicit, span)),
            "native" => self.layout = Some((LayoutOption::Native, span)),
            "secret" => self.secrets = Secrets::All,
            "deny" => self.deny_dormant = Some(denied(meta)?),
            "boxed" => (self.boxed, self.inline) = (true, None),
            "inline" => {
                self.boxed = false;
                self.inline = Some(meta.value()?.parse()?);
            }
            "trace" => self.trace = meta.value()?.parse::<LitBool>()?.value,
            "alias" => self.alias = meta.value()?.parse::<LitBool>()?.value,
            "vis" => self.vis = Some(meta.value()?.parse()?),
            _ => self.public = Some(public(meta)?),
        }
        Ok(())
    }

    /// The lint that denies a machine which users of a public function cannot name.
    pub(crate) fn nameable(&self) -> Option<TokenStream> {
        let public = self.public.as_ref();
        public.map(|public| quote_spanned!(public.word=> #[deny(unnameable_types)]))
    }

    /// Returns `true` if an option requires the explicit layout.
    pub(crate) fn is_explicit(&self) -> bool {
        matches!(self.layout, Some((LayoutOption::Explicit, _))) || !self.derive.is_empty()
    }

    /// The derived traits that each stored value has to implement, in all states alike.
    pub(crate) fn value_traits(&self) -> Vec<Ident> {
        let traits = self.derive.iter().filter(|of| !is_of_serde(of));
        traits.cloned().collect()
    }

    /// Returns the derived trait by which a suspended machine is written, if there is one. The
    /// machine is then read, too.
    pub(crate) fn snapshot(&self) -> Option<&Ident> {
        self.derive.iter().find(|of| is_of_serde(of))
    }

    /// Returns `true` if an option depends on the layout: it requires the explicit one, or sets the
    /// size or the shape of the machine.
    pub(crate) fn depends_on_layout(&self) -> bool {
        self.is_explicit() || self.max_size.is_some() || self.public.is_some()
    }

    /// The options for a native machine that replaces a refused one.
    pub(crate) fn of_native(self) -> Self {
        Self {
            derive: Vec::new(),
            max_size: None,
            ..self
        }
    }

    /// The way in which `Send` is decided.
    pub(crate) fn send_of(&self) -> Send {
        match (self.local, self.send) {
            (Some(_), _) => Send::Local,
            (None, Some(span)) => Send::Declared(span),
            (None, None) => Send::Asked,
        }
    }
}
