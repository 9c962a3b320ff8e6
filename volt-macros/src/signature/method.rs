//! A method as a free function.
//!
//! The machine of a method is declared outside of the `impl`, where neither `self` nor `Self`
//! exists. So `self` becomes an argument with a name of its own, and `Self` becomes the type of the
//! `impl`. All later stages process a function. Only the signature is written inside of the `impl`
//! again.
//!
//! Functions that need the original `self` and `Self` are in an `impl` of the method's type: see
//! `within`.

mod self_alias;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, FnArg, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, Macro, Path,
    Receiver, ReceiverKind, Type, TypeGroup, TypeParen, TypePath, parse_quote, parse_quote_spanned,
};

use self::self_alias::self_alias;
use super::elided::{DeclaredNames, NameLifetimes};
use crate::names;
use crate::names::{is_mark, last_of, prints_source};
use crate::syntax::{keep_message, name_captured_self};

/// The `impl` block of a method.
#[derive(Clone, Debug)]
pub(crate) struct ImplTarget {
    pub(crate) generics: Generics,
    /// The type, by its path. A type without a path has an alias.
    pub(crate) self_ty: Type,
    /// The type as it was written, with named lifetimes.
    written: Type,
    /// The alias of a type without a path.
    pub(crate) alias: Option<TokenStream>,
    /// The trait.
    pub(crate) trait_path: Option<Path>,
    /// The associated types of the `impl`, by their names.
    pub(crate) assoc_types: Vec<(Ident, Type)>,
}

/// A method under the attribute.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) impl_target: ImplTarget,
    /// The method as written.
    pub(crate) original: ImplItemFn,
}

