//! The sources of the macro's locals, for fallback reasons.
//!
//! A receiver, an iterator and the output of an await have a local of the macro, whose name is not
//! in the source. A fallback reason shows the expression of the value instead:
//!
//! ```text
//! pool.connect().and_then(check).await        `receiver_4` is shown as `pool.connect()`
//! ```

use quote::quote;
use syn::Expr;

use super::borrow_sources::BorrowSources;
use crate::fallback::Fallbacks;
use crate::hir::{LocalId, LocalKind};
use crate::syntax::source_text;

/// The replacement of a value whose source is not shown.
const NOT_SHOWN: &str = "..";

impl BorrowSources<'_> {
    /// Replaces the names of the macro's locals in the sources of fallback reasons.
    pub(in crate::liveness) fn show_sources(&self, fallbacks: &mut Fallbacks) {
        fallbacks.change_places(|place| self.shown(place));
    }

    fn shown(&self, place: &str) -> String {
        let mut shown = place.to_owned();
        // The value of a local names only earlier ones.
        for (id, data) in self.body.locals.iter().enumerate().rev() {
            if shown.contains(&data.name) && has_macro_name(data.kind) {
                shown = with_source(&shown, &data.name, &self.source_of(LocalId(id), data.kind));
            }
        }
        if shown == NOT_SHOWN {
            shown.clear();
        }
        shown
    }

    /// The expression of the value of a local of the macro.
    fn source_of(&self, local: LocalId, kind: LocalKind) -> String {
        if let LocalKind::Output(id) = kind {
            let operand = self.body.operand(id);
            return source_text(&quote!(#operand.await));
        }
        let mut values = self.values.get(&local).into_iter().flatten();
        match values.next().map(|id| &self.body.exprs[id.0]) {
            Some(value) if kind == LocalKind::Receiver => source_text(value),
            // The value is a call of `into_iter`.
            Some(Expr::Call(call)) if kind == LocalKind::Iterator && call.args.len() == 1 => {
                source_text(&call.args[0])
            }
            _ => NOT_SHOWN.to_owned(),
        }
    }
}

/// Returns `true` for a local whose name is not in the source.
fn has_macro_name(kind: LocalKind) -> bool {
    use LocalKind::{Iterator, Output, Receiver, Temp};
    matches!(kind, Iterator | Output(_) | Receiver | Temp)
}

/// The text with the source instead of each occurrence of a name. A name in tail position has a
/// block of the macro around it.
fn with_source(text: &str, name: &str, source: &str) -> String {
    let text = text.replace(&format!("({{ {name} }})"), name);
    let text = text.replace(&format!("{{ {name} }}"), name);
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut written = String::new();
    let mut rest = &text[..];
    while let Some(at) = rest.find(name) {
        let (before, found) = rest.split_at(at);
        let after = &found[name.len()..];
        let is_whole = !before.ends_with(is_of_name) && !after.starts_with(is_of_name);
        written.push_str(before);
        written.push_str(if is_whole { source } else { name });
        rest = after;
    }
    written + rest
}
