//! `advance`: one poll of the states.
//!
//! Expands to:
//!
//! ```text
//! fn advance(state: Pin<&mut States>, begin: Begin, cx: &mut Context<'_>, lent: ..) -> Poll<Output> {
//!     let mut next = state.project(&begin);
//!     {
//!         'segment: {
//!             let Next::Start(state) = next else { break 'segment };
//!             take the arguments; segment
//!         }
//!     }
//!     'machine: loop {                                        // only if there is a loop
//!         'segment: {
//!             let Next::Await(state) = next else { break 'segment };
//!             poll; take the locals; segment
//!         }
//!         'segment: {
//!             let Next::Jump((state, kept)) = next else { break 'segment };
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

use super::segment::{Entry, segment};
use super::tail::editions;
use crate::state_machine::body::{Await, Block, Kind, LocalId, Node, NodeId, Operand, Stmt};
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::{Jump, JumpKind, Machine};
use crate::state_machine::names;

/// The body of `advance`.
pub(crate) fn advance(machine: &Machine) -> TokenStream {
    let poll = Poll { machine };
    let (state, label) = (names::local("state"), names::label("machine"));
    let (next, volt) = (names::local("next"), &machine.options.volt);
    let begin = names::local("begin");
    let reborrows = poll.reborrows();
    let start = match machine.rooms.0.is_empty() {
        true => quote!(let mut #next = #state.project(&#begin);),
        false => {
            let states = names::local("states");
            quote! {
                let mut #states = #state;
                let mut #next = #states.as_mut().project(&#begin);
            }
        }
    };
    let (first, segments) = (poll.start(), poll.segments());
    let calls = poll.calls();
    let first_then_turns = machine
        .turns()
        .then(|| quote!({ #reborrows #first } #label: loop));
    let first = first_then_turns.is_none().then_some(first);
    let code = quote! {
        #first_then_turns {
            #reborrows
            #first
            #segments
            #volt::__private::resumed_after_panicking()
        }
    };
    let editions = editions(machine, &code);
    quote! {
        #calls
        #editions
        #start
        #code
    }
}

/// The type of the field in which something is kept.
pub(crate) fn kept_type(machine: &Machine, kept: Kept) -> TokenStream {
    let volt = &machine.options.volt;
    let ty = &machine.body.locals[kept.local].ty;
    if kept.held {
        let erased = ty.as_ref().map(|ty| machine.function.erased(ty));
        quote!(#volt::__private::Held<#ty, { ::core::mem::needs_drop::<#erased>() }>)
    } else {
        quote!(#ty)
    }
}

/// The type of a local that is carried from one segment to another.
fn carried_type(machine: &Machine, kept: Kept) -> TokenStream {
    let volt = &machine.options.volt;
    let held = kept.held && !machine.is_renewed(kept.local);
    let ty = kept_type(machine, Kept { held, ..kept });
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
        Operand::Call { .. } | Operand::Composed { .. } | Operand::Stored { convert: false, .. }
    )
}

pub(super) struct Poll<'a> {
    pub(super) machine: &'a Machine,
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

    /// The segments, each at its place.
    fn segments(&self) -> TokenStream {
        let states = self.machine.states.iter();
        let states = states.map(|state| (state.rank(), self.state(state)));
        let jumps = self.machine.jumps.iter();
        let jumps = jumps.map(|jump| (jump.rank(), self.jump(jump)));
        let mut segments: Vec<_> = states.chain(jumps).collect();
        segments.sort_by_key(|&(rank, _)| rank);
        let segments = segments.into_iter().map(|(_, code)| code);
        let rooms = (0..self.machine.rooms.0.len()).map(|room| self.room(room));
        rooms.chain(segments).collect()
    }

    /// A segment, for when the next place is `variant`.
    pub(super) fn at(
        &self,
        variant: &Ident,
        bound: &TokenStream,
        code: &TokenStream,
    ) -> TokenStream {
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
        let (state, begin) = (names::local("state"), names::local("begin"));
        let function = &self.machine.function;
        let arguments = 0..function.stored().count();
        let beside = &self.machine.beside;
        let arguments = arguments.filter(|local| !beside.contains(local));
        let arguments: Vec<LocalId> = arguments.collect();
        let bindings = arguments.iter().map(|&local| self.binding(local));
        let marker = function.phantom().map(|_| quote!(_)).into_iter();
        let conditional = |local: &LocalId| self.machine.is_conditional(*local);
        let take = if arguments.iter().any(conditional) {
            let names = arguments.iter().map(|&local| self.machine.name(local));
            let values = arguments.iter().map(|&local| self.there(local, false));
            quote! {
                let (#state, (#(#names,)* #(#marker,)*)) = #begin.first(#state).take();
                let (#(#bindings,)*) = (#(#values,)*);
            }
        } else {
            quote!(let (#state, (#(#bindings,)* #(#marker,)*)) = #begin.first(#state).take();)
        };
        let code = segment(self.machine, Entry::Start, &[], None);
        let code = quote!(#take #code);
        self.at(&format_ident!("Start"), &quote!(#state), &code)
    }

    /// A local as a segment has it, out of the field of a state.
    pub(super) fn value(&self, kept: &Kept, gone: &[LocalId]) -> TokenStream {
        let volt = &self.machine.options.volt;
        match gone.contains(&kept.local) {
            true => quote!(#volt::__private::Maybe::none()),
            false => self.there(kept.local, kept.held),
        }
    }

    /// The same of a local that is there, perhaps only for its destructor.
    fn there(&self, local: LocalId, held: bool) -> TokenStream {
        let (name, volt) = (self.machine.name(local), &self.machine.options.volt);
        match self.machine.is_conditional(local) {
            true if held && self.machine.is_renewed(local) => quote!(#name.take_up()),
            true => quote!(#volt::__private::Maybe::some(#name)),
            false => quote!(#name),
        }
    }

    /// The pattern that takes a local up: those of inner blocks become mutable there.
    pub(super) fn binding(&self, local: LocalId) -> TokenStream {
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

    fn jump(&self, jump: &Jump) -> TokenStream {
        let (entry, has_value) = match jump.kind {
            JumpKind::Head => (Entry::Head(jump.node), false),
            JumpKind::After { value } => (Entry::After(jump.node), value),
        };
        let (this, kept) = (names::local("state"), names::local("kept"));
        let value = has_value.then(|| names::local("value"));
        let rank = Some(jump.rank());
        let code = segment(self.machine, entry, &jump.kept, rank);
        let moved = self.machine.moved(&jump.kept);
        let names = moved.clone().map(|kept| self.binding(kept.local));
        let names = names.chain(value.iter().map(|value| quote!(#value)));
        let types = moved.map(|&kept| carried_type(self.machine, kept));
        let types = types.chain(value.iter().map(|_| quote!(_)));
        let volt = &self.machine.options.volt;
        let path = self.machine.path(&jump.kept);
        let innermost = path.last().copied();
        let states = self.machine.level_type(innermost);
        let is_leaf = self.machine.rooms.is_leaf(innermost);
        let states = is_leaf.then(|| quote!(#volt::__private::Vacant<'_, #states>,));
        let this = is_leaf.then(|| quote!(#this,));
        let places = path.iter().map(|&room| {
            let name = self.machine.room_local(room);
            let ty = &self.machine.body.locals[self.machine.rooms.0[room].local].ty;
            (quote!(mut #name,), quote!(&mut #ty,))
        });
        let (places, place_types): (TokenStream, TokenStream) = places.unzip();
        let beside = self.machine.bind_beside(&jump.kept);
        let code = quote! {
            let (#this #places #(#names,)*): (#states #place_types #(#types,)*) = #kept;
            #beside
            #code
        };
        self.at(&jump.variant, &kept.to_token_stream(), &code)
    }
}
