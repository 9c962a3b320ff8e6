//! Cases of `for`; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn range(end: u32) -> u32 {
        let out: D = D("out");
        let mut sum: u32 = 0;
        for i in 0..end {
            let _turn: D = D("turn");
            sum += step::<u32>("add", 1, i).await;
            tick("more").await;
            sum += i;
        }
        look(&out);
        sum
    }
}

subject! {
    async fn ranges_of_all_kinds(n: u8) -> u64 {
        let mut sum: u64 = 0;
        for _ in 0..3u8 {
            tick("suffix").await;
            sum += 1;
        }
        for i in 1..=n {
            tick("closed").await;
            sum += u64::from(i);
        }
        for i in 0..n as u64 * 2 {
            tick("cast").await;
            sum += i;
        }
        for i in 5u64.. {
            if i > 6 {
                break;
            }
            tick("open").await;
            sum += i;
        }
        for i in (0..n).rev().step_by(2) {
            tick("down").await;
            sum = sum * 2 + u64::from(i);
        }
        sum
    }
}

subject! {
    async fn by_value(items: Vec<D>) -> usize {
        let _out: D = D("out");
        let mut count: usize = 0;
        for item in items {
            let _in: D = D("in");
            tick("one").await;
            look(&item);
            count += 1;
            tick("two").await;
        }
        tick("end").await;
        count
    }
}

subject! {
    async fn unused_items() -> u32 {
        let items: [D; 3] = [D("x"), D("y"), D("z")];
        for _ in items {
            let _in: D = D("in");
            tick("turn").await;
        }
        for _item in vec_of(2).into_iter().skip(1) {
            note("plain");
        }
        9
    }
}

fn vec_of(count: usize) -> Vec<D> {
    (0..count).map(|_| D("of")).collect()
}

subject! {
    async fn moved_items(items: Vec<D>) -> u32 {
        for item in items {
            tick("before").await;
            consume(item);
            tick("after").await;
        }
        1
    }
}

subject! {
    async fn moved_items_sometimes(items: Vec<D>) -> u32 {
        let mut turn: u32 = 0;
        for item in items {
            turn += 1;
            if turn % 2 == 0 {
                consume(item);
            }
            tick("after").await;
            note("turn");
        }
        1
    }
}

subject! {
    async fn patterns(pairs: [(u32, D); 2], flags: &'static [bool]) -> u32 {
        let mut sum: u32 = 0;
        for (n, d) in pairs {
            tick("pair").await;
            look(&d);
            sum += n;
        }
        for (index, &flag) in flags.iter().enumerate() {
            let flag: bool = flag;
            tick("flag").await;
            if flag {
                sum += index as u32;
            }
        }
        for &flag in flags {
            if flag {
                tick("set").await;
            }
        }
        for (index, _) in (0..2u32).zip(flags.iter().copied()) {
            tick("zip").await;
            sum += index;
        }
        sum
    }
}

subject! {
    async fn numbered_items(list: Vec<D>) {
        let _last: D = D("last");
        for (_, d) in list.into_iter().enumerate() {
            tick("turn").await;
            look(&d);
        }
    }
}

subject! {
    async fn half_bound(pairs: Vec<(u32, D)>) -> u32 {
        let mut sum: u32 = 0;
        for (n, _) in pairs {
            let n: u32 = n;
            tick("half").await;
            sum += n;
        }
        sum
    }
}

subject! {
    async fn changes_items(numbers: Vec<u32>) -> u32 {
        let mut sum: u32 = 0;
        for mut number in numbers {
            number += 1;
            tick("one").await;
            number *= 2;
            tick("two").await;
            sum += number;
        }
        sum
    }
}

subject! {
    async fn assigned_items(items: Vec<D>) -> u32 {
        for mut item in items {
            tick("one").await;
            item = D("new");
            tick("two").await;
            look(&item);
        }
        1
    }
}

subject! {
    async fn generic_items<I: IntoIterator<Item = D>, J: Iterator<Item = T>, T: Unpin, const N: usize>(items: I, more: J) -> usize {
        let mut count: usize = 0;
        for item in items {
            tick("item").await;
            look(&item);
            count += 1;
        }
        for item in more {
            let back: T = step::<T>("more", 1, item).await;
            drop(back);
        }
        for _ in 0..N {
            tick("n").await;
        }
        count
    }
}

subject! {
    async fn shadows_itself(item: D, iterator: Vec<u32>) -> u32 {
        let mut sum: u32 = 0;
        for item in iterator {
            tick("turn").await;
            sum += item;
            for item in 0..item {
                tick("deep").await;
                sum += item;
            }
        }
        look(&item);
        sum
    }
}

subject! {
    async fn lends(buf: &mut [u32]) -> Vec<u32> {
        tick("fill").await;
        buf[0] += 1;
        vec![buf[0]]
    }
}

subject! {
    async fn over_an_await(items: Vec<D>) -> u32 {
        let mut buf: [u32; 1] = [0];
        for n in lends(&mut buf).await {
            let n: u32 = n;
            tick("lent").await;
            note(n.to_string());
        }
        for item in step::<Vec<D>>("items", 1, items).await {
            tick("turn").await;
            look(&item);
        }
        for item in step::<[D; 1]>("plain", 1, [D("given")]).await {
            consume(item);
        }
        2
    }
}

subject! {
    async fn by_index(items: Vec<D>) -> usize {
        for index in 0..items.len() {
            tick("index").await;
            look(&items[index]);
        }
        items.len()
    }
}

subject! {
    async fn tail_for(items: Vec<D>) {
        let _out: D = D("out");
        for item in items {
            tick("turn").await;
            look(&item);
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "range", range(3));
    case!(list, "range empty", range(0));
    case!(list, "ranges_of_all_kinds", ranges_of_all_kinds(3));
    case!(list, "by_value", by_value(vec![D("x"), D("y"), D("z")]));
    case!(list, "by_value none", by_value(vec![]));
    case!(list, "unused_items", unused_items());
    case!(list, "moved_items", moved_items(vec![D("x"), D("y")]));
    case!(
        list,
        "moved_items_sometimes",
        moved_items_sometimes(vec![D("x"), D("y"), D("z")])
    );
    case!(
        list,
        "patterns",
        patterns([(1, D("x")), (2, D("y"))], &[true, false, true])
    );
    case!(
        list,
        "numbered_items",
        numbered_items(vec![D("x"), D("y")])
    );
    case!(list, "half_bound", half_bound(vec![(1, D("x")), (2, D("y"))]));
    case!(list, "changes_items", changes_items(vec![1, 2]));
    case!(list, "assigned_items", assigned_items(vec![D("x"), D("y")]));
    case!(
        list,
        "generic_items",
        generic_items::<_, _, D, 2>(vec![D("x"), D("y")], [D("t")].into_iter())
    );
    case!(list, "shadows_itself", shadows_itself(D("arg"), vec![1, 2]));
    case!(list, "over_an_await", over_an_await(vec![D("x"), D("y")]));
    case!(list, "by_index", by_index(vec![D("x"), D("y")]));
    case!(list, "tail_for", tail_for(vec![D("x"), D("y")]));
    list
}
