//! Temporaries that an awaited function borrows.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn lent_one(a: D) -> usize {
        let n = weigh("one", &made(&a, "b")).await;
        tick("two").await;
        look(&a);
        n
    }
}

subject! {
    async fn lent_several(a: D, b: D) -> usize {
        let n = both(&a, &made(&a, "c"), &mut list(&b), b).await;
        tick("two").await;
        look(&a);
        n
    }
}

subject! {
    async fn lent_before_a_panic(a: D, b: D) -> usize {
        let n = both(&a, &made(&a, "c"), &mut vec![made(&b, "d")], made(&b, "e")).await;
        tick("two").await;
        look(&b);
        n
    }
}

subject! {
    async fn lent_behind_what_is_moved(a: D, b: D) -> usize {
        let n = keep(a, &made(&b, "c")).await;
        tick("two").await;
        look(&b);
        n
    }
}

subject! {
    async fn lent_and_left(a: D, failing: bool) -> Result<usize, String> {
        let b = D("b");
        let n = weigh("one", &opened(&a, failing)?).await;
        let m = checked(&made(&b, "c")).await?;
        tick("two").await;
        look(&b);
        Ok(n + m)
    }
}

subject! {
    async fn lent_in_statements(a: D) -> usize {
        same(&made(&a, "b")).await;
        let _ = same(&made(&a, "c")).await;
        let mut d = D("d");
        d = same(&made(&a, "e")).await;
        let n = same(&made(&d, "f")).await.name().len();
        consume(same(&made(&a, "g")).await);
        tick("last").await;
        n
    }
}

subject! {
    async fn lent_in_a_chain(a: D) -> usize {
        let n = open(&made(&a, "b")).with(&a).send("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn lent_at_the_end(a: D) -> usize {
        weigh("end", &format!("{}b", a.0)).await
    }
}

subject! {
    async fn lent_in_a_loop(a: D) -> usize {
        let mut n = 0;
        while n < 3 {
            n += weigh("turn", &made(&a, "b")).await;
            if n > 1 {
                return weigh("away", &made(&a, "c")).await;
            }
        }
        n
    }
}

/// Made of another one.
fn made(of: &D, name: &'static str) -> D {
    note(format!("made-{name}-of-{}", of.0));
    D(name)
}

fn list(of: &D) -> Vec<D> {
    vec![made(of, "list")]
}

fn opened(of: &D, failing: bool) -> Result<D, String> {
    match failing {
        true => Err(of.0.to_owned()),
        false => Ok(made(of, "opened")),
    }
}

async fn weigh(name: &'static str, of: &impl Named) -> usize {
    tick(name).await;
    of.name().len()
}

async fn both(first: &D, second: &D, list: &mut Vec<D>, last: D) -> usize {
    tick("both").await;
    look(first);
    look(second);
    list.push(last);
    list.len()
}

async fn keep(kept: D, of: &D) -> usize {
    weigh("keep", of).await + kept.0.len()
}

async fn checked(d: &D) -> Result<usize, String> {
    tick("checked").await;
    Ok(d.0.len())
}

/// Returns a value with a destructor.
async fn same(d: &D) -> D {
    tick("same").await;
    made(d, "output")
}

trait Named {
    fn name(&self) -> &str;
}

impl Named for D {
    fn name(&self) -> &str {
        self.0
    }
}

impl Named for String {
    fn name(&self) -> &str {
        self
    }
}

/// Borrows what it was opened with.
struct Opened<'a>(&'a D, Vec<&'a D>);

fn open(d: &D) -> Opened<'_> {
    Opened(d, Vec::new())
}

impl<'a> Opened<'a> {
    fn with(mut self, d: &'a D) -> Self {
        self.1.push(d);
        self
    }

    async fn send(&self, name: &'static str) -> usize {
        tick(name).await;
        self.0.0.len() + self.1.len()
    }
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        note(format!("close-{}-{}", self.0.0, self.1.len()));
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "lent_one", lent_one(D("a")));
    case!(list, "lent_several", lent_several(D("a"), D("b")));
    case!(list, "lent_before_a_panic", lent_before_a_panic(D("a"), D("b")));
    case!(list, "lent_behind_what_is_moved", lent_behind_what_is_moved(D("a"), D("b")));
    case!(list, "lent_and_left yes", lent_and_left(D("a"), true));
    case!(list, "lent_and_left no", lent_and_left(D("a"), false));
    case!(list, "lent_in_statements", lent_in_statements(D("a")));
    case!(list, "lent_in_a_chain", lent_in_a_chain(D("a")));
    case!(list, "lent_at_the_end", lent_at_the_end(D("a")));
    case!(list, "lent_in_a_loop", lent_in_a_loop(D("a")));
    list
}
