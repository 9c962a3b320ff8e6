//! Cases of places behind pointers, borrowed or evaluated before an await. `subject!` decides their
//! layout.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Debug, Formatter};
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use super::log::*;

/// A pointer that logs its dereferences.
#[derive(Debug)]
struct Own(Part);

impl Deref for Own {
    type Target = Part;

    fn deref(&self) -> &Part {
        note("deref");
        &self.0
    }
}

/// A pointer that logs nothing.
struct Quiet(Part);

impl Deref for Quiet {
    type Target = Part;

    fn deref(&self) -> &Part {
        &self.0
    }
}

impl DerefMut for Quiet {
    fn deref_mut(&mut self) -> &mut Part {
        &mut self.0
    }
}

/// The target of the pointers.
#[derive(Debug)]
struct Part {
    name: String,
    count: u32,
    list: Vec<u32>,
}

impl Part {
    fn add(&mut self, n: u32) -> u32 {
        note(format!("add-{n}"));
        self.count += n;
        self.count
    }

    fn sum(&self, n: u32) -> u32 {
        note(format!("sum-{n}"));
        self.count + n
    }
}

fn part() -> Part {
    Part {
        name: "name".to_owned(),
        count: 3,
        list: vec![1, 2, 3],
    }
}

/// A variant without fields, of a type with a destructor in another one.
enum Kind {
    Empty,
    Full(D),
}

impl Debug for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Empty => f.write_str("empty"),
            Kind::Full(d) => f.write_str(d.0),
        }
    }
}

/// A constant without a destructor, and statics.
const LIMIT: u32 = 7;
const SCALE: i64 = 3;
const NAMES: &[&str] = &["zero", "one"];
static COUNTS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static NAME: LazyLock<String> = LazyLock::new(|| "lazy".to_owned());

fn pair<A: Debug, B: Debug>(a: A, b: B) -> String {
    note(format!("{a:?}-{b:?}"));
    format!("{a:?} {b:?}")
}

fn twice(n: u32) -> u32 {
    note("twice");
    2 * n
}

fn thrice(n: u32) -> u32 {
    note("thrice");
    3 * n
}

subject! {
    async fn leaf(text: &str) -> usize {
        tick("leaf").await;
        text.len()
    }
}

subject! {
    async fn lent_own(own: &Own) -> u32 {
        tick("own").await;
        own.0.count
    }
}

subject! {
    async fn show(value: &dyn Debug) -> String {
        tick("show").await;
        format!("{value:?}")
    }
}

subject! {
    async fn count(part: &mut Part, n: u32) -> u32 {
        part.count += n;
        tick("count").await;
        part.count
    }
}

subject! {
    async fn of_std(boxed: Box<Part>, shared: Rc<Part>, arc: Arc<Box<Part>>) -> usize {
        let both: Rc<RefCell<Part>> = Rc::new(RefCell::new(part()));
        let pinned: Pin<Box<Part>> = Box::pin(part());
        let sum: usize = leaf(&boxed.name).await + leaf(&shared.name).await;
        let more: usize = leaf(&arc.name).await + leaf(&pinned.name).await;
        let name: Box<String> = Box::new("boxed".to_owned());
        let most: usize = leaf(&name).await + leaf(&*name).await + leaf(&NAME).await;
        let nums: usize = leaf(&NAMES[1]).await + leaf(&NAME[1..]).await;
        let all: String = show(&boxed).await;
        sum + more + most + nums + all.len() + both.borrow().name.len()
    }
}

subject! {
    async fn of_guards<'a>(lock: &'a Mutex<Part>, cell: &'a RefCell<Part>) -> u32 {
        let mut guard: MutexGuard<'a, Part> = lock.lock().unwrap();
        let mut borrow: RefMut<'a, Part> = cell.borrow_mut();
        let len: usize = leaf(&guard.name).await + leaf(&borrow.name[1..]).await;
        let more: u32 = count(&mut guard, 2).await + count(&mut borrow, 3).await;
        guard.count += step::<u32>("a", 1, 1).await;
        borrow.count += step::<u32>("b", 1, 1).await;
        let sum: u32 = borrow.add(step::<u32>("c", 1, 1).await);
        let part: &mut Part = &mut guard;
        part.count += sum + more + u32::try_from(len).unwrap_or(0);
        guard.count + borrow.count + borrow.list[0]
    }
}

subject! {
    async fn of_quiet(mut quiet: Quiet) -> u32 {
        let len: usize = leaf(&quiet.name).await;
        let more: u32 = count(&mut quiet, 2).await;
        let sum: u32 = quiet.add(step::<u32>("n", 1, 5).await);
        quiet.count += step::<u32>("m", 1, 1).await;
        sum + more + quiet.count + u32::try_from(len).unwrap_or(0)
    }
}

subject! {
    async fn as_itself(x: Own) -> u32 {
        let shown: String = show(&x).await;
        let lent: &Own = &x;
        let count: u32 = lent.count;
        lent_own(&x).await + count + u32::try_from(shown.len()).unwrap_or(0)
    }
}

subject! {
    async fn elements(list: VecDeque<String>, map: BTreeMap<u8, String>, at: usize, key: u8) -> usize {
        let lists: Vec<Vec<String>> = vec![vec!["a".to_owned(), "bc".to_owned()]];
        let n: usize = leaf(&list[at]).await + leaf(&list[at + 1]).await;
        let m: usize = leaf(&map[&key]).await + leaf(&lists[0][2 * at - 1]).await;
        n + m + leaf(&list[at][1..]).await
    }
}

