//! Macros and texts in the body of a method that name `self` and `Self`; `subject!` decides what
//! the cases become.

use std::fmt::{self, Debug, Display, Write as _};
use std::pin::Pin;
use std::rc::Rc;

use super::log::*;

/// Formats all that it is given.
macro_rules! say {
    ($($text:tt)*) => { note(format!($($text)*)) };
}

/// Takes one text, and prints it as it is.
macro_rules! raw {
    ($text:literal) => {
        note($text)
    };
}

macro_rules! fail {
    ($($text:tt)*) => { return Err(format!($($text)*)) };
}

macro_rules! source {
    ($($text:tt)*) => {{
        let value = $($text)*;
        note(format!("{} is {value:?}", stringify!($($text)*)));
    }};
}

/// Hides the macro of the standard library.
macro_rules! println {
    ($text:literal) => {
        note($text)
    };
}

#[derive(Debug)]
pub(crate) struct Page<T> {
    title: T,
    guard: D,
}

impl<T> Page<T> {
    fn new(title: T) -> Self {
        let guard = D("guard");
        Self { title, guard }
    }
}

impl<T: Display> Display for Page<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("page {}", self.title))
    }
}

trait Shown {
    type Item: Debug;
    const LIMIT: usize = 7;

    async fn show(&self) -> Result<u32, String>;
    async fn change(&mut self, by: &str) -> Self::Item;
    async fn end(self) -> String
    where
        Self: Sized;
    async fn boxed(self: Box<Self>) -> String;
    async fn counted(self: Rc<Self>) -> String;
    async fn pinned(self: Pin<&mut Self>, more: u32) -> String;
    async fn given<V: Debug>(&self, value: V, width: usize) -> String;
    async fn made(name: &str) -> String;
}

subject! {
    impl<T: Display + Clone + Debug> Shown for Page<T> {
        type Item = Vec<T>;
        const LIMIT: usize = 9;

        async fn show(&self) -> Result<u32, String> {
            say!("at first {self}");
            tick("one").await;
            println!("{self}");
            raw!("{self:?}");
            let nested = vec![format!("{} {}", format!("{self:>9}"), self.title)];
            say!("{} {}", nested[0], format_args!("{self}"));
            source!(&self.title);
            source!(Self::LIMIT);
            tick("two").await;
            fail!("{self} failed")
        }

        async fn change(&mut self, by: &str) -> Self::Item {
            macro_rules! title {
                () => {
                    self.title.clone()
                };
                (twice) => {
                    Vec::<<Self as Shown>::Item>::from([Self::Item::from([self.title.clone(), title!()])])
                };
            }
            say!("{self} by {by}");
            tick("change").await;
            let mut all: Vec<Self::Item> = title!(twice);
            self.guard = D("changed");
            say!("{self}");
            all.remove(0)
        }

        async fn end(self) -> String
        where
            Self: Sized,
        {
            let first = format!("{self} {}", Self::LIMIT);
            tick("end").await;
            let mut text = String::new();
            _ = write!(text, "{self} {first}");
            assert!(!text.is_empty(), "{self}");
            debug_assert!(Self::LIMIT == 9, "{self}");
            text
        }

        async fn boxed(self: Box<Self>) -> String {
            tick("boxed").await;
            let show = || format!("{self} in a box");
            show()
        }

        async fn counted(self: Rc<Self>) -> String {
            let again = { let other = Rc::clone(&self); async move { tick("again").await; format!("{other}") } };
            let first = async { tick("first").await; format!("{self}") };
            again.await + &first.await
        }

        async fn pinned(self: Pin<&mut Self>, more: u32) -> String {
            tick("pinned").await;
            format!("{self} {more}")
        }

        async fn given<V: Debug>(&self, value: V, width: usize) -> String {
            tick("given").await;
            format!("{self:>width$} {value:?}")
        }

        async fn made(name: &str) -> String {
            macro_rules! limit {
                () => {
                    Self::LIMIT
                };
            }
            tick("made").await;
            format!("{name} {}", limit!())
        }
    }
}

trait Told<'t> {
    async fn tell(&'t self, others: &'t [u32]) -> &'t [u32];
}

// The type is of another crate.
subject! {
    impl<'t> Told<'t> for Vec<u32> {
        async fn tell(&'t self, others: &'t [u32]) -> &'t [u32] {
            say!("{self:?} and {others:?}");
            tick("tell").await;
            say!("{self:?} then");
            if self.len() > others.len() { self } else { others }
        }
    }
}

trait Any {
    async fn any(&self, n: u32) -> String;
}

subject! {
    impl<T: Debug + ?Sized> Any for T {
        async fn any(&self, n: u32) -> String {
            macro_rules! me {
                () => {
                    format!("{self:?} {}", std::any::type_name::<Self>())
                };
            }
            tick("any").await;
            me!() + &n.to_string()
        }
    }
}

subject! {
    impl<T: Display> Page<T> {
        async fn own(&self) -> String {
            println!("{self}");
            raw!("{self}");
            tick("own").await;
            say!("{self}");
            format!("{self:>12}")
        }

        async fn own_source(&self) -> String {
            tick("source").await;
            let text = format!("{} {:?}", stringify!(self.title), self.guard.0.len());
            note(stringify!(Self::LIMIT + self.title));
            text
        }

        async fn own_once(self) -> String {
            tick("once").await;
            assert!(self.guard.0 == "guard", "{self}");
            source!(self.guard.0.len());
            let text = vec![format!("{self}")];
            text[0].clone()
        }
    }
}

fn page() -> Page<&'static str> {
    Page::new("one")
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "show", async { page().show().await });
    case!(list, "change", async { page().change("two").await });
    case!(list, "end", async { page().end().await });
    case!(list, "boxed", async { Box::new(page()).boxed().await });
    case!(list, "counted", async { Rc::new(page()).counted().await });
    case!(list, "pinned", async { Pin::new(&mut page()).pinned(3).await });
    case!(list, "given", async { page().given("three", 12).await });
    case!(list, "made", async { Page::<u32>::made("four").await });
    case!(list, "tell", async { vec![1, 2].tell(&[3]).await.to_vec() });
    case!(list, "any", async { "five".any(6).await });
    case!(list, "own", async { page().own().await });
    case!(list, "own source", async { page().own_source().await });
    case!(list, "own once", async { page().own_once().await });
    list
}
