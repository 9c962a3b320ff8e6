//! Cases of locals without written types. `subject!` decides their layout.

use super::log::*;

subject! {
    async fn halve(n: u32) -> Result<u32, u32> {
        tick("halve").await;
        if n % 2 == 0 { Ok(n / 2) } else { Err(n) }
    }
}

subject! {
    async fn guarded(name: &'static str) -> D {
        tick(name).await;
        D(name)
    }
}

subject! {
    async fn awaited_values(n: u32) -> Result<u32, u32> {
        let first = halve(n).await?;
        let second = halve(first).await;
        tick("between").await;
        let sum = first + 1;
        let product = sum * first;
        tick("end").await;
        Ok(second? + sum + product)
    }
}

subject! {
    async fn left_in_between(early: bool, n: u32) -> u32 {
        if let Ok(half) = halve(n).await {
            if early {
                return step::<u32>("early", 1, 7).await;
            }
            step::<u32>("late", 1, half).await
        } else {
            0
        }
    }
}

subject! {
    async fn awaited_in_place(mut future: Step<D>, other: &mut Step<u32>) -> u32 {
        let both: (D, u32) = ((&mut future).await, other.await);
        tick("one").await;
        both.1
    }
}

subject! {
    async fn kept_to_be_dropped(early: bool) -> u32 {
        let _outer = guarded("outer").await;
        let inner = guarded("inner").await;
        tick("both").await;
        if early {
            drop(inner);
        }
        tick("end").await;
        1
    }
}

subject! {
    async fn shown_types(text: String, numbers: Vec<u32>) -> String {
        let length = text.len();
        let line = format!("{text}:{length}");
        let is_short = length < 4 || numbers.is_empty();
        let mut seen = [0u8; 80];
        seen[length] = 1;
        let pair = (length, is_short);
        tick("kept").await;
        let again = pair.0.saturating_add(usize::from(seen[length]));
        tick("end").await;
        format!("{line} {is_short} {again}")
    }
}

subject! {
    async fn beside_an_await(n: u32) -> u32 {
        let half = n / 2;
        half + step::<u32>("three", 1, 3).await
    }
}

struct Page {
    number: u32,
    name: D,
}

subject! {
    async fn lists(entries: Vec<(D, u32)>) -> u32 {
        let list = vec![1u32, 2];
        let page = Page { number: 3, name: D("page") };
        let pause = std::time::Duration::from_millis(4);
        let mut sum: u32 = 0;
        for (index, (name, number)) in entries.into_iter().enumerate() {
            tick("entry").await;
            look(&name);
            sum += number + list[index];
        }
        tick("end").await;
        look(&page.name);
        sum + page.number + pause.as_millis() as u32
    }
}

pub(crate) trait Named {
    fn name(&self) -> &'static str;
}

impl Named for D {
    fn name(&self) -> &'static str {
        self.0
    }
}

/// For `'static` alone: no machine may count on it.
impl std::fmt::Debug for dyn Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

subject! {
    async fn trait_objects_with_a_lifetime(one: &dyn Named, other: Box<dyn Named + '_>) -> usize {
        tick("one").await;
        let again = one;
        tick("two").await;
        again.name().len() + other.name().len()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "awaited_values ok", awaited_values(8));
    case!(list, "awaited_values first", awaited_values(3));
    case!(list, "awaited_values second", awaited_values(6));
    case!(list, "kept_to_be_dropped late", kept_to_be_dropped(false));
    case!(list, "kept_to_be_dropped early", kept_to_be_dropped(true));
    case!(list, "shown_types", shown_types("four".into(), vec![1]));
    case!(list, "shown_types short", shown_types("to".into(), vec![]));
    case!(list, "lists", lists(vec![(D("a"), 1), (D("b"), 2)]));
    case!(list, "beside_an_await", beside_an_await(9));
    case!(list, "left_in_between true 4", left_in_between(true, 4));
    case!(list, "left_in_between true 5", left_in_between(true, 5));
    case!(list, "left_in_between false 4", left_in_between(false, 4));
    case!(list, "left_in_between false 5", left_in_between(false, 5));
    case!(list, "trait_objects_with_a_lifetime", async {
        let (one, other) = (D("a"), D("b"));
        trait_objects_with_a_lifetime(&one, Box::new(other)).await
    });
    case!(
        list,
        "awaited_in_place",
        awaited_in_place(step("own", 2, D("d")), Box::leak(Box::new(step("lent", 1, 3))))
    );
    list
}
