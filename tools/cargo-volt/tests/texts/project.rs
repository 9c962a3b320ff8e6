//! A project that knows nothing of volt.

pub async fn plain() -> u8 { 1 }

pub async fn refused_free() -> u8 { 2 }

async fn native_free() -> u8 { 3 }

pub async fn inner_free<T>(_: T) {}

#[cfg(any())]
async fn hidden() {}

pub struct Conn;

impl Conn {
    pub async fn read(&self) -> u8 { plain().await }

    pub async fn refused_write(&self) -> u8 { 5 }

    async fn unplaced_flush(&self) {}

    async fn boxed_close<T>(self, _: T) {}

    pub async fn shut(self) { self.unplaced_flush().await; self.boxed_close(1).await; native_free().await; }
}

pub trait Source { fn name(&self) -> u8; }

macro_rules! items { ($($item:item)*) => { $($item)* } }

items! { pub async fn in_items() {} }

#[cfg(test)]
mod tests {
    use super::*;

    fn now<T>(future: impl Future<Output = T>) -> T {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match std::pin::pin!(future).poll(&mut context) {
            std::task::Poll::Ready(value) => value,
            std::task::Poll::Pending => panic!("nothing waits"),
        }
    }

    async fn of_tests() -> u8 { plain().await }

    #[test]
    fn one_is_one() { assert_eq!(now(of_tests()), 1); }

    #[test]
    fn lines_are_kept() { assert_eq!(line!(), 52); }

    #[test]
    fn file_is_as_written() {
        assert!(!include_str!("lib.rs").contains(concat!("#[::", "volt")));
    }

    #[test]
    fn always_fails() { assert_eq!(now(Conn.read()), 2); }
}
