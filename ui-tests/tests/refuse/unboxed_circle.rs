//! Methods that await each other: one error for each circle in either layout, which says where the box goes. One await in
//! a box, or a method that is `boxed`, is enough.

struct Parser(Vec<u8>);

#[volt::state_machine]
impl Parser {
    async fn expression(&mut self, depth: u32) -> u32 {
        match depth {
            0 => 0,
            _ => self.term(depth - 1).await,
        }
    }

    async fn term(&mut self, depth: u32) -> u32 {
        self.0.pop();
        self.factor(depth).await + 1
    }

    async fn factor(&mut self, depth: u32) -> u32 {
        Self::expression(self, depth).await
    }

    async fn begins(&mut self) -> u32 {
        self.expression(3).await
    }
}

struct Pair(u32);

#[volt::state_machine(native)]
impl Pair {
    async fn even(&self, number: u32) -> bool {
        number == self.0 || (self.odd(number - 1).await)
    }

    async fn odd(&self, number: u32) -> bool {
        number != self.0 && self.even(number - 1).await
    }
}

struct Boxes(u32);

#[volt::state_machine]
impl Boxes {
    async fn even(&self, number: u32) -> bool {
        number == self.0 || Box::pin(self.odd(number - 1)).await
    }

    async fn odd(&self, number: u32) -> bool {
        number != self.0 && self.even(number - 1).await
    }
}

fn main() {}
