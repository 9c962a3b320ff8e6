//! Cases of what is taken out of collections, and of other types that need no `let`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use super::log::*;

pub(crate) struct Guard(D);

impl Guard {
    fn new(name: &'static str) -> Self {
        Self(D(name))
    }
}

subject! {
    async fn popped(mut list: Vec<D>, mut queue: VecDeque<D>) -> u32 {
        let mut count: u32 = 0;
        while let Some(last) = list.pop() {
            tick("popped").await;
            look(&last);
            count += 1;
        }
        while let Some(first) = queue.pop_front() {
            if count == 2 {
                consume(first);
                tick("consumed").await;
            } else {
                tick("held").await;
            }
            count += 1;
        }
        count
    }
}

subject! {
    async fn removed(mut list: Vec<D>, mut map: HashMap<u32, D>, mut order: BTreeMap<u32, D>) -> u32 {
        let first = list.remove(0);
        let found = map.remove(&1);
        tick("removed").await;
        look(&first);
        let Some((key, value)) = order.pop_first() else { return 0 };
        tick("first").await;
        look(&value);
        if let Some(found) = found {
            tick("found").await;
            look(&found);
        }
        key + list.len() as u32
    }
}

subject! {
    async fn copied(numbers: Vec<u32>, heap: BinaryHeap<u64>, names: &[&'static str]) -> u64 {
        let first = numbers.first().copied();
        let third = numbers.get(2).copied().unwrap_or(9);
        let most = heap.peek().cloned();
        tick("copied").await;
        note(format!("{first:?} {third} {}", names.len()));
        most.unwrap_or(0) + u64::from(third)
    }
}

subject! {
    async fn taken(mut slot: Option<D>, mut words: std::vec::IntoIter<D>, kept: &mut Vec<D>) -> usize {
        let inner = slot.take();
        let word = words.next();
        let all = std::mem::take(kept);
        tick("taken").await;
        inner.iter().for_each(look);
        if let Some(word) = word {
            tick("word").await;
            look(&word);
        }
        kept.push(D("new"));
        all.len()
    }
}

subject! {
    async fn guarded(jobs: Arc<Mutex<VecDeque<D>>>, cell: &RefCell<Vec<D>>) -> usize {
        loop {
            let job = jobs.lock().unwrap().pop_front();
            let Some(job) = job else { break };
            tick("job").await;
            look(&job);
        }
        let last = cell.borrow_mut().pop();
        tick("last").await;
        last.map_or(0, |last| last.0.len())
    }
}

subject! {
    async fn only_dropped(early: bool) -> u32 {
        let outer = Guard::new("outer");
        tick("outer").await;
        {
            let _inner = Guard::new("inner");
            tick("inner").await;
            if early {
                return 1;
            }
        }
        look(&outer.0);
        tick("end").await;
        note("end");
        2
    }
}

subject! {
    async fn side_by_side() -> u32 {
        let (left, right) = (Guard::new("left"), D("right"));
        tick("both").await;
        look(&left.0);
        tick("left").await;
        look(&right);
        3
    }
}

subject! {
    async fn deferred(first: bool) -> u32 {
        let guard;
        let number;
        if first {
            guard = Guard::new("first");
            number = step::<u32>("number", 1, 5).await;
        } else {
            tick("before").await;
            guard = Guard::new("second");
            number = step::<u32>("other", 1, 6).await;
        }
        tick("deferred").await;
        look(&guard.0);
        number
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "popped", popped(vec![D("a"), D("b")], VecDeque::from([D("c"), D("d")])));
    case!(list, "removed", removed(vec![D("a"), D("b")], HashMap::from([(1, D("one"))]), BTreeMap::from([(2, D("two")), (3, D("three"))])));
    case!(list, "removed none", removed(vec![D("a")], HashMap::new(), BTreeMap::new()));
    case!(list, "copied", copied(vec![1, 2, 3], BinaryHeap::from([4, 7]), &["name"]));
    case!(list, "taken", async { taken(Some(D("slot")), vec![D("word")].into_iter(), &mut vec![D("old")]).await });
    case!(list, "guarded", async {
        guarded(Arc::new(Mutex::new(VecDeque::from([D("a"), D("b")]))), &RefCell::new(vec![D("c")])).await
    });
    case!(list, "only_dropped", only_dropped(false));
    case!(list, "only_dropped early", only_dropped(true));
    case!(list, "side_by_side", side_by_side());
    case!(list, "deferred first", deferred(true));
    case!(list, "deferred second", deferred(false));
    list
}
