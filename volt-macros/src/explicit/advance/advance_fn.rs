//! `advance`: the slots, the blocks, and the code that drops or inspects a waiting machine.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

use crate::backend::FutureOutput;
use crate::cfg::BlockId;
use crate::explicit::explicit_machine::{ExplicitMachine, local_ident, scratch, slot, stack};
use crate::explicit::typed_fields::{CarriedTypes, OfAnyLifetimes};
use crate::hir::{AwaitId, LocalId, LocalKind, checked_type};
use crate::layout::{FieldContent, Place};
use crate::liveness::{Live, Need};
use crate::names::label;
use crate::signature::Struct;

impl ExplicitMachine<'_> {
    /// Returns the machine's implementations.
    pub(crate) fn advance(&self) -> TokenStream {
        let (private, table, carried) = (self.private(), self.table(), self.carried());
        if let Some(of) = self.any_lifetimes(&carried) {
            return self.advance_for_any(&carried, &of, &table);
        }
        let output = FutureOutput::of(
            self.vis(),
            self.name,
            self.signature,
            &self.signature.output.to_token_stream(),
        );
        let (head, items) = (self.head(&output.list, &carried), &output.items);
        let (slots, stacks, unpin) = (self.slots(), self.stacks(), self.unpin());
        let names = ["tag", "next", "mode", "region"].map(local_ident);
        let [tag, next, mode, region] = &names;
        let token = self.token();
        // A static within a generic implementation would be shared by all types.
        let register = self.typed.is_none().then(|| self.static_type());
        let code = self.code();
        quote! {
            #items
            #private::machine! {
                #head
                #table
                register [#register]
                advance (__VoltMode, #tag, #next, #mode, #region #token)
                slots [#unpin] { #slots }
                stacks { #(#stacks)* }
                { #code }
            }
        }
    }

    /// Returns the implementations of a machine that carries its signature: its code, and for all
    /// types of its fields the calls of that code.
    fn advance_for_any(
        &self,
        carried: &CarriedTypes,
        of: &OfAnyLifetimes,
        table: &TokenStream,
    ) -> TokenStream {
        let (private, name) = (self.private(), self.name);
        let (output, size) = (&self.signature.output, self.reference_size());
        let (slots, stacks, token) = (self.slots(), self.stacks(), self.token());
        let names = ["tag", "next", "mode", "region"].map(local_ident);
        let [tag, next, mode, region] = &names;
        let (code, types, of_code) = (self.code(), &of.types, of.code.lists());
        let dropped = self.for_all(carried).lists();
        let (lists, own) = (of.machine.lists(), &of.own);
        let Struct {
            parameters, bounds, ..
        } = &of.machine;
        quote! {
            #private::carried_code! {
                #name #of_code of [#types] output [#output] size [#size]
                advance (__VoltMode, #tag, #next, #mode, #region #token)
                slots { #slots }
                stacks { #(#stacks)* }
                { #code }
            }
            #private::machine! {
                machine #name #lists [Self]
                output [#own::Output] as [#parameters] [#bounds] [#own::Output]
                dropped #dropped
                #table
                register []
                advance (__VoltMode, #tag, #next, #mode, #region)
                slots [false] {}
                stacks {}
                { #own::advance_carried(#tag.base(), #next, #mode, #region) }
            }
        }
    }

    /// Returns the token, which is live as long as borrows of the machine's locals.
    fn token(&self) -> Option<TokenStream> {
        let token = self
            .layout
            .borrows_locals(self.liveness)
            .then(|| local_ident("token"));
        token.map(|token| quote!(, #token))
    }

    /// Returns `machine .. output ..`.
    fn head(&self, future: &TokenStream, carried: &CarriedTypes) -> TokenStream {
        let (name, lists) = (self.name, self.signature.lists());
        let (ty, output) = (self.static_type(), &self.signature.output);
        let dropped = self.for_all(carried).lists();
        quote!(machine #name #lists [#ty] output [#output] as #future dropped #dropped)
    }

    /// Returns the blocks in a loop. A call that does not poll leaves the loop at once, and runs
    /// the code after it.
    fn code(&self) -> TokenStream {
        let (items, expected, scratches) =
            (&self.body.items, self.expected_types(), self.scratches());
        let (blocks, over, asked) = (self.blocks(), self.over(), self.query_states());
        let machine = label("machine");
        let (gate, value_types) = (self.gate_of_claims(), self.value_types());
        let similar = &self.body.similar_names;
        quote! {
            #gate
            #(let #similar = ();)*
            #(#value_types)*
            #(#items)*
            #(#expected)*
            #scratches
            #machine: loop {
                if __VoltMode::IS_QUERY {
                    break #machine;
                }
                #blocks
                #over
            }
            #asked
            __volt::Pending
        }
    }

    /// Returns a gate for code that moves or borrows in another way than a refuted claim states.
    /// The machine is native then, and the compiler checks no borrows after the gate.
    pub(crate) fn gate_of_claims(&self) -> Option<TokenStream> {
        let (private, ty) = (self.private(), self.static_type());
        let is_native = quote!({ #private::is_native::<#ty>() });
        self.claims_anything()
            .then(|| quote!(<#private::ReceiverIsMoved<#is_native> as #private::ReceiverGate>::assume_borrowed();))
    }

    /// Returns the call that records why no block has the number.
    fn over(&self) -> TokenStream {
        let (private, next, mode) = (self.private(), local_ident("next"), local_ident("mode"));
        let done = Literal::usize_unsuffixed(self.layout.resumes.len() + 1);
        if self.awaits_closures() {
            let (tag, futures) = (local_ident("tag"), self.awaited_slots());
            return quote! {
                return #private::no_block_or_type(
                    #mode, #next, #done, #tag.get(), &[#(#futures.__volt_type_id()),*],
                );
            };
        }
        quote!(return #private::no_block(#mode, #next, #done);)
    }

    /// Returns `true` as a constant if all stored values are `Unpin`. The compiler determines it
    /// for fields with written types.
    fn unpin(&self) -> TokenStream {
        let (private, ty) = (self.private(), self.static_type());
        match self.typed {
            Some(_) => quote!(false),
            None => quote!({ #private::is_unpin::<#ty>() }),
        }
    }

    pub(crate) fn slots(&self) -> TokenStream {
        let slots = self.layout.fields.iter().enumerate().map(|(index, field)| {
            let ty = match (self.typed, field.content) {
                (Some(typed), _) => Some(typed.types[index].to_token_stream()),
                (None, FieldContent::Local(local)) => self.argument_type(local),
                (None, FieldContent::Future(_)) => None,
            };
            let (slot, ty) = (slot(index), ty.unwrap_or_else(|| quote!(_)));
            let index = Literal::usize_unsuffixed(index);
            quote!(#slot [#index]: #ty;)
        });
        slots.collect()
    }

    /// Returns places on the stack, for values that may be live only between two awaits.
    fn scratches(&self) -> TokenStream {
        let fields = 0..self.layout.fields.len();
        let fields = fields.filter(|field| self.layout.may_be_on_stack(*field));
        let scratches = fields.map(|field| {
            let (slot, scratch) = (slot(field), scratch(field));
            quote! {
                let mut #scratch = ::core::mem::MaybeUninit::uninit();
                let #slot = &#slot.or(&mut #scratch);
            }
        });
        scratches.collect()
    }

    fn argument_type(&self, local: LocalId) -> Option<TokenStream> {
        let index = self
            .arguments()
            .iter()
            .position(|argument| *argument == local)?;
        let ty = &self.signature.arguments[index].ty;
        Some(quote!(#ty))
    }

    fn stacks(&self) -> Vec<Ident> {
        let places = self.layout.places.iter().enumerate();
        let stacks = places.filter(|(_, place)| **place == Place::Stack);
        stacks.map(|(local, _)| stack(LocalId(local))).collect()
    }

    /// Returns statements that set the types to which the values of branches are coerced. They may
    /// name items of the body.
    fn expected_types(&self) -> Vec<TokenStream> {
        let private = self.private();
        let places = self.layout.places.iter().zip(&self.body.locals).enumerate();
        let expected = places.filter_map(|(id, (place, local))| {
            let ty = local
                .ty
                .as_ref()
                .filter(|_| local.kind == LocalKind::Temp)
                .map(checked_type)?;
            match place {
                Place::Stack => {
                    let stack = stack(LocalId(id));
                    Some(quote!(let _: &#private::StackSlot<#ty> = &#stack;))
                }
                Place::Field(field) if self.typed.is_none() => {
                    let slot = slot(*field);
                    Some(quote!(let _: &#private::Slot<#ty> = &#slot;))
                }
                _ => None,
            }
        });
        expected.collect()
    }

    fn blocks(&self) -> TokenStream {
        let blocks = (0..self.cfg.blocks.len()).map(BlockId);
        blocks.map(|block| self.block(block)).collect()
    }

    /// Returns the code that inspects or drops the values of each state.
    fn query_states(&self) -> TokenStream {
        let (tag, mode) = (local_ident("tag"), local_ident("mode"));
        let derived = self.options.value_traits();
        // The traits of a typed machine require bounds that the machine itself does not have.
        let derived = (self.typed.is_none() && !derived.is_empty()).then(|| {
            let states = self.each_state(&derived);
            quote!(else if !__VoltMode::DROPS { #states })
        });
        let snapshot = self.snapshot_branch();
        let start = self.dropped_start();
        let awaits = (0..self.layout.resumes.len()).map(AwaitId);
        let states = awaits.map(|id| self.dropped_state(id));
        let (shown, futures) = (self.debug_locals(), self.awaited_futures());
        quote! {
            if __VoltMode::INSPECTS {
                #mode.inspect(#tag.get(), &[#(#shown),*], &[#(#futures),*]);
            } #snapshot #derived else {
                match #tag.get() { #start #(#states)* _ => {} }
            }
        }
    }

    /// Returns the code that drops the arguments of a machine that was never polled, in the order
    /// of their declarations.
    fn dropped_start(&self) -> TokenStream {
        let arguments = self.arguments().into_iter().rev();
        let held = arguments.map(|local| {
            let (ident, slot) = (self.ident(local), self.slot(local));
            quote!(let #ident = #slot.guard();)
        });
        quote!(0 => { #(#held)* })
    }

    /// Returns the code that drops the values of a waiting machine, and the future.
    fn dropped_state(&self, id: AwaitId) -> TokenStream {
        let resume = self.layout.resumes[id.0];
        let number = self.number(resume);
        let held = self.entry(resume).iter().map(|live| {
            let (ident, held) = (self.ident(live.local), self.guard_of(*live));
            quote!(let #ident = #held;)
        });
        let (future, slot) = (local_ident("future"), slot(self.layout.future(id)));
        quote! {
            #number => {
                #(#held)*
                let #future = #slot.guard();
            }
        }
    }

    /// Returns the code of derived traits for each state.
    pub(crate) fn each_state(&self, traits: &[Ident]) -> TokenStream {
        let (tag, start) = (local_ident("tag"), self.each_slot(None, traits));
        let states = self.layout.resumes.iter().enumerate().map(|(id, resume)| {
            let (number, each) = (
                self.number(*resume),
                self.each_slot(Some(AwaitId(id)), traits),
            );
            quote!(#number => { #each })
        });
        quote!(match #tag.get() {
            0 => { #start }
            #(#states)*
            _ => {}
        })
    }

    /// Returns the code of derived traits for the values that are stored at an await, or at the
    /// start.
    fn each_slot(&self, id: Option<AwaitId>, traits: &[Ident]) -> TokenStream {
        let (private, mode) = (self.private(), local_ident("mode"));
        let slots = match id {
            None => {
                let arguments = self.arguments().into_iter();
                let slots = arguments.map(|local| (self.slot(local), false));
                slots.collect()
            }
            Some(id) => self.slots_at(id),
        };
        let slots = slots
            .iter()
            .map(|(slot, is_for_drop)| quote!(#slot #is_for_drop));
        quote!(#private::each_slot!([#(#traits)*] __VoltMode, #mode, [#(#slots),*]);)
    }

    /// Returns the slots that are filled at an await, each with `true` if it is filled only for a
    /// drop.
    fn slots_at(&self, id: AwaitId) -> Vec<(Ident, bool)> {
        let lives = self.entry(self.layout.resumes[id.0]).iter();
        let locals = lives.map(|live| (self.slot(live.local), live.need != Need::Used));
        let future = (slot(self.layout.future(id)), false);
        locals.chain([future]).collect()
    }

    /// Returns the guard of a live local.
    pub(crate) fn guard_of(&self, live: Live) -> TokenStream {
        let slot = self.slot(live.local);
        match live.need {
            Need::Unless(query) => {
                let answer = self.answer(query);
                quote!(#slot.guard_unless::<{ #answer }>())
            }
            Need::Used | Need::Scope => quote!(#slot.guard()),
        }
    }
}
