//! The code from one place to the next suspend points.
//!
//! A segment is the user's own code with its own structure, from the place where it is entered:
//! blocks that the place stands in are opened again around what is left of them, with the
//! locals that were kept. Of an `if` or `match` resumed in a branch, only the rest of the branch
//! is left; of a loop, the rest of the turn, then a jump to its head.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat};

use super::code::{Code, as_block};
use super::rewrite::{Frame, Rewrite};
use crate::state_machine::body::{Block, Let, LocalId, NodeId, Stmt};
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::{Machine, Rank};
use crate::state_machine::names;
use crate::state_machine::pattern::unascribed;
use crate::state_machine::scope::mentioned;
use crate::state_machine::unpack::{gone, taken_if};

/// Where a segment begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Start,
    /// Behind an await.
    Resume(NodeId),
    /// At the head of a loop.
    Head(NodeId),
    /// Behind a construct.
    After(NodeId),
}

impl Entry {
    fn node(self) -> Option<NodeId> {
        match self {
            Entry::Start => None,
            Entry::Resume(node) | Entry::Head(node) | Entry::After(node) => Some(node),
        }
    }
}

/// Writes one segment.
pub(crate) struct Segment<'a> {
    pub(super) machine: &'a Machine,
    pub(super) entry: Entry,
    pub(super) kept: &'a [Kept],
    /// The place of the entry among the others; the start has none and is the first.
    pub(super) rank: Option<Rank>,
    pub(super) frames: Vec<Frame>,
    /// Whether an outermost local was declared again, so that those behind it have to be too.
    pub(super) reorders: bool,
}

