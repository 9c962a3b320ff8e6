//! Attributes taken off a text, with blanks in their place.

use std::ops::Range;

use syn::Attribute;
use syn::visit::{self, Visit};

use crate::scan::without_head;

/// The text without the attributes whose last name is one of `names`.
pub(crate) fn without(text: &str, names: &[String]) -> syn::Result<String> {
    let file: syn::File = syn::parse_str(&without_head(text))?;
    let mut named = Named {
        names,
        found: Vec::new(),
    };
    named.visit_file(&file);
    let in_one = |at: usize| named.found.iter().any(|range| range.contains(&at));
    let kept = text.char_indices().map(|(at, letter)| match letter {
        '\n' | '\r' => letter,
        _ if in_one(at) => ' ',
        _ => letter,
    });
    Ok(kept.collect())
}

struct Named<'a> {
    names: &'a [String],
    found: Vec<Range<usize>>,
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        let last = attr.path().segments.last();
        if last.is_some_and(|last| self.names.iter().any(|name| last.ident == name)) {
            let from = attr.pound_token.span.byte_range().start;
            let to = attr.bracket_token.span.close().byte_range().end;
            self.found.push(from..to);
        }
        visit::visit_attribute(self, attr);
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn attribute_is_blank_and_lines_stay() {
        let text = "#[tracing::instrument(\n  skip(a),\n)]\n#[inline] fn f() { #[instrument] fn g() {} }\n";
        let names = ["instrument".to_owned()];
        let new = without(text, &names).expect("it parses");
        let words: Vec<_> = new.split_whitespace().collect();
        assert_eq!(words.join(" "), "#[inline] fn f() { fn g() {} }");
        assert_eq!(new.matches('\n').count(), text.matches('\n').count());
        assert_eq!(new.find("#[inline]"), text.find("#[inline]"));
    }
}
