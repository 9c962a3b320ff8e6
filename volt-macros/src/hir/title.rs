//! What an await waits for, for people.

use quote::ToTokens;
use syn::{Expr, Path};

use crate::names::last_of;

/// The name of what is called, or the text of the expression.
pub(crate) fn title(operand: &Expr) -> String {
    match operand {
        Expr::Call(node) => title(&node.func),
        Expr::MethodCall(node) => node.method.to_string(),
        Expr::Macro(node) => last_name(&node.mac.path),
        Expr::Paren(node) => title(&node.expr),
        Expr::Field(node) => node.member.to_token_stream().to_string(),
        Expr::Reference(node) => title(&node.expr),
        Expr::Path(node) => last_name(&node.path),
        _ => "future".to_owned(),
    }
}

fn last_name(path: &Path) -> String {
    last_of(path).map(ToString::to_string).unwrap_or_default()
}
