//! Functions and arguments with a name that the expansion uses too, and machines that would have a
//! name of the prelude.
#![deny(warnings)]

use std::future::ready;

/// Names each type and trait of the preludes, and derives what every module can.
macro_rules! names_the_prelude {
    () => {
        #[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
        struct Derived;

        #[allow(dead_code, drop_bounds, reason = "only names")]
        const _: fn() = || {
            fn marked<T: ?Sized + Send + Sync + Unpin + Drop>() {}
            fn compared<T: Clone + Copy + Default + Eq + Ord + PartialEq + PartialOrd + Sized>() {}
            fn called<T: Fn() + FnMut() + FnOnce()>() {}
            fn awaited<T: AsyncFn() + AsyncFnMut() + AsyncFnOnce() + Future + IntoFuture>() {}
            fn turned<
                T: AsRef<T>
                    + AsMut<T>
                    + From<T>
                    + Into<T>
                    + TryFrom<T>
                    + TryInto<T>
                    + ToOwned
                    + ToString,
            >() {
            }
            fn walked<T: Iterator + DoubleEndedIterator + ExactSizeIterator + IntoIterator>() {}
            fn filled<T: Extend<u8> + FromIterator<u8>>() {}
            let _: fn() = compared::<Derived>;
            let _: Option<Result<Vec<String>, Box<u8>>> = None;
            let _ = matches!(Some(Ok::<u8, u8>(1)), Some(Ok(_) | Err(_)));
        };
    };
}

/// Declares each function in both layouts.
macro_rules! functions {
    ($($name:ident($($argument:ident),*))*) => {
        mod explicit {
            use super::*;

            $(
                #[volt::state_machine(explicit)]
                pub(super) async fn $name($($argument: u32),*) -> u32 {
                    ready(()).await;
                    0 $(+ $argument)*
                }
            )*

            names_the_prelude!();
        }

        mod native {
            use super::*;

            $(
                #[volt::state_machine(native)]
                pub(super) async fn $name($($argument: u32),*) -> u32 {
                    ready(()).await;
                    0 $(+ $argument)*
                }
            )*

            names_the_prelude!();
        }

        #[test]
        fn each_function_returns_its_sum() {
            $(
                let mut sum = 0;
                $( let $argument = 3; sum += $argument; )*
                assert_eq!(volt::block_on(explicit::$name($($argument),*)), sum);
                assert_eq!(volt::block_on(native::$name($($argument),*)), sum);
            )*
        }
    };
}

functions! {
    next(next, begin, cx, state)
    send(future, output, machine, tag)
    result(region, base, mode, slots)
    clone(lent, operand, states, late)
    drop(this, waker, context, poll)
    option(held, field, progress, arguments)
    vec(value, volt, core, std)
    some(types, unpin, own, _never)
    iterator(note, probe, asked, visit)
    default(slot_0, stack_0, scratch_0, argument_0)
    future(future, native, marks, parameters)
    self_(token, end, parts, places)
    r#type(r#fn, r#loop, r#match, r#struct)
    auto(auto, is_send, volt_auto, volt_ask)
    eq(n) partial_eq(n) ord(n) partial_ord(n) hash(n) debug(n) copy(n) sized(n) sync(n) unpin(n)
    r#fn(n) fn_mut(n) fn_once(n) async_fn(n) async_fn_mut(n) async_fn_once(n) as_ref(n) as_mut(n) from(n) into(n) try_from(n)
    try_into(n) from_iterator(n) into_iterator(n) double_ended_iterator(n) exact_size_iterator(n) extend(n) into_future(n)
    to_owned(n) to_string(n) string(n) r#box(n) none(n) ok(n) err(n)
}

fn begin() -> u32 {
    1
}

mod items {
    pub(crate) async fn next(number: u32) -> u32 {
        number
    }
}

#[volt::state_machine(explicit)]
async fn locals_named_as_items(start: u32) -> u32 {
    let begin = begin();
    let next = items::next(begin).await;
    let cx = next + start;
    ready(()).await;
    cx
}

#[test]
fn local_may_share_the_name_of_a_called_function() {
    assert_eq!(volt::block_on(locals_named_as_items(2)), 3);
}

mod serve {
    use super::ready;

    #[volt::state_machine(alias = false)]
    pub(super) async fn serve() -> u32 {
        ready(1).await
    }

    pub(super) mod quit {
        use super::ready;

        #[volt::state_machine(native, alias = false)]
        pub(crate) async fn quit() -> u32 {
            ready(2).await
        }
    }
}

use serve::quit::quit;
use serve::serve;

mod quit {}

#[test]
fn function_may_be_called_as_a_module_is() {
    assert_eq!(volt::block_on(serve()) + volt::block_on(quit()), 3);
}

/// Functions not in snake case. The machine has the name of its function, or another one if an item
/// has that name.
#[allow(non_snake_case, reason = "the point")]
mod camel {
    use super::ready;

    pub(super) struct Page(pub(super) u32);

    #[volt::state_machine(explicit)]
    pub(super) async fn HTTPServer(start: u32) -> u32 {
        ready(start).await
    }

