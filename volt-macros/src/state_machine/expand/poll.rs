//! `advance`: one poll of the states.
//!
//! Expands to:
//!
//! ```text
//! fn advance(mut state: Pin<&mut States>, cx: &mut Context<'_>, lent: ..) -> Poll<Output> {
//!     let mut next = Next::Resume;                      // only if there are jumps
//!     'machine: loop {
//!         match next { Next::Resume => match state.as_mut().project() {
//!             Ref::Start { .. } => { take the arguments; segment }
//!             Ref::Await { future, .. } => { poll; take the locals; segment }
//!             Ref::Done | Ref::Poisoned => panic
//!         }, Next::Jump(kept) => segment }
//!     }
//! }
//! ```

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, Type};

use super::rewrite::Question;
use super::segment::{Entry, segment};
use crate::state_machine::body::{Await, Block, Kind, LocalId, Node, NodeId, Operand, Stmt};
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::{Jump, JumpKind, Machine, State};
use crate::state_machine::names;
use crate::state_machine::parse::peel;
use crate::state_machine::scope::mentioned;
use crate::state_machine::substitute::{Replacement, Substitute};

/// The body of `advance`.
pub(crate) fn advance(machine: &Machine) -> TokenStream {
    let poll = Poll {
        machine,
        question: question(&machine.function.output),
    };
    let (state, label) = (names::local("state"), names::label("machine"));
    let (next, places) = (names::local("next"), &machine.names.next);
    let reborrows = poll.reborrows();
    let states = poll.states();
    let body = if machine.jumps.is_empty() {
        states
    } else {
        let jumps = machine.jumps.iter().map(|jump| poll.jump(jump));
        quote! {
            match #next {
                #places::Resume => #states
                #(#jumps)*
            }
        }
    };
    let declare = (!machine.jumps.is_empty()).then(|| quote!(let mut #next = #places::Resume;));
    let calls = poll.calls();
    quote! {
        #calls
        let mut #state = #state;
        #declare
        #label: loop {
            #reborrows
            #body
        }
    }
}

/// `?` on a `Result` needs nothing; the type's name tells, and where it does not, the support
/// module does what the language would.
fn question(output: &Type) -> Question {
    match peel(output) {
        Type::Path(path) => {
            let last = path.path.segments.last();
            let is_result = last.is_some_and(|last| last.ident.to_string().ends_with("Result"));
            if is_result {
                Question::Language
            } else {
                Question::Branch
            }
        }
        _ => Question::Branch,
    }
}

/// The type of the field in which something is kept.
pub(crate) fn kept_type(machine: &Machine, kept: Kept) -> TokenStream {
    let volt = &machine.options.volt;
    let ty = &machine.body.locals[kept.local].ty;
    if kept.held {
        quote!(#volt::__private::Held<#ty, { ::core::mem::needs_drop::<#ty>() }>)
    } else {
        quote!(#ty)
    }
}

/// The type of a local that is carried from one segment to another.
fn carried_type(machine: &Machine, kept: Kept) -> TokenStream {
    let (volt, ty) = (&machine.options.volt, kept_type(machine, kept));
    match machine.is_conditional(kept.local) {
        true => quote!(#volt::__private::Maybe<#ty>),
        false => ty,
    }
}

/// The suspend point with this node.
pub(crate) fn find_await(block: &Block, id: NodeId) -> Option<&Await> {
    block.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Let(stmt) => stmt.nodes().find_map(|node| find_in_node(node, id)),
        Stmt::Item(_) => None,
        Stmt::Expr { node, .. } => find_in_node(node, id),
    })
}

fn find_in_node(node: &Node, id: NodeId) -> Option<&Await> {
    if !node.holds(id) {
        return None;
    }
    match &node.kind {
        Kind::Plain(_) => None,
        Kind::Await(point) => Some(point),
        Kind::Spine(spine) => find_in_node(&spine.inner, id),
        Kind::Block(block) => find_await(block, id),
        Kind::Loop(found) => find_await(&found.body, id),
        Kind::If(found) => find_in_node(&found.cond, id)
            .or_else(|| find_await(&found.then, id))
            .or_else(|| {
                found
                    .otherwise
                    .as_ref()
                    .and_then(|node| find_in_node(node, id))
            }),
        Kind::Match(found) => find_in_node(&found.scrutinee, id).or_else(|| {
            found
                .arms
                .iter()
                .find_map(|arm| find_in_node(&arm.body, id))
        }),
    }
}

/// Whether the operand is the call of a function by its path: of another machine, most likely.
fn is_called(operand: &Operand) -> bool {
    matches!(
        operand,
        Operand::Call { .. } | Operand::Stored { convert: false, .. }
    )
}

struct Poll<'a> {
    machine: &'a Machine,
    question: Question,
}

