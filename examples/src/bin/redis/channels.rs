//! Channels and their subscribers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use examples::mailbox::Mailbox;

use crate::reply::Reply;

/// The encoded messages that a subscriber has yet to receive.
pub(crate) type Inbox = Mailbox<Arc<[u8]>>;

type Subscribers = Vec<Arc<Inbox>>;

/// The subscribers of each channel.
#[derive(Debug, Default)]
pub(crate) struct Channels(Mutex<HashMap<Vec<u8>, Subscribers>>);

impl Channels {
    fn lock(&self) -> MutexGuard<'_, HashMap<Vec<u8>, Subscribers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn enter(&self, channel: &[u8], inbox: &Arc<Inbox>) {
        let mut channels = self.lock();
        let inboxes = channels.entry(channel.to_vec()).or_default();
        inboxes.push(Arc::clone(inbox));
    }

    pub(crate) fn leave(&self, channel: &[u8], inbox: &Arc<Inbox>) {
        let mut channels = self.lock();
        let Some(inboxes) = channels.get_mut(channel) else {
            return;
        };
        inboxes.retain(|other| !Arc::ptr_eq(other, inbox));
        if inboxes.is_empty() {
            channels.remove(channel);
        }
    }

    /// Puts a message into the inboxes of a channel, and returns their number.
    pub(crate) fn publish(&self, channel: &[u8], message: &[u8]) -> usize {
        let channels = self.lock();
        let Some(inboxes) = channels.get(channel) else {
            return 0;
        };
        let parts = [&b"message"[..], channel, message];
        let mut written = Vec::new();
        Reply::Array(parts.map(Reply::bulk).into()).write(&mut written);
        let written: Arc<[u8]> = written.into();
        for inbox in inboxes {
            inbox.put(Arc::clone(&written));
        }
        inboxes.len()
    }
}
