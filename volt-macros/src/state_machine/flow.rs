//! The control flow of a body, with all that happens to its locals on the way.
//!
//! One graph for everything: expressions that stay whole are walked as deeply as those that are
//! taken apart, so that a `return` in a nested `if` or a move in one arm counts as it runs.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Block as SynBlock, Expr, Pat, Stmt as SynStmt};

use super::body::{
    Arm, Await, Block, Body, If, Kind, Let, LocalId, Loop, Match, Node, NodeId, Operand, Origin,
    Stmt,
};
use super::names;
use super::operand::is_place;
use super::parse::Function;
use super::scope::{bindings, formats, macro_arguments, mentioned, plain_name};

/// A place in the graph.
pub(crate) type Place = usize;

/// What happens at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Nothing,
    /// The local is looked at, or borrowed for a moment.
    Use(LocalId),
    /// The local is named as a value: moved, unless its type is `Copy`.
    Move(LocalId),
    /// The local gets a new value.
    Assign(LocalId),
    /// The local comes into scope, with or without a value.
    Declare(LocalId, bool),
    /// The local goes out of scope.
    Leave(LocalId),
    /// The machine may be suspended here.
    Suspend(NodeId),
    /// The place behind a construct that holds an await.
    After(NodeId),
    /// The place where a loop that holds an await begins again.
    Head(NodeId),
    /// The function has returned.
    Exit,
}

/// The graph.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) events: Vec<Event>,
    pub(crate) next: Vec<Vec<Place>>,
    /// The locals in scope at the places that can be resumed or jumped to.
    pub(crate) in_scope: Vec<(Place, Vec<LocalId>)>,
}

/// Where a function begins.
pub(crate) const START: Place = 0;
/// Where it ends.
pub(crate) const EXIT: Place = 1;

impl Flow {
    /// The place at which an event happens, for events that happen at one place.
    pub(crate) fn find(&self, event: &Event) -> Option<Place> {
        self.events.iter().position(|found| found == event)
    }

    /// The places that can be reached from `from` without leaving a place of `walls`.
    pub(crate) fn reach(&self, from: Place, walls: &[Place]) -> Vec<bool> {
        let mut seen = vec![false; self.events.len()];
        let mut open = self.next[from].clone();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut seen[place], true) && !walls.contains(&place) {
                open.extend(&self.next[place]);
            }
        }
        seen
    }

    /// Whether any local is assigned after its declaration.
    pub(crate) fn assigns(&self, local: LocalId) -> bool {
        self.events.contains(&Event::Assign(local))
    }
}

/// Draws the graph of `body`.
pub(crate) fn draw(function: &Function, body: &Body) -> Flow {
    let mut draw = Draw {
        body,
        flow: Flow {
            events: vec![Event::Nothing, Event::Exit],
            next: vec![Vec::new(), Vec::new()],
            in_scope: Vec::new(),
        },
        here: Some(START),
        names: Vec::new(),
        scope: Vec::new(),
        targets: Vec::new(),
    };
    let arguments = 0..function.stored().count();
    for local in arguments.clone() {
        draw.declare(local, true);
    }
    draw.block(&body.root);
    draw.leave(0);
    draw.edge_to(EXIT);
    draw.flow
}

/// Where `break` and `continue` go.
struct Target {
    label: Option<String>,
    is_loop: bool,
    after: Place,
    head: Option<Place>,
}

struct Draw<'a> {
    body: &'a Body,
    flow: Flow,
    /// The place just drawn, unless it cannot be reached.
    here: Option<Place>,
    /// What names mean; `None` for locals of expressions that stay whole.
    names: Vec<(String, Option<LocalId>)>,
    scope: Vec<LocalId>,
    targets: Vec<Target>,
}

