//! The code from one place to the next suspend points.
//!
//! A segment is the user's own code with its own structure, from the place where it is entered:
//! blocks that the place stands in are opened again around what is left of them, with the
//! locals that were kept. Of an `if` or `match` resumed in a branch, only the rest of the branch
//! is left; of a loop, the rest of the turn, then a jump to its head.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat};

use super::rewrite::{Frame, Question, Resumed, Rewrite};
use crate::state_machine::body::{
    Await, Block, If, Kind, Let, LocalId, Loop, Match, Node, NodeId, Operand, Spine, Stmt,
};
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::{JumpKind, Machine};
use crate::state_machine::names;

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

/// Code for an expression.
#[derive(Default)]
struct Code {
    stmts: TokenStream,
    /// The value; none for `()`, and for code that does not get to its end.
    value: Option<TokenStream>,
    /// Whether the value is the name of a local of the expansion.
    is_name: bool,
    /// Whether the code can get to its end.
    falls: bool,
}

impl Code {
    fn value(value: TokenStream) -> Self {
        Self {
            value: Some(value),
            falls: true,
            ..Self::default()
        }
    }

    fn name(name: &Ident) -> Self {
        Self {
            is_name: true,
            ..Self::value(name.to_token_stream())
        }
    }

    fn diverges(stmts: TokenStream) -> Self {
        Self {
            stmts,
            ..Self::default()
        }
    }

