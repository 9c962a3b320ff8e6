//! Each node of the syntax tree and each place for an attribute that stable Rust has in a function.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Pat, Stmt};

use super::super::family;

/// In so many families everything occurs.
const FAMILIES: u64 = 250;

/// Syntax that does not occur, with the reason.
const EXCLUDED: &[(&str, &str)] = &[
    (
        "Expr::Group",
        "has invisible delimiters: only a macro's fragment makes one, see `Home::Macro`",
    ),
    ("Expr::TryBlock", "`try` blocks are unstable"),
    ("Expr::Verbatim", "what syn does not know: unstable syntax"),
    ("Expr::Yield", "generators are unstable"),
    ("Item::TraitAlias", "trait aliases are unstable"),
    ("Item::Verbatim", "what syn does not know: unstable syntax"),
    ("Pat::Const", "constant blocks in patterns are unstable"),
    ("Pat::Verbatim", "what syn does not know: unstable syntax"),
];

macro_rules! nodes {
    ($($Enum:ident: $($Variant:ident)*;)*) => {
        /// The name of each variant.
        const NODES: &[&str] = &[$($(concat!(stringify!($Enum), "::", stringify!($Variant)),)*)*];

        $(impl Name for $Enum {
            fn name(&self) -> &'static str {
                match self {
                    $($Enum::$Variant(..) => concat!(stringify!($Enum), "::", stringify!($Variant)),)*
                    // If this fails, add the new variant of syn.
                    #[allow(unreachable_patterns, reason = "not every enum may grow")]
                    _ => panic!("a variant that the list lacks: {self:?}"),
                }
            }
        })*
    };
}

trait Name {
    fn name(&self) -> &'static str;
}

nodes! {
    Expr: Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference
        Repeat Return Struct Try TryBlock Tuple Unary Unsafe Verbatim While Yield;
    Stmt: Local Item Expr Macro;
    Pat: Const Guard Ident Lit Macro Or Paren Path Range Reference Rest Slice Struct Tuple
        TupleStruct Type Verbatim Wild;
    Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type
        Union Use Verbatim;
}

/// The places for an attribute in the body and in the head.
const PLACES: &[&str] = &[
    "argument of a call",
    "argument of a method",
    "arm",
    "block within",
    "element of an array",
    "element of a tuple",
    "expression as a statement",
    "field of a pattern",
    "field of a struct",
    "field of a value",
    "foreign item",
    "function",
    "function within",
    "item",
    "item of an impl",
    "item of a trait",
    "let",
    "macro as a statement",
    "match within",
    "parameter of a closure",
    "parameter of a function",
    "parameter: constant",
    "parameter: lifetime",
    "parameter: type",
    "value of a block",
    "variant",
];

#[derive(Default)]
struct Seen {
    nodes: BTreeSet<&'static str>,
    places: BTreeSet<&'static str>,
}

impl Seen {
    fn place(&mut self, place: &'static str, attrs: &[Attribute]) {
        if attrs
            .iter()
            .any(|attr| matches!(attr.style, syn::AttrStyle::Outer))
        {
            self.places.insert(place);
        }
    }

    fn within(&mut self, place: &'static str, attrs: &[Attribute]) {
        if attrs
            .iter()
            .any(|attr| matches!(attr.style, syn::AttrStyle::Inner(_)))
        {
            self.places.insert(place);
        }
    }

    fn listed<'e>(&mut self, place: &'static str, list: impl IntoIterator<Item = &'e Expr>) {
        for expr in list {
            self.place(place, attrs(expr));
        }
    }
}

