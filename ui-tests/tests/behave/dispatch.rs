//! Cases of borrowed trait objects, and of traits that references implement too.
//!
//! `subject!` decides what they become.

use super::log::*;

/// Returns the kind of `T`: a reference, a box, or another type.
fn kind<T: ?Sized>() -> &'static str {
    let name = std::any::type_name::<T>();
    let (reference, boxed) = (name.starts_with('&'), name.contains("Box<"));
    match (reference, boxed) {
        (true, _) => "a reference",
        (_, true) => "a box",
        _ => "itself",
    }
}

pub(crate) trait Named {
    fn name(&self) -> &'static str {
        kind::<Self>()
    }

    fn rename(&mut self) -> &'static str {
        kind::<Self>()
    }
}

impl<T: Named + ?Sized> Named for &T {}
impl<T: Named + ?Sized> Named for &mut T {}
impl<T: Named + ?Sized> Named for Box<T> {}

pub(crate) struct Plain;

impl Named for Plain {}

subject! {
    async fn shared(named: &dyn Named) -> &'static str {
        note(named.name());
        tick("shared").await;
        named.name()
    }
}

subject! {
    async fn exclusive(named: &mut dyn Named) -> &'static str {
        note(named.rename());
        tick("exclusive").await;
        note(named.name());
        named.rename()
    }
}

subject! {
    async fn sendable(named: &mut (dyn Named + Send)) -> &'static str {
        tick("sendable").await;
        named.rename()
    }
}

subject! {
    async fn generic<T: Named + ?Sized>(named: &T, other: &mut T) -> &'static str {
        note(other.rename());
        tick("generic").await;
        note(other.rename());
        named.name()
    }
}

subject! {
    async fn boxed(named: &mut Box<dyn Named>, boxes: &Box<Plain>) -> &'static str {
        tick("boxed").await;
        note(boxes.name());
        named.rename()
    }
}

subject! {
    async fn through(named: &dyn Named, other: &mut dyn Named, own: Plain) -> &'static str {
        note(shared(named).await);
        note(exclusive(other).await);
        note(shared(&own).await);
        let name: &'static str = exclusive(other).await;
        name
    }
}

subject! {
    async fn kept<'a>(named: &'a dyn Named, other: &'a mut dyn Named) -> &'static str {
        note(shared(named).await);
        tick("kept").await;
        note(exclusive(other).await);
        other.rename()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "shared", async { shared(&Plain).await });
    case!(list, "exclusive", async { exclusive(&mut Plain).await });
    case!(list, "sendable", async { sendable(&mut Plain).await });
    case!(list, "generic", async {
        let (one, two): (&dyn Named, &mut dyn Named) = (&Plain, &mut Plain);
        note(generic(one, two).await);
        generic(&Plain, &mut Plain).await
    });
    case!(list, "boxed", async {
        let mut named: Box<dyn Named> = Box::new(Plain);
        boxed(&mut named, &Box::new(Plain)).await
    });
    case!(list, "through", async {
        through(&Plain, &mut Plain, Plain).await
    });
    case!(list, "kept", async { kept(&Plain, &mut Plain).await });
    list
}
