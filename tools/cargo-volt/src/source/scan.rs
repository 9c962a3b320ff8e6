//! The async functions of a source file, and where an attribute can be put on them.
//!
//! Functions are found in modules, in functions, in `impl` blocks, and under any `cfg`. They are
//! also found in the braces of macros that take items (`cfg_rt! { async fn .. }`), if these parse
//! as items. In the tokens of other macros, `async fn` is only counted.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    AttrStyle, Attribute, FnArg, GenericParam, Generics, ImplItemFn, ItemFn, ItemImpl, ItemMacro,
    Macro, Signature, TraitItemFn, Type, TypeImplTrait, Visibility,
};

/// The kind of an async function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function, which takes the attribute itself.
    Free,
    /// A function under an attribute that makes a program or a test of it, as `#[tokio::main]`.
    Entry,
    /// A method of a type, whose `impl` block takes the attribute.
    Method,
    /// A method of a trait, or of an implementation of one, which requires the compiler's own
    /// future.
    OfTrait,
}

/// An async function; all places are bytes of the file.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// `read` for `Conn::read`.
    pub(crate) name: String,
    /// `Conn` for `Conn::read`.
    pub(crate) home: Option<String>,
    pub(crate) kind: Kind,
    /// The line of its name.
    pub(crate) line: usize,
    /// From its first attribute to the end of its body.
    pub(crate) range: Range<usize>,
    /// In front of its visibility, below all of its attributes.
    pub(crate) below: usize,
    /// In front of the first attribute that may change the function, if it has one.
    pub(crate) above: Option<usize>,
    /// `true` if it, or its `impl`, has type or const parameters.
    pub(crate) generic: bool,
    /// The `impl` block of a method, as an index.
    pub(crate) block: Option<usize>,
}