/// The attributes of an expression, whatever it is.
fn attrs(expr: &Expr) -> &[Attribute] {
    macro_rules! of {
        ($($Variant:ident)*) => {
            match expr {
                $(Expr::$Variant(node) => &node.attrs,)*
                _ => &[],
            }
        };
    }
    of! {
        Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference
        Repeat Return Struct Try TryBlock Tuple Unary Unsafe While Yield
    }
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.nodes.insert(expr.name());
        match expr {
            Expr::Call(node) => self.listed("argument of a call", &node.args),
            Expr::MethodCall(node) => self.listed("argument of a method", &node.args),
            Expr::Array(node) => self.listed("element of an array", &node.elems),
            Expr::Tuple(node) => self.listed("element of a tuple", &node.elems),
            Expr::Block(node) => self.within("block within", &node.attrs),
            Expr::Match(node) => self.within("match within", &node.attrs),
            Expr::Closure(node) => {
                for input in &node.inputs {
                    let text = quote::quote!(#input).to_string();
                    if text.starts_with('#') {
                        self.places.insert("parameter of a closure");
                    }
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        if let Some(Stmt::Expr(last, None)) = block.stmts.last() {
            self.listed("value of a block", [last]);
        }
        visit::visit_block(self, block);
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        self.nodes.insert(stmt.name());
        match stmt {
            Stmt::Local(local) => self.place("let", &local.attrs),
            Stmt::Macro(mac) => self.place("macro as a statement", &mac.attrs),
            Stmt::Expr(expr, Some(_)) => self.listed("expression as a statement", [expr]),
            Stmt::Expr(..) | Stmt::Item(_) => {}
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        self.nodes.insert(pat.name());
        visit::visit_pat(self, pat);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        self.nodes.insert(item.name());
        if quote::quote!(#item).to_string().starts_with('#') {
            self.places.insert("item");
        }
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.place("function", &item.attrs);
        self.within("function within", &item.attrs);
        visit::visit_item_fn(self, item);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.place("arm", &arm.attrs);
        visit::visit_arm(self, arm);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        self.place("field of a pattern", &field.attrs);
        visit::visit_field_pat(self, field);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.place("field of a struct", &field.attrs);
        visit::visit_field(self, field);
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        self.place("field of a value", &field.attrs);
        visit::visit_field_value(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.place("variant", &variant.attrs);
        visit::visit_variant(self, variant);
    }

    fn visit_foreign_item(&mut self, item: &'ast syn::ForeignItem) {
        if quote::quote!(#item).to_string().starts_with('#') {
            self.places.insert("foreign item");
        }
        visit::visit_foreign_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        if quote::quote!(#item).to_string().starts_with('#') {
            self.places.insert("item of an impl");
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        if quote::quote!(#item).to_string().starts_with('#') {
            self.places.insert("item of a trait");
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_fn_arg(&mut self, arg: &'ast syn::FnArg) {
        if quote::quote!(#arg).to_string().starts_with('#') {
            self.places.insert("parameter of a function");
        }
        visit::visit_fn_arg(self, arg);
    }

    fn visit_lifetime_param(&mut self, param: &'ast syn::LifetimeParam) {
        self.place("parameter: lifetime", &param.attrs);
    }

    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.place("parameter: type", &param.attrs);
        visit::visit_type_param(self, param);
    }

    fn visit_const_param(&mut self, param: &'ast syn::ConstParam) {
        self.place("parameter: constant", &param.attrs);
    }
}

#[test]
fn every_node_and_every_place_of_an_attribute_occurs() {
    let mut seen = Seen::default();
    for function in (0..FAMILIES).flat_map(|index| family(1, index)) {
        let items = function.items(true, "");
        let file: syn::File = syn::parse_str(&items).expect("it parses");
        seen.visit_file(&file);
    }
    let excluded: BTreeSet<&str> = EXCLUDED.iter().map(|(name, _)| *name).collect();
    let missing = |name: &&str| !seen.nodes.contains(name) && !excluded.contains(name);
    let nodes: Vec<&str> = NODES.iter().copied().filter(missing).collect();
    let missing = |place: &&str| !seen.places.contains(place);
    let places: Vec<&str> = PLACES.iter().copied().filter(missing).collect();
    assert!(
        nodes.is_empty() && places.is_empty(),
        "{nodes:?} {places:?}"
    );
    let needless: Vec<_> = excluded.intersection(&seen.nodes).collect();
    assert!(needless.is_empty(), "it occurs: {needless:?}");
}
