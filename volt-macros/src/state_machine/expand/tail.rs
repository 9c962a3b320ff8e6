//! What the last expression of a block leaves behind.
//!
//! Since edition 2024 it is dropped before the locals of the block, as the machine does, and earlier
//! than them before. So there it has to be proven that nobody can tell. The edition is that of the
//! user's crate, which a macro within the expansion knows: since 2024 the fragment `expr` takes a `_`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, parse2};

use super::segment::Segment;
use crate::state_machine::body::{Block, Glue, LocalId, Stmt};
use crate::state_machine::check::prove_tail;
use crate::state_machine::model::Machine;
use crate::state_machine::names;
use crate::state_machine::scope::holds_word;

/// The name of the macro.
const BEFORE_2024: &str = "before_2024";

fn name() -> Ident {
    names::local(BEFORE_2024)
}

/// The macro, if it is used in the code: it gives a value, and before edition 2024 it passes it
/// through the proof behind it.
pub(super) fn before_2024(machine: &Machine, code: &TokenStream) -> Option<TokenStream> {
    holds_word(code.clone(), BEFORE_2024)?;
    let (name, span) = (name(), machine.function.item.sig.ident.span());
    Some(quote_spanned! {span=>
        macro_rules! #name {
            ($since_2024:expr; $value:expr; $proof:path; $($rest:tt)*) => {
                $value
            };
            (_; $value:expr; $proof:path; $($rest:tt)*) => {
                $proof($value $($rest)*)
            };
        }
    })
}

impl Segment<'_> {
    /// The value of a block, with what it leaves behind proven to go unnoticed if the block has
    /// anything to drop.
    pub(super) fn tail(&self, block: &Block, value: TokenStream) -> TokenStream {
        if !self.drops(block) {
            return value;
        }
        self.proven_tail(value)
    }

    /// The same of a block that stands within an expression.
    pub(super) fn proven_tail(&self, value: TokenStream) -> TokenStream {
        let Ok(mut tail) = parse2::<Expr>(value.clone()) else {
            return value;
        };
        match prove_tail(&mut tail, self.volt(), &name()) {
            true => tail.into_token_stream(),
            false => value,
        }
    }

    /// The proof for a local that stands for a value which ends a block.
    pub(super) fn ends_block(&self, local: LocalId) -> Option<TokenStream> {
        let info = &self.machine.body.locals[local];
        let span = Span::call_site().located_at(info.ends_block?);
        let (volt, edition, matched) = (self.volt_at(span), name(), &info.name);
        Some(quote_spanned! {span=>
            let _ = #edition!(_; &#matched; #volt::__private::no_residue_of;);
        })
    }

    /// Whether the block has locals that may have a destructor.
    fn drops(&self, block: &Block) -> bool {
        block.stmts.iter().any(|stmt| match stmt {
            Stmt::Let(stmt) => {
                let mut locals = stmt.locals.iter();
                locals.any(|&local| self.machine.body.locals[local].glue != Glue::None)
            }
            _ => false,
        })
    }
}
