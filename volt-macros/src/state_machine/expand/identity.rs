//! The proof that macros which take locals are those of the standard library, and variants and
//! `poll_fn` too.
//!
//! What `vec!` or `format!` does with a local is told by its name, which a macro of the user's may
//! have too. So where the machine relies on it, the twin asks what the name means, in a block that
//! imports the standard library's macros by `*`: a macro of any other kind makes the name ambiguous,
//! and the same one does not.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, ExprPath, Item, Macro, PatIdent, PatTupleStruct, Path, Stmt, parse2};

/// Asks what the names mean, before each statement of the twin that has one of them.
pub(super) fn ask(block: &mut Block, relied: &[Ident], volt: &Path) {
    if !relied.is_empty() {
        Ask { relied, volt }.visit_block_mut(block);
    }
}

struct Ask<'a> {
    relied: &'a [Ident],
    volt: &'a Path,
}

impl VisitMut for Ask<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let stmts = std::mem::take(&mut block.stmts);
        for stmt in stmts {
            let mut found = Found {
                relied: self.relied,
                names: Vec::new(),
            };
            found.visit_stmt(&stmt);
            let asked = found.names.iter();
            let asked = asked.filter_map(|name| parse2(question(name, self.volt)).ok());
            block.stmts.extend(asked.map(Stmt::Item));
            block.stmts.push(stmt);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Looks for the names in a statement; those in a block are found there.
struct Found<'a> {
    relied: &'a [Ident],
    names: Vec<Ident>,
}

impl Found<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => {
                    let next = tokens.peek();
                    if matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == '!') {
                        self.note(&name);
                    }
                }
                _ => {}
            }
        }
    }

    fn note(&mut self, name: &Ident) {
        if self.relied.contains(name) && !self.names.contains(name) {
            self.names.push(name.clone());
        }
    }
}

impl<'ast> Visit<'ast> for Found<'_> {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.tokens(mac.to_token_stream());
    }

    fn visit_expr_path(&mut self, node: &'ast ExprPath) {
        if let Some(name) = node.path.get_ident().filter(|name| *name == POLL_FN) {
            self.note(name);
        }
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.note(&pat.ident);
        visit::visit_pat_ident(self, pat);
    }

    fn visit_pat_tuple_struct(&mut self, pat: &'ast PatTupleStruct) {
        pat.path
            .get_ident()
            .into_iter()
            .for_each(|name| self.note(name));
        visit::visit_pat_tuple_struct(self, pat);
    }

    fn visit_block(&mut self, _: &'ast Block) {}

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        visit::visit_stmt(self, stmt);
    }
}

/// The function whose closure is called by the machine itself.
const POLL_FN: &str = "poll_fn";

fn question(name: &Ident, volt: &Path) -> TokenStream {
    let span = Span::call_site().located_at(name.span());
    if name == POLL_FN {
        return quote_spanned!(span=> const _: () = #volt::__private::poll_fn_of_std(#name););
    }
    variant(name, span).unwrap_or_else(|| {
        let known = match name == "lazy_static" {
            true => quote_spanned!(span=> ::lazy_static),
            false => quote_spanned!(span=> #volt::__private::known),
        };
        let named = named(name, span);
        quote_spanned! {span=>
            const _: () = {
                #[allow(unused_imports, reason = "asks what the next name means")]
                use #known::*;
                #named
            };
        }
    })
}

/// What is an error if the name is that of two macros. An import would find attributes as well.
fn named(name: &Ident, span: Span) -> TokenStream {
    match &*name.to_string() {
        "thread_local" => quote_spanned!(span=> #name! {}),
        "cfg" => quote_spanned!(span=> let _ = #name!(all());),
        _ => quote_spanned! {span=>
            #[allow(unused_imports, reason = "an error if it is another macro")]
            use #name as _;
        },
    }
}

/// The question for a variant: it makes a value of its type.
fn variant(name: &Ident, span: Span) -> Option<TokenStream> {
    let (option, result) = (
        quote_spanned!(span=> ::core::option::Option<()>),
        quote_spanned!(span=> ::core::result::Result<(), ()>),
    );
    let ty = match &*name.to_string() {
        "Some" => quote_spanned!(span=> fn(()) -> #option),
        "None" => option,
        "Ok" | "Err" => quote_spanned!(span=> fn(()) -> #result),
        _ => return None,
    };
    Some(quote_spanned!(span=> const _: #ty = #name;))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{format_ident, quote};
    use syn::parse_quote;

    #[test]
    fn question_stands_before_the_statement() {
        let mut block: Block = parse_quote!({
            macro_rules! vec {
                () => {};
            }
            if a {
                f(vec![d]);
            }
            println!("{}", vec![d]);
            format!("{a}");
        });
        ask(&mut block, &[format_ident!("vec")], &parse_quote!(volt));
        let inner = |index: usize| {
            let stmt = &block.stmts[index];
            quote!(#stmt).to_string()
        };
        assert_eq!(block.stmts.len(), 5);
        assert!(inner(1).starts_with("if a { const _"));
        assert!(inner(2).contains("use vec as _"));
        assert!(inner(3).starts_with("println"));
    }
}
