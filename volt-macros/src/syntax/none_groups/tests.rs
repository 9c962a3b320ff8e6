//! Fragments, and their delimiters in the output.

use super::*;

/// The output for a source in which `frag { .. }` is a fragment.
fn preserved(source: &str) -> String {
    let tokens: TokenStream = source.parse().expect("tokens");
    preserve_groups(invisible(tokens))
        .to_string()
        .replace(' ', "")
}

/// Replaces each `frag { .. }` by an invisible group.
fn invisible(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_fragment = matches!(&token, TokenTree::Ident(word) if word == "frag");
        let token = match (token, is_fragment) {
            (_, true) => match tokens.next() {
                Some(TokenTree::Group(group)) => {
                    TokenTree::Group(Group::new(Delimiter::None, invisible(group.stream())))
                }
                _ => panic!("a group"),
            },
            (TokenTree::Group(group), _) => {
                TokenTree::Group(Group::new(group.delimiter(), invisible(group.stream())))
            }
            (token, _) => token,
        };
        out.extend([token]);
    }
    out
}

#[test]
fn operators_of_a_fragment_stay_together() {
    assert_eq!(preserved("100 - frag { 10 + 20 }"), "100-(10+20)");
    assert_eq!(preserved("frag { a + b } * 2"), "(a+b)*2");
    assert_eq!(preserved("frag { -1 }.abs()"), "(-1).abs()");
    assert_eq!(preserved("!frag { a == b } && c"), "!(a==b)&&c");
    assert_eq!(preserved("frag { |x| x + 1 }(2)"), "(|x|x+1)(2)");
    assert_eq!(preserved("frag { self.act }(2)"), "(self.act)(2)");
    assert_eq!(
        preserved("if frag { Point { x: 1 } } == p {}"),
        "if(Point{x:1})==p{}"
    );
    assert_eq!(preserved("x as frag { usize } < 4"), "xas(usize)<4");
    assert_eq!(preserved("2 * frag { frag { a + b } + c }"), "2*((a+b)+c)");
}

#[test]
fn separated_fragment_gets_no_delimiters() {
    assert_eq!(preserved("f(frag { a + b }, frag { c - d })"), "f(a+b,c-d)");
    assert_eq!(preserved("-frag { a.b(c) }"), "-a.b(c)");
    assert_eq!(preserved("frag { x }.f()"), "x.f()");
    assert_eq!(preserved("frag { fetch(1) }.await"), "fetch(1).await");
    assert_eq!(preserved("a - frag { -1 }"), "a--1");
    assert_eq!(preserved("let x = frag { 5 };"), "letx=5;");
}

#[test]
fn types_and_patterns_keep_their_meaning() {
    assert_eq!(preserved("frag { Vec<u8> }::new()"), "<Vec<u8>>::new()");
    assert_eq!(
        preserved("frag { [u8; 4] }::default()"),
        "<[u8;4]>::default()"
    );
    assert_eq!(preserved("frag { a::b }::new()"), "a::b::new()");
    assert_eq!(preserved("let x: frag { Vec<u8> } = y;"), "letx:Vec<u8>=y;");
    assert_eq!(preserved("&frag { dyn A + B }"), "&(dynA+B)");
    assert_eq!(
        preserved("match x { &frag { A | B } => 1 }"),
        "matchx{&(A|B)=>1}"
    );
    assert_eq!(preserved("let frag { mut x } = 1;"), "letmutx=1;");
    assert_eq!(
        preserved("let frag { Some(x) } = y else { z };"),
        "letSome(x)=yelse{z};"
    );
    assert_eq!(preserved("let [a, frag { .. }] = y;"), "let[a,..]=y;");
}

#[test]
fn statements_items_and_attributes_are_unchanged() {
    assert_eq!(
        preserved("frag { let x = a }; frag { let y = b } frag { pub } fn f() {}"),
        "letx=a;lety=b;pubfnf(){}"
    );
    assert_eq!(preserved("{ a } frag { let x = b }; c"), "{a}letx=b;c");
    assert_eq!(
        preserved("frag { pub(crate) } async fn f() {}"),
        "pub(crate)asyncfnf(){}"
    );
    assert_eq!(preserved("frag { } async fn f() {}"), "asyncfnf(){}");
    assert_eq!(
        preserved("frag { fn g() {} } frag { if a { b } } frag { struct X; }"),
        "fng(){}if a{b}structX;".replace("if a", "ifa")
    );
    assert_eq!(
        preserved("#[doc = frag { concat!(\"a\", \"b\") }] #![frag { deny(warnings) }]"),
        "#[doc=concat!(\"a\",\"b\")]#![deny(warnings)]"
    );
    assert_eq!(preserved("async fn f() frag { { a } }"), "asyncfnf(){a}");
}

#[test]
fn tokens_without_fragments_are_unchanged() {
    let source = "a-(b+c)*d::<e>()";
    assert_eq!(preserved(source), source);
}
