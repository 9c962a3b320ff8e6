//! A macro under another name, whose rules differ for a call of the own method. The copy of the
//! body has another call, so its future is `Sync`, and the compiler reports that the machine's is
//! not.

mod macros {
    macro_rules! by_rule {
        ($of:ident . $method:ident ( $argument:expr )) => {{
            let cell = std::cell::RefCell::new(1);
            let value = Box::pin($of.$method($argument)).await;
            value + *cell.borrow()
        }};
        ($future:expr) => {
            Box::pin($future).await
        };
    }

    pub(crate) use by_rule as renamed;
}

struct Node(u32);

#[volt::state_machine]
impl Node {
    async fn depth(&self, n: u32) -> u32 {
        match n {
            0 => self.0,
            _ => macros::renamed!(self.depth(n - 1)),
        }
    }
}

fn main() {}
