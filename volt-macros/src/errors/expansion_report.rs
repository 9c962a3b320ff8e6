//! The report of expansions: one line for each function, with the code that the macro wrote.
//!
//! The environment variable `VOLT_STATE_MACHINE_EXPANSIONS` names the file. A line has the file,
//! the line of the function, its name, the code in place of the function, and the items next to it,
//! with tabs between them. The code is written as string literals, which have no line breaks. A
//! line that cannot be written is ignored, because the build does not depend on it.

use std::fs::OpenOptions;
use std::io::Write;

use proc_macro2::{Ident, TokenStream};

use crate::names;

/// Appends a line for the function, if the variable names a file.
pub(crate) fn report_expansion(name: &Ident, function: &TokenStream, items: &TokenStream) {
    let Some(path) = std::env::var_os("VOLT_STATE_MACHINE_EXPANSIONS") else {
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(line(name, function, items).as_bytes()));
}

/// The appended line.
fn line(name: &Ident, function: &TokenStream, items: &TokenStream) -> String {
    let (span, name) = (name.span(), names::own_name(name));
    let (file, line) = (span.file(), span.start().line);
    let [function, items] = [function, items].map(ToString::to_string);
    format!("{file}\t{line}\t{name}\t{function:?}\t{items:?}\n")
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;
    use quote::quote;

    use super::*;

    #[test]
    fn line_has_code_without_line_breaks() {
        let name = Ident::new("__read_machine", Span::call_site());
        let line = line(
            &name,
            &quote!(
                fn read() {}
            ),
            &quote!(
                const A: &str = "a\n\tb";
            ),
        );
        let (_, fields) = line.split_once('\t').expect("a file");
        let fields: Vec<_> = fields.trim_end_matches('\n').split('\t').collect();
        assert_eq!(fields[1], "read");
        let code = |field: &str| {
            syn::parse_str::<syn::LitStr>(field)
                .expect("a literal")
                .value()
        };
        assert_eq!(code(fields[2]), "fn read () { }");
        assert_eq!(code(fields[3]), r#"const A : & str = "a\n\tb" ;"#);
    }
}
