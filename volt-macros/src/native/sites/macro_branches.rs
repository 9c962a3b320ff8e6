//! The futures in the arguments of a macro such as `tokio::select!`: each becomes a branch, which
//! the tree of the machine shows.
//!
//! ```text
//! () = read(peer) => {}
//! () = MacroBranch::<_, 0, 1> { link: branches.link(), future: into_future(read(peer)) } => {}
//! ```
//!
//! The macro evaluates the expressions in the same places as before. An expression that may extend
//! the life of its temporaries to that of a local stays as it is.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Macro, Pat, Path, Stmt, Token, parse_quote_spanned, token};

use super::super::native_machine::arguments_ptr;
use super::super::walks::with_branches;
use super::await_marker::{AwaitMarker, HiddenAwaits, marked_ptr};
use super::pinned_locals::AwaitLocals;
use crate::names::{BranchMacro, local};

/// A part of the arguments of a macro.
enum MacroArgument {
    Future(Expr),
    Other(TokenStream),
}

impl AwaitMarker {
    /// Returns the statements that record the position, for awaits in a macro of the next one.
    pub(super) fn note_statement(
        &mut self,
        hidden: &HiddenAwaits,
        locals: &AwaitLocals,
    ) -> Vec<Stmt> {
        let index = Literal::usize_unsuffixed(self.add_site(&hidden.name, hidden.span));
        let (table, arguments_ptr) = (&self.table, marked_ptr(locals));
        let span = Span::mixed_site().located_at(hidden.span);
        if hidden.branches == 0 {
            let enter = parse_quote_spanned!(span=> #arguments_ptr.enter_site::<#table, #index>(););
            return vec![enter];
        }
        let count = Literal::usize_unsuffixed(hidden.branches);
        let enter = parse_quote_spanned! {span=>
            #arguments_ptr.enter_branches::<#table, #index, #count>();
        };
        vec![declare_branches(hidden.branches, span), enter]
    }

    /// Changes the arguments of a macro with branches, and returns their number. Arguments of
    /// another grammar are not changed, and the user's macro reports them.
    pub(super) fn mark_branches(&self, mac: &mut Macro) -> usize {
        let parse = match with_branches(mac) {
            Some(BranchMacro::Join) => futures,
            Some(BranchMacro::Select) => arms,
            None => return 0,
        };
        let Ok(arguments) = parse.parse2(mac.tokens.clone()) else {
            return 0;
        };
        let is_branch = |argument: &&MacroArgument| matches!(argument, MacroArgument::Future(_));
        let count = arguments.iter().filter(is_branch).count();
        let mut indices = 0..count;
        let tokens = arguments.into_iter().map(|argument| match argument {
            MacroArgument::Other(tokens) => tokens,
            MacroArgument::Future(future) => {
                let index = indices.next().unwrap_or_default();
                self.branch(future, index, count)
            }
        });
        mac.tokens = tokens.collect();
        if mac.path.segments.len() > 1 {
            // A module of the user may have the name of the crate.
            mac.path.leading_colon.get_or_insert_default();
        }
        count
    }

    /// Returns a future as a branch.
    fn branch(&self, future: Expr, index: usize, count: usize) -> TokenStream {
        let (private, branches) = (&self.private, branches());
        let [index, count] = [index, count].map(Literal::usize_unsuffixed);
        let span = Span::mixed_site().located_at(future.span());
        quote_spanned! {span=>
            #private::MacroBranch::<_, #index, #count> {
                link: #branches.link(),
                future: #private::into_future(#future),
            }
        }
    }
}

/// Returns the statement that declares the branches of the next statement.
fn declare_branches(count: usize, span: Span) -> Stmt {
    let (branches, ptr) = (branches(), arguments_ptr());
    let count = Literal::usize_unsuffixed(count);
    parse_quote_spanned!(span=> let #branches = #ptr.branches::<#count>();)
}

/// The local with the branches.
fn branches() -> Ident {
    local("branches")
}

/// Parses `biased; future, future`.
fn futures(input: ParseStream<'_>) -> syn::Result<Vec<MacroArgument>> {
    let mut arguments = vec![MacroArgument::Other(biased(input)?)];
    while !input.is_empty() {
        arguments.push(future(input)?);
        arguments.push(MacroArgument::Other(comma(input)?));
    }
    Ok(arguments)
}

/// Parses `biased; pattern = future, if condition => handler, else => handler`.
fn arms(input: ParseStream<'_>) -> syn::Result<Vec<MacroArgument>> {
    let mut arguments = vec![MacroArgument::Other(biased(input)?)];
    while !input.is_empty() {
        if input.peek(Token![else]) {
            arguments.push(MacroArgument::Other(input.parse()?));
            break;
        }
        let mut tokens = Pat::parse_multi_with_leading_vert(input)?.into_token_stream();
        tokens.extend(input.parse::<Token![=]>()?.into_token_stream());
        arguments.push(MacroArgument::Other(tokens));
        arguments.push(future(input)?);
        arguments.push(MacroArgument::Other(handler(input)?));
    }
    Ok(arguments)
}

/// Parses a future.
fn future(input: ParseStream<'_>) -> syn::Result<MacroArgument> {
    let future = input.parse()?;
    Ok(if is_branch(&future) {
        MacroArgument::Future(future)
    } else {
        MacroArgument::Other(future.into_token_stream())
    })
}

/// Returns `false` for an expression that extends the life of its temporaries, such as a reference,
/// which polls the future of a local.
fn is_branch(future: &Expr) -> bool {
    let is_constructor = |path: &Path| {
        let name = path.segments.last().map(|part| part.ident.to_string());
        name.is_some_and(|name| name.starts_with(char::is_uppercase))
    };
    match future {
        Expr::Call(call) => !matches!(&*call.func, Expr::Path(node) if is_constructor(&node.path)),
        Expr::MethodCall(_) | Expr::Async(_) | Expr::Path(_) | Expr::Macro(_) => true,
        _ => false,
    }
}

/// Parses `, if condition => handler,`. The handler is a block, or an expression up to the comma.
fn handler(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.peek(Token![=>]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    tokens.extend(input.parse::<Token![=>]>()?.into_token_stream());
    if input.peek(token::Brace) {
        tokens.extend([input.parse::<TokenTree>()?]);
    } else {
        tokens.extend(input.parse::<Expr>()?.into_token_stream());
    }
    tokens.extend(comma(input)?);
    Ok(tokens)
}

fn comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    Ok(input.parse::<Option<Token![,]>>()?.into_token_stream())
}

/// Parses `biased;`, or nothing.
fn biased(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let ahead = input.fork();
    let is_biased = ahead.parse::<Ident>().is_ok_and(|word| word == "biased");
    if !is_biased || !ahead.peek(Token![;]) {
        return Ok(TokenStream::new());
    }
    let mut tokens = input.parse::<Ident>()?.into_token_stream();
    tokens.extend(input.parse::<Token![;]>()?.into_token_stream());
    Ok(tokens)
}
