//! `OlderNames`: the names and defaults by which a machine reads snapshots of older builds.
//!
//! ```text
//! #[stored(was = "purchase")] order: Order               an argument or a `let`
//! #[stored(default)] let tries = 0_u32;                  snapshots without the local
//! #[state(WaitingForTruck, was = "Waiting")]             a state
//! ```

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Error, Expr, FnArg, Item, LitStr, Local, Meta, Pat, Signature, Token, token,
};

use super::keys::{parse_options, unknown_word};
use crate::errors::Errors;

/// The options of `#[stored(..)]`.
const KEYS: [&str; 2] = ["was", "default"];

/// The names and defaults by which a machine reads snapshots of older builds.
#[derive(Clone, Debug, Default)]
pub(crate) struct OlderNames {
    states: BTreeMap<String, Vec<LitStr>>,
    locals: BTreeMap<String, OlderLocal>,
}

/// The older names of a local, and the function of its default.
#[derive(Clone, Debug, Default)]
struct OlderLocal {
    names: Vec<LitStr>,
    default: Option<TokenStream>,
}

impl OlderNames {
    /// Removes the attributes from a function. `derives` is `true` if its machine is stored.
    pub(crate) fn take(
        sig: &mut Signature,
        block: &mut Block,
        derives: bool,
        errors: &mut Errors,
    ) -> Self {
        let mut taken = Taken {
            older: Self::default(),
            derives,
            errors,
        };
        for argument in &mut sig.inputs {
            if let FnArg::Typed(argument) = argument {
                taken.local(&mut argument.attrs, &argument.pat);
            }
        }
        taken.visit_block_mut(block);
        taken.older
    }

    /// Returns `true` if no name has an older one or a default.
    pub(crate) fn is_empty(&self) -> bool {
        self.states.is_empty() && self.locals.is_empty()
    }

    /// Returns the older names of a state.
    pub(crate) fn of_state(&self, title: &str) -> &[LitStr] {
        self.states.get(title).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of the states that have older ones.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&String, &[LitStr])> {
        self.states
            .iter()
            .map(|(title, names)| (title, names.as_slice()))
    }

    /// Returns the older names of a local.
    pub(crate) fn of_local(&self, name: &str) -> &[LitStr] {
        self.locals.get(name).map_or(&[], |local| &local.names)
    }

    /// Returns the function that makes the value of a local without one.
    pub(crate) fn default_of(&self, name: &str) -> Option<&TokenStream> {
        self.locals.get(name)?.default.as_ref()
    }
}

/// The attributes that were removed.
struct Taken<'e> {
    older: OlderNames,
    derives: bool,
    errors: &'e mut Errors,
}

impl Taken<'_> {
    fn local(&mut self, attrs: &mut Vec<Attribute>, pat: &Pat) {
        let Some(index) = attrs.iter().position(|attr| attr.path().is_ident("stored")) else {
            return;
        };
        let attr = attrs.remove(index);
        let read = self.required(&attr).and_then(|()| {
            let name = single_name(pat, &attr)?;
            Ok((name, read_local(&attr)?))
        });
        match read {
            Ok((name, local)) => _ = self.older.locals.insert(name, local),
            Err(error) => self.errors.push(error),
        }
    }

    /// Returns an error for a machine that is not stored.
    fn required(&self, attr: &Attribute) -> syn::Result<()> {
        if self.derives {
            return Ok(());
        }
        let text = "older names require `derive(Serialize, Deserialize)`\n  = note: only a stored \
                    machine is read from a snapshot\n  = help: write \
                    `#[volt::state_machine(derive(Serialize, Deserialize))]`, or remove the names";
        Err(Error::new_spanned(attr, text))
    }

    /// Moves the older names of a label into the table, if it has some.
    fn state(&mut self, attr: &mut Attribute) -> syn::Result<()> {
        let Meta::List(list) = &attr.meta else {
            return Ok(());
        };
        let Some((label, names)) = label_with_names.parse2(list.tokens.clone())? else {
            return Ok(());
        };
        self.required(attr)?;
        if let Meta::List(list) = &mut attr.meta {
            list.tokens = label.to_token_stream();
        }
        self.older.states.entry(text_of(&label)).or_insert(names);
        Ok(())
    }
}

impl VisitMut for Taken<'_> {
    fn visit_local_mut(&mut self, local: &mut Local) {
        self.local(&mut local.attrs, &local.pat);
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_attribute_mut(&mut self, attr: &mut Attribute) {
        if attr.path().is_ident("state")
            && let Err(error) = self.state(attr)
        {
            self.errors.push(error);
        }
    }

    // The attribute of an item inside of the body belongs to that item.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Returns the only name that a pattern binds.
fn single_name(pat: &Pat, attr: &Attribute) -> syn::Result<String> {
    match pat {
        Pat::Ident(pat) if pat.subpat.is_none() => Ok(pat.ident.to_string()),
        Pat::Type(typed) => single_name(&typed.pat, attr),
        _ => {
            let text = "`#[stored(..)]` requires a pattern that is one name\n  = note: the value of \
                        each name is stored by itself\n  = help: bind the value to a name, and \
                        destructure it in the next statement";
            Err(Error::new_spanned(attr, text))
        }
    }
}

fn read_local(attr: &Attribute) -> syn::Result<OlderLocal> {
    let mut local = OlderLocal::default();
    let tokens = attr.meta.require_list()?.tokens.clone();
    parse_options(tokens, |key, meta| {
        match key {
            "was" => local.names = names(meta)?,
            "default" if meta.input.peek(Token![=]) => {
                let value: Expr = meta.value()?.parse()?;
                local.default = Some(quote!(|| #value));
            }
            "default" => {
                let span = meta.path.span();
                local.default = Some(quote_spanned!(span=> ::core::default::Default::default));
            }
            _ => return Err(unknown_word(meta.path.span(), "option", key, &KEYS)),
        }
        Ok(())
    })?;
    Ok(local)
}

/// Reads `= "a"` or `("a", "b")`.
fn names(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    names_in(meta.input)
}

fn names_in(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    if !input.peek(token::Paren) {
        input.parse::<Token![=]>()?;
        return Ok(vec![input.parse()?]);
    }
    let list;
    syn::parenthesized!(list in input);
    let names = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
    Ok(names.into_iter().collect())
}

/// Reads a label and its older names. A label without them is left to later stages.
fn label_with_names(input: ParseStream<'_>) -> syn::Result<Option<(TokenStream, Vec<LitStr>)>> {
    let label: TokenTree = input.parse()?;
    if !input.peek(Token![,]) {
        input.parse::<TokenStream>()?;
        return Ok(None);
    }
    input.parse::<Token![,]>()?;
    let key: Ident = input.parse()?;
    if key != "was" {
        return Err(unknown_word(
            key.span(),
            "option",
            &key.to_string(),
            &["was"],
        ));
    }
    let names = names_in(input)?;
    input.parse::<Option<Token![,]>>()?;
    Ok(Some((label.into(), names)))
}

/// Returns the text of a label.
fn text_of(label: &TokenStream) -> String {
    match syn::parse2::<LitStr>(label.clone()) {
        Ok(text) => text.value(),
        Err(_) => label.to_string(),
    }
}
