//! Methods and types of the user's that are named as those of the standard library which own what
//! they hold, and borrow.

#![allow(noop_method_call, reason = "odd on purpose")]
use std::rc::Rc;
use std::sync::Arc;

use super::log::*;

pub(crate) struct Store(Vec<u32>, D);

pub(crate) struct Look<'a>(&'a Store);

impl Drop for Look<'_> {
    fn drop(&mut self) {
        note(format!("drop look {}", self.0.0.len()));
    }
}

impl Store {
    async fn len(&self) -> usize {
        tick("len").await;
        self.0.len()
    }

    fn clone(&self) -> Look<'_> {
        Look(self)
    }

    fn to_owned(&self) -> Look<'_> {
        Look(self)
    }

    fn to_string(&self) -> &str {
        self.1.0
    }
}

fn store() -> Store {
    Store(vec![1, 2], D("store"))
}

subject! {
    async fn kept_future(s: Store) -> usize {
        let l = s.len();
        tick("kept").await;
        l.await
    }
}

subject! {
    async fn clone_borrows(s: Store) -> usize {
        let l = s.clone();
        tick("clone").await;
        l.0.0.len()
    }
}

subject! {
    async fn to_owned_borrows(s: Store) -> usize {
        let l = s.to_owned();
        tick("owned").await;
        l.0.0.len()
    }
}

subject! {
    async fn to_string_borrows(s: Store) -> usize {
        let l = s.to_string();
        tick("string").await;
        l.len()
    }
}

subject! {
    async fn inside_a_value(s: Store) -> usize {
        let l = Some((s.clone(), 1));
        tick("inside").await;
        l.map_or(0, |(l, n)| l.0.0.len() + n)
    }
}

subject! {
    async fn awaited_len(s: Store) -> usize {
        let l = s.len().await;
        tick("behind").await;
        l + s.0.len()
    }
}

pub(crate) struct X(u32);

subject! {
    async fn reference_is_cloned(n: u32) -> u32 {
        let x = X(n);
        let r = (&x).clone();
        tick("reference").await;
        r.0
    }
}

subject! {
    async fn iterator_is_cloned(n: u32) -> u32 {
        let list = vec![n, n + 1];
        let numbers = list.iter().clone();
        tick("iterator").await;
        numbers.sum()
    }
}

mod own {
    pub(crate) struct String<'a>(pub(crate) &'a str);
    pub(crate) struct Vec<'a, T>(pub(crate) &'a [T]);
    pub(crate) enum Option<'a, T> {
        Some(&'a T),
    }
}

subject! {
    async fn own_string(n: u32) -> usize {
        use own::String;
        let x = format!("{n}");
        let s: String = String(&x);
        tick("own").await;
        s.0.len()
    }
}

subject! {
    async fn own_vec(n: u32) -> usize {
        use own::Vec;
        let x = [n, n];
        let s: Vec<u32> = Vec(&x);
        tick("vec").await;
        s.0.len()
    }
}

subject! {
    async fn own_option(n: u32) -> u32 {
        use own::Option;
        let s: Option<u32> = Option::Some(&n);
        tick("option").await;
        match s {
            Option::Some(n) => *n,
        }
    }
}

subject! {
    async fn known_methods(text: &str, list: Vec<u32>, shared: Arc<u32>, local: Rc<String>) -> usize {
        let copy = text.to_owned();
        let count = list.len();
        let other = shared.clone();
        let inner = (*local).clone();
        let number = count.to_string();
        tick("known").await;
        drop(list);
        drop(shared);
        drop(local);
        tick("dropped").await;
        copy.len() + count + *other as usize + inner.len() + number.len()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "kept_future", kept_future(store()));
    case!(list, "clone_borrows", clone_borrows(store()));
    case!(list, "to_owned_borrows", to_owned_borrows(store()));
    case!(list, "to_string_borrows", to_string_borrows(store()));
    case!(list, "inside_a_value", inside_a_value(store()));
    case!(list, "awaited_len", awaited_len(store()));
    case!(list, "reference_is_cloned", reference_is_cloned(3));
    case!(list, "iterator_is_cloned", iterator_is_cloned(3));
    case!(list, "own_string", own_string(3));
    case!(list, "own_vec", own_vec(3));
    case!(list, "own_option", own_option(3));
    case!(list, "known_methods", known_methods("a", vec![1], Arc::new(3), Rc::new("b".to_owned())));
    list
}
