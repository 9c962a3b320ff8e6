//! `Changes`: the changes that workers and clients wait for, of this process and of others.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread;
use std::time::Duration;

use event_listener::{Event, EventListener};
use postgres::fallible_iterator::FallibleIterator;
use postgres::{Error, Notification};

use super::session::Connect;

/// An expression that notifies the listeners of the database's tables at the commit. The server
/// sends equal notifications of one transaction once.
macro_rules! notify {
    () => {
        "pg_notify('durable_' || 'durable_machine'::regclass::oid, '')::text"
    };
}
pub(super) use notify;

/// Listens to the notifications of the tables.
const LISTEN: &str = "
    do $$ begin execute 'listen durable_' || 'durable_machine'::regclass::oid; end $$";

/// The time after which a lost connection is opened again. Workers poll until then.
const RETRY: Duration = Duration::from_secs(1);

/// The longest time for which a listener stays after the last clone of its store.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// The changes that workers and clients wait for.
#[derive(Debug, Default)]
pub(super) struct Changes {
    changed: Event,
    /// The server's process of the connection that writes. Its changes are already reported.
    own_process: AtomicI32,
    is_listening: OnceLock<()>,
}

impl Changes {
    /// Reports a change.
    pub(super) fn notify(&self) {
        self.changed.notify(usize::MAX);
    }

    /// Sets the server's process of the connection that writes.
    pub(super) fn set_own_process(&self, process: i32) {
        self.own_process.store(process, Ordering::Relaxed);
    }

    /// Waits for a change. The first call starts the thread that listens to other processes.
    pub(super) fn listen(self: &Arc<Self>, connect: &Connect) -> EventListener {
        self.is_listening.get_or_init(|| {
            let (changes, connect) = (Arc::downgrade(self), connect.clone());
            let thread = thread::Builder::new().name("volt-durable-listener".into());
            // Without the thread, changes of other processes are found by polling.
            let _ = thread.spawn(move || listen(&changes, &connect));
        });
        self.changed.listen()
    }

    fn receive(&self, notification: &Notification) {
        if notification.process_id() != self.own_process.load(Ordering::Relaxed) {
            self.notify();
        }
    }
}

/// Listens until the store is dropped.
fn listen(changes: &Weak<Changes>, connect: &Connect) {
    while changes.strong_count() > 0 {
        // The connection that writes reports errors. This one is only for hints.
        let _ = listen_once(changes, connect);
        if changes.strong_count() > 0 {
            thread::sleep(RETRY);
        }
    }
}

/// Listens on one connection, until it is lost or the store is dropped.
fn listen_once(changes: &Weak<Changes>, connect: &Connect) -> Result<(), Error> {
    let mut client = connect.open()?;
    client.batch_execute(LISTEN)?;
    // There may have been changes before the server listened.
    if let Some(changes) = changes.upgrade() {
        changes.notify();
    }
    while changes.strong_count() > 0 && !client.is_closed() {
        let mut notifications = client.notifications();
        let mut received = notifications.timeout_iter(LONGEST_WAIT);
        while let Some(notification) = received.next()? {
            let Some(changes) = changes.upgrade() else {
                return Ok(());
            };
            changes.receive(&notification);
        }
    }
    Ok(())
}
