use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Deref, Index};
use std::rc::Rc;

use volt::future::join;
use volt::task::yield_now;

/// A pointer whose `deref` may do anything.
struct Guard(Page);

impl Deref for Guard {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.0
    }
}

struct Page {
    name: String,
    words: Words,
}

#[volt::state_machine(explicit)]
impl Page {
    async fn len(&self) -> usize {
        yield_now().await;
        self.name.len()
    }
}

struct Words(Vec<String>);

impl Index<usize> for Words {
    type Output = String;

    fn index(&self, index: usize) -> &String {
        &self.0[index]
    }
}

#[derive(PartialEq, Eq)]
struct Key(u32);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[derive(Clone, Copy)]
struct At(usize);

impl Add<usize> for At {
    type Output = usize;

    fn add(self, other: usize) -> usize {
        self.0 + other
    }
}

#[volt::state_machine(explicit)]
async fn look(page: &Page) -> usize {
    yield_now().await;
    page.name.len()
}

#[volt::state_machine(explicit)]
async fn show(name: &str) -> usize {
    yield_now().await;
    name.len()
}

/// By a `*`, by a `.`, and by what the callee takes.
#[volt::state_machine(explicit)]
async fn followed(guard: Guard, shared: Rc<Guard>, lent: &Guard) -> usize {
    let a: usize = look(&*guard).await + show(&guard.name).await + look(&guard).await;
    let b: usize = show(&shared.name).await + look(&shared).await + Page::len(&shared).await;
    a + b + show(&lent.name).await + look(lent).await
}

static GUARD: &Guard = &GUARDED;

/// By a method of a pointer, and from a static.
#[volt::state_machine(explicit)]
async fn others_of_std(boxed: Box<Guard>) -> usize {
    look(boxed.as_ref()).await + look(GUARD).await
}

static GUARDED: Guard = Guard(Page {
    name: String::new(),
    words: Words(Vec::new()),
});

/// In combinators, and of types that are parameters.
#[volt::state_machine(explicit)]
async fn others<T: Deref<Target = Page>>(guard: Guard, other: T) -> usize {
    let (a, b): (usize, usize) = join(show(&guard.name), look(&other)).await;
    a + b
}

/// Elements of lists that are no lists of the standard library, and by operators of other types.
#[volt::state_machine(explicit)]
async fn elements(words: Page, map: HashMap<Key, String>, list: Vec<String>, at: At) -> usize {
    let key: Key = Key(1);
    show(&words.words[0]).await + show(&map[&key]).await + show(&list[at + 1]).await
}

/// A type that has but the name of one of the standard library.
mod own {
    use super::*;

    struct PathBuf(String);

    impl PathBuf {
        fn as_path(&self) -> &str {
            &self.0
        }
    }

    #[volt::state_machine(explicit)]
    async fn named(path: PathBuf) -> usize {
        show(path.as_path()).await
    }
}

fn main() {}