impl Draw<'_> {
    fn place(&mut self, event: Event) -> Place {
        self.flow.events.push(event);
        self.flow.next.push(Vec::new());
        self.flow.events.len() - 1
    }

    fn edge_to(&mut self, place: Place) {
        if let Some(here) = self.here {
            self.flow.next[here].push(place);
        }
    }

    fn go(&mut self, place: Place) {
        self.edge_to(place);
        self.here = Some(place);
    }

    fn event(&mut self, event: Event) {
        let place = self.place(event);
        self.go(place);
    }

    /// An event at which the locals in scope matter.
    fn point(&mut self, event: Event) -> Place {
        let place = self.place(event);
        self.flow.in_scope.push((place, self.scope.clone()));
        place
    }

    fn land(&mut self, place: Place) {
        self.here = self.is_reached(place).then_some(place);
    }

    fn is_reached(&self, place: Place) -> bool {
        self.flow.next.iter().any(|next| next.contains(&place))
    }

    // Scopes.

    fn declare(&mut self, local: LocalId, value: bool) {
        let name = self.body.locals[local].name.to_string();
        self.names.push((name, Some(local)));
        self.scope.push(local);
        self.event(Event::Declare(local, value));
    }

    fn hide(&mut self, pat: &Pat) {
        for binding in bindings(pat) {
            self.names.push((binding.ident.to_string(), None));
        }
    }

    fn lookup(&self, name: &str) -> Option<LocalId> {
        let found = self.names.iter().rev().find(|(known, _)| known == name);
        found.and_then(|(_, local)| *local)
    }

    fn leave(&mut self, depth: usize) {
        for local in self.scope.split_off(depth).into_iter().rev() {
            self.event(Event::Leave(local));
        }
    }

    fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let (names, depth) = (self.names.len(), self.scope.len());
        body(self);
        self.leave(depth);
        self.names.truncate(names);
    }

    // The parts that are taken apart.

    fn block(&mut self, block: &Block) {
        self.scoped(|this| {
            for stmt in &block.stmts {
                match stmt {
                    Stmt::Let(stmt) => this.let_stmt(stmt),
                    Stmt::Item(_) => {}
                    Stmt::Expr { node, .. } => this.node(node),
                }
            }
        });
    }

    fn let_stmt(&mut self, stmt: &Let) {
        let looks = matches!(stmt.source.pat, Pat::Wild(_));
        match &stmt.init {
            Some(Node {
                kind: Kind::Plain(expr),
                ..
            }) if looks => self.look(expr),
            Some(node) => self.node(node),
            None => {}
        }
        if let Some((_, otherwise)) = stmt
            .source
            .init
            .as_ref()
            .and_then(|init| init.diverge.as_ref())
        {
            let here = self.here;
            self.value(otherwise);
            self.here = here;
        }
        for &local in &stmt.locals {
            let origin = self.body.locals[local].origin;
            self.declare(local, origin == Origin::Let { initialised: true });
        }
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            Kind::Plain(expr) => self.value(expr),
            Kind::Await(point) => self.await_point(node.id, point),
            Kind::Spine(spine) => {
                self.node(&spine.inner);
                self.value(&spine.template);
            }
            Kind::Block(block) => self.labelled(node.id, block),
            Kind::If(node_if) => self.if_node(node.id, node_if),
            Kind::Match(node_match) => self.match_node(node.id, node_match),
            Kind::Loop(node_loop) => self.loop_node(node.id, node_loop),
        }
    }

    fn await_point(&mut self, id: NodeId, point: &Await) {
        match &point.operand {
            Operand::Stored { value, .. } => self.value(value),
            Operand::Call { value, lends, .. } => self.lending_call(value, lends),
            Operand::Closure(_) | Operand::Borrowed(_) => {}
        }
        let place = self.point(Event::Suspend(id));
        self.go(place);
        match &point.operand {
            Operand::Stored { .. } => {}
            Operand::Call { lends, .. } => {
                lends.iter().flatten().for_each(|lend| self.look(lend));
            }
            Operand::Closure(poll) | Operand::Borrowed(poll) => self.look(poll),
        }
    }

    fn lending_call(&mut self, value: &Expr, lends: &[Option<Expr>]) {
        let Expr::Call(call) = value else { return };
        for (argument, lend) in call.args.iter().zip(lends) {
            match lend {
                Some(_) => self.look(argument),
                None => self.value(argument),
            }
        }
    }

    fn labelled(&mut self, id: NodeId, block: &Block) {
        let Some(label) = &block.label else {
            return self.block(block);
        };
        let after = self.point(Event::After(id));
        self.targets.push(Target {
            label: Some(label.name.ident.to_string()),
            is_loop: false,
            after,
            head: None,
        });
        self.block(block);
        self.targets.pop();
        self.edge_to(after);
        self.land(after);
    }

    fn if_node(&mut self, id: NodeId, node: &If) {
        let after = self.point(Event::After(id));
        let names = self.names.len();
        let moved = match &node.cond.kind {
            Kind::Plain(cond) => self.condition(cond),
            _ => {
                self.node(&node.cond);
                Vec::new()
            }
        };
        let decided = self.here;
        self.moved(moved);
        self.scoped(|this| {
            node.bound
                .iter()
                .for_each(|&local| this.declare(local, true));
            this.block(&node.then);
        });
        self.names.truncate(names);
        self.edge_to(after);
        self.here = decided;
        if let Some(otherwise) = &node.otherwise {
            self.node(otherwise);
        }
        self.edge_to(after);
        self.land(after);
    }

    fn match_node(&mut self, id: NodeId, node: &Match) {
        let after = self.point(Event::After(id));
        let scrutinee = match &node.scrutinee.kind {
            Kind::Plain(expr) => {
                self.look(expr);
                plain_name(expr).and_then(|name| self.lookup(&name.to_string()))
            }
            _ => {
                self.node(&node.scrutinee);
                None
            }
        };
        let decided = self.here;
        let moving = moving_arms(node.arms.iter().map(|arm| &arm.source.pat));
        for (arm, moves) in node.arms.iter().zip(moving) {
            self.here = decided;
            self.scoped(|this| this.arm(arm, scrutinee.filter(|_| moves)));
            self.edge_to(after);
        }
        self.land(after);
    }

    fn arm(&mut self, arm: &Arm, moved: Option<LocalId>) {
        arm.bound
            .iter()
            .for_each(|&local| self.declare(local, true));
        self.guard(&arm.source.pat);
        if let Some(local) = moved {
            self.event(Event::Move(local));
        }
        self.node(&arm.body);
    }

    fn guard(&mut self, pat: &Pat) {
        if let Pat::Guard(pat) = pat {
            self.value(&pat.guard);
        }
    }

    fn loop_node(&mut self, id: NodeId, node: &Loop) {
        let after = self.point(Event::After(id));
        let head = self.point(Event::Head(id));
        self.go(head);
        self.targets.push(Target {
            label: node
                .label
                .as_ref()
                .map(|label| label.name.ident.to_string()),
            is_loop: true,
            after,
            head: Some(head),
        });
        self.scoped(|this| {
            if let Some((_, cond)) = &node.cond {
                let moved = this.condition(cond);
                this.edge_to(after);
                this.moved(moved);
                node.bound
                    .iter()
                    .for_each(|&local| this.declare(local, true));
            }
            this.block(&node.body);
        });
        self.edge_to(head);
        self.targets.pop();
        self.land(after);
    }

    // The parts that stay whole.

    /// Names that are used as what they are: a place that is looked at.
    fn look(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(local) = self.local(expr) {
                    self.event(Event::Use(local));
                }
            }
            Expr::Field(node) => self.look(&node.base),
            Expr::Index(node) => {
                self.look(&node.expr);
                self.value(&node.index);
            }
            Expr::Paren(node) => self.look(&node.expr),
            Expr::Group(node) => self.look(&node.expr),
            Expr::Reference(node) => self.look(&node.expr),
            Expr::Unary(node) if is_place(expr) => self.look(&node.expr),
            other => self.value(other),
        }
    }

    fn local(&self, expr: &Expr) -> Option<LocalId> {
        let name = plain_name(expr)?;
        (name != names::HOLE).then(|| self.lookup(&name.to_string()))?
    }

    fn values<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.value(expr));
    }

    /// An expression whose value is taken.
    fn value(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(local) = self.local(expr) {
                    self.event(Event::Move(local));
                }
            }
            Expr::Field(_) | Expr::Reference(_) | Expr::Index(_) => self.look(expr),
            Expr::RawAddr(node) => self.look(&node.expr),
            Expr::Paren(node) => self.value(&node.expr),
            Expr::Group(node) => self.value(&node.expr),
            Expr::Cast(node) => self.look(&node.expr),
            Expr::Unary(node) if matches!(node.op, syn::UnOp::Deref(_)) => self.look(&node.expr),
            Expr::Unary(node) => self.value(&node.expr),
            Expr::Let(node) => self.look(&node.expr),
            Expr::Array(node) => self.values(&node.elems),
            Expr::Tuple(node) => self.values(&node.elems),
            Expr::Call(node) => {
                self.look(&node.func);
                self.values(&node.args);
            }
            Expr::MethodCall(node) => {
                self.look(&node.receiver);
                self.values(&node.args);
            }
            Expr::Struct(node) => {
                self.values(node.fields.iter().map(|field| &field.expr));
                self.values(node.rest.as_deref());
            }
            Expr::Repeat(node) => self.value(&node.expr),
            Expr::Range(node) => {
                self.values(node.start.as_deref());
                self.values(node.end.as_deref());
            }
            Expr::Assign(node) => self.assign(&node.left, &node.right),
            Expr::Binary(node) => self.binary(node),
            Expr::Await(node) => self.value(&node.base),
            other => self.control(other),
        }
    }

    fn assign(&mut self, left: &Expr, right: &Expr) {
        self.value(right);
        match self.local(left) {
            Some(local) => self.event(Event::Assign(local)),
            None => self.look(left),
        }
    }

    fn binary(&mut self, node: &syn::ExprBinary) {
        use syn::BinOp;
        match node.op {
            BinOp::And(_) | BinOp::Or(_) => {
                self.value(&node.left);
                let left = self.here;
                self.value(&node.right);
                let joined = self.place(Event::Nothing);
                self.edge_to(joined);
                self.here = left;
                self.edge_to(joined);
                self.land(joined);
            }
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => {
                self.look(&node.left);
                self.look(&node.right);
            }
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitXor(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_) => {
                self.value(&node.left);
                self.value(&node.right);
            }
            _ => {
                self.value(&node.right);
                self.look(&node.left);
            }
        }
    }

    fn control(&mut self, expr: &Expr) {
        match expr {
            Expr::Block(node) => self.plain_block(node.label.as_ref(), &node.block),
            Expr::Unsafe(node) => self.plain_block(None, &node.block),
            Expr::If(node) => self.plain_if(node),
            Expr::Match(node) => self.plain_match(node),
            Expr::Loop(node) => self.plain_loop(node.label.as_ref(), None, &node.body),
            Expr::While(node) => {
                self.plain_loop(node.label.as_ref(), Some(&*node.cond), &node.body);
            }
            Expr::ForLoop(node) => {
                self.value(&node.expr);
                self.scoped(|this| {
                    this.hide(&node.pat);
                    this.plain_loop_maybe(node.label.as_ref(), &node.body);
                });
            }
            Expr::Try(node) => {
                self.value(&node.expr);
                self.edge_to(EXIT);
            }
            Expr::Return(node) => {
                self.values(node.expr.as_deref());
                self.edge_to(EXIT);
                self.here = None;
            }
            Expr::Break(node) => {
                self.values(node.expr.as_deref());
                self.jump(node.label.as_ref(), false);
            }
            Expr::Continue(node) => self.jump(node.label.as_ref(), true),
            Expr::Closure(node) => {
                let moves = node.capture.is_some();
                self.scoped(|this| {
                    node.inputs.iter().for_each(|pat| this.hide(pat));
                    this.captured(node.body.to_token_stream(), moves);
                });
            }
            Expr::Async(node) => {
                self.captured(node.block.to_token_stream(), node.capture.is_some());
            }
            Expr::Macro(node) => self.macro_call(&node.mac),
            Expr::Lit(_) | Expr::Const(_) => {}
            other => self.captured(other.to_token_stream(), false),
        }
    }

    fn jump(&mut self, label: Option<&syn::Lifetime>, again: bool) {
        let mut targets = self.targets.iter().rev();
        let found = match label {
            Some(label) => {
                let name = label.ident.to_string();
                targets.find(|target| target.label.as_ref() == Some(&name))
            }
            None => targets.find(|target| target.is_loop),
        };
        let place = found.and_then(|target| {
            if again {
                target.head
            } else {
                Some(target.after)
            }
        });
        if let Some(place) = place {
            self.edge_to(place);
        }
        self.here = None;
    }

    /// Names in what is captured: by name, whatever the rest means.
    fn captured(&mut self, tokens: TokenStream, moves: bool) {
        let mut found = Vec::new();
        mentioned(tokens, &mut found);
        found.sort();
        found.dedup();
        for name in found {
            if let Some(local) = self.lookup(&name) {
                self.event(if moves {
                    Event::Move(local)
                } else {
                    Event::Use(local)
                });
            }
        }
    }

    fn macro_call(&mut self, mac: &syn::Macro) {
        let arguments = macro_arguments(mac);
        match arguments {
            Some(arguments) if mac.path.is_ident("vec") => self.values(&arguments),
            Some(arguments) if formats(mac) => {
                for argument in &arguments {
                    match argument {
                        Expr::Assign(named) => self.look(&named.right),
                        other => self.look(other),
                    }
                }
                self.captured(mac.tokens.clone(), false);
            }
            _ => self.captured(mac.tokens.clone(), false),
        }
        if holds_question(mac.tokens.clone()) {
            self.edge_to(EXIT);
        }
    }

    fn plain_block(&mut self, label: Option<&syn::Label>, block: &SynBlock) {
        let after = self.place(Event::Nothing);
        self.targets.push(Target {
            label: label.map(|label| label.name.ident.to_string()),
            is_loop: false,
            after,
            head: None,
        });
        self.scoped(|this| this.plain_stmts(block));
        self.targets.pop();
        self.edge_to(after);
        self.land(after);
    }

    fn plain_stmts(&mut self, block: &SynBlock) {
        for stmt in &block.stmts {
            match stmt {
                SynStmt::Local(local) => self.plain_let(local),
                SynStmt::Item(_) => {}
                SynStmt::Expr(expr, _) => self.value(expr),
                SynStmt::Macro(mac) => self.macro_call(&mac.mac),
            }
        }
    }

    fn plain_let(&mut self, local: &syn::Local) {
        if let Some(init) = &local.init {
            match local.pat {
                Pat::Wild(_) => self.look(&init.expr),
                _ => self.value(&init.expr),
            }
            if let Some((_, otherwise)) = &init.diverge {
                let here = self.here;
                self.value(otherwise);
                self.here = here;
            }
        }
        self.hide(&local.pat);
    }

    /// A condition, and what is moved if it holds; its bindings stay in scope.
    fn condition(&mut self, cond: &Expr) -> Vec<LocalId> {
        let mut moved = Vec::new();
        self.operands(cond, &mut moved);
        moved
    }

    fn moved(&mut self, locals: Vec<LocalId>) {
        locals
            .into_iter()
            .for_each(|local| self.event(Event::Move(local)));
    }

    fn operands(&mut self, cond: &Expr, moved: &mut Vec<LocalId>) {
        match cond {
            Expr::Let(node) => {
                self.look(&node.expr);
                match self.local(&node.expr).filter(|_| moves_whole(&node.pat)) {
                    Some(local) if is_some(&node.pat) => self.event(Event::Move(local)),
                    Some(local) => moved.push(local),
                    None => {}
                }
                self.hide(&node.pat);
            }
            Expr::Binary(node) if matches!(node.op, syn::BinOp::And(_)) => {
                self.operands(&node.left, moved);
                self.operands(&node.right, moved);
            }
            other => self.look(other),
        }
    }

    fn plain_if(&mut self, node: &syn::ExprIf) {
        let after = self.place(Event::Nothing);
        let names = self.names.len();
        let moved = self.condition(&node.cond);
        let decided = self.here;
        self.moved(moved);
        self.plain_block(None, &node.then_branch);
        self.names.truncate(names);
        self.edge_to(after);
        self.here = decided;
        if let Some((_, otherwise)) = &node.else_branch {
            self.value(otherwise);
        }
        self.edge_to(after);
        self.land(after);
    }

    fn plain_match(&mut self, node: &syn::ExprMatch) {
        let after = self.place(Event::Nothing);
        self.look(&node.expr);
        let scrutinee = self.local(&node.expr);
        let decided = self.here;
        let moving = moving_arms(node.arms.iter().map(|arm| &arm.pat));
        for (arm, moves) in node.arms.iter().zip(moving) {
            self.here = decided;
            self.scoped(|this| {
                this.hide(&arm.pat);
                this.guard(&arm.pat);
                if let Some(local) = scrutinee.filter(|_| moves) {
                    this.event(Event::Move(local));
                }
                this.value(&arm.body);
            });
            self.edge_to(after);
        }
        self.land(after);
    }

    fn plain_loop(&mut self, label: Option<&syn::Label>, cond: Option<&Expr>, body: &SynBlock) {
        let (after, head) = (self.place(Event::Nothing), self.place(Event::Nothing));
        self.go(head);
        self.targets.push(Target {
            label: label.map(|label| label.name.ident.to_string()),
            is_loop: true,
            after,
            head: Some(head),
        });
        self.scoped(|this| {
            if let Some(cond) = cond {
                let moved = this.condition(cond);
                this.edge_to(after);
                this.moved(moved);
            }
            this.plain_stmts(body);
        });
        self.edge_to(head);
        self.targets.pop();
        self.land(after);
    }

    /// A loop that may run no time: that of `for`.
    fn plain_loop_maybe(&mut self, label: Option<&syn::Label>, body: &SynBlock) {
        let (after, head) = (self.place(Event::Nothing), self.place(Event::Nothing));
        self.go(head);
        self.edge_to(after);
        self.targets.push(Target {
            label: label.map(|label| label.name.ident.to_string()),
            is_loop: true,
            after,
            head: Some(head),
        });
        self.scoped(|this| this.plain_stmts(body));
        self.edge_to(head);
        self.targets.pop();
        self.land(after);
    }
}

