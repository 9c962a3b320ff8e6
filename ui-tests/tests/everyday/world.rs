//! The types and functions that the everyday functions use.

use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex};

pub(crate) use std::cell::RefCell;
pub(crate) use std::collections::VecDeque;
pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use std::time::Duration;
pub(crate) use volt::task::yield_now;

pub(crate) struct State<S>(pub(crate) S);
pub(crate) struct Path<T>(pub(crate) T);
pub(crate) struct Json<T>(pub(crate) T);

#[derive(Clone)]
pub(crate) struct Db(pub(crate) Arc<Mutex<HashMap<u32, User>>>);

#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    Guest,
    Member(u32),
}

pub(crate) struct NewUser {
    pub(crate) name: String,
    pub(crate) role: Role,
}

#[derive(Debug)]
pub(crate) enum Error {
    Missing,
    Closed,
    Kind(u8),
}

pub(crate) struct Page {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) struct Chunk {
    pub(crate) data: [u8; 256],
    pub(crate) len: usize,
}

pub(crate) enum Message {
    Ping,
    Data { len: usize, body: Vec<u8> },
    Close(String),
}

pub(crate) struct Conn {
    pub(crate) input: VecDeque<u8>,
    pub(crate) output: Vec<u8>,
}

impl Conn {
    pub(crate) async fn read(&mut self, buf: &mut [u8]) -> Result<usize, Error> {
        yield_now().await;
        let mut read = 0;
        while read < buf.len()
            && let Some(byte) = self.input.pop_front()
        {
            buf[read] = byte;
            read += 1;
        }
        Ok(read)
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        yield_now().await;
        self.output.extend(bytes);
        Ok(())
    }

    pub(crate) async fn flush(&mut self) -> Result<(), Error> {
        yield_now().await;
        Ok(())
    }
}

impl Db {
    pub(crate) async fn find(&self, id: u32) -> Result<User, Error> {
        yield_now().await;
        let users = self.0.lock().map_err(|_| Error::Closed)?;
        users.get(&id).cloned().ok_or(Error::Missing)
    }

    pub(crate) async fn insert(&self, name: String, role: Role) -> Result<User, Error> {
        yield_now().await;
        let mut users = self.0.lock().map_err(|_| Error::Closed)?;
        let id = users.len() as u32;
        let user = User { id, name, role };
        users.insert(id, user.clone());
        Ok(user)
    }
}

pub(crate) async fn fetch(url: &str) -> Result<Page, Error> {
    yield_now().await;
    match url.len() {
        0 => Err(Error::Missing),
        len => Ok(Page {
            id: len as u32,
            title: url.to_owned(),
            body: vec![1; len],
        }),
    }
}

pub(crate) async fn store(bytes: &[u8]) -> usize {
    yield_now().await;
    bytes.len()
}

pub(crate) async fn report(id: u32, title: String) -> usize {
    yield_now().await;
    id as usize + title.len()
}

pub(crate) async fn count(text: &str) -> usize {
    yield_now().await;
    text.len()
}

pub(crate) async fn step(value: u32, by: u32) -> u32 {
    yield_now().await;
    value + by
}

pub(crate) async fn sleep(_: u64) {
    yield_now().await;
}

pub(crate) async fn notify(value: u64) {
    let _ = ready(value).await;
    yield_now().await;
}

pub(crate) trait Shape: Send {
    fn area(&self) -> u32;
}

pub(crate) struct Square(pub(crate) u32);

impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

pub(crate) async fn square(side: u32) -> Square {
    yield_now().await;
    Square(side)
}

pub(crate) fn page() -> Page {
    Page {
        id: 1,
        title: "title".to_owned(),
        body: vec![1, 2],
    }
}

pub(crate) struct Job {
    pub(crate) id: u32,
    pub(crate) payload: Vec<u8>,
}

pub(crate) async fn process(id: u32, payload: Vec<u8>) -> Result<usize, Error> {
    yield_now().await;
    Ok(id as usize + payload.len())
}