impl ImplTarget {
    /// Reads the `impl` of a named type.
    pub(crate) fn new(block: &ItemImpl) -> Self {
        let (mut generics, mut self_ty) = (block.generics.clone(), (*block.self_ty).clone());
        let mut naming = NameLifetimes::new(&Ident::new("outer", Span::call_site()), &generics);
        naming = naming.apart_from(&DeclaredNames::in_block(block));
        naming.visit_type_mut(&mut self_ty);
        let mut trait_path = block.trait_.as_ref().map(|(path, _)| path.clone());
        if let Some(path) = &mut trait_path {
            naming.visit_path_mut(path);
        }
        for lifetime in naming.made {
            generics.params.insert(0, parse_quote!(#lifetime));
        }
        let assoc_types = block.items.iter().filter_map(|item| match item {
            ImplItem::Type(item) => Some((item.ident.clone(), item.ty.clone())),
            _ => None,
        });
        let written = self_ty.clone();
        let mut alias = None;
        if let Some((item, path)) = self_alias(&self_ty, &generics, trait_path.as_ref()) {
            (alias, self_ty) = (Some(item), path);
        }
        Self {
            generics,
            self_ty,
            written,
            alias,
            trait_path,
            assoc_types: assoc_types.collect(),
        }
    }

    /// Writes the new names of lifetimes into the `impl`.
    pub(crate) fn name_lifetimes(&self, block: &mut ItemImpl) {
        block.generics = self.generics.clone();
        *block.self_ty = self.written.clone();
        if let (Some((path, _)), Some(of)) = (&mut block.trait_, &self.trait_path) {
            *path = of.clone();
        }
    }

    /// The path of the type as an expression: `Conn::<T>`.
    pub(crate) fn path(&self) -> Option<Path> {
        let Type::Path(TypePath {
            qself: None, path, ..
        }) = &self.self_ty
        else {
            return None;
        };
        let mut path = path.clone();
        for segment in &mut path.segments {
            if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                arguments.colon2_token.get_or_insert_default();
            }
        }
        Some(path)
    }

    /// Returns `true` if the type is a reference, which its path does not show.
    pub(crate) fn is_reference(&self) -> bool {
        let mut ty = &self.written;
        while let Type::Paren(TypeParen { elem, .. }) | Type::Group(TypeGroup { elem, .. }) = ty {
            ty = elem;
        }
        matches!(ty, Type::Reference(_))
    }

    /// An import of the trait. Within its `impl` the trait is in scope without one.
    pub(crate) fn import_of_trait(&self) -> Option<syn::Stmt> {
        let mut of = self.trait_path.clone().filter(|of| of.segments.len() > 1)?;
        of.segments.last_mut()?.arguments = syn::PathArguments::None;
        Some(parse_quote! {
            #[allow(unused_imports, reason = "written by `state_machine`")]
            use #of as _;
        })
    }

    /// The last name of the type.
    pub(crate) fn name(&self) -> Option<&Ident> {
        match &self.self_ty {
            Type::Path(ty) => last_of(&ty.path),
            _ => None,
        }
    }
}

impl Method {
    /// The method as a function, if its type has a path. With `captures`, known macros receive the
    /// `self` that their literals capture. This is needed under an attribute that may rewrite the
    /// function.
    pub(crate) fn function(&self, captures: bool) -> Option<ItemFn> {
        let mut method = self.original.clone();
        let mut lift = Lift {
            impl_target: &self.impl_target,
            path: self.impl_target.path()?,
            has_receiver: method.sig.receiver().is_some(),
            captures,
        };
        method.sig.generics = self.merged(&method.sig.generics);
        if let Some(FnArg::Receiver(receiver)) = method.sig.inputs.first() {
            let argument = argument(receiver);
            method.sig.inputs[0] = argument;
        }
        lift.visit_signature_mut(&mut method.sig);
        lift.visit_block_mut(&mut method.block);
        if self.impl_target.trait_path.is_some() {
            method.vis = syn::Visibility::Inherited;
            method
                .block
                .stmts
                .splice(0..0, self.impl_target.import_of_trait());
        }
        let (attrs, vis) = (&method.attrs, &method.vis);
        let (sig, block) = (&method.sig, &method.block);
        let function = syn::parse2(quote!(#(#attrs)* #vis #sig #block));
        // In an editor the body may be tokens that do not parse.
        Some(function.unwrap_or_else(|_| ItemFn {
            block: Box::new(block.clone()),
            ..parse_quote!(#(#attrs)* #vis #sig {})
        }))
    }

    /// Returns the word by which the method has a reference with a hidden type: a receiver by
    /// value, or `Self`, in an `impl` for a reference.
    pub(crate) fn hidden_reference(&self) -> Option<TokenTree> {
        if !self.impl_target.is_reference() {
            return None;
        }
        let receiver = self.original.sig.receiver();
        let by_value = receiver.filter(|it| !matches!(it.kind, ReceiverKind::Reference(..)));
        let by_value = by_value.map(|receiver| Ident::from(receiver.self_token).into());
        let (inputs, block) = (&self.original.sig.inputs, &self.original.block);
        let mut found = by_value;
        names::any_token(quote!(#inputs #block), &mut |token| {
            let is_type = matches!(token, TokenTree::Ident(word) if word == "Self");
            if is_type {
                found.get_or_insert_with(|| token.clone());
            }
            is_type
        });
        found
    }

    /// Returns `true` if the method may be less visible than its type.
    pub(crate) fn is_hidden(&self) -> bool {
        let is_public = matches!(self.original.vis, syn::Visibility::Public(_));
        self.impl_target.trait_path.is_none() && !is_public
    }

    /// The generics of the `impl`, then those of the method; lifetimes first.
    fn merged(&self, own: &Generics) -> Generics {
        let (outer, inner) = (&self.impl_target.generics.params, &own.params);
        let all = || outer.iter().chain(inner);
        let is_lifetime = |param: &&GenericParam| matches!(param, GenericParam::Lifetime(_));
        let lifetimes = all().filter(is_lifetime);
        let others = all().filter(|param| !is_lifetime(param));
        let params: Punctuated<_, syn::Token![,]> = lifetimes.chain(others).cloned().collect();
        let mut merged = Generics {
            params,
            ..Generics::default()
        };
        let clauses = [&self.impl_target.generics.where_clause, &own.where_clause];
        let predicates = clauses.into_iter().flatten();
        let predicates = predicates.flat_map(|clause| clause.predicates.iter().cloned());
        merged.make_where_clause().predicates.extend(predicates);
        merged
    }

    /// The receiver, with the new name of its lifetime.
    pub(crate) fn receiver(&self, ty: &Type) -> Option<TokenStream> {
        let receiver = self.original.sig.receiver()?;
        let token = receiver.self_token;
        Some(match (&receiver.kind, ty) {
            (ReceiverKind::Reference(..), Type::Reference(reference)) => {
                let (and, lifetime) = (&reference.and_token, &reference.lifetime);
                let mutable = &reference.mutability;
                quote!(#and #lifetime #mutable #token)
            }
            (ReceiverKind::Typed(..), ty) => quote!(#token: #ty),
            _ => token.to_token_stream(),
        })
    }

    /// Returns `true` if the parameter belongs to the `impl`.
    pub(crate) fn is_outer(&self, param: &GenericParam) -> bool {
        let name = names::parameter(param).to_string();
        let mut outer = self.impl_target.generics.params.iter();
        outer.any(|param| names::parameter(param).to_string() == name)
    }
}

/// The argument for the receiver.
fn argument(receiver: &Receiver) -> FnArg {
    let span = receiver.self_token.span;
    let (name, mutable) = (names::receiver(span), &receiver.mutability);
    match &receiver.kind {
        ReceiverKind::Reference(and, lifetime, change) => {
            parse_quote_spanned!(span=> #name: #and #lifetime #change Self)
        }
        ReceiverKind::Typed(_, ty) => parse_quote_spanned!(span=> #mutable #name: #ty),
        _ => parse_quote_spanned!(span=> #mutable #name: Self),
    }
}

/// Replaces `self` and `Self` in code that leaves the `impl`.
struct Lift<'a> {
    impl_target: &'a ImplTarget,
    path: Path,
    /// Without a receiver, `self` stays as it is, and the compiler reports it.
    has_receiver: bool,
    captures: bool,
}

impl Lift<'_> {
    /// `<Conn<T> as Trait>::Item` for `Self::Item`, if the `impl` has that type.
    fn associated(&self, path: &Path) -> Option<TypePath> {
        let (of, ty) = (
            self.impl_target.trait_path.as_ref()?,
            &self.impl_target.self_ty,
        );
        let mut segments = path.segments.iter();
        segments.next().filter(|first| first.ident == "Self")?;
        let second = segments.clone().next()?;
        let mut given = self.impl_target.assoc_types.iter();
        given.find(|(name, _)| *name == second.ident)?;
        Some(parse_quote!(<#ty as #of>::#(#segments)::*))
    }

    /// Replaces words in the tokens of a macro.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut out = TokenStream::new();
        // An item within has a `self` and a `Self` of its own.
        let mut is_item = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) if is_item && group.delimiter() == Delimiter::Brace => {
                    is_item = false;
                    group.to_tokens(&mut out);
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    inner.to_tokens(&mut out);
                }
                TokenTree::Ident(word) => {
                    is_item |= word == "impl" || word == "trait";
                    self.word(word, tokens.peek()).to_tokens(&mut out);
                }
                other => {
                    is_item &= !is_mark(&other, ';');
                    other.to_tokens(&mut out);
                }
            }
        }
        out
    }

    /// Replaces a word, with the token after it.
    fn word(&self, word: Ident, next: Option<&TokenTree>) -> TokenStream {
        if word == "Self" {
            return self.path.to_token_stream();
        }
        let is_path = next.is_some_and(|next| is_mark(next, ':'));
        if self.has_receiver && word == "self" && !is_path {
            names::receiver(word.span()).to_token_stream()
        } else {
            word.into_token_stream()
        }
    }
}

impl VisitMut for Lift<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(TypePath {
            qself: None, path, ..
        }) = ty
        {
            if path.is_ident("Self") {
                *ty = self.impl_target.self_ty.clone();
                return;
            }
            if let Some(mut found) = self.associated(path) {
                visit_mut::visit_type_path_mut(self, &mut found);
                *ty = Type::Path(found);
                return;
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(node) = expr
            && node.qself.is_none()
            && let Some(TypePath { qself, path, .. }) = self.associated(&node.path)
        {
            (node.qself, node.path) = (qself, path);
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        let Some(first) = path.segments.first() else {
            return;
        };
        if first.ident == "Self" && path.leading_colon.is_none() {
            let mut whole = self.path.clone();
            if let Some(last) = whole.segments.last_mut() {
                last.ident.set_span(first.ident.span());
            }
            whole.segments.extend(path.segments.iter().skip(1).cloned());
            *path = whole;
        } else if self.has_receiver && path.is_ident("self") {
            let name = &mut path.segments[0].ident;
            *name = names::receiver(name.span());
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if prints_source(mac) {
            return;
        }
        let before = mac.tokens.clone();
        mac.tokens = self.tokens(mac.tokens.clone());
        if self.captures {
            name_captured_self(mac);
        }
        keep_message(mac, before);
    }

    // An item within has a `self` and a `Self` of its own, or none.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
