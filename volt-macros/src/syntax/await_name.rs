//! What an await waits for, for people.

use syn::{Expr, Macro, Member};

use crate::names::last_of;

/// The last name of what is called; what a box is made of, if that is called first.
pub(crate) fn title(awaited: &Expr) -> String {
    match awaited {
        Expr::Call(node) => {
            let name = title(&node.func);
            let inner = node.args.first().filter(|_| name == "pin");
            inner.map_or(name, title)
        }
        Expr::MethodCall(node) => node.method.to_string(),
        Expr::Path(node) => last_of(&node.path)
            .map(ToString::to_string)
            .unwrap_or_default(),
        Expr::Field(node) => match &node.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(_) => title(&node.base),
        },
        Expr::Macro(node) => title_of_macro(&node.mac),
        Expr::Paren(node) => title(&node.expr),
        Expr::Group(node) => title(&node.expr),
        Expr::Reference(node) => title(&node.expr),
        Expr::Try(node) => title(&node.expr),
        Expr::Async(_) => "async block".to_owned(),
        _ => "future".to_owned(),
    }
}

/// The name of a macro.
pub(crate) fn title_of_macro(mac: &Macro) -> String {
    let last = last_of(&mac.path);
    last.map(|last| format!("{last}!")).unwrap_or_default()
}
