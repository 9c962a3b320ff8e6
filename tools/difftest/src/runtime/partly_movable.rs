//! A type with parts that can be moved out, and methods that read, change, move and await.

use super::foreign::seen;
use super::future::step;
use super::log::event;
use super::value::{DropLogger, Look, d, maybe};

/// Has no destructor of its own.
#[derive(Debug)]
pub struct PartlyMovable {
    /// Can be copied out.
    pub n: u32,
    /// Can be moved out.
    pub d: DropLogger,
    /// Can be matched on.
    pub more: Option<DropLogger>,
    /// Can be emptied.
    pub list: Vec<DropLogger>,
}

/// Returns a value that differs for each `id`.
pub fn partly_movable(id: u32) -> PartlyMovable {
    PartlyMovable {
        n: id,
        d: d(id),
        more: maybe(id, id).map(d),
        list: Vec::from([d(id), d(id)]),
    }
}

impl PartlyMovable {
    /// Consumes it, and returns a part.
    pub fn open(self) -> DropLogger {
        event("unpack", self.n);
        self.d
    }

    /// Reads it.
    pub fn weigh(&self) -> u32 {
        event("weigh", self.n);
        self.list.number()
    }

    /// Returns a reference to a part.
    pub fn held(&self) -> &DropLogger {
        event("hold", self.n);
        &self.d
    }

    /// Changes it, and awaits.
    pub async fn stir(&mut self, id: u32) -> u32 {
        step(id, ()).await;
        self.n = self.n.wrapping_add(1);
        self.n
    }

    /// Reads it, and awaits.
    pub async fn peep(&self, id: u32) -> u32 {
        seen(id, &self.list).await
    }

    /// Awaits, and returns a reference to a part.
    pub async fn first(&mut self, id: u32) -> &DropLogger {
        step(id, ()).await;
        &self.d
    }
}

impl Look for PartlyMovable {
    fn number(&self) -> u32 {
        self.n ^ self.d.number() ^ self.more.number() ^ self.list.number()
    }
}

/// Reads one part, and moves another one.
pub fn with<T: Look>(part: &T, d: DropLogger) -> u32 {
    event("with", part.number());
    d.number()
}