    /// The code as the inside of a block.
    fn inside(&self) -> TokenStream {
        let Self { stmts, value, .. } = self;
        quote!(#stmts #value)
    }

    fn block(&self) -> TokenStream {
        let inside = self.inside();
        quote!({ #inside })
    }

    /// The code as one expression.
    fn expr(&self) -> TokenStream {
        match &self.value {
            Some(value) if self.stmts.is_empty() => value.clone(),
            _ => self.block(),
        }
    }

    /// The code as an expression whose value is a temporary, as that of an await is.
    fn temporary(&self) -> TokenStream {
        if self.is_name {
            self.block()
        } else {
            self.expr()
        }
    }
}

/// Writes one segment.
pub(crate) struct Segment<'a> {
    machine: &'a Machine,
    entry: Entry,
    kept: &'a [Kept],
    question: Question,
    frames: Vec<Frame>,
}

/// The code of the segment that begins at `entry` with `kept`.
pub(crate) fn segment(
    machine: &Machine,
    entry: Entry,
    kept: &[Kept],
    question: Question,
) -> TokenStream {
    let mut segment = Segment {
        machine,
        entry,
        kept,
        question,
        frames: Vec::new(),
    };
    let proofs = match entry {
        Entry::Start => segment.proofs(&(0..machine.function.stored().count()).collect::<Vec<_>>()),
        _ => segment.unset(&(0..machine.function.stored().count()).collect::<Vec<_>>()),
    };
    let code = segment.block(&machine.body.root, entry.node(), true);
    let Code {
        stmts,
        value,
        falls,
        ..
    } = code;
    let end = falls.then(|| {
        let value = value.unwrap_or_else(|| quote!(()));
        quote!(return ::core::task::Poll::Ready(#value);)
    });
    quote!(#proofs #stmts #end)
}

impl Segment<'_> {
    fn volt(&self) -> &syn::Path {
        &self.machine.options.volt
    }

    fn rewrite(&mut self, expr: &mut Expr, hole: Option<TokenStream>) {
        let volt = &self.machine.options.volt;
        let mut rewrite = Rewrite {
            volt,
            question: self.question,
            frames: &mut self.frames,
            hole,
            depth: 0,
        };
        rewrite.visit_expr_mut(expr);
    }

    fn plain(&mut self, expr: &Expr) -> TokenStream {
        let mut expr = expr.clone();
        self.rewrite(&mut expr, None);
        expr.into_token_stream()
    }

    // Locals.

    fn is_held(&self, local: LocalId) -> bool {
        let mut kept = self.kept.iter();
        kept.any(|kept| kept.local == local && kept.held)
    }

    /// The value under which a local goes into a state or jump.
    fn keep(&self, kept: Kept) -> TokenStream {
        let name = self.machine.name(kept.local);
        let volt = self.volt();
        if kept.held && !self.is_held(kept.local) {
            quote!(#volt::__private::Held::new(#name))
        } else {
            name.to_token_stream()
        }
    }

    /// Proofs that locals just declared may be let go of early.
    fn proofs(&self, locals: &[LocalId]) -> TokenStream {
        let volt = self.volt();
        let proven = locals
            .iter()
            .filter(|local| self.machine.proven.contains(local));
        let proofs = proven.map(|&local| {
            let name = self.machine.name(local);
            quote_spanned!(name.span()=> #volt::__private::no_drop_glue(&#name);)
        });
        proofs.collect()
    }

    /// Declarations of locals without a value that get one later.
    fn unset(&self, locals: &[LocalId]) -> TokenStream {
        let kept = |local: &LocalId| self.kept.iter().any(|kept| kept.local == *local);
        let unset = locals.iter().filter(|local| !kept(local));
        let assigned = unset.filter(|local| self.machine.assigned.contains(local));
        let declarations = assigned.map(|&local| {
            let (name, ty) = (
                self.machine.name(local),
                &self.machine.body.locals[local].ty,
            );
            let ty = ty.iter();
            quote!(let mut #name #(: #ty)*;)
        });
        declarations.collect()
    }

    /// The locals of an inner block, taken up again inside it.
    fn restore(&self, stmts: &[Stmt], is_root: bool) -> TokenStream {
        let mut code = TokenStream::new();
        for stmt in stmts {
            let Stmt::Let(stmt) = stmt else { continue };
            code.extend(self.unset(&stmt.locals));
            let kept = |local: &&LocalId| self.kept.iter().any(|kept| kept.local == **local);
            for &local in stmt.locals.iter().filter(kept).filter(|_| !is_root) {
                let info = &self.machine.body.locals[local];
                let name = &info.name;
                let mutable = info.mutable.then(|| quote!(mut));
                code.extend(quote!(let #mutable #name = #name;));
            }
        }
        code
    }

    // Statements.

    fn block(&mut self, block: &Block, focus: Option<NodeId>, is_root: bool) -> Code {
        let first = focus.and_then(|focus| find(&block.stmts, focus));
        let mut code = Code {
            falls: true,
            ..Code::default()
        };
        let items = block.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        code.stmts.extend(items.map(ToTokens::to_token_stream));
        if let Some(first) = first {
            code.stmts
                .extend(self.restore(&block.stmts[..first], is_root));
        }
        let start = first.unwrap_or(0);
        for (index, stmt) in block.stmts.iter().enumerate().skip(start) {
            let focus = focus.filter(|_| first == Some(index));
            let is_last = index + 1 == block.stmts.len();
            self.stmt(stmt, focus, is_last, &mut code);
            if !code.falls {
                break;
            }
        }
        code
    }

    fn stmt(&mut self, stmt: &Stmt, focus: Option<NodeId>, is_last: bool, code: &mut Code) {
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

    fn let_stmt(&mut self, stmt: &Let, focus: Option<NodeId>, code: &mut Code) {
        let mut source = stmt.source.clone();
        if let (Some(init), Some(node)) = (&mut source.init, &stmt.init) {
            let found = self.node(node, focus);
            if !found.falls {
                code.stmts.extend(found.inside());
                code.falls = false;
                return;
            }
            let moves =
                matches!(binding_pattern(&source.pat), Pat::Ident(pat) if pat.by_ref.is_none());
            let value = if moves {
                found.expr()
            } else {
                found.temporary()
            };
            *init.expr = Expr::Verbatim(value);
            if let Some((_, otherwise)) = &mut init.diverge {
                self.rewrite(otherwise, None);
            }
        }
        let proofs = match &source.init {
            Some(_) => self.proofs(&stmt.locals),
            None => TokenStream::new(),
        };
        code.stmts.extend(quote!(#source #proofs));
    }

    // Expressions.

    fn node(&mut self, node: &Node, focus: Option<NodeId>) -> Code {
        if focus == Some(node.id) && matches!(self.entry, Entry::After(_)) {
            return match self.machine.jump(node.id, false).map(|jump| jump.kind) {
                Some(JumpKind::After { value: true }) => Code::name(&names::local("value")),
                _ => Code {
                    falls: true,
                    ..Code::default()
                },
            };
        }
        match &node.kind {
            Kind::Plain(expr) => Code {
                falls: !matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)),
                ..Code::value(self.plain(expr))
            },
            Kind::Await(point) if focus == Some(node.id) => {
                Code::name(&names::local_at("output", point.span))
            }
            Kind::Await(point) => Code::diverges(self.suspend(node.id, point)),
            Kind::Spine(spine) => self.spine(spine, focus),
            Kind::Block(block) => {
                let code = self.inner_block(node.id, block, focus);
                self.leave(node.id, code)
            }
            Kind::If(found) => {
                let code = self.if_node(found, focus);
                self.leave(node.id, code)
            }
            Kind::Match(found) => {
                let code = self.match_node(found, focus);
                self.leave(node.id, code)
            }
            Kind::Loop(found) => self.loop_node(node.id, found, focus),
        }
    }

    fn suspend(&mut self, id: NodeId, point: &Await) -> TokenStream {
        let names = &self.machine.names;
        let future = match &point.operand {
            Operand::Stored {
                value,
                convert: true,
                ..
            } => {
                let value = self.plain(value);
                Some(quote!(::core::future::IntoFuture::into_future(#value)))
            }
            Operand::Stored { value, .. } => Some(self.plain(value)),
            Operand::Call { value, .. } => {
                let value = self.plain(value);
                Some(quote!(#value.into_machine()))
            }
            Operand::Closure(_) | Operand::Borrowed(_) => None,
        };
        let field = &names.future;
        let future = future.map(|value| quote!(#field: #value,));
        let Some(state) = self.machine.states.iter().find(|state| state.node == id) else {
            return TokenStream::new();
        };
        let locals = state.kept.iter().rev().map(|&kept| {
            let (name, value) = (self.machine.name(kept.local), self.keep(kept));
            if *name == value.to_string() {
                quote!(#name)
            } else {
                quote!(#name: #value)
            }
        });
        let (states, variant, this) = (&names.states, &state.variant, names::local("state"));
        let label = names::label("machine");
        let resume = self.go_to(&quote!(Resume));
        quote! {
            #this.set(#states::#variant { #future #(#locals),* });
            #resume
            continue #label;
        }
    }

    /// Sets where to go on in the next turn of `poll`, if there is a choice.
    fn go_to(&self, place: &TokenStream) -> TokenStream {
        if self.machine.jumps.is_empty() {
            return TokenStream::new();
        }
        let (next, places) = (names::local("next"), &self.machine.names.next);
        quote!(#next = #places::#place;)
    }

    fn jump(&self, node: NodeId, head: bool) -> Option<TokenStream> {
        let jump = self.machine.jump(node, head)?;
        let kept = jump.kept.iter().map(|&kept| self.keep(kept));
        let value = names::local("value");
        let value = (jump.kind == JumpKind::After { value: true }).then_some(value);
        let (variant, label) = (&jump.variant, names::label("machine"));
        let items = kept.chain(value.map(ToTokens::into_token_stream));
        let go = self.go_to(&quote!(#variant((#(#items,)*))));
        Some(quote!(#go continue #label;))
    }

    fn spine(&mut self, spine: &Spine, focus: Option<NodeId>) -> Code {
        let inner = self.node(&spine.inner, focus);
        if !inner.falls {
            return inner;
        }
        let hole = if spine.moves {
            inner.expr()
        } else {
            inner.temporary()
        };
        let hole = if spine.moves && inner.is_name {
            hole
        } else {
            quote!((#hole))
        };
        let mut template = spine.template.clone();
        self.rewrite(&mut template, Some(hole));
        let leaves = matches!(spine.template, Expr::Return(_) | Expr::Break(_));
        Code {
            falls: !leaves,
            ..Code::value(template.into_token_stream())
        }
    }

    /// What follows a construct: a jump if other paths lead there too.
    fn leave(&mut self, id: NodeId, code: Code) -> Code {
        let Some(jump) = self.jump(id, false).filter(|_| code.falls) else {
            return code;
        };
        let Code { stmts, value, .. } = &code;
        let used = self.machine.jump(id, false).map(|jump| jump.kind);
        if used == Some(JumpKind::After { value: true }) {
            let (name, value) = (names::local("value"), code.expr());
            return Code::diverges(quote!(let #name = #value; #jump));
        }
        let value = value.as_ref().map(|value| quote!(#value;));
        Code::diverges(quote!(#stmts #value #jump))
    }

    fn is_left(&self, id: NodeId) -> bool {
        self.machine.left.contains(&id)
    }

    fn inner_block(&mut self, id: NodeId, block: &Block, focus: Option<NodeId>) -> Code {
        let code = self.block(block, focus, false);
        let label = &block.label;
        let inside = code.inside();
        let falls = code.falls || (label.is_some() && self.is_left(id));
        match falls {
            true => Code::value(quote!(#label { #inside })),
            false => Code::diverges(quote!(#label { #inside })),
        }
    }

    fn if_node(&mut self, node: &If, focus: Option<NodeId>) -> Code {
        let in_cond = focus.is_some_and(|focus| node.cond.holds(focus));
        if let Some(focus) = focus.filter(|_| !in_cond) {
            return match &node.otherwise {
                Some(otherwise) if otherwise.holds(focus) => self.node(otherwise, Some(focus)),
                _ => self.branch(&node.then, Some(focus), &[]),
            };
        }
        let cond = self.node(&node.cond, focus);
        if !cond.falls {
            return cond;
        }
        let cond = cond.expr();
        let then = self.branch(&node.then, None, &node.bound);
        let otherwise = node
            .otherwise
            .as_ref()
            .map(|node| (self.node(node, None), &node.kind));
        let falls = then.falls || otherwise.as_ref().is_none_or(|(code, _)| code.falls);
        let then = as_block(&then);
        let otherwise = otherwise.map(|(code, kind)| match (kind, &code.value) {
            (Kind::If(_), Some(value)) if code.stmts.is_empty() => quote!(else #value),
            (Kind::Plain(Expr::If(_)), Some(value)) => quote!(else #value),
            _ => {
                let block = as_block(&code);
                quote!(else #block)
            }
        });
        Code {
            falls,
            ..Code::value(quote!(if #cond #then #otherwise))
        }
        .settled()
    }

    /// A block in which bindings of a pattern are in scope.
    fn branch(&mut self, block: &Block, focus: Option<NodeId>, bound: &[LocalId]) -> Code {
        let proofs = self.proofs(bound);
        let code = self.block(block, focus, false);
        let inside = code.inside();
        match code.falls {
            true => Code::value(quote!({ #proofs #inside })),
            false => Code::diverges(quote!({ #proofs #inside })),
        }
    }

    fn match_node(&mut self, node: &Match, focus: Option<NodeId>) -> Code {
        let in_scrutinee = focus.is_some_and(|focus| node.scrutinee.holds(focus));
        if let Some(focus) = focus.filter(|_| !in_scrutinee) {
            let arm = node.arms.iter().find(|arm| arm.body.holds(focus));
            return arm.map_or_else(Code::default, |arm| {
                let code = self.node(&arm.body, Some(focus));
                match code.falls {
                    true => Code {
                        is_name: false,
                        ..Code::value(code.block())
                    },
                    false => code,
                }
            });
        }
        let scrutinee = self.node(&node.scrutinee, focus);
        if !scrutinee.falls {
            return scrutinee;
        }
        let mut value = scrutinee.temporary();
        if node.residue {
            let volt = self.volt();
            value = quote!(#volt::__private::no_residue(#value));
        }
        let mut falls = false;
        let mut arms = TokenStream::new();
        for arm in &node.arms {
            let proofs = self.proofs(&arm.bound);
            let body = self.node(&arm.body, None);
            falls |= body.falls;
            let mut pat = arm.source.pat.clone();
            if let Pat::Guard(guard) = &mut pat {
                self.rewrite(&mut guard.guard, None);
            }
            let attrs = &arm.source.attrs;
            let body = match proofs.is_empty() && body.stmts.is_empty() {
                true => body.expr(),
                false => {
                    let inside = body.inside();
                    quote!({ #proofs #inside })
                }
            };
            arms.extend(quote!(#(#attrs)* #pat => #body,));
        }
        Code {
            falls,
            ..Code::value(quote!(match #value { #arms }))
        }
        .settled()
    }

    fn loop_node(&mut self, id: NodeId, node: &Loop, focus: Option<NodeId>) -> Code {
        let at_head = self.entry == Entry::Head(id);
        let code = match focus {
            Some(focus) if focus != id => self.resumed_loop(id, node, focus),
            _ => match self.jump(id, true).filter(|_| !at_head) {
                Some(jump) => return Code::diverges(jump),
                None => self.whole_loop(id, node),
            },
        };
        self.leave(id, code)
    }

    fn whole_loop(&mut self, id: NodeId, node: &Loop) -> Code {
        self.frames.push(Frame {
            label: node.label.clone(),
            resumed: None,
        });
        let head = match &node.cond {
            Some((token, cond)) => {
                let cond = self.plain(cond);
                quote!(#token #cond)
            }
            None => quote!(loop),
        };
        let proofs = self.proofs(&node.bound);
        let body = self.block(&node.body, None, false);
        self.frames.pop();
        let (label, inside) = (&node.label, body.inside());
        let code = quote!(#label #head { #proofs #inside });
        match self.is_left(id) {
            true => Code::value(code),
            false => Code::diverges(code),
        }
    }

    /// The rest of a turn, then the head again.
    fn resumed_loop(&mut self, id: NodeId, node: &Loop, focus: NodeId) -> Code {
        let depth = self.frames.len();
        self.frames.push(Frame {
            label: node.label.clone(),
            resumed: Some(Resumed {
                exit: names::label(&format!("exit_{depth}")),
                again: names::label(&format!("again_{depth}")),
                exits: false,
                agains: false,
            }),
        });
        let body = self.block(&node.body, Some(focus), false);
        let frame = self.frames.pop().and_then(|frame| frame.resumed);
        let Some(Resumed {
            exit,
            again,
            exits,
            agains,
        }) = frame
        else {
            return body;
        };
        let again = agains.then(|| quote!(#again:));
        let jump = self.jump(id, true).filter(|_| body.falls || agains);
        let turn = body.block();
        match exits {
            true => Code::value(quote!(#exit: { #again #turn #jump })),
            false => Code::diverges(quote!(#again #turn #jump)),
        }
    }
}

impl Code {
    /// Code that does not get to its end has no value.
    fn settled(self) -> Self {
        match (self.falls, self.value) {
            (false, Some(value)) => Code::diverges(value),
            (falls, value) => Code {
                falls,
                value,
                ..self
            },
        }
    }
}

/// The code of a branch, which may already be a block.
fn as_block(code: &Code) -> TokenStream {
    let inside = code.inside();
    let mut tokens = inside.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(proc_macro2::TokenTree::Group(group)), None)
            if group.delimiter() == proc_macro2::Delimiter::Brace =>
        {
            inside
        }
        _ => quote!({ #inside }),
    }
}

fn binding_pattern(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        other => other,
    }
}

/// The statement that holds the node.
fn find(stmts: &[Stmt], focus: NodeId) -> Option<usize> {
    stmts.iter().position(|stmt| match stmt {
        Stmt::Let(stmt) => stmt.init.as_ref().is_some_and(|init| init.holds(focus)),
        Stmt::Item(_) => false,
        Stmt::Expr { node, .. } => node.holds(focus),
    })
}
