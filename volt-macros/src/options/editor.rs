//! Detects an editor that expands the attribute.

use std::path::PathBuf;
use std::sync::OnceLock;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Expr, Stmt};

/// The name that rust-analyzer passes for what is missing, and instead of a body that does not
/// parse. It puts the body in the place of each token of the expansion that has the name's place.
pub(crate) const REPAIRED: &str = "__ra_fixup";

/// Returns `true` if the process is the server by which rust-analyzer expands macros. It needs the
/// types of a machine and no code that runs, so the body stays in the function.
pub(crate) fn is_editor() -> bool {
    static IS_EDITOR: OnceLock<bool> = OnceLock::new();
    *IS_EDITOR.get_or_init(|| std::env::current_exe().is_ok_and(is_analyzer))
}

fn is_analyzer(program: PathBuf) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("rust-analyzer"))
}

/// Returns a body with its braces, or the name in its place, which needs none. Completion looks for
/// a place where the expansion of a body that parses has it, so the offset has to be the same.
pub(crate) fn body_in_editor(body: &Block) -> TokenStream {
    if let [Stmt::Expr(Expr::Verbatim(tokens), None)] = &body.stmts[..] {
        let mut words = tokens.clone().into_iter();
        let is_name = matches!(words.next(), Some(TokenTree::Ident(name)) if name == REPAIRED);
        if is_name && words.next().is_none() {
            return tokens.clone();
        }
    }
    body.to_token_stream()
}
