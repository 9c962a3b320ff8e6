//! Cases of methods that borrow a reference itself, as a reader of a `&[u8]` does.

use std::future::Future;

use super::log::*;

/// Takes numbers from the front of a source.
pub(crate) trait Take {
    fn take_front(&mut self, count: usize) -> impl Future<Output = usize>;
}

impl Take for &[usize] {
    async fn take_front(&mut self, count: usize) -> usize {
        let (taken, left) = self.split_at(count.min(self.len()));
        tick("take").await;
        *self = left;
        taken.iter().sum()
    }
}

subject! {
    async fn taken_once(list: Vec<usize>) -> usize {
        let mut source = list.as_slice();
        source.take_front(2).await
    }
}

subject! {
    async fn taken_in_a_loop(lists: Vec<Vec<usize>>) -> usize {
        let mut sum = 0;
        for list in &lists {
            let mut source = list.as_slice();
            sum += source.take_front(1).await;
        }
        sum
    }
}

subject! {
    async fn taken_in_a_pattern(list: Vec<usize>) -> usize {
        let kept = D("kept");
        if let Some(mut source) = list.get(1..) {
            return source.take_front(9).await;
        }
        look(&kept);
        0
    }
}

subject! {
    async fn taken_from_an_argument(mut source: &[usize]) -> usize {
        source.take_front(1).await + source.take_front(1).await
    }
}

subject! {
    async fn taken_from_a_borrowed_place(list: Vec<usize>) -> usize {
        (&list[1..]).take_front(1).await + (&*list).take_front(9).await
    }
}

/// Reads a value that may itself be a reference.
pub(crate) trait Encode {
    fn encode(&self, prefix: &str) -> impl Future<Output = usize>;
    fn consume(self, prefix: &str) -> impl Future<Output = usize>
    where
        Self: Sized;
}

/// A type with methods of its own, and others of references to it.
pub(crate) struct Page(usize);

impl Page {
    async fn width(&self, prefix: &str) -> usize {
        tick("width").await;
        self.0 + prefix.len()
    }
}

macro_rules! encode {
    ($($of:ty: |$this:ident| $length:expr;)*) => { $(
        impl Encode for $of {
            async fn encode(&self, prefix: &str) -> usize {
                tick("encode").await;
                let $this = self;
                $length + prefix.len()
            }

            async fn consume(self, prefix: &str) -> usize {
                tick("consume").await;
                let $this = self;
                $length + prefix.len()
            }
        }
    )* };
}

encode! {
    &'static str: |text| text.len();
    &'static Page: |page| page.0;
    &mut Page: |page| page.0;
}

fn text() -> &'static str {
    "text"
}

fn page() -> &'static Page {
    &Page(7)
}

type Text = &'static str;

subject! {
    async fn reference_to_a_text_is_lent() -> usize {
        let text = text();
        text.encode("a").await
    }
}

subject! {
    async fn reference_to_a_text_is_copied() -> usize {
        let text = text();
        text.consume("a").await
    }
}

subject! {
    async fn alias_of_a_reference_is_lent(text: Text) -> usize {
        let prefix = "prefix".to_owned();
        let kept = D("kept");
        let length = text.encode(&prefix).await;
        look(&kept);
        length
    }
}

subject! {
    async fn reference_to_a_page_is_lent() -> usize {
        let page = page();
        page.encode("a").await
    }
}

subject! {
    async fn target_of_a_reference_is_lent() -> usize {
        #[allow(unused_mut, reason = "the local could be borrowed")]
        let mut page = page();
        page.width("a").await
    }
}

subject! {
    async fn exclusive_reference_is_lent() -> usize {
        let mut own = Page(2);
        let page = (|page| page)(&mut own);
        page.encode("a").await
    }
}

subject! {
    async fn lent_reference_outlives_other_awaits() -> usize {
        let text = text();
        let encoded = text.encode("a");
        tick("between").await;
        encoded.await
    }
}

