//! Names that a glob imports, and names of crates, that a function has, too.

mod protocol {
    pub(crate) struct Connect {
        pub(crate) client_id: String,
    }

    pub(crate) enum Publish {
        Empty,
    }

    pub(crate) trait Flush {
        fn flush(&self) -> usize;
    }
}

use protocol::*;

#[volt::state_machine]
async fn connect(client_id: &str) -> usize {
    mqtt_connect(client_id).await
}

#[volt::state_machine]
async fn mqtt_connect(client_id: &str) -> usize {
    let connect = Connect {
        client_id: client_id.to_owned(),
    };
    std::future::ready(connect.client_id.len()).await
}

#[volt::state_machine]
async fn publish() -> Publish {
    std::future::ready(()).await;
    Publish::Empty
}

#[volt::state_machine]
async fn flush() -> usize {
    std::future::ready(()).await;
    1
}

struct Sink;

impl Flush for Sink {
    fn flush(&self) -> usize {
        2
    }
}

fn flushed(sink: &dyn Flush) -> usize {
    sink.flush()
}

struct Held {
    connect: ConnectFuture<'static>,
    mqtt: MqttConnect<'static>,
    flush: FlushFuture,
}

#[volt::state_machine]
async fn tracing(n: u32) -> u32 {
    tracing::info!(n);
    std::future::ready(n).await
}

fn other() {
    tracing::warn!("other");
}

struct Publisher(u32);

/// The name of the machine of `Publisher::count`.
type PublisherCount = u32;

#[volt::state_machine]
impl Publisher {
    async fn count(&self) -> PublisherCount {
        std::future::ready(()).await;
        self.0
    }
}

use std::vec::Drain;

#[volt::state_machine]
async fn drain(mut items: Vec<u32>) -> usize {
    let all: Drain<'_, u32> = items.drain(..);
    std::future::ready(all.len()).await
}

mod stop {
    pub(crate) const CODE: u32 = 4;
}

#[volt::state_machine]
async fn stop() -> u32 {
    std::future::ready(self::stop::CODE).await
}

mod idle {}

#[volt::state_machine]
async fn idle() -> u32 {
    std::future::ready(5).await
}

#[test]
fn machine_takes_no_name_of_an_item() {
    let publisher = Publisher(3);
    let count: PublisherCountFuture<'_> = publisher.count();
    assert_eq!(volt::block_on(count), 3);
    let drained: DrainFuture = drain(vec![1, 2]);
    assert_eq!(volt::block_on(drained), 2);
    assert_eq!(volt::block_on(stop()), 4);
    let idle: Idle = idle();
    assert_eq!(volt::block_on(idle), 5);
}

#[test]
fn machine_hides_no_name_of_a_glob() {
    let held = Held {
        connect: connect("a"),
        mqtt: mqtt_connect("bc"),
        flush: flush(),
    };
    assert_eq!(volt::block_on(held.connect), 1);
    assert_eq!(volt::block_on(held.mqtt), 2);
    assert_eq!(volt::block_on(held.flush), 1);
    assert_eq!(flushed(&Sink), 2);
    assert!(matches!(volt::block_on(publish()), Publish::Empty));
}

#[volt::state_machine(explicit)]
async fn captured(text: &str, count: usize) -> usize {
    tracing::info!("{text}");
    std::future::ready(()).await;
    tracing::warn!(target: "names", count, "{text:?} {count} {}", 1);
    text.len()
}

macro_rules! shout {
    ($text:literal) => {
        format!($text)
    };
}

#[volt::state_machine]
async fn captured_in_closure(text: &str) -> usize {
    let shout = || shout!("{text}!");
    std::future::ready(()).await;
    shout().len()
}

#[allow(non_upper_case_globals, reason = "the names of locals")]
mod by_crate {
    use codes::*;

    #[volt::state_machine]
    pub(super) async fn named_local(found: Option<u32>) -> u32 {
        let Some(count) = found else { return limit };
        std::future::ready(()).await;
        count
    }

    #[volt::state_machine]
    pub(super) async fn named_item(found: Option<u32>) -> u32 {
        let Some(limit) = found else { return 9 };
        std::future::ready(()).await;
        limit
    }

    #[volt::state_machine(explicit)]
    pub(super) async fn generic_local<T>(found: Option<T>) -> u32
    where
        u32: From<T>,
    {
        let Some(count) = found else { return limit };
        let count: u32 = u32::from(count);
        let turn: std::future::Ready<()> = std::future::ready(());
        turn.await;
        count
    }

    #[volt::state_machine]
    pub(super) async fn generic_item<T: Into<u32>>(found: Option<T>) -> u32 {
        let found: Option<u32> = found.map(Into::into);
        let Some(limit) = found else { return 9 };
        std::future::ready(()).await;
        limit
    }
}

#[test]
fn item_of_a_crate_is_no_local_of_a_machine() {
    use volt::machine::{Layout, StateMachine};
    assert_eq!(by_crate::NamedLocal::LAYOUT, Layout::Explicit);
    assert!(matches!(by_crate::NamedItem::LAYOUT, Layout::Native { .. }));
    assert_eq!(volt::block_on(by_crate::named_local(Some(5))), 5);
    assert_eq!(volt::block_on(by_crate::named_item(Some(5))), 9);
    assert_eq!(volt::block_on(by_crate::named_item(Some(3))), 3);
    assert_eq!(volt::block_on(by_crate::generic_local(Some(5_u16))), 5);
    assert_eq!(volt::block_on(by_crate::generic_local(None::<u8>)), 3);
    assert_eq!(volt::block_on(by_crate::generic_item(Some(5_u16))), 9);
    assert_eq!(volt::block_on(by_crate::generic_item(Some(3_u8))), 3);
}