subject! {
    async fn before(mut part: Box<Part>, kind: u8) -> String {
        let mut total: u32 = 1;
        let shared: Rc<Cell<u32>> = Rc::new(Cell::new(4));
        let a: u32 = part.count + step::<u32>("a", 1, 1).await;
        let b: u32 = part.sum(step::<u32>("b", 1, a).await);
        part.list.push(step::<u32>("c", 1, b).await);
        let n: u32 = { (*part).count + { step::<u32>("n", 1, 1).await } };
        let c: u32 = n + part.list[step::<usize>("d", 1, 1).await];
        total += step::<u32>("e", 1, c).await;
        part.count += step::<u32>("f", 1, total).await;
        shared.set(step::<u32>("g", 1, 2).await);
        let d: bool = part.count < step::<u32>("h", 1, 9).await;
        let e: String = pair(&part.name, step::<u32>("i", 1, 1).await);
        let f: String = pair(part.count, step::<u32>("j", 1, shared.get()).await);
        let g: usize = part.name.len() + step::<usize>("k", 1, usize::from(kind)).await;
        format!("{part:?} {d} {e} {f} {g}")
    }
}

subject! {
    async fn constants(n: u32) -> String {
        let a: String = pair(LIMIT, step::<u32>("a", 1, n).await);
        let b: String = pair(None::<D>, step::<u32>("b", 1, n).await);
        let full: Kind = Kind::Full(D("d"));
        let c: String = pair(Kind::Empty, step::<u32>("c", 1, n).await);
        let d: String = pair(full, step::<u32>("d", 1, n).await);
        let e: i64 = -SCALE * step::<i64>("e", 1, 3).await;
        let f: u32 = LIMIT + step::<u32>("f", 1, n).await;
        let g: bool = LIMIT > step::<u32>("g", 1, n).await;
        let h: Option<u32> = Some(n).filter(|n| *n > 0);
        let i: String = pair(NAMES, step::<u32>("i", 1, n).await);
        let j: String = pair(u32::MAX, step::<u32>("j", 1, n).await);
        let k: bool = COUNTS.lock().is_ok();
        let l: bool = NAME.starts_with(step::<&'static str>("l", 1, "la").await);
        format!("{a} {b} {c} {d} {e} {f} {g} {h:?} {i} {j} {k} {l}")
    }
}

subject! {
    async fn callees<F, G, H>(f: F, mut g: G, h: H, once: Box<dyn FnOnce(u32) -> u32>) -> u32
    where
        F: Fn(u32) -> u32,
        G: FnMut(u32) -> u32,
        H: FnOnce(u32) -> u32,
    {
        let pointer: fn(u32) -> u32 = twice;
        let last: D = D("last");
        let a: u32 = pointer(step::<u32>("a", 1, 1).await);
        let b: u32 = f(step::<u32>("b", 1, a).await);
        let b: u32 = g(step::<u32>("g", 1, b).await);
        let c: u32 = once(step::<u32>("c", 1, b).await);
        look(&last);
        let c: u32 = c + h(step::<u32>("h", 1, b).await);
        let later: fn(u32) -> u32 = if c > 1 { thrice } else { twice };
        later(step::<u32>("d", 1, c).await)
    }
}

/// A type with an inherent `into_iter` besides that of the trait.
struct Countdown(Vec<u32>);

impl Countdown {
    #[allow(clippy::should_implement_trait, reason = "odd on purpose")]
    fn into_iter(self) -> std::vec::IntoIter<u32> {
        note("own");
        self.0.into_iter()
    }
}

impl IntoIterator for Countdown {
    type Item = u32;
    type IntoIter = std::vec::IntoIter<u32>;

    fn into_iter(self) -> std::vec::IntoIter<u32> {
        note("trait");
        self.0.into_iter()
    }
}

subject! {
    async fn iterates(list: Countdown, other: Countdown) -> u32 {
        let mut sum: u32 = 0;
        for n in list.into_iter() {
            sum += step::<u32>("own", 1, n).await;
        }
        for n in other {
            sum += step::<u32>("trait", 1, n).await;
        }
        sum
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "of_std",
        of_std(Box::new(part()), Rc::new(part()), Arc::new(Box::new(part())))
    );
    case!(list, "of_guards", {
        let (lock, cell) = (Mutex::new(part()), RefCell::new(part()));
        of_guards(Box::leak(Box::new(lock)), Box::leak(Box::new(cell)))
    });
    case!(list, "of_quiet", of_quiet(Quiet(part())));
    case!(list, "as_itself", as_itself(Own(part())));
    case!(
        list,
        "elements",
        elements(
            VecDeque::from_iter(["zero", "one", "two"].map(str::to_owned)),
            BTreeMap::from_iter([(1, "first".to_owned())]),
            1,
            1
        )
    );
    case!(list, "before", before(Box::new(part()), 2));
    case!(list, "constants", constants(2));
    case!(list, "callees", {
        let d = [D("f"), D("g"), D("h"), D("once")];
        let [f, g, h, once] = d.map(|d| {
            move |n: u32| {
                look(&d);
                n + 1
            }
        });
        callees(f, g, h, Box::new(once))
    });
    case!(list, "iterates", iterates(Countdown(vec![1, 2]), Countdown(vec![3])));
    list
}
