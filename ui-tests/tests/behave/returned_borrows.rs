//! Cases of functions that return a part of what an argument refers to.
//!
//! A borrow through a `&mut` in a field lives as long as the poll. So the `&mut` is moved out of
//! the field. `subject!` decides what they become.

use super::log::*;

pub(crate) struct Shelf {
    things: Vec<D>,
    names: Vec<String>,
}

impl Shelf {
    pub(crate) fn new() -> Self {
        let things = vec![D("first"), D("second")];
        let names = ["one", "two"].map(str::to_owned).into();
        Self { things, names }
    }
}

pub(crate) struct View<'a> {
    shelf: &'a mut Shelf,
    seen: usize,
}

subject! {
    async fn element(things: &mut Vec<D>, index: usize) -> &D {
        tick("one").await;
        &things[index]
    }
}

subject! {
    async fn element_to_change(things: &mut [D], index: usize) -> &mut D {
        tick("one").await;
        look(&things[0]);
        tick("two").await;
        &mut things[index]
    }
}

subject! {
    async fn by_a_local(shelf: &mut Shelf) -> &str {
        let _guard = D("guard");
        tick("one").await;
        let name = &shelf.names[1];
        look(&shelf.things[0]);
        &name[..2]
    }
}

subject! {
    async fn in_a_pair(shelf: &mut Shelf, other: D) -> (Option<&D>, &str) {
        shelf.names[0].push('!');
        tick("one").await;
        look(&other);
        (Some(&shelf.things[1]), &shelf.names[0])
    }
}

subject! {
    async fn found(things: &mut Vec<D>, place: usize) -> Option<&mut D> {
        for index in 0..things.len() {
            tick("turn").await;
            if index == place {
                return Some(&mut things[index]);
            }
        }
        None
    }
}

subject! {
    async fn of_a_local(shelf: &mut Shelf) -> &D {
        let things = &mut shelf.things;
        things.push(D("third"));
        tick("one").await;
        &things[2]
    }
}

subject! {
    async fn of_a_view<'a>(mut view: View<'a>) -> &'a D {
        view.seen += 1;
        tick("one").await;
        view.seen += 1;
        &view.shelf.things[view.seen - 1]
    }
}

subject! {
    async fn by_another_argument<'a>(shelf: &'a mut Shelf, out: &mut Vec<&'a D>) -> usize {
        tick("one").await;
        out.push(&shelf.things[0]);
        tick("two").await;
        out.len()
    }
}

subject! {
    async fn or_an_error(shelf: &mut Shelf, end: Result<usize, D>) -> Result<&str, D> {
        tick("one").await;
        let end: usize = end?;
        tick("two").await;
        Ok(&shelf.names[0][..end])
    }
}

// These outputs own no memory: the compiler's futures leak their output if a local's destructor
// panics.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "element", async { element(&mut Shelf::new().things, 1).await.0 });
    case!(list, "element_to_change", async {
        let mut things = vec![D("a"), D("b")];
        let changed = element_to_change(&mut things, 1).await;
        *changed = D("c");
        changed.0
    });
    case!(list, "by_a_local", async { by_a_local(&mut Shelf::new()).await.len() });
    case!(list, "in_a_pair", async {
        let mut shelf = Shelf::new();
        let (thing, name) = in_a_pair(&mut shelf, D("other")).await;
        (thing.map(|thing| thing.0), name.len())
    });
    case!(list, "found", async {
        let mut things = Shelf::new().things;
        found(&mut things, 1).await.map(|thing| thing.0)
    });
    case!(list, "not_found", async { found(&mut Shelf::new().things, 7).await.is_some() });
    case!(list, "of_a_local", async { of_a_local(&mut Shelf::new()).await.0 });
    case!(list, "of_a_view", async {
        let mut shelf = Shelf::new();
        of_a_view(View { shelf: &mut shelf, seen: 0 }).await.0
    });
    case!(list, "by_another_argument", async {
        let mut shelf = Shelf::new();
        let mut out = Vec::new();
        by_another_argument(&mut shelf, &mut out).await + out[0].0.len()
    });
    case!(list, "or_an_error", async {
        or_an_error(&mut Shelf::new(), Ok(2)).await.map(str::len).map_err(|error| error.0)
    });
    case!(list, "or_an_error_soon", async {
        or_an_error(&mut Shelf::new(), Err(D("error"))).await.is_err()
    });
    list
}
