//! Behind an await that borrowed it, one part of a local is borrowed while another one is used, and what a `&mut`
//! refers to is taken apart.
use std::pin::pin;
use std::task::{Context, Poll, Waker};

struct Line;

impl Line {
    async fn open(&mut self) -> Result<usize, ()> {
        Ok(1)
    }

    async fn turn(&mut self) {}
}

struct Shelf {
    line: Line,
    names: Vec<usize>,
    seen: Vec<usize>,
    title: Option<String>,
}

#[volt::state_machine]
impl Shelf {
    async fn arguments(&mut self) -> Result<(), ()> {
        let _opened = self.line.open().await?;
        self.seen.push(self.names.len());
        Ok(())
    }

    async fn bound(&mut self) -> Result<(), ()> {
        let _opened = self.line.open().await?;
        let names = &self.names;
        self.seen.push(names.len());
        Ok(())
    }

    async fn in_turn(&mut self) -> Result<(), ()> {
        let _opened = self.line.open().await?;
        for name in &self.names {
            self.seen.push(*name);
        }
        Ok(())
    }

    async fn matched(&mut self) -> Result<(), ()> {
        let _opened = self.line.open().await?;
        if let Some(title) = &self.title {
            self.seen.push(title.len());
        }
        match self.names.first() {
            Some(name) => self.seen.push(*name),
            None => self.seen.clear(),
        }
        Ok(())
    }

    async fn taken_apart(&mut self) -> Result<(), ()> {
        let _opened = self.line.open().await?;
        let Self { names, seen, .. } = self;
        seen.extend(names.iter());
        Ok(())
    }

    async fn again(&mut self) -> Result<(), ()> {
        loop {
            let opened = self.line.open().await?;
            self.seen.extend(self.names.iter());
            if opened > 0 {
                return Ok(());
            }
        }
    }
}

/// What follows an await that borrowed a part uses the whole, or that part again: this is explicit.
#[volt::state_machine(explicit)]
impl Shelf {
    async fn part_and_whole(&mut self) -> Result<usize, ()> {
        self.line.open().await?;
        let seen = self.count().await;
        self.line.turn().await;
        Ok(seen + self.seen.len())
    }

    async fn part_and_itself(&mut self) -> Result<usize, ()> {
        let title = self.title_of().await?;
        title.push('!');
        self.line.turn().await;
        self.line.open().await
    }

    async fn count(&mut self) -> usize {
        self.line.turn().await;
        self.seen.len()
    }
}

impl Shelf {
    async fn title_of(&mut self) -> Result<&mut String, ()> {
        self.title.as_mut().ok_or(())
    }
}

#[volt::state_machine]
async fn owned(mut shelf: Shelf) -> usize {
    let _opened = shelf.line.open().await;
    for name in &shelf.names {
        shelf.seen.push(*name);
    }
    shelf.seen.len()
}

async fn look(title: &mut Option<String>) {
    title.take();
    std::future::ready(()).await;
}

#[volt::state_machine]
async fn referred_to(title: &mut Option<String>) -> usize {
    look(title).await;
    if let Some(title) = title {
        title.push('!');
        return title.len();
    }
    0
}

#[volt::state_machine]
async fn by_turns(shelf: &mut Shelf) -> usize {
    let mut turns: u32 = 0;
    while turns < 2 {
        shelf.line.turn().await;
        for name in &shelf.names {
            shelf.seen.push(*name);
        }
        turns += 1;
    }
    shelf.seen.len()
}

fn done<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

fn main() {
    let mut shelf = Shelf {
        line: Line,
        names: vec![3],
        seen: Vec::new(),
        title: Some(String::from("two")),
    };
    done(shelf.arguments()).unwrap();
    done(shelf.bound()).unwrap();
    done(shelf.in_turn()).unwrap();
    done(shelf.matched()).unwrap();
    done(shelf.again()).unwrap();
    done(shelf.taken_apart()).unwrap();
    assert_eq!(shelf.seen, [1, 1, 3, 3, 3, 3, 3]);
    assert_eq!(done(shelf.part_and_whole()), Ok(14));
    assert_eq!(done(shelf.part_and_itself()), Ok(1));
    assert_eq!(done(by_turns(&mut shelf)), 9);
    assert_eq!(done(referred_to(&mut shelf.title)), 0);
    assert_eq!(done(owned(shelf)), 10);
}
