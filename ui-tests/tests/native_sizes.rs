//! A native machine is not larger than the compiler's future, for all kinds of arguments, and
//! whichever parts of them the function moves. Without a trace it is larger by 8 bytes at most, if
//! the arguments fit neither before nor after the coroutine's tag. Under `#[instrument]` the
//! coroutine stores a pointer to its machine.

#[path = "native_sizes/generic_methods.rs"]
mod generic_methods;
#[path = "native_sizes/padding.rs"]
mod padding;
#[path = "native_sizes/parts.rs"]
mod parts;
#[path = "native_sizes/turn.rs"]
mod turn;

use std::pin::Pin;
use std::sync::Arc;

use self::parts::{Part, part, send};
use self::turn::turn;

/// Smaller than a pointer, which the macro cannot see in the name.
struct Flag(bool);

struct Whole {
    head: Part,
    body: Part,
    number: u32,
}

fn whole() -> Whole {
    Whole {
        head: part(),
        body: part(),
        number: 1,
    }
}

/// Holds the bound.
fn bounded(name: &str, most: usize, [plain, traced, untraced]: [usize; 3]) {
    assert!(traced <= plain + most, "{name}: {traced} for {plain}");
    assert!(
        untraced <= plain + 8,
        "{name}: {untraced} for {plain} without a trace"
    );
}