impl Poll<'_> {
    /// Brings into scope what is called at a suspend point.
    fn calls(&self) -> Option<TokenStream> {
        let volt = &self.machine.options.volt;
        let body = &self.machine.body.root;
        let mut points = self
            .machine
            .states
            .iter()
            .filter_map(|state| find_await(body, state.node));
        let calls = points.any(|point| is_called(&point.operand));
        match (self.machine.states.is_empty(), calls) {
            (true, _) => None,
            (_, true) => Some(quote!(use #volt::__private::{Call as _, Poison as _};)),
            (_, false) => Some(quote!(use #volt::__private::Poison as _;)),
        }
    }

    /// Borrows what is lent for one turn, so that the user's code may give it away.
    fn reborrows(&self) -> TokenStream {
        let lent = self.machine.function.params.iter().filter_map(|param| {
            let reference = param.lent.as_ref()?;
            reference.mutability?;
            let name = &param.name;
            Some(quote!(let #name = &mut *#name;))
        });
        lent.collect()
    }

    fn states(&self) -> TokenStream {
        let names = &self.machine.names;
        let (state, view, volt) = (
            names::local("state"),
            &names.states_ref,
            &self.machine.options.volt,
        );
        let start = self.start();
        let arms = self.machine.states.iter().map(|state| self.state(state));
        quote! {
            match #state.as_mut().project() {
                #start
                #(#arms)*
                #view::Done => #volt::__private::resumed_after_completion(),
                #view::Poisoned(_) => #volt::__private::resumed_after_panicking(),
            }
        }
    }

    fn start(&self) -> TokenStream {
        let view = &self.machine.names.states_ref;
        let kept: Vec<Kept> = (0..self.machine.function.stored().count())
            .map(|local| Kept {
                local,
                held: false,
                maybe: false,
            })
            .collect();
        let start = [(&format_ident!("Start"), &[][..])];
        let take = self.take(&start, &kept);
        let code = segment(self.machine, Entry::Start, &[], self.question);
        quote!(#view::Start { .. } => { #take #code })
    }

    /// Takes the locals out of the state, which is in one of the variants.
    fn take(&self, variants: &[(&Ident, &[LocalId])], kept: &[Kept]) -> TokenStream {
        let (state, volt) = (names::local("state"), &self.machine.options.volt);
        let own = &self.machine.names.states_own;
        let locals = kept.iter().map(|kept| self.binding(kept.local));
        if !kept
            .iter()
            .any(|kept| self.machine.is_conditional(kept.local))
        {
            let variant = variants.iter().map(|(name, _)| name);
            return quote! {
                let #(#own::#variant)* { #(#locals,)* .. } = #state.as_mut().take() else {
                    #volt::__private::resumed_after_panicking()
                };
            };
        }
        let arms = variants.iter().map(|(variant, gone)| {
            let there = kept.iter().filter(|kept| !gone.contains(&kept.local));
            let fields = there.map(|kept| self.machine.name(kept.local));
            let values = kept.iter().map(|kept| self.value(kept.local, gone));
            quote!(#own::#variant { #(#fields,)* .. } => (#(#values,)*))
        });
        quote! {
            let (#(#locals,)*) = match #state.as_mut().take() {
                #(#arms,)*
                _ => #volt::__private::resumed_after_panicking(),
            };
        }
    }

    /// A local as a segment has it, out of the field of a state.
    fn value(&self, local: LocalId, gone: &[LocalId]) -> TokenStream {
        let (name, volt) = (self.machine.name(local), &self.machine.options.volt);
        match self.machine.is_conditional(local) {
            true if gone.contains(&local) => quote!(#volt::__private::Maybe::none()),
            true => quote!(#volt::__private::Maybe::some(#name)),
            false => quote!(#name),
        }
    }

    /// The pattern that takes a local up: those of inner blocks become mutable there.
    fn binding(&self, local: LocalId) -> TokenStream {
        let info = &self.machine.body.locals[local];
        let changes = info.mutable || self.machine.is_conditional(local);
        let mutable = (changes && self.is_outermost(local)).then(|| quote!(mut));
        let name = &info.name;
        quote!(#mutable #name)
    }

    fn is_outermost(&self, local: LocalId) -> bool {
        let root = &self.machine.body.root;
        local < self.machine.function.stored().count()
            || root.stmts.iter().any(|stmt| match stmt {
                Stmt::Let(stmt) => stmt.locals.contains(&local),
                _ => false,
            })
    }

    fn state(&self, state: &State) -> TokenStream {
        let names = &self.machine.names;
        let view = &names.states_ref;
        let Some(point) = find_await(&self.machine.body.root, state.node) else {
            return TokenStream::new();
        };
        let (poll, viewed) = self.poll_operand(point, state);
        let poll = self.watched(state, &poll);
        let stores = !matches!(point.operand, Operand::Closure(_) | Operand::Borrowed(_));
        let future = stores.then_some(&names.future).into_iter();
        let viewed = future.chain(&viewed);
        let viewed = quote!(#(#viewed,)*);
        let variants: Vec<_> = state.variants().collect();
        let take = self.take(&variants, &state.kept);
        let code = segment(
            self.machine,
            Entry::Resume(state.node),
            &state.kept,
            self.question,
        );
        let output = names::local("output");
        let names = variants.iter().map(|(name, _)| name);
        quote! {
            #(#view::#names { #viewed .. })|* => {
                let #output = match #poll {
                    ::core::task::Poll::Ready(#output) => #output,
                    ::core::task::Poll::Pending => return ::core::task::Poll::Pending,
                };
                #take
                #code
            }
        }
    }

    /// The poll under the watch for forgotten wakers.
    fn watched(&self, state: &State, poll: &TokenStream) -> TokenStream {
        let cx = names::local("cx");
        let states = &self.machine.states;
        let index = states.iter().position(|found| found.node == state.node);
        let index = Literal::usize_unsuffixed(index.map_or(0, |index| index + 1));
        quote!(Self::watch(#index, #cx, |#cx| #poll))
    }

    /// The call that polls the operand, and the kept locals that it looks at.
    fn poll_operand(&self, point: &Await, state: &State) -> (TokenStream, Vec<Ident>) {
        let volt = &self.machine.options.volt;
        let (future, cx) = (&self.machine.names.future, names::local("cx"));
        let mut viewed = Vec::new();
        let poll = match &point.operand {
            Operand::Stored { convert: true, .. } => {
                quote!(::core::future::Future::poll(#future, #cx))
            }
            Operand::Stored { .. } => quote!(#future.poll_lent(#cx, ())),
            Operand::Call { lends, .. } => {
                let lent: Vec<_> = lends
                    .iter()
                    .map(|lend| match lend {
                        Some(lend) => self.view(lend, state, &mut viewed),
                        None => quote!(#volt::__private::Evaluated),
                    })
                    .collect();
                quote!(#future.poll_lent(#cx, (#(#lent,)*)))
            }
            Operand::Closure(closure) => {
                let closure = self.view(closure, state, &mut viewed);
                quote!(#volt::__private::poll_once(#cx, #closure))
            }
            Operand::Borrowed(borrow) => {
                let borrow = self.view(borrow, state, &mut viewed);
                quote!(#volt::__private::poll_unpin(#borrow, #cx))
            }
        };
        (poll, viewed)
    }

    /// An expression over kept locals, which are reached through references meanwhile.
    fn view(&self, expr: &Expr, state: &State, viewed: &mut Vec<Ident>) -> TokenStream {
        let mut words = Vec::new();
        mentioned(quote!(#expr), &mut words);
        let mut names = Vec::new();
        for kept in &state.kept {
            let name = self.machine.name(kept.local);
            if words.iter().any(|word| name == word) {
                names.push((name.to_string(), Replacement::Place));
                if !viewed.contains(name) {
                    viewed.push(name.clone());
                }
            }
        }
        let mut expr = expr.clone();
        Substitute::new(names).visit_expr_mut(&mut expr);
        quote!(#expr)
    }

    fn jump(&self, jump: &Jump) -> TokenStream {
        let (places, variant) = (&self.machine.names.next, &jump.variant);
        let (entry, has_value) = match jump.kind {
            JumpKind::Head => (Entry::Head(jump.node), false),
            JumpKind::After { value } => (Entry::After(jump.node), value),
        };
        let kept = names::local("kept");
        let value = has_value.then(|| names::local("value"));
        let code = segment(self.machine, entry, &jump.kept, self.question);
        let names = jump.kept.iter().map(|kept| self.binding(kept.local));
        let names = names.chain(value.iter().map(|value| quote!(#value)));
        let types = jump
            .kept
            .iter()
            .map(|&kept| carried_type(self.machine, kept));
        let types = types.chain(value.iter().map(|_| quote!(_)));
        quote! {
            #places::#variant(#kept) => {
                let (#(#names,)*): (#(#types,)*) = #kept;
                #code
            }
        }
    }
}
