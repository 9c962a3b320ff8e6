//! The transaction of an encrypted store, which commits an encrypted save.

use std::sync::Arc;

use super::cipher::Cipher;
use super::encrypted_save::encrypted_save;
use crate::store::open_transaction::OpenTransaction;

/// Returns the transaction with the same handle, whose save is encrypted before the commit.
pub(super) fn encrypted_transaction(
    cipher: Arc<dyn Cipher>,
    transaction: OpenTransaction,
) -> OpenTransaction {
    transaction.map_commit(move |save, commit| {
        let save = encrypted_save(&*cipher, &save);
        Box::pin(async move { commit(save?).await })
    })
}
