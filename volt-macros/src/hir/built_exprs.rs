//! Expressions that lowering adds, built as trees.
//!
//! To print an expression and to parse it again costs more than all other work on it.

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::token::{Brace, Paren};
use syn::{
    Block, Expr, ExprBlock, ExprBreak, ExprIf, ExprParen, ExprPath, ExprTuple, Lifetime, Stmt,
    Token, parse_quote,
};

use super::facts::diverges;

/// A name as an expression.
pub(crate) fn name(ident: Ident) -> Expr {
    Expr::Path(ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: ident.into(),
    })
}

/// `({ ident })`: the value is moved. The parentheses have the given span.
pub(crate) fn moved(ident: Ident, span: Span) -> Expr {
    Expr::Paren(ExprParen {
        attrs: Vec::new(),
        paren_token: Paren(span),
        expr: Box::new(block(braced(name(ident), Span::call_site()))),
    })
}

/// `()`
pub(crate) fn unit() -> Expr {
    Expr::Tuple(ExprTuple {
        attrs: Vec::new(),
        paren_token: Paren::default(),
        elems: Punctuated::new(),
    })
}

/// A block as an expression.
pub(crate) fn block(block: Block) -> Expr {
    Expr::Block(ExprBlock {
        attrs: Vec::new(),
        label: None,
        block,
    })
}

/// `{ expr }`, for an expression that is no statement of another kind.
pub(crate) fn braced(expr: Expr, span: Span) -> Block {
    Block {
        brace_token: Brace(span),
        stmts: vec![Stmt::Expr(expr, None)],
    }
}

/// `break 'label value`
pub(crate) fn break_with(label: Option<Lifetime>, value: Option<Expr>, span: Span) -> Expr {
    Expr::Break(ExprBreak {
        attrs: Vec::new(),
        break_token: Token![break](span),
        label,
        expr: value.map(Box::new),
    })
}

/// `drop(name)`
pub(crate) fn drop_of(ident: Ident) -> Expr {
    parse_quote!(::core::mem::drop(#ident))
}

/// Puts statements before an expression, which becomes a block if it is none.
pub(crate) fn put_before(first: &[Expr], expr: &mut Expr) {
    if first.is_empty() {
        return;
    }
    if !matches!(expr, Expr::Block(_)) {
        let value = std::mem::replace(expr, unit());
        *expr = block(braced(value, Span::call_site()));
    }
    if let Expr::Block(node) = expr {
        let first = first.iter().cloned();
        let first = first.map(|expr| Stmt::Expr(expr, Some(<Token![;]>::default())));
        node.block.stmts.splice(..0, first);
    }
}

/// Puts statements after a block without a value, whose locals end before.
pub(crate) fn put_after(last: &[Expr], body: &mut Block) {
    let has_end = match body.stmts.last() {
        Some(Stmt::Expr(_, None)) => false,
        Some(Stmt::Expr(value, Some(_))) => !diverges(value),
        _ => true,
    };
    if last.is_empty() || !has_end {
        return;
    }
    let inner = std::mem::replace(body, braced(unit(), body.brace_token.span.join()));
    let last = last.iter().cloned();
    let last = last.map(|expr| Stmt::Expr(expr, Some(<Token![;]>::default())));
    body.stmts = [Stmt::Expr(block(inner), None)]
        .into_iter()
        .chain(last)
        .collect();
}

/// `if condition body else { break }`
pub(crate) fn if_or_break(condition: Box<Expr>, body: Block, span: Span) -> Expr {
    let otherwise = block(braced(break_with(None, None, span), span));
    Expr::If(ExprIf {
        attrs: Vec::new(),
        if_token: Token![if](span),
        cond: condition,
        then_branch: body,
        else_branch: Some((Token![else](span), Box::new(otherwise))),
    })
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::*;

    fn assert_parsed(built: &Expr, parsed: &Expr) {
        assert_eq!(built, parsed);
        let (built, parsed) = (built.to_token_stream(), parsed.to_token_stream());
        assert_eq!(built.to_string(), parsed.to_string());
    }

    #[test]
    fn built_trees_equal_parsed_ones() {
        let (span, ident) = (Span::call_site(), Ident::new("page", Span::call_site()));
        assert_parsed(&unit(), &parse_quote!(()));
        assert_parsed(&name(ident.clone()), &parse_quote!(page));
        assert_parsed(&moved(ident, span), &parse_quote!(({ page })));
        let label: Lifetime = parse_quote!('a);
        let value: Expr = parse_quote!(x + 1);
        let broken = break_with(Some(label), Some(value), span);
        assert_parsed(&broken, &parse_quote!(break 'a x + 1));
        let (condition, body): (Expr, Block) = (
            parse_quote!(let Some(x) = next(&mut y)),
            parse_quote!({
                f(x);
                g!(x);
                if x { y } else { z }
            }),
        );
        let parsed = parse_quote!(if #condition #body else { break });
        assert_parsed(&if_or_break(Box::new(condition), body, span), &parsed);
        let value: Expr = parse_quote!(match x {
            _ => 1,
        });
        let parsed = syn::parse2(quote!({ #value })).expect("it is a block");
        assert_parsed(&block(braced(value, span)), &parsed);
    }
}