subject! {
    async fn each_reference_is_lent(prefix: &str) -> usize {
        let mut sum = 0;
        for text in [text(), "b"] {
            sum += text.encode(prefix).await;
        }
        sum
    }
}

/// A trait for all types whose method borrows an exclusive reference, instead of its target.
pub(crate) trait Measure {
    fn measure(&self) -> impl Future<Output = usize>;
}

impl<T> Measure for T {
    async fn measure(&self) -> usize {
        tick("measure").await;
        size_of::<T>()
    }
}

subject! {
    async fn written_reference_is_lent(page: &'static Page) -> usize {
        page.encode("a").await
    }
}

subject! {
    async fn written_exclusive_reference_is_lent(page: &mut Page) -> usize {
        page.0 += 1;
        page.measure().await + size_of::<usize>()
    }
}

subject! {
    impl Page {
        async fn measured_twice(&mut self) -> usize {
            let wide = self.measure().await;
            self.0 += wide;
            self.measure().await + self.0
        }
    }
}

/// Types with names of primitive types, which are not copied.
#[allow(dead_code, nonstandard_style, reason = "the names are those of primitive types")]
mod own_primitives {
    use super::*;

    #[derive(Debug)]
    pub(crate) struct u64(pub(crate) D);

    #[derive(Debug)]
    pub(crate) struct bool(pub(crate) D);

    pub(crate) struct str;

    subject! {
        pub(crate) async fn own_number_is_moved(number: u64) -> usize {
            let moved: u64 = number;
            tick("between").await;
            let u64(name) = moved;
            look(&name);
            name.0.len()
        }
    }

    subject! {
        pub(crate) async fn own_flag_is_lent_and_moved(flag: bool) -> bool {
            shown(&flag).await;
            let moved = flag;
            tick("after").await;
            moved
        }
    }

    async fn shown(flag: &bool) {
        tick("shown").await;
        look(&flag.0);
    }
}

async fn filled(slot: &mut Option<u32>) -> u32 {
    tick("filled").await;
    *slot.get_or_insert(3)
}

subject! {
    async fn constant_is_lent(limit: u32) -> u32 {
        filled(&mut None).await + limit
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "taken_once", taken_once(vec![1, 2, 3]));
    case!(list, "taken_in_a_loop", taken_in_a_loop(vec![vec![1], vec![2, 3]]));
    case!(list, "taken_in_a_pattern", taken_in_a_pattern(vec![1, 2, 3]));
    case!(list, "taken_in_a_pattern none", taken_in_a_pattern(vec![]));
    case!(list, "taken_from_an_argument", async { taken_from_an_argument(&[1, 2]).await });
    case!(list, "taken_from_a_borrowed_place", taken_from_a_borrowed_place(vec![1, 2, 3]));
    case!(list, "constant_is_lent", constant_is_lent(2));
    case!(list, "reference_to_a_text_is_lent", reference_to_a_text_is_lent());
    case!(list, "reference_to_a_text_is_copied", reference_to_a_text_is_copied());
    case!(list, "alias_of_a_reference_is_lent", alias_of_a_reference_is_lent("alias"));
    case!(list, "reference_to_a_page_is_lent", reference_to_a_page_is_lent());
    case!(list, "target_of_a_reference_is_lent", target_of_a_reference_is_lent());
    case!(list, "exclusive_reference_is_lent", exclusive_reference_is_lent());
    case!(list, "lent_reference_outlives_other_awaits", lent_reference_outlives_other_awaits());
    case!(list, "each_reference_is_lent", async { each_reference_is_lent("b").await });
    case!(list, "written_reference_is_lent", written_reference_is_lent(page()));
    case!(list, "written_exclusive_reference_is_lent", async { written_exclusive_reference_is_lent(&mut Page(1)).await });
    case!(list, "measured_twice", async { Page(1).measured_twice().await });
    case!(list, "own_number_is_moved", own_primitives::own_number_is_moved(own_primitives::u64(D("number"))));
    case!(list, "own_flag_is_lent_and_moved", own_primitives::own_flag_is_lent_and_moved(own_primitives::bool(D("flag"))));
    list
}