#[test]
fn machine_hides_no_crate() {
    other();
    assert_eq!(volt::block_on(tracing(3)), 3);
}

#[test]
fn event_captures_locals() {
    assert_eq!(volt::block_on(captured("abc", 1)), 3);
    assert_eq!(volt::block_on(captured_in_closure("abc")), 4);
}

/// Blocks of one type whose methods have one name.
mod methods_of_one_name {
    use std::future::ready;
    use std::marker::PhantomData;

    pub(super) trait Handler<M> {
        async fn handle(&self, message: M) -> u32;
    }

    pub(super) struct Ping(pub(super) u32);
    pub(super) struct Stop;

    pub(super) struct Actor(pub(super) u32);

    #[volt::state_machine]
    impl Actor {
        pub(super) async fn handle(&self) -> u32 {
            ready(self.0).await
        }
    }

    #[volt::state_machine(vis = pub(super))]
    impl Handler<Ping> for Actor {
        async fn handle(&self, message: Ping) -> u32 {
            self.handle().await + message.0
        }
    }

    #[volt::state_machine(vis = pub(super))]
    impl Handler<Stop> for Actor {
        async fn handle(&self, _: Stop) -> u32 {
            <Self as Handler<Ping>>::handle(self, Ping(10)).await + 100
        }
    }

    pub(super) struct Open;
    pub(super) struct Closed;

    pub(super) struct Door<S>(pub(super) PhantomData<S>);

    #[volt::state_machine]
    impl Door<Open> {
        pub(super) async fn turn(self) -> Door<Closed> {
            ready(Door(PhantomData)).await
        }
    }

    #[volt::state_machine]
    impl Door<Closed> {
        pub(super) async fn turn(self) -> Door<Open> {
            ready(Door(PhantomData)).await
        }
    }

    #[volt::state_machine(vis = pub(super))]
    impl<S> Handler<&u32> for Door<S> {
        async fn handle(&self, message: &u32) -> u32 {
            ready(*message).await
        }
    }
}

#[test]
fn methods_of_one_name_have_own_machines() {
    use methods_of_one_name::{Actor, Closed, Door, Handler, Open, Ping, Stop};

    let actor = Actor(1);
    assert_eq!(volt::block_on(actor.handle()), 1);
    assert_eq!(volt::block_on(Handler::handle(&actor, Ping(10))), 11);
    assert_eq!(volt::block_on(Handler::handle(&actor, Stop)), 111);
    let door: Door<Closed> = volt::block_on(Door::<Open>(Default::default()).turn());
    assert_eq!(volt::block_on(door.handle(&3)), 3);
    let _: Door<Open> = volt::block_on(door.turn());
}

mod machines_of_one_name {
    use std::future::ready;

    pub(super) struct Shelf(pub(super) u32);

    #[volt::state_machine]
    impl Shelf {
        pub(super) async fn get(&self) -> u32 {
            self._get().await + 1
        }

        pub(super) async fn _get(&self) -> u32 {
            _read(self.0).await
        }
    }

    #[volt::state_machine]
    async fn _read(number: u32) -> u32 {
        read(number).await
    }

    #[volt::state_machine]
    async fn read(number: u32) -> u32 {
        ready(number).await
    }
}

#[test]
fn machines_of_one_name_get_suffixes() {
    use machines_of_one_name::Shelf;
    use volt::machine::StateMachine;

    fn name<M: StateMachine>(_: M) -> &'static str {
        M::NAME
    }
    let shelf = Shelf(3);
    assert_eq!(name(shelf.get()), "ShelfGet");
    assert_eq!(name(shelf._get()), "ShelfGetFuture");
    assert_eq!(volt::block_on(shelf.get()), 4);
}

/// The names of arguments are those of lifetimes and of items in the expansion.
#[volt::state_machine]
async fn arguments_with_reserved_names(
    __volt: &u32,
    volt: &u32,
    this: &u32,
    outer: &u32,
    r#static: &u32,
    receiver: &mut u32,
) -> u32 {
    std::future::ready(()).await;
    *receiver += 1;
    *__volt + *volt + *this + *outer + *r#static + *receiver
}

#[test]
fn reserved_name_of_an_argument_is_no_lifetime() {
    let mut six = 6;
    let future = arguments_with_reserved_names(&1, &2, &3, &4, &5, &mut six);
    assert_eq!(volt::block_on(future), 22);
}

/// Code that other macros wrote binds `__self`.
mod own_receivers {
    use std::future::ready;

    pub(crate) struct Page(pub(crate) u32);

    #[volt::state_machine]
    pub(crate) async fn size(__self: &Page, this: u32) -> u32 {
        ready(__self.0 + this).await
    }

    #[volt::state_machine]
    impl Page {
        pub(crate) async fn scaled(&self) -> u32 {
            let __self = 4;
            ready(()).await;
            __self * self.0
        }

        #[state_machine(native)]
        pub(crate) async fn of(__self: u32) -> Page {
            ready(()).await;
            Page(__self)
        }

        pub(crate) async fn into_size(self) -> u32 {
            let __self = self;
            ready(__self.0).await
        }
    }
}

#[test]
fn receiver_of_another_name_is_a_local() {
    use own_receivers::{Page, size};

    assert_eq!(volt::block_on(size(&Page(1), 2)), 3);
    assert_eq!(volt::block_on(Page(3).scaled()), 12);
    assert_eq!(volt::block_on(Page::of(5)).0, 5);
    assert_eq!(volt::block_on(Page(6).into_size()), 6);
}
