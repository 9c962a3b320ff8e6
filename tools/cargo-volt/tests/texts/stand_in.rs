//! A stand-in for volt: an attribute that changes nothing, and reports for each function the layout
//! that its name selects.
//!
//! `refused_..` is an error, `native_..` one that suggests the option, `unplaced_..` an error
//! without a place in the function, `inner_..` an error that follows from the attribute and not
//! from the macro.

use std::fs::OpenOptions;
use std::io::Write;

use proc_macro::{Group, Ident, TokenStream, TokenTree};

#[proc_macro_attribute]
pub fn state_machine(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = options.to_string();
    let mut errors = TokenStream::new();
    for (name, own) in functions(item.clone(), "") {
        let said = format!("{options} {own}");
        if !said.contains("skip") {
            errors.extend(judge(&name, &said));
        }
    }
    errors.extend(without_ours(item));
    errors
}

/// The names after `async fn`, each with the options of an attribute of ours in front of it.
fn functions(item: TokenStream, own: &str) -> Vec<(Ident, String)> {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let (mut found, mut own) = (Vec::new(), own.to_owned());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if is_ours(group) => own = group.to_string(),
            TokenTree::Group(group) if is_block_of_impl(&tokens, at) => {
                found.extend(functions(group.stream(), ""));
            }
            TokenTree::Ident(word) if word.to_string() == "async" => {
                if let Some(TokenTree::Ident(name)) = tokens.get(at + 2) {
                    found.push((name.clone(), std::mem::take(&mut own)));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_ours(group: &Group) -> bool {
    let text = group.to_string().replace(' ', "");
    text.starts_with("[::volt::state_machine")
}

fn is_block_of_impl(tokens: &[TokenTree], at: usize) -> bool {
    let is_last = at + 1 == tokens.len();
    is_last && tokens.iter().any(|token| token.to_string() == "impl")
}

/// The item without attributes of ours within.
fn without_ours(item: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in item {
        match token {
            TokenTree::Group(group) if is_ours(&group) => {
                kept.pop();
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_ours(group.stream()));
                inner.set_span(group.span());
                kept.push(inner.into());
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

fn judge(name: &Ident, options: &str) -> TokenStream {
    let text = name.to_string();
    let native = options.contains("native");
    let (layout, error) = match text.split('_').next().unwrap_or_default() {
        "refused" => ("refused", Some("this cannot be `A`")),
        "native" if !native => ("refused", Some("add the word `native`")),
        "native" => ("native", None),
        "boxed" => ("boxed", None),
        _ => ("explicit", None),
    };
    report(name, layout);
    match error {
        Some(error) => at(name, &format!("compile_error!({error:?});")),
        None if text.starts_with("inner_") => at(name, "const _: u8 = 'x';"),
        None if text.starts_with("unplaced_") => "const _: u8 = 'x';".parse().expect("it is Rust"),
        None => TokenStream::new(),
    }
}

fn at(name: &Ident, code: &str) -> TokenStream {
    let tokens: TokenStream = code.parse().expect("it is Rust");
    let spanned = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(|mut token| {
                token.set_span(name.span());
                token
            });
            let mut group = Group::new(group.delimiter(), inner.collect());
            group.set_span(name.span());
            group.into()
        }
        mut other => {
            other.set_span(name.span());
            other
        }
    });
    spanned.collect()
}

fn report(name: &Ident, layout: &str) {
    let Some(path) = std::env::var_os("VOLT_STATE_MACHINE_REPORT") else {
        return;
    };
    let (file, line) = (name.span().file(), name.span().line());
    let reason = if layout == "explicit" { "" } else { "because of `A`" };
    let line = format!("{file}\t{line}\t{name}\t{layout}\t{reason}\t{line}\n");
    let mut report = OpenOptions::new().append(true).open(path).expect("the report opens");
    report.write_all(line.as_bytes()).expect("the report is written");
}
