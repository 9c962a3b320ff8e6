//! Methods of traits for types without a path: references, tuples, slices, `dyn` and `fn`.

use std::fmt::Debug;

use crate::{run, turn};

struct Client(u32);

trait Load {
    async fn load(self, more: u32) -> u32;
}

#[volt::state_machine]
impl Load for &Client {
    async fn load(self, more: u32) -> u32 {
        turn().await;
        self.0 + more
    }
}

#[volt::state_machine(native)]
impl Load for &mut Client {
    async fn load(self, more: u32) -> u32 {
        self.0 += more;
        turn().await;
        self.0
    }
}

#[volt::state_machine]
impl<'a, T: Load> Load for (&'a Client, T) {
    async fn load(self, more: u32) -> u32 {
        let (client, second): Self = self;
        turn().await;
        second.load(client.0 + more).await
    }
}

trait Show {
    const MARK: char = '!';
    type Text;
    async fn show(&self, before: &str) -> Self::Text;
}

#[volt::state_machine]
impl<T: Debug, const N: usize> Show for [T; N] {
    type Text = String;

    async fn show(&self, before: &str) -> Self::Text {
        turn().await;
        format!("{before}{self:?}{}", Self::MARK)
    }
}

#[volt::state_machine]
impl<T: Debug> Show for [T] {
    const MARK: char = '?';
    type Text = Vec<String>;

    async fn show(&self, before: &str) -> Vec<String> {
        let mut shown = Vec::new();
        for item in self {
            turn().await;
            shown.push(format!("{before}{item:?}{}", Self::MARK));
        }
        shown
    }
}

#[volt::state_machine]
impl Show for dyn Debug {
    type Text = usize;

    async fn show(&self, before: &str) -> usize {
        let before = before.len();
        turn().await;
        format!("{self:?}").len() + before
    }
}

#[volt::state_machine]
impl Show for fn(u32) -> u32 {
    type Text = u32;

    async fn show(&self, before: &str) -> u32 {
        turn().await;
        self(u32::try_from(before.len()).unwrap_or_default())
    }
}

trait Encode {
    async fn encode(&self, before: &str) -> String;
    async fn twice(self, other: Self) -> String;
}

/// Both methods of a reference borrow it, and none moves it.
#[volt::state_machine]
impl Encode for &'static str {
    async fn encode(&self, before: &str) -> String {
        turn().await;
        format!("{before}{self}")
    }

    async fn twice(self, other: Self) -> String {
        let first = self.encode("a").await;
        let second = <Self as Encode>::encode(&other, "b").await;
        first + &second
    }
}

trait Sum {
    async fn sum(&self) -> u32;
}

#[volt::state_machine]
impl Sum for [Client] {
    async fn sum(&self) -> u32 {
        let [first, rest @ ..] = self else {
            return 0;
        };
        turn().await;
        first.0 + Box::pin(rest.sum()).await
    }
}

#[test]
fn methods_of_types_without_a_path_run() {
    let mut client = Client(3);
    assert_eq!(run((&client).load(1)), 4);
    assert_eq!(run((&mut client).load(2)), 5);
    assert_eq!(run((&client, &client).load(1)), 11);
    assert_eq!(run([1, 2].show("of ")), "of [1, 2]!");
    assert_eq!(run([1, 2][..].show("")), ["1?", "2?"]);
    let shown: &dyn Debug = &10;
    assert_eq!(run(shown.show("x")), 3);
    let double: fn(u32) -> u32 = |number| 2 * number;
    assert_eq!(run(double.show("abc")), 6);
    assert_eq!(run("one".twice("two")), "aonebtwo");
    assert_eq!(run([client, Client(4)].sum()), 9);
}

#[test]
fn machine_is_named_by_type_and_trait() {
    let client = Client(3);
    let machine: RefClientLoadLoad<'_> = (&client).load(1);
    assert_eq!(run(machine), 4);
}
