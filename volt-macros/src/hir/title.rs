//! What an await waits for, for people.

use quote::ToTokens;
use syn::Expr;

/// The name of what is called, or the text of the expression.
pub(crate) fn title(operand: &Expr) -> String {
    match operand {
        Expr::Call(node) => match &*node.func {
            Expr::Path(path) => {
                let last = path.path.segments.last();
                last.map_or_else(String::new, |last| last.ident.to_string())
            }
            other => title(other),
        },
        Expr::MethodCall(node) => node.method.to_string(),
        Expr::Macro(node) => {
            let last = node.mac.path.segments.last();
            last.map_or_else(String::new, |last| last.ident.to_string())
        }
        Expr::Paren(node) => title(&node.expr),
        Expr::Field(node) => node.member.to_token_stream().to_string(),
        Expr::Reference(node) => title(&node.expr),
        Expr::Path(node) => {
            let last = node.path.segments.last();
            last.map_or_else(String::new, |last| last.ident.to_string())
        }
        _ => "future".to_owned(),
    }
}
