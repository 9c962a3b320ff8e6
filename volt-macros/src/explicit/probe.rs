//! The probe: code that is never run, whose types carry the size of each stored value.

use std::ops::Range;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::explicit_machine::{ExplicitMachine, local_ident, note};
use super::rewrite::InProbe;
use crate::hir::{AwaitId, LocalId};
use crate::layout::{Field, FieldContent};
use crate::liveness::{Live, QueryId};
use crate::names::located_at;
use crate::signature::{lifetimes, with_static};

impl ExplicitMachine<'_> {
    /// Returns the sizes of all fields, and their offsets. If these depend on results of the probe,
    /// both are constants of their own, which come first.
    pub(crate) fn layout_constant(&self) -> (Option<TokenStream>, TokenStream) {
        let private = self.private();
        let (closure, count) = (self.closure(), self.count());
        let stored = self.layout.fields.iter().map(|field| self.stored(field));
        let stored = quote!([#(#stored),*]);
        let stored_states = literal(self.layout.stored_states());
        let fallback = self.coroutine();
        let (refuted, asserted) = self.refuted_claims();
        if !self.depends_on_probe() {
            let count = Literal::usize_unsuffixed(count);
            let layout = quote!(#private::layout_of(#closure, [(); #count], #stored, #stored_states, #fallback));
            return (None, layout);
        }
        let fields = self.layout.fields.len();
        let probe = quote! {
            const __VOLT_PROBE: #private::Probe<#count> = #private::probe(#closure);
            const __VOLT_LAYOUT: #private::ProbedLayout<#fields, #count> =
                #private::layout_from(__VOLT_PROBE, #stored, #stored_states, #fallback, #refuted);
            #asserted
        };
        (Some(probe), quote!(__VOLT_LAYOUT))
    }

    /// Returns `true` if a result of the probe is used.
    fn depends_on_probe(&self) -> bool {
        let mut fields = self.layout.fields.iter();
        let is_claimed = self.count() > self.layout.fields.len()
            || !self.body.tails.is_empty()
            || !self.body.foreign_names.is_empty();
        is_claimed || fields.any(|field| !field.borrowed.is_empty())
    }

    /// Returns the states in which a field is always stored, and those in which it is stored only
    /// with a destructor.
    fn stored(&self, field: &Field) -> TokenStream {
        let private = self.private();
        let (used, scope) = (literal(field.used), literal(field.scope));
        let unless = [0, 1].map(|index| {
            let sets = field.unless.iter().filter(|(_, sets)| sets[index] != 0);
            let sets = sets.map(|(query, sets)| {
                let (answer, set) = (self.answer(*query), literal(sets[index]));
                quote!(| #private::states_unless(#answer, #set))
            });
            sets.collect::<TokenStream>()
        });
        let [used_unless, scope_unless] = unless;
        let borrowed = field.borrowed.iter().map(|(others, query, set)| {
            let (owned, set) = (self.borrow_nothing(others), literal(*set));
            let taken = query.map(|query| self.answer(query));
            let taken = taken.iter();
            quote!(| #private::states_unless(#owned #(|| #taken)*, #set))
        });
        quote!((#used #used_unless #(#borrowed)*, #scope #scope_unless))
    }

    /// Returns the closure with the body.
    fn closure(&self) -> TokenStream {
        let private = self.private();
        let idents = self.arguments().into_iter().map(|id| self.pattern(id));
        // This is first, because it counts the claims that it has to confirm.
        let code = self.probe_code();
        let arguments = self.signature.arguments.iter();
        let tys = arguments.map(|argument| self.checked_type(&self.with_static(&argument.ty)));
        let (list, notes) = self.types_and_notes();
        let (types, unpin) = (local_ident("types"), local_ident("unpin"));
        let output = self.with_static(&self.signature.output);
        let (list, returned) = (self.checked_type(&list), self.checked_type(&output));
        let parameters = quote!(((#(#tys,)*), #list, #private::InferredType<_>));
        quote! {
            |((#(#idents,)*), #types, #unpin): #parameters| -> #returned {
                let _never = #private::never();
                let #notes = #types;
                #code
            }
        }
    }

    /// Returns the list of types of the closure, and the pattern that binds the notes. These are
    /// references also if the list is no type: then a pattern has the types of its own structs.
    fn types_and_notes(&self) -> (TokenStream, TokenStream) {
        let (private, count) = (self.private(), self.count());
        let replaced = self.replaced_sizes();
        let is_replaced = |index: usize| replaced.iter().any(|size| size.index == index);
        let list = type_list(0..count, &|index| match is_replaced(index) {
            true => quote!(#private::InferredType<()>),
            false => quote!(#private::InferredType<_>),
        });
        let notes = type_list(0..count, &|index| match is_replaced(index) {
            true => quote!(_),
            false => {
                let note = note(index);
                quote!(ref #note)
            }
        });
        if replaced.is_empty() {
            return (list, notes);
        }
        let types = type_list(0..replaced.len(), &|index| replaced[index].ty.clone());
        let patterns = type_list(0..replaced.len(), &|index| replaced[index].pattern.clone());
        (quote!((#types, #list)), quote!((#patterns, #notes)))
    }

    /// Returns a type of the closure, which is no type if the reference function has an error. Each
    /// argument has its own type: a pattern that binds a value without a type could still infer
    /// one.
    fn checked_type(&self, ty: &impl ToTokens) -> TokenStream {
        let private = self.private();
        quote!(<__WellTyped as #private::IfWellTyped<#ty>>::Type)
    }

    /// Returns the body, followed by the probes, where all types are known.
    fn probe_code(&self) -> TokenStream {
        let arguments = self.arguments().into_iter();
        let noted = arguments.map(|id| self.note(id));
        let (items, body) = (&self.body.items, self.probe_body());
        let (private, unpin) = (self.private(), local_ident("unpin"));
        let (answer, asked, hidden) = (
            self.probe_unpin(),
            self.probe_borrows(),
            self.probe_hidden_lifetimes(),
        );
        let (claims, believed) = (self.probe_claims(), self.probe_calls());
        let closures = self.note_closures();
        quote! {
            #(#items)*
            #(#noted)*
            return #private::probed!({ #body });
            #private::InferredType::is(&#unpin, &#answer);
            #asked
            #hidden
            #claims
            #believed
            #closures
        }
    }

    fn probe_body(&self) -> TokenStream {
        let body = self
            .body
            .print_body(&InProbe(self), &|id, operand| self.awaited(id, &operand));
        let body = self.without_lifetimes(body);
        // If the last expression is missing, the compiler points at the braces.
        located_at(body, self.item.block.brace_token.span.join())
    }

    /// Returns the probe for `Unpin` of all stored values.
    fn probe_unpin(&self) -> TokenStream {
        let (private, types) = (self.private(), local_ident("types"));
        if self.layout.borrows_locals(self.liveness) {
            quote!(#private::native::False)
        } else {
            quote!(#private::unpin_probe(&#types).__volt_unpin())
        }
    }

    /// Returns the number of the first type of a call.
    pub(crate) fn first_call(&self) -> usize {
        self.first_plain() + self.plain_width()
    }

    /// Returns the number of the first type of a matched value that may have no destructor.
    pub(crate) fn first_plain(&self) -> usize {
        self.first_claim() + 2 * self.liveness.claims.len()
    }

    pub(crate) fn first_claim(&self) -> usize {
        self.first_trusted() + self.liveness.trusted_types.len()
    }

    pub(crate) fn first_trusted(&self) -> usize {
        self.first_copied() + 2 * self.in_operands().count()
    }

    /// Returns `true` if the compiler has to confirm a claim.
    pub(crate) fn claims_anything(&self) -> bool {
        let liveness = self.liveness;
        let is_sure = liveness.trusted_types.is_empty() && liveness.claims.is_empty();
        let is_sure = is_sure && self.body.plain.is_empty() && self.body.tails.is_empty();
        let is_sure = is_sure && self.calls.borrow().is_empty();
        let is_sure = is_sure && self.body.foreign_names.is_empty();
        self.typed.is_none() && !is_sure
    }

    /// Returns the probes for hidden lifetimes.
    fn probe_hidden_lifetimes(&self) -> Option<TokenStream> {
        let private = self.private();
        let trusted = self.liveness.trusted_types.iter().enumerate();
        let probes = trusted.map(|(index, local)| {
            let answer = note(self.first_trusted() + index);
            let ty = self.body.locals[local.0].ty.iter();
            quote!(#answer.is(&(&#private::WrittenType::<fn(&()) #(-> #ty)*>::NEW).__volt_may_borrow());)
        });
        let probes: TokenStream = probes.collect();
        (!probes.is_empty()).then(
            || quote!({ use #private::{HasHiddenLifetime as _, HasNoLifetime as _}; #probes };),
        )
    }

    fn first_copied(&self) -> usize {
        self.first_borrower() + 2 * self.layout.queried.len()
    }

    /// Returns the queries for methods in awaited operands.
    fn in_operands(&self) -> impl Iterator<Item = QueryId> {
        let operands = self.liveness.operands.iter();
        operands.filter_map(|operand| operand.query.map(|(_, query)| query))
    }

    /// Returns the number of the types of such a method's receiver and output. The next number is
    /// that of the result.
    pub(crate) fn copy_receiver(&self, query: QueryId) -> Option<usize> {
        let index = self.in_operands().position(|other| other.0 == query.0)?;
        Some(self.first_copied() + 2 * index)
    }

    fn first_borrower(&self) -> usize {
        self.layout.fields.len() + 2 * self.liveness.queries.len()
    }

    /// Returns `true` as a constant if none of these locals has a type that may borrow.
    pub(crate) fn borrow_nothing(&self, locals: &[LocalId]) -> TokenStream {
        let private = self.private();
        let queried = self.layout.queried.iter().enumerate();
        let queried = queried.filter(|(_, local)| locals.contains(local));
        let answers = queried.map(|(index, _)| self.first_borrower() + 2 * index + 1);
        let answers = answers.map(Literal::usize_unsuffixed);
        quote!(#private::borrow_nothing(&__VOLT_PROBE.sizes, &[#(#answers),*]))
    }

    /// Notes the types of locals that may borrow, as far as they are in scope at an await.
    fn note_borrowers(&self, id: AwaitId) -> TokenStream {
        let named = self.body.named(self.body.awaits[id.0].operand);
        let stored: Vec<_> = self.stored_at(id).collect();
        let in_scope = &self.cfg.blocks[self.layout.resumes[id.0].0].in_scope;
        let queried = self.layout.queried.iter().enumerate();
        let queried = queried.filter(|(_, local)| {
            in_scope.contains(local) && (stored.contains(local) || named.contains(local))
        });
        let notes = queried.map(|(index, local)| {
            let (note, ident) = (note(self.first_borrower() + 2 * index), self.ident(*local));
            quote!(#note.is(&#ident);)
        });
        notes.collect()
    }

    /// Returns the probes for types that may borrow, where all types are known.
    fn probe_borrows(&self) -> TokenStream {
        let private = self.private();
        let probes = (self.first_borrower()..self.first_trusted())
            .step_by(2)
            .map(|first| {
                let (ty, answer) = (note(first), note(first + 1));
                quote!(#answer.is(&(&#private::TypeProbe(#ty)).__volt_may_borrow());)
            });
        let probes: Vec<_> = probes.collect();
        let traits = (!probes.is_empty())
            .then(|| quote!(use #private::{MayBorrow as _, BorrowsNothing as _};));
        quote!(#traits #(#probes)*)
    }

    /// Returns the locals of the arguments, in order.
    pub(crate) fn arguments(&self) -> Vec<LocalId> {
        let locals = self.body.locals.iter().enumerate();
        let arguments = locals.filter(|(_, local)| local.is_argument());
        arguments.map(|(id, _)| LocalId(id)).collect()
    }

    /// Returns a local as a pattern.
    pub(crate) fn pattern(&self, local: LocalId) -> TokenStream {
        let ident = self.ident(local);
        if self.body.locals[local.0].mutable {
            quote!(mut #ident)
        } else {
            quote!(#ident)
        }
    }

    fn note(&self, local: LocalId) -> Option<TokenStream> {
        let field = self.field(local)?;
        let (note, ident) = (note(field), self.ident(local));
        Some(quote!(#note.is(&#ident);))
    }

    pub(crate) fn field(&self, local: LocalId) -> Option<usize> {
        let mut fields = self.layout.fields.iter();
        fields.position(|field| field.content == FieldContent::Local(local))
    }

    /// Returns the replacement of an await: its output, after the types of the values that are
    /// stored there for the first time are noted.
    fn awaited(&self, id: AwaitId, operand: &TokenStream) -> TokenStream {
        let (private, asked) = (self.private(), note(self.layout.future(id)));
        let stored = self.stored_at(id);
        let stored = stored.filter(|local| self.is_first(id, *local));
        let stored = stored.filter_map(|local| self.note(local));
        let (noted, renewed) = (self.note_borrowers(id), local_ident("recreated"));
        let output = if self.layout.recreated[id.0] {
            quote! {
                let #renewed = #private::probe_poll_fn(#operand);
                #asked.is(&#renewed.__volt_stored());
                #renewed.__volt_output()
            }
        } else {
            quote!(#asked.output(#operand))
        };
        quote!({ #(#stored)* #noted #output })
    }

    /// Returns the locals that the machine stores at an await, without the future.
    pub(crate) fn stored_at(&self, id: AwaitId) -> impl Iterator<Item = LocalId> {
        let resume = self.layout.resumes[id.0];
        let lives = self.liveness.entry[resume.0]
            .iter()
            .map(|Live { local, .. }| *local);
        let output = self.body.awaits[id.0].output;
        lives.filter(move |local| *local != output)
    }

    /// Returns `true` if a local that is no argument is stored at no earlier await.
    fn is_first(&self, id: AwaitId, local: LocalId) -> bool {
        let mut before = (0..id.0).map(AwaitId);
        !self.body.locals[local.0].is_argument()
            && !before.any(|earlier| self.stored_at(earlier).any(|stored| stored == local))
    }

    /// Returns the tokens with `'static` for each lifetime of the function, because constants have
    /// no such lifetimes.
    fn without_lifetimes(&self, tokens: TokenStream) -> TokenStream {
        let declared = lifetimes(&self.item.sig.generics);
        if declared.is_empty() {
            tokens
        } else {
            with_static(tokens, &declared)
        }
    }
}

/// The number of elements of a tuple, without its rest.
const WIDTH: usize = 12;

/// Returns a tuple with an element for each field. More than twelve fields continue in a tuple that
/// is the last element, because the support code is implemented for tuples of these lengths.
fn type_list(fields: Range<usize>, element: &dyn Fn(usize) -> TokenStream) -> TokenStream {
    let end = fields.end.min(fields.start + WIDTH);
    let elements = (fields.start..end).map(element);
    let rest = (end < fields.end).then(|| type_list(end..fields.end, element));
    let rest = rest.iter();
    quote!((#(#elements,)* #(#rest)*))
}

fn literal(set: u128) -> Literal {
    Literal::u128_unsuffixed(set)
}
