//! What has parts that can be moved out one by one, and methods that look, change, take and wait.

use super::foreign::seen;
use super::future::step;
use super::log::event;
use super::value::{D, Look, d, maybe};

/// Has no destructor of its own.
#[derive(Debug)]
pub struct Chest {
    /// Can be copied out.
    pub n: u32,
    /// Can be moved out.
    pub d: D,
    /// Can be matched on.
    pub more: Option<D>,
    /// Can be emptied.
    pub list: Vec<D>,
}

/// One that can be told from others.
pub fn chest(id: u32) -> Chest {
    Chest {
        n: id,
        d: d(id),
        more: maybe(id, id).map(d),
        list: Vec::from([d(id), d(id)]),
    }
}

impl Chest {
    /// Takes it, and leaves a part.
    pub fn open(self) -> D {
        event("unpack", self.n);
        self.d
    }

    /// Looks at it.
    pub fn weigh(&self) -> u32 {
        event("weigh", self.n);
        self.list.number()
    }

    /// Gives a part to be looked at.
    pub fn held(&self) -> &D {
        event("hold", self.n);
        &self.d
    }

    /// Changes it, and waits.
    pub async fn stir(&mut self, id: u32) -> u32 {
        step(id, ()).await;
        self.n = self.n.wrapping_add(1);
        self.n
    }

    /// Looks at it, and waits.
    pub async fn peep(&self, id: u32) -> u32 {
        seen(id, &self.list).await
    }

    /// Waits, and gives a part to be looked at.
    pub async fn first(&mut self, id: u32) -> &D {
        step(id, ()).await;
        &self.d
    }
}

impl Look for Chest {
    fn number(&self) -> u32 {
        self.n ^ self.d.number() ^ self.more.number() ^ self.list.number()
    }
}

/// Looks at one part, and takes another one.
pub fn with<T: Look>(part: &T, d: D) -> u32 {
    event("with", part.number());
    d.number()
}
