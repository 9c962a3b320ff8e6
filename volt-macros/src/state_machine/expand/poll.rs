//! `advance`: one poll of the states.
//!
//! Expands to:
//!
//! ```text
//! fn advance(state: Pin<&mut States>, cx: &mut Context<'_>, lent: ..) -> Poll<Output> {
//!     let mut next = state.project();
//!     'machine: loop {                                        // only if there is a loop
//!         'segment: {
//!             let Next::Start(state) = next else { break 'segment };
//!             take the arguments; segment
//!         }
//!         'segment: {
//!             let Next::Await(state) = next else { break 'segment };
//!             poll; take the locals; segment
//!         }
//!         'segment: {
//!             let Next::Jump(state, kept) = next else { break 'segment };
//!             segment
//!         }
//!     }
//! }
//! ```
//!
//! Inside a segment, `state` is what is known of the states there: that they stand at the variant,
//! then that they are vacant. The segments stand in the order of the source, so that one can go on
//! further down: the compiler sees where that leads, as it does not for what comes after a turn
//! of the loop. Only what goes back in the source takes another turn.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, Type};

use super::rewrite::Question;
use super::segment::{Entry, segment};
use crate::state_machine::body::{Await, Block, Glue, Kind, LocalId, Node, NodeId, Operand, Stmt};
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
    let (next, volt) = (names::local("next"), &machine.options.volt);
    let reborrows = poll.reborrows();
    let segments = poll.segments();
    let calls = poll.calls();
    let turns = machine.turns().then(|| quote!(#label: loop));
    quote! {
        #calls
        let mut #next = #state.project();
        #turns {
            #reborrows
            #segments
            #volt::__private::resumed_after_panicking()
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

/// The suspend point with this node.
pub(crate) fn find_await(block: &Block, id: NodeId) -> Option<&Await> {
    block.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Let(stmt) => stmt.init.as_ref().and_then(|node| find_in_node(node, id)),
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

struct Poll<'a> {
    machine: &'a Machine,
    question: Question,
}

impl Poll<'_> {
    /// Brings the calling convention into scope, if a call uses it.
    fn calls(&self) -> Option<TokenStream> {
        let volt = &self.machine.options.volt;
        let body = &self.machine.body.root;
        let mut points = self
            .machine
            .states
            .iter()
            .filter_map(|state| find_await(body, state.node));
        points
            .any(|point| point.operand.is_call() || matches!(point.operand, Operand::Call { .. }))
            .then(|| quote!(use #volt::__private::Call as _;))
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

    /// The segments, each at its place.
    fn segments(&self) -> TokenStream {
        let states = self.machine.states.iter();
        let states = states.map(|state| (Some(state.rank()), self.state(state)));
        let jumps = self.machine.jumps.iter();
        let jumps = jumps.map(|jump| (Some(jump.rank()), self.jump(jump)));
        let mut segments: Vec<_> = states.chain(jumps).collect();
        segments.push((None, self.start()));
        segments.sort_by_key(|&(rank, _)| rank);
        segments.into_iter().map(|(_, code)| code).collect()
    }

    /// A segment, for when the next place is `variant`.
    fn at(&self, variant: &Ident, bound: &TokenStream, code: &TokenStream) -> TokenStream {
        let (next, places) = (names::local("next"), &self.machine.names.next);
        let label = names::label("segment");
        quote! {
            #label: {
                let #places::#variant(#bound) = #next else { break #label };
                #code
            }
        }
    }

    fn start(&self) -> TokenStream {
        let state = names::local("state");
        let function = &self.machine.function;
        let locals = (0..function.stored().count()).map(|local| self.binding(local));
        let marker = function.phantom().map(|_| quote!(_)).into_iter();
        let locals = locals.chain(marker);
        let code = segment(self.machine, Entry::Start, &[], None, self.question);
        let announce = self.announce();
        let code = quote! {
            #announce
            let (#state, (#(#locals,)*)) = #state.take();
            #code
        };
        self.at(&format_ident!("Start"), &quote!(#state), &code)
    }

    /// Announces the machine, unless it is part of another, or of a future that lends to it.
    fn announce(&self) -> Option<TokenStream> {
        let (volt, core) = (&self.machine.options.volt, &self.machine.names.core);
        let (arguments, outermost) = (self.machine.function.arguments(), names::local("outermost"));
        (!self.machine.function.lends()).then(|| {
            quote! {
                if #outermost {
                    #volt::__private::announce::<#core<#arguments>>();
                }
            }
        })
    }

    /// The pattern that takes a local up: those of inner blocks become mutable there.
    fn binding(&self, local: LocalId) -> TokenStream {
        let info = &self.machine.body.locals[local];
        let mutable = (info.mutable && self.is_outermost(local)).then(|| quote!(mut));
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
        let Some(point) = find_await(&self.machine.body.root, state.node) else {
            return TokenStream::new();
        };
        let (poll, viewed) = self.poll_operand(point, state);
        let (this, output) = (names::local("state"), names::local("output"));
        let view = self.look(point, state, &viewed);
        let take = self.take(state);
        let code = segment(
            self.machine,
            Entry::Resume(state.node),
            &state.kept,
            Some(state.rank()),
            self.question,
        );
        let code = quote! {
            #view
            let #output = match #poll {
                ::core::task::Poll::Ready(#output) => #output,
                ::core::task::Poll::Pending => return ::core::task::Poll::Pending,
            };
            #take
            #code
        };
        self.at(&state.variant, &quote!(mut #this), &code)
    }

    /// Takes the locals of a state. Where two of them may drop, they are bound once more in the
    /// order of their declarations, for it is the reverse in which they are dropped.
    fn take(&self, state: &State) -> TokenStream {
        let this = names::local("state");
        let drops = |kept: &&Kept| self.machine.body.locals[kept.local].glue != Glue::None;
        let bindings = |kept: &Kept| self.binding(kept.local);
        let name = |kept: &Kept| self.machine.name(kept.local);
        let inward = state.kept.iter();
        if inward.clone().filter(drops).count() < 2 {
            let locals = inward.rev().map(bindings);
            return quote!(let (#this, (#(#locals,)*)) = #this.take(););
        }
        let outward = inward.clone().rev().map(name);
        let (bindings, names) = (inward.clone().map(bindings), inward.map(name));
        quote! {
            let (#this, (#(#outward,)*)) = #this.take();
            let (#(#bindings,)*) = (#(#names,)*);
        }
    }

    /// Borrows the awaited future, and the locals that its poll looks at.
    fn look(&self, point: &Await, state: &State, viewed: &[Ident]) -> Option<TokenStream> {
        let stores = !matches!(point.operand, Operand::Closure(_) | Operand::Borrowed(_));
        if !stores && viewed.is_empty() {
            return None;
        }
        let (this, future) = (names::local("state"), &self.machine.names.future);
        let future = if stores { quote!(#future) } else { quote!(_) };
        let locals = state.kept.iter().rev().map(|kept| {
            let name = self.machine.name(kept.local);
            if viewed.contains(name) {
                quote!(#name)
            } else {
                quote!(_)
            }
        });
        let locals = if viewed.is_empty() {
            quote!(_)
        } else {
            quote!((#(#locals,)*))
        };
        Some(quote!(let (#future, #locals) = #this.view();))
    }

    /// The call that polls the operand, and the kept locals that it looks at.
    fn poll_operand(&self, point: &Await, state: &State) -> (TokenStream, Vec<Ident>) {
        let volt = &self.machine.options.volt;
        let (future, cx) = (&self.machine.names.future, names::local("cx"));
        let mut viewed = Vec::new();
        let poll = match &point.operand {
            operand if operand.is_call() => quote!(#future.poll_lent(#cx, ())),
            Operand::Stored { .. } => quote!(::core::future::Future::poll(#future, #cx)),
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
        let (entry, has_value) = match jump.kind {
            JumpKind::Head => (Entry::Head(jump.node), false),
            JumpKind::After { value } => (Entry::After(jump.node), value),
        };
        let kept = names::local("kept");
        let value = has_value.then(|| names::local("value"));
        let rank = Some(jump.rank());
        let code = segment(self.machine, entry, &jump.kept, rank, self.question);
        let this = names::local("state");
        let names = jump.kept.iter().map(|kept| self.binding(kept.local));
        let names = names.chain(value.iter().map(|value| quote!(#value)));
        let types = jump.kept.iter().map(|&kept| kept_type(self.machine, kept));
        let types = types.chain(value.iter().map(|_| quote!(_)));
        let volt = &self.machine.options.volt;
        let code = quote! {
            let (#this, #(#names,)*): (#volt::__private::Vacant<'_, Self>, #(#types,)*) = #kept;
            #code
        };
        self.at(&jump.variant, &kept.to_token_stream(), &code)
    }
}
