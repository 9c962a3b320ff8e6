//! The fields of the variants.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::poll::{find_await, kept_type};
use super::room::Variant;
use crate::state_machine::body::Operand;
use crate::state_machine::callee::without_last;
use crate::state_machine::liveness::Kept;
use crate::state_machine::model::Machine;

/// A field of a variant.
pub(super) struct Field {
    /// Whether it stays where it is: a future, or the states in a room.
    pub(super) pinned: bool,
    pub(super) name: Ident,
    pub(super) ty: TokenStream,
}

impl Field {
    fn plain(name: &Ident, ty: impl ToTokens) -> Self {
        Self {
            pinned: false,
            name: name.clone(),
            ty: ty.into_token_stream(),
        }
    }

    fn pinned(name: &Ident, ty: impl ToTokens) -> Self {
        Self {
            pinned: true,
            ..Self::plain(name, ty)
        }
    }
}

/// The arguments, as the first variant holds them.
pub(super) fn start(machine: &Machine) -> Vec<Field> {
    let function = &machine.function;
    let arguments = function.stored().enumerate();
    let arguments = arguments.filter(|(local, _)| !machine.beside.contains(local));
    let arguments = arguments.map(|(_, param)| param);
    let arguments = arguments.map(|param| Field::plain(&param.name, &param.ty));
    let marker = function.phantom();
    let marker = marker.map(|phantom| Field::plain(&machine.names.marker, phantom));
    arguments.chain(marker).collect()
}

/// The name of another variant, and its fields.
pub(super) fn fields(machine: &Machine, found: &Variant<'_>) -> (Ident, Vec<Field>) {
    let (state, name, gone) = match *found {
        Variant::State(state, name, gone) => (state, name, gone),
        Variant::Room(room) => {
            let (local, states) = (machine.room_local(room), machine.level_type(Some(room)));
            let ty = &machine.body.locals[machine.rooms.0[room].local].ty;
            let at = Field::pinned(&machine.names.at, states);
            let name = machine.room_names[room].variant.clone();
            return (name, vec![Field::plain(local, ty), at]);
        }
    };
    let operand = find_await(&machine.body.root, state.node).map(|point| &point.operand);
    let future = match operand {
        Some(Operand::Stored { ty, .. } | Operand::Composed { ty, .. }) => Some(ty.clone()),
        Some(Operand::Call { ty, boxed, .. }) => Some(behind(ty, boxed.as_ref())),
        _ => None,
    };
    let future = future.map(|ty| Field::pinned(&machine.names.future, ty));
    let kept = machine.fields(&state.kept);
    let kept = kept.filter(|kept| !gone.contains(&kept.local));
    let (plain, droppy): (Vec<_>, Vec<_>) = kept.partition(|kept| machine.is_plain(kept));
    let field = |kept: &Kept| Field::plain(machine.name(kept.local), kept_type(machine, *kept));
    let (plain, droppy) = (plain.into_iter().map(field), droppy.into_iter().map(field));
    (name.clone(), plain.chain(future).chain(droppy).collect())
}

/// The type of a machine that may be kept in a box.
fn behind(ty: &TokenStream, boxed: Option<&syn::ExprPath>) -> TokenStream {
    match boxed.map(|pin| without_last(&pin.path)) {
        Some(owner) => quote!(::core::pin::Pin<#owner<#ty>>),
        None => ty.clone(),
    }
}
