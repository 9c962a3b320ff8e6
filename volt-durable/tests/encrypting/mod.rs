//! A cipher for tests, AES-GCM with a key of one repeated byte, and stores with it.

use std::time::Duration;

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use volt_durable::conformance::{Fixture, TransactionFixture};
use volt_durable::store::{Cipher, CipherError, EncryptedStore, OpenTransaction, ValueKind};

/// The cipher with this byte as its key.
pub(crate) struct AesGcm(pub(crate) u8);

impl AesGcm {
    fn key(&self) -> LessSafeKey {
        let key = UnboundKey::new(&AES_256_GCM, &[self.0; 32]);
        LessSafeKey::new(key.expect("a key of 32 bytes"))
    }
}

impl Cipher for AesGcm {
    fn encrypt(&self, kind: ValueKind, plain: &[u8]) -> Result<Vec<u8>, CipherError> {
        let mut nonce = [0; NONCE_LEN];
        let filled = SystemRandom::new().fill(&mut nonce);
        filled.map_err(|_| "the system has no random numbers")?;
        let mut sealed = plain.to_vec();
        let (aad, unique) = (Aad::from(kind.name()), Nonce::assume_unique_for_key(nonce));
        let encrypted = self
            .key()
            .seal_in_place_append_tag(unique, aad, &mut sealed);
        encrypted.map_err(|_| "the value is too long")?;
        Ok([&nonce[..], &sealed].concat())
    }

    fn decrypt(&self, kind: ValueKind, encrypted: &[u8]) -> Result<Vec<u8>, CipherError> {
        let (nonce, sealed) = encrypted
            .split_first_chunk()
            .ok_or("the value is too short")?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let mut opened = sealed.to_vec();
        let opened = self
            .key()
            .open_in_place(nonce, Aad::from(kind.name()), &mut opened);
        let plain = opened.map_err(|_| "the key is another one, or the value was changed")?;
        Ok(plain.to_vec())
    }
}

/// A kind of store whose values are encrypted.
pub(crate) struct Encrypting<F>(pub(crate) F);

impl<F: Fixture> Fixture for Encrypting<F> {
    type Store = EncryptedStore<F::Store>;

    async fn open(&self) -> Self::Store {
        EncryptedStore::new(self.0.open().await, AesGcm(1))
    }

    async fn pass(&self, store: &Self::Store, duration: Duration) {
        self.0.pass(store.inner(), duration).await;
    }
}

impl<F: TransactionFixture> TransactionFixture for Encrypting<F> {
    async fn write(&self, transaction: &OpenTransaction, text: &str) {
        self.0.write(transaction, text).await;
    }

    fn rollback(&self, transaction: &OpenTransaction) {
        self.0.rollback(transaction);
    }

    async fn written(&self, store: &Self::Store) -> Vec<String> {
        self.0.written(store.inner()).await
    }
}
