//! Tokens as text, the way that people write them.

use quote::ToTokens;

/// The tokens of anything as text without the spaces that tokens get between them.
pub(crate) fn source_text(tokens: &impl ToTokens) -> String {
    tidy(&tokens.to_token_stream().to_string())
}

/// Token text without the spaces around punctuation.
fn tidy(text: &str) -> String {
    // Paths that the macro writes and nobody else.
    const MADE: &[&str] = &[
        ":: core :: iter :: ",
        ":: core :: ops :: ",
        ":: core :: primitive :: ",
    ];
    const PAIRS: &[(&str, &str)] = &[
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        (" ,", ","),
        ("& ", "&"),
        (" ;", ";"),
        (" .. ", ".."),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        (" [", "["),
        ("' ", "'"),
        (" . ", "."),
        (" ?", "?"),
        ("[ ", "["),
        (" ]", "]"),
    ];
    let mut text = text.replace('\n', " ");
    for made in MADE {
        text = text.replace(made, "");
    }
    for (from, to) in PAIRS {
        text = text.replace(from, to);
    }
    text
}