/// Whether matching a local with the pattern moves all of it into bindings.
fn moves_whole(pat: &Pat) -> bool {
    !bindings(pat).is_empty() && is_whole(pat)
}

/// Whether nothing of what the pattern matches stays behind.
fn is_whole(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(pat) => pat.by_ref.is_none(),
        Pat::Guard(pat) => is_whole(&pat.pat),
        Pat::Paren(pat) => is_whole(&pat.pat),
        Pat::Or(pat) => pat.cases.iter().all(is_whole),
        Pat::Tuple(pat) => pat.elems.iter().all(is_whole),
        Pat::TupleStruct(pat) => pat.elems.iter().all(is_whole),
        Pat::Struct(pat) => {
            pat.rest.is_none() && pat.fields.iter().all(|field| is_whole(&field.pat))
        }
        Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) => true,
        _ => false,
    }
}

/// Whether what does not match the pattern holds nothing: `None`, where this is `Some(_)`.
fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(pat) if pat.path.is_ident("Some"))
}

/// The arms of a `match` over a local that move all of it. If one does, an arm that matches a
/// variant without fields leaves nothing behind either.
fn moving_arms<'p>(pats: impl Iterator<Item = &'p Pat> + Clone) -> Vec<bool> {
    let moves = pats.clone().any(moves_whole);
    pats.map(|pat| moves && is_whole(pat)).collect()
}

fn holds_question(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Punct(punct) => punct.as_char() == '?',
        proc_macro2::TokenTree::Group(group) => holds_question(group.stream()),
        _ => false,
    })
}