/// The code of the segment that begins at `entry` with `kept`.
pub(crate) fn segment(
    machine: &Machine,
    entry: Entry,
    kept: &[Kept],
    rank: Option<Rank>,
) -> TokenStream {
    let mut segment = Segment {
        machine,
        entry,
        kept,
        rank,
        frames: Vec::new(),
        reorders: false,
    };
    let arguments: Vec<LocalId> = (0..machine.function.stored().count()).collect();
    let proofs = match entry {
        Entry::Start => {
            let (proofs, places) = (segment.proofs(&arguments), segment.places(&arguments));
            quote!(#proofs #places)
        }
        _ => segment.restore_outermost(&arguments),
    };
    let code = segment.block(&machine.body.root, entry.node(), true);
    let Code {
        stmts,
        value,
        falls,
        ..
    } = code;
    let end = match falls {
        true => {
            let value = value.unwrap_or_else(|| quote!(()));
            quote!(return ::core::task::Poll::Ready(#value);)
        }
        // A `return` at the end, without a semicolon.
        false => quote!(#value),
    };
    quote!(#proofs #stmts #end)
}

impl Segment<'_> {
    pub(super) fn volt(&self) -> &syn::Path {
        &self.machine.options.volt
    }

    /// The path to volt, where errors about what is reached by it should point.
    pub(super) fn volt_at(&self, span: Span) -> TokenStream {
        names::path_at(self.volt(), span)
    }

    pub(super) fn rewrite(&mut self, expr: &mut Expr, hole: Option<TokenStream>) {
        let volt = &self.machine.options.volt;
        let mut rewrite = Rewrite {
            volt,
            output: &self.machine.function.output,
            frames: &mut self.frames,
            hole,
            depth: 0,
        };
        rewrite.visit_expr_mut(expr);
    }

    pub(super) fn plain(&mut self, expr: &Expr) -> TokenStream {
        let mut expr = expr.clone();
        self.rewrite(&mut expr, None);
        expr.into_token_stream()
    }

    // Locals.

    /// Whether only the end of the local is left: in a segment one that is renewed has a value.
    pub(super) fn is_held(&self, local: LocalId) -> bool {
        let mut kept = self.kept.iter();
        !self.machine.is_renewed(local) && kept.any(|kept| kept.local == local && kept.held)
    }

    /// The value under which a local goes into a state or jump.
    pub(super) fn keep(&self, kept: Kept) -> TokenStream {
        let name = self.machine.name(kept.local);
        match self.machine.is_conditional(kept.local) {
            true if kept.held && self.machine.is_renewed(kept.local) => self.put_away(name),
            true => self.hold(kept, quote!(#name.take())),
            false => self.hold(kept, name.to_token_stream()),
        }
    }

    fn is_kept(&self, local: LocalId) -> bool {
        self.kept.iter().any(|kept| kept.local == local)
    }

    /// The declaration of a local without a value, if it gets one later.
    fn unset(&self, local: LocalId) -> TokenStream {
        let (name, ty) = (
            self.machine.name(local),
            &self.machine.body.locals[local].ty,
        );
        if let Some(ty) = ty.as_ref().filter(|_| self.machine.is_conditional(local)) {
            return self.absent(name, ty);
        }
        let ty = ty.iter();
        match self.machine.assigned.contains(&local) {
            true => quote!(let mut #name #(: #ty)*;),
            false => TokenStream::new(),
        }
    }

    /// The declaration of a local that was kept, where it stands in the source: what is declared
    /// later is dropped earlier.
    fn again(&self, local: LocalId) -> TokenStream {
        let info = &self.machine.body.locals[local];
        let name = &info.name;
        let changes = info.mutable || self.machine.is_conditional(local);
        let mutable = changes.then(|| quote!(mut));
        quote!(let #mutable #name = #name;)
    }

    /// The locals of a construct, taken up again inside it.
    pub(super) fn restore(&self, locals: &[LocalId]) -> TokenStream {
        let moved = locals
            .iter()
            .filter(|&&local| !self.machine.is_in_place(local));
        let restored = moved.map(|&local| match self.is_kept(local) {
            true => self.again(local),
            false => self.unset(local),
        });
        restored.collect()
    }

    /// The locals of the outermost block: those that were kept are there already.
    fn restore_outermost(&mut self, locals: &[LocalId]) -> TokenStream {
        let mut code = TokenStream::new();
        let machine = self.machine;
        for &local in locals.iter().filter(|&&local| !machine.is_in_place(local)) {
            if !self.is_kept(local) {
                let unset = self.unset(local);
                self.reorders |= !unset.is_empty();
                code.extend(unset);
            } else if self.reorders {
                code.extend(self.again(local));
            }
        }
        code
    }

    /// The locals of a block, taken up again.
    fn restore_block(&mut self, stmts: &[Stmt], is_root: bool) -> TokenStream {
        let lets = stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Let(stmt) => Some(&stmt.locals),
            _ => None,
        });
        let restored = lets.map(|locals| match is_root {
            true => self.restore_outermost(locals),
            false => self.restore(locals),
        });
        restored.collect()
    }

    // Statements.

    pub(super) fn block(&mut self, block: &Block, focus: Option<NodeId>, is_root: bool) -> Code {
        let first = focus.and_then(|focus| find(&block.stmts, focus));
        let mut code = Code {
            falls: true,
            ..Code::default()
        };
        let items = block.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        let items: TokenStream = items.map(ToTokens::to_token_stream).collect();
        let restored = first.map(|first| self.restore_block(&block.stmts[..first], is_root));
        let start = first.unwrap_or(0);
        for (index, stmt) in block.stmts.iter().enumerate().skip(start) {
            let focus = focus.filter(|_| first == Some(index));
            let is_last = index + 1 == block.stmts.len();
            self.stmt(stmt, focus, is_last, &mut code);
            if !code.falls {
                break;
            }
        }
        code.value = code.value.map(|value| self.tail(block, value));
        let (stmts, value) = (&code.stmts, &code.value);
        let restored = restored.map(|restored| without_unused(restored, quote!(#stmts #value)));
        code.stmts = quote!(#items #restored #stmts);
        code
    }

    pub(super) fn stmt(
        &mut self,
        stmt: &Stmt,
        focus: Option<NodeId>,
        is_last: bool,
        code: &mut Code,
    ) {
        match stmt {
            Stmt::Item(_) => {}
            Stmt::Let(stmt) => self.let_stmt(stmt, focus, code),
            Stmt::Expr { node, semi } => {
                let found = self.node(node, focus);
                code.falls = found.falls;
                code.stmts.extend(found.stmts.clone());
                let value = found.value.as_ref();
                if is_last && !semi {
                    code.value = found.value;
                } else if found.is_name {
                    code.stmts.extend(quote!(::core::mem::drop(#value);));
                } else if let Some(value) = value {
                    let semi = semi.then(|| quote!(;));
                    code.stmts.extend(quote!(#value #semi));
                }
            }
        }
    }

    pub(super) fn let_stmt(&mut self, stmt: &Let, focus: Option<NodeId>, code: &mut Code) {
        let diverging = stmt.otherwise.as_ref();
        if let Some(node) = diverging.filter(|node| focus.is_some_and(|id| node.holds(id))) {
            let found = self.node(node, focus).inside();
            code.stmts.extend(quote!(#found;));
            code.falls = false;
            return;
        }
        let mut source = stmt.source.clone();
        self.ascribe(&mut source.pat, &stmt.locals);
        if let (Some(init), Some(node)) = (&mut source.init, &stmt.init) {
            let moves = matches!(unascribed(&source.pat), Pat::Ident(pat) if pat.by_ref.is_none());
            let found = self.node(node, focus);
            if !found.falls {
                code.stmts.extend(found.inside());
                code.falls = false;
                return;
            }
            let value = if moves {
                found.expr()
            } else {
                found.temporary()
            };
            let places = stmt.locals.iter();
            let mut places = places.filter_map(|&local| self.machine.furnish(local, &value));
            if let Some(place) = places.next() {
                let proofs = self.proofs(&stmt.locals);
                code.stmts.extend(quote!(#place #proofs));
                return;
            }
            *init.expr = Expr::Verbatim(value);
            if let (Some((_, otherwise)), Some(node)) = (&mut init.diverge, &stmt.otherwise) {
                let block = self.node(node, None);
                **otherwise = Expr::Verbatim(as_block(&block));
                if let Some(name) = &stmt.unpacked {
                    let left = std::mem::replace(&mut **otherwise, gone(self.volt()));
                    *init.expr = taken_if(name, &source.pat, &left);
                }
            }
        }
        code.stmts.extend(match &source.init {
            Some(_) => {
                let (proofs, wrap) = (self.proofs(&stmt.locals), self.wrap(&stmt.locals));
                quote!(#source #proofs #wrap)
            }
            None => {
                let proofs = self.later_proofs(&stmt.locals);
                let absent = self.absent_of(&stmt.locals);
                let source = absent.unwrap_or_else(|| source.into_token_stream());
                quote!(#source #proofs)
            }
        });
    }
}

/// Declarations without `let mut name;` of names that nothing mentions: nothing would tell their types.
fn without_unused(declarations: TokenStream, rest: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = declarations.into_iter().collect();
    let is_let = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "let");
    let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
    let mut words = Vec::new();
    let mut kept = TokenStream::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if let [first, _, TokenTree::Ident(name), last, ..] = &tokens[index..]
            && is_let(first)
            && ends(last)
        {
            if words.is_empty() {
                mentioned(rest.clone(), &mut words);
            }
            if !words.contains(&name.to_string()) {
                index += 4;
                continue;
            }
        }
        kept.extend([token.clone()]);
        index += 1;
    }
    kept
}

/// The statement that holds the node.
fn find(stmts: &[Stmt], focus: NodeId) -> Option<usize> {
    stmts.iter().position(|stmt| match stmt {
        Stmt::Let(stmt) => stmt.nodes().any(|node| node.holds(focus)),
        Stmt::Item(_) => false,
        Stmt::Expr { node, .. } => node.holds(focus),
    })
}
