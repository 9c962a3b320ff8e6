//! Awaited calls with several clones as arguments, of which some are the last use of their local.

use super::log::*;

/// Notes when it is cloned and dropped.
struct Text(String);

impl Clone for Text {
    fn clone(&self) -> Self {
        note(format!("clone {}", self.0));
        Self(format!("{}'", self.0))
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        note(format!("drop {}", self.0));
    }
}

struct Service(D);

impl Service {
    async fn send(&self, first: Text, second: Text) -> Result<usize, Text> {
        tick("send").await;
        match first.0.len() + second.0.len() {
            0 => Err(second),
            n => Ok(n),
        }
    }
}

async fn compare(whole: &Text, first: Text, second: Text) -> usize {
    tick("compare").await;
    whole.0.len() + first.0.len() + second.0.len()
}

fn text(name: &str) -> Text {
    Text(name.to_owned())
}

subject! {
    async fn last_clone_after_another(service: D) -> Option<usize> {
        let service = Service(service);
        let (first, second) = (text("first"), text("second"));
        let n = service.send(first.clone(), second.clone()).await.ok()?;
        tick("two").await;
        Some(n + first.0.len())
    }
}

subject! {
    async fn last_clone_before_another(service: D) -> Option<usize> {
        let service = Service(service);
        let second = text("second");
        let first = text("first");
        let n = service.send(first.clone(), second.clone()).await.ok()?;
        tick("two").await;
        look(&service.0);
        Some(n + second.0.len())
    }
}

subject! {
    async fn clones_beside_a_borrow(a: D) -> usize {
        let (whole, part, last) = (text("whole"), text("part"), text("last"));
        let n = compare(&whole, part.clone(), last.clone()).await;
        look(&a);
        let m = compare(&part, whole.clone(), part.clone()).await;
        tick("three").await;
        n + m + whole.0.len()
    }
}

subject! {
    async fn clones_in_a_loop(a: D) -> usize {
        let (part, mut sum) = (text("part"), 0);
        while sum < 20 {
            let last = text("last");
            sum += compare(&text("whole"), part.clone(), last.clone()).await;
            look(&a);
        }
        sum
    }
}

subject! {
    async fn texts_of_a_part(a: D) -> usize {
        let pair = (text("left"), text("right"));
        let other = text("other");
        let n = compare(&other, pair.0.clone(), text(&pair.1.0.to_owned())).await;
        look(&a);
        tick("two").await;
        n + pair.1.0.len()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "last_clone_after_another",
        last_clone_after_another(D("service"))
    );
    case!(
        list,
        "last_clone_before_another",
        last_clone_before_another(D("service"))
    );
    case!(
        list,
        "clones_beside_a_borrow",
        clones_beside_a_borrow(D("a"))
    );
    case!(list, "clones_in_a_loop", clones_in_a_loop(D("a")));
    case!(list, "texts_of_a_part", texts_of_a_part(D("a")));
    list
}