impl Function {
    /// `Conn::read`.
    pub(crate) fn full_name(&self) -> String {
        match &self.home {
            Some(home) => format!("{home}::{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// An `impl` block of a type.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) range: Range<usize>,
    /// In front of `impl`, below its attributes.
    pub(crate) at: usize,
}

/// The async functions of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) functions: Vec<Function>,
    pub(crate) blocks: Vec<Block>,
    /// `async fn` in the tokens of macros, where nothing can be put.
    pub(crate) in_macros: usize,
}

/// Reads a file.
pub(crate) fn scan(text: &str) -> syn::Result<Found> {
    let file: syn::File = syn::parse_str(&without_head(text))?;
    let mut scan = Scan::default();
    scan.visit_file(&file);
    Ok(scan.found)
}

/// The text with a byte order edit and a first line `#!/..` blanked, so that all places stay.
pub(crate) fn without_head(text: &str) -> String {
    let edit = '\u{feff}';
    let body = text.strip_prefix(edit).unwrap_or(text);
    let first = body.lines().next().unwrap_or_default();
    let is_script = first.starts_with("#!") && !first[2..].trim_start().starts_with('[');
    let blank = if is_script { first.len() } else { 0 };
    let marked = text.len() - body.len();
    " ".repeat(marked + blank) + &body[blank..]
}

/// The block that the visitor is in.
#[derive(Clone, Debug)]
struct Home {
    name: String,
    generic: bool,
    /// Its index, or nothing where the block is of a trait.
    block: Option<usize>,
}

#[derive(Debug, Default)]
struct Scan {
    found: Found,
    home: Option<Home>,
}

impl Scan {
    fn note(&mut self, attrs: &[Attribute], vis: Option<&Visibility>, sig: &Signature, end: usize) {
        if sig.asyncness.is_none() {
            return;
        }
        let below = match vis {
            Some(vis) if !matches!(vis, Visibility::Inherited) => start(vis),
            _ => start(&sig.asyncness),
        };
        let attrs = || {
            attrs
                .iter()
                .filter(|attr| matches!(attr.style, AttrStyle::Outer))
        };
        let from = attrs().map(place).min().unwrap_or(below).min(below);
        let home = self.home.as_ref();
        let kind = match home {
            Some(home) if home.block.is_none() => Kind::OfTrait,
            Some(_) => Kind::Method,
            None if attrs().any(makes_entry) => Kind::Entry,
            None => Kind::Free,
        };
        self.found.functions.push(Function {
            name: sig.ident.to_string(),
            home: home.map(|home| home.name.clone()),
            kind,
            line: sig.ident.span().start().line,
            range: from..end,
            below,
            above: attrs().find(|attr| !is_inert(attr)).map(place),
            generic: is_generic(sig) || home.is_some_and(|home| home.generic),
            block: home.and_then(|home| home.block),
        });
    }

    /// Visits what is inside a function, which is in no block.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let home = self.home.take();
        visit(self);
        self.home = home;
    }
}

impl<'ast> Visit<'ast> for Scan {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.note(&item.attrs, Some(&item.vis), &item.sig, end(&item.block));
        self.inside(|scan| visit::visit_item_fn(scan, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.note(&item.attrs, Some(&item.vis), &item.sig, end(&item.block));
        self.inside(|scan| visit::visit_impl_item_fn(scan, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        let outer = self.home.replace(Home {
            name: String::new(),
            generic: false,
            block: None,
        });
        self.note(&item.attrs, None, &item.sig, last(item));
        self.inside(|scan| visit::visit_trait_item_fn(scan, item));
        self.home = outer;
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let block = item.trait_.is_none().then_some(self.found.blocks.len());
        if block.is_some() {
            let at = item.impl_token.span.byte_range().start;
            let attrs = item.attrs.iter().map(place);
            let from = attrs.min().unwrap_or(at).min(at);
            let end = item.brace_token.span.close().byte_range().end;
            self.found.blocks.push(Block {
                range: from..end,
                at,
            });
        }
        let outer = self.home.replace(Home {
            name: name_of(&item.self_ty),
            generic: has_parameters(&item.generics),
            block,
        });
        visit::visit_item_impl(self, item);
        self.home = outer;
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let items = match item.ident {
            None => syn::parse2::<syn::File>(item.mac.tokens.clone()).ok(),
            Some(_) => None,
        };
        match items {
            // The tree does not live as long as that of the file.
            Some(file) => {
                let mut inner = Scan::default();
                inner.found.blocks.append(&mut self.found.blocks);
                inner.visit_file(&file);
                self.found.blocks = inner.found.blocks;
                self.found.functions.append(&mut inner.found.functions);
                self.found.in_macros += inner.found.in_macros;
            }
            None => self.visit_macro(&item.mac),
        }
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        self.found.in_macros += async_functions(&found.tokens);
    }
}

/// Counts `async fn` in the tokens.
fn async_functions(tokens: &TokenStream) -> usize {
    let (mut count, mut after_async) = (0, false);
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => {
                count += async_functions(&group.stream());
                after_async = false;
            }
            TokenTree::Ident(word) if word == "async" => after_async = true,
            TokenTree::Ident(word) if word == "unsafe" => {}
            TokenTree::Ident(word) => {
                count += usize::from(after_async && word == "fn");
                after_async = false;
            }
            _ => after_async = false,
        }
    }
    count
}

fn start(tokens: &impl ToTokens) -> usize {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or(0, |token| token.span().byte_range().start)
}

fn last(tokens: &impl ToTokens) -> usize {
    let last = tokens.to_token_stream().into_iter().last();
    last.map_or(0, |token| token.span().byte_range().end)
}

fn end(block: &syn::Block) -> usize {
    block.brace_token.span.close().byte_range().end
}

fn place(attr: &Attribute) -> usize {
    attr.pound_token.span.byte_range().start
}

/// Returns `true` if the attribute does not change the function.
fn is_inert(attr: &Attribute) -> bool {
    const INERT: [&str; 20] = [
        "doc",
        "cfg",
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "inline",
        "must_use",
        "cold",
        "deprecated",
        "track_caller",
        "no_mangle",
        "target_feature",
        "ignore",
        "should_panic",
        "rustfmt",
        "clippy",
        "diagnostic",
        "automatically_derived",
    ];
    let first = attr.path().segments.first();
    first.is_some_and(|first| INERT.iter().any(|name| first.ident == name))
}

/// Returns `true` if the attribute turns the function into a program, a test or a task.
fn makes_entry(attr: &Attribute) -> bool {
    const ENTRIES: [&str; 7] = [
        "main",
        "test",
        "bench",
        "task",
        "rstest",
        "test_case",
        "entry",
    ];
    let last = attr.path().segments.last();
    last.is_some_and(|last| ENTRIES.iter().any(|name| last.ident == name))
}

fn has_parameters(generics: &Generics) -> bool {
    let mut params = generics.params.iter();
    params.any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

fn is_generic(sig: &Signature) -> bool {
    let mut anonymous = Anonymous(false);
    for input in &sig.inputs {
        if let FnArg::Typed(input) = input {
            anonymous.visit_type(&input.ty);
        }
    }
    anonymous.0 || has_parameters(&sig.generics)
}

/// Looks for `impl Trait`.
struct Anonymous(bool);

impl<'ast> Visit<'ast> for Anonymous {
    fn visit_type_impl_trait(&mut self, _: &'ast TypeImplTrait) {
        self.0 = true;
    }
}

/// The last name of a type.
fn name_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.map_or_else(String::new, |last| last.ident.to_string())
        }
        other => other.to_token_stream().to_string(),
    }
}

#[cfg(test)]
mod tests;
