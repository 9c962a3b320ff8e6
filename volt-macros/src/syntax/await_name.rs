//! The name of an await in dumps and diagrams.

use syn::{Expr, Macro, Member};

use crate::names::last_of;

/// The last name of the called function. For `Box::pin(..)` it is the name of the argument.
pub(crate) fn await_name(awaited: &Expr) -> String {
    match awaited {
        Expr::Call(node) => {
            let name = await_name(&node.func);
            let inner = node.args.first().filter(|_| name == "pin");
            inner.map_or(name, await_name)
        }
        Expr::MethodCall(node) => node.method.to_string(),
        Expr::Path(node) => last_of(&node.path)
            .map(ToString::to_string)
            .unwrap_or_default(),
        Expr::Field(node) => match &node.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(_) => await_name(&node.base),
        },
        Expr::Macro(node) => macro_name(&node.mac),
        Expr::Paren(node) => await_name(&node.expr),
        Expr::Group(node) => await_name(&node.expr),
        Expr::Reference(node) => await_name(&node.expr),
        Expr::Try(node) => await_name(&node.expr),
        Expr::Async(_) => "async block".to_owned(),
        _ => "future".to_owned(),
    }
}

/// The name of a macro.
pub(crate) fn macro_name(mac: &Macro) -> String {
    let last = last_of(&mac.path);
    last.map(|last| format!("{last}!")).unwrap_or_default()
}