/// Functions: plain, as machines, and as machines without a trace, each with its arguments.
macro_rules! functions {
    ($(async fn $name:ident ($($parameters:tt)*) -> usize $body:block with ($($arguments:tt)*))*) => {
        functions!(@ plain [] $($name [$($parameters)*] $body)*);
        functions!(@ traced [#[volt::state_machine(native)]] $($name [$($parameters)*] $body)*);
        functions!(@ untraced [#[volt::state_machine(native, trace = false)]] $($name [$($parameters)*] $body)*);

        #[test]
        fn functions_are_as_large_as_their_bound() {
            // They have their arguments once.
            $(bounded(stringify!($name), 0, [
                size_of_val(&plain::$name($($arguments)*)) - size_of_val(&($($arguments)*)),
                size_of_val(&traced::$name($($arguments)*)),
                size_of_val(&untraced::$name($($arguments)*)),
            ]);)*
        }
    };
    (@ $module:ident $attr:tt $($name:ident $parameters:tt $body:block)*) => {
        mod $module {
            #[allow(clippy::wildcard_imports, reason = "all that stands around")]
            use super::*;
            $(functions!(@ $attr $name $parameters $body);)*
        }
    };
    (@ [$($attr:tt)*] $name:ident [$($parameters:tt)*] $body:block) => {
        $($attr)*
        pub(super) async fn $name($($parameters)*) -> usize $body
    };
}

functions! {
    async fn parts(this: Whole, more: Part) -> usize {
        let Whole { head, body, .. } = this;
        turn().await;
        send((head, body)).await + send(more).await
    } with (whole(), part())

    async fn first_part(this: Whole, more: Part, (_one, _two): (Part, Part)) -> usize {
        let head = this.head;
        send(head).await + send(more).await
    } with (whole(), part(), (part(), part()))

    async fn pattern(Whole { head, body, .. }: Whole, more: Part) -> usize {
        turn().await;
        send((head, body)).await + send(more).await
    } with (whole(), part())

    async fn patterns((head, _): (Part, Part), [first, _]: [Part; 2], mut more: Part) -> usize {
        more.0[1] = 2;
        send(head).await + send(first).await + size_of_val(&more)
    } with ((part(), part()), [part(), part()], part())

    async fn turn_of_a_while(more: Part) -> usize {
        send(more).await;
        while ends() {
            let body = part();
            assert!(send(1).await > 0);
            look(&body);
        }
        1
    } with (part())

    async fn turn_of_a_loop(more: Part) -> usize {
        send(more).await;
        loop {
            let body = part();
            assert!(send(1).await > 0);
            look(&body);
        }
    } with (part())

    async fn pinned_once(more: Part) -> usize {
        let number = {
            let mut sent = std::pin::pin!(send(more));
            turn_now();
            sent.as_mut().await
        };
        turn().await;
        number
    } with (part())

    async fn pinned_and_moved(more: Part) -> usize {
        let sent = std::pin::pin!(send(more));
        turn_now();
        sent.await
    } with (part())

    async fn pinned_and_ended(more: Part) -> usize {
        let mut sent = std::pin::pin!(send(more));
        let number = sent.as_mut().await;
        turn().await;
        number
    } with (part())
}

/// Anything before an await.
fn turn_now() {}

/// The condition of a loop.
fn ends() -> bool {
    true
}

/// Anything after an await in a loop.
fn look(_: &Part) {}

async fn pinned_in_a_block(more: Part) -> usize {
    let block = async {
        let mut sent = std::pin::pin!(send(more));
        turn_now();
        sent.as_mut().await
    };
    block.await
}

#[volt::state_machine(native)]
async fn traced_block_with_a_pin(more: Part) -> usize {
    let block = async {
        let mut sent = std::pin::pin!(send(more));
        turn_now();
        sent.as_mut().await
    };
    block.await
}

#[test]
fn block_and_its_pinned_local_take_no_bytes() {
    let plain = size_of_val(&pinned_in_a_block(part())) - size_of::<Part>();
    let traced = size_of_val(&traced_block_with_a_pin(part()));
    assert!(traced <= plain, "{traced} for {plain}");
}

/// Methods of three equal types: plain, as machines, and as machines without a trace.
macro_rules! methods {
    ($Type:ident [$($attr:tt)*]) => {
        struct $Type(Whole);

        $($attr)*
        impl $Type {
            async fn own(self) -> usize {
                let Self(Whole { head, body, .. }) = self;
                turn().await;
                send((head, body)).await
            }

            async fn own_and_more(self, more: Part) -> usize {
                let Self(Whole { head, body, .. }) = self;
                turn().await;
                send((head, body)).await + send(more).await
            }

            async fn own_and_patterns(self, (one, _): (Part, Part), [two, _]: [Part; 2]) -> usize {
                let Self(Whole { head, body, number }) = self;
                send((head, body)).await + send((one, two)).await + number as usize
            }

            async fn mutable(mut self, more: Part) -> usize {
                self.0.number += 1;
                send(self.0.head).await + send(self.0.body).await + send(more).await
            }

            async fn typed(self: Self, more: Part) -> usize {
                send(self.0.head).await + send(more).await
            }

            async fn passed(self, more: Part) -> usize {
                turn().await;
                send((self, more)).await
            }

            async fn boxed(self: Box<Self>, more: Part, _last: Part) -> usize {
                let Self(Whole { head, body, .. }) = *self;
                turn().await;
                send((head, body)).await + send(more).await
            }

            async fn counted(self: Arc<Self>, this: Whole, more: Part) -> usize {
                let Whole { head, body, .. } = this;
                turn().await;
                send((head, body, more)).await + self.0.number as usize
            }

            async fn pinned(self: Pin<&mut Self>, this: Whole, more: Part) -> usize {
                let Whole { head, body, .. } = this;
                turn().await;
                send((head, body, more)).await + self.0.number as usize
            }

            async fn shared(&self, this: Whole, more: Part) -> usize {
                let Whole { head, body, .. } = this;
                turn().await;
                send((head, body, more)).await + self.0.number as usize
            }

            async fn no_await(self: Arc<Self>, more: u64) -> usize {
                more as usize
            }

            async fn flagged(&self, flag: Flag) -> usize {
                turn().await;
                self.0.number as usize + usize::from(flag.0)
            }

            async fn counted_by(&mut self, _unit: (), flag: bool) -> usize {
                let number = self.0.number as usize;
                send(&flag).await + send([number; 10]).await + number
            }

            async fn opened(self: Box<Self>, (one, two): (u8, u8)) -> usize {
                turn().await;
                self.0.number as usize + usize::from(one + two)
            }

            async fn read(&self, text: &str) -> usize {
                turn().await;
                self.0.number as usize + text.len()
            }

            async fn changed(&mut self, this: Whole, more: Part) -> usize {
                let Whole { head, body, .. } = this;
                turn().await;
                self.0.number += 1;
                send((head, body, more)).await
            }
        }

        impl Sizes for $Type {
            fn sizes() -> Vec<(&'static str, usize)> {
                let this = || $Type(whole());
                let (mut one, two, mut three) = (this(), this(), this());
                let mut four = this();
                vec![
                    ("own", size_of_val(&this().own())),
                    ("own_and_more", size_of_val(&this().own_and_more(part()))),
                    (
                        "own_and_patterns",
                        size_of_val(&this().own_and_patterns((part(), part()), [part(), part()])),
                    ),
                    ("mutable", size_of_val(&this().mutable(part()))),
                    ("typed", size_of_val(&this().typed(part()))),
                    ("passed", size_of_val(&this().passed(part()))),
                    ("boxed", size_of_val(&Box::new(this()).boxed(part(), part()))),
                    ("counted", size_of_val(&Arc::new(this()).counted(whole(), part()))),
                    ("pinned", size_of_val(&Pin::new(&mut one).pinned(whole(), part()))),
                    ("shared", size_of_val(&two.shared(whole(), part()))),
                    ("no_await", size_of_val(&Arc::new(this()).no_await(1))),
                    ("flagged", size_of_val(&two.flagged(Flag(true)))),
                    ("counted_by", size_of_val(&four.counted_by((), true))),
                    ("opened", size_of_val(&Box::new(this()).opened((1, 2)))),
                    ("read", size_of_val(&two.read("text"))),
                    ("changed", size_of_val(&three.changed(whole(), part()))),
                ]
            }
        }
    };
}

trait Sizes {
    fn sizes() -> Vec<(&'static str, usize)>;
}

methods!(Plain []);
methods!(Traced [#[volt::state_machine(native)]]);
methods!(Untraced [#[volt::state_machine(native, trace = false)]]);

#[test]
fn methods_are_as_large_as_their_bound() {
    let others = Traced::sizes().into_iter().zip(Untraced::sizes());
    for ((name, plain), ((_, traced), (_, untraced))) in Plain::sizes().into_iter().zip(others) {
        bounded(name, 0, [plain, traced, untraced]);
    }
}

#[tracing::instrument(skip_all)]
async fn followed(flag: Flag, this: Whole) -> usize {
    turn().await;
    send(this).await + usize::from(flag.0)
}

#[volt::state_machine(native)]
#[tracing::instrument(skip_all)]
async fn traced_and_followed(flag: Flag, this: Whole) -> usize {
    turn().await;
    send(this).await + usize::from(flag.0)
}

#[volt::state_machine(native, trace = false)]
#[tracing::instrument(skip_all)]
async fn quietly_followed(flag: Flag, this: Whole) -> usize {
    turn().await;
    send(this).await + usize::from(flag.0)
}

impl Flag {
    #[tracing::instrument(skip_all)]
    async fn followed(&self, flag: u8) -> usize {
        turn().await;
        usize::from(self.0) + usize::from(flag)
    }
}

#[volt::state_machine(native)]
impl Flag {
    #[tracing::instrument(skip_all)]
    async fn traced_and_followed(&self, flag: u8) -> usize {
        turn().await;
        usize::from(self.0) + usize::from(flag)
    }
}

#[volt::state_machine(native, trace = false)]
impl Flag {
    #[tracing::instrument(skip_all)]
    async fn quietly_followed(&self, flag: u8) -> usize {
        turn().await;
        usize::from(self.0) + usize::from(flag)
    }
}

#[test]
fn an_attribute_adds_no_coroutine() {
    let flag = || Flag(true);
    bounded(
        "followed",
        40,
        [
            size_of_val(&followed(flag(), whole())),
            size_of_val(&traced_and_followed(flag(), whole())),
            size_of_val(&quietly_followed(flag(), whole())),
        ],
    );
    bounded(
        "followed by `self`",
        40,
        [
            size_of_val(&flag().followed(1)),
            size_of_val(&flag().traced_and_followed(1)),
            size_of_val(&flag().quietly_followed(1)),
        ],
    );
}