    #[volt::state_machine(native)]
    pub(super) async fn Button<'a>(text: &'a str) -> &'a str {
        ready(text).await
    }

    pub(super) mod pages {
        use super::{Page, ready};

        #[volt::state_machine]
        pub(in super::super) async fn NewPage(number: u32) -> Page {
            ready(Page(number)).await
        }

        #[volt::state_machine(name = OldPageMachine)]
        pub(in super::super) async fn Old(number: u32) -> u32 {
            ready(number).await
        }

        pub(in super::super) type Old = u8;

        #[volt::state_machine]
        pub(in super::super) async fn Send(number: u32) -> u32 {
            fn all<T: core::marker::Send>(_: &T) {}
            all(&number);
            ready(number).await
        }

        pub(in super::super) fn sends<T: Send>(_: &T) {}
    }

    /// Letters without a case.
    #[volt::state_machine]
    pub(super) async fn 取(number: u32) -> u32 {
        ready(number).await
    }

    #[volt::state_machine(name = fetch)]
    pub(super) async fn fetch(number: u32) -> u32 {
        ready(number).await
    }
}

#[test]
fn machine_may_have_the_name_of_its_function() {
    let server: camel::HTTPServer = camel::HTTPServer(1);
    let button: camel::Button<'_> = camel::Button("ok");
    let sent = camel::pages::Send(2);
    camel::pages::sends(&sent);
    assert_eq!(volt::block_on(server), 1);
    assert_eq!(volt::block_on(button), "ok");
    assert_eq!(volt::block_on(sent), 2);
    assert_eq!(volt::block_on(camel::pages::NewPage(3)).0, 3);
    assert_eq!(
        volt::block_on(camel::pages::Old(3)),
        u32::from(camel::pages::Old::MAX >> 6)
    );
    assert_eq!(volt::block_on(camel::取(4)), 4);
    let fetch: camel::fetch = camel::fetch(5);
    assert_eq!(volt::block_on(fetch), 5);
}

/// The name of a function of another module is not its own: it does not wait for itself.
#[volt::state_machine]
async fn swap(mut first: u32, mut second: u32) -> (u32, u32) {
    std::mem::swap(&mut first, &mut second);
    ready(()).await;
    (first, second)
}

#[test]
fn function_named_as_its_callee_is_sync() {
    fn sync<T: Sync>(machine: T) -> T {
        machine
    }
    assert_eq!(volt::block_on(sync(swap(1, 2))), (2, 1));
}

/// Named as types of the language, and by nothing that a type could be called.
mod short {
    use super::ready;

    #[volt::state_machine]
    pub(super) async fn u16(number: u8) -> u16 {
        ready(number).await.into()
    }

    #[volt::state_machine]
    pub(super) async fn __(number: u16) -> u16 {
        ready(number).await
    }
}

#[test]
fn function_named_as_primitive_type_hides_none() {
    let machine: short::U16 = short::u16(3);
    let unnamed: short::Machine = short::__(4);
    assert_eq!(volt::block_on(machine) + volt::block_on(unnamed), 7);
}

/// Functions whose machines would hide a name of the prelude.
mod named_as_the_prelude {
    use super::*;

    #[volt::state_machine]
    pub(super) async fn send(number: u8) -> Option<u8> {
        ready(Some(number)).await
    }

    #[volt::state_machine]
    pub(super) async fn option(number: u8) -> Result<u8, String> {
        ready(Ok(number)).await
    }

    #[volt::state_machine]
    pub(super) async fn default(number: u8) -> String {
        ready(number.to_string()).await
    }
}

#[test]
fn machine_hides_no_name_of_the_prelude() {
    use named_as_the_prelude::{DefaultMachine, OptionMachine, SendMachine};
    use named_as_the_prelude::{default, option, send};

    let sent: SendMachine = send(3);
    let optional: OptionMachine = option(4);
    let by_default: DefaultMachine = default(5);
    assert_eq!(volt::block_on(sent), Some(3));
    assert_eq!(volt::block_on(optional), Ok(4));
    assert_eq!(volt::block_on(by_default), String::from("5"));
}

/// The last name of the path of an item, without the item and without closures.
fn last_name<T>(_: T) -> &'static str {
    let path = std::any::type_name::<T>();
    let outer = path.rsplit("::").skip(1);
    outer
        .into_iter()
        .find(|name| *name != "{{closure}}")
        .unwrap_or_default()
}

macro_rules! name_of_function {
    () => {{
        fn item() {}
        last_name(item)
    }};
}

#[volt::state_machine]
async fn in_sight() -> &'static str {
    ready(()).await;
    name_of_function!()
}

/// A method and a function of a path have the name, which is not the function's.
#[volt::state_machine]
async fn count() -> &'static str {
    let items = [1, 2];
    ready(items.iter().count() + self::other::count()).await;
    name_of_function!()
}

mod other {
    pub(super) fn count() -> usize {
        1
    }
}

#[volt::state_machine]
async fn repeated(count: u8) -> u8 {
    ready(()).await;
    match count {
        0 => u8::from(name_of_function!() == "__repeated"),
        _ => Box::pin(repeated(count - 1)).await,
    }
}

trait Title {
    async fn title(&self) -> &'static str;
}

#[volt::state_machine]
impl Title for u8 {
    async fn title(&self) -> &'static str {
        ready(*self).await;
        name_of_function!()
    }
}

#[test]
fn path_in_a_body_has_the_name_of_the_function() {
    assert_eq!(volt::block_on(in_sight()), "in_sight");
    assert_eq!(volt::block_on(count()), "count");
    assert_eq!(volt::block_on(1u8.title()), "title");
    assert_eq!(volt::block_on(repeated(2)), 1);
}

#[volt::state_machine]
#[volt::test]
async fn path_in_a_test_has_its_name() {
    ready(()).await;
    assert_eq!(name_of_function!(), "path_in_a_test_has_its_name");
}
