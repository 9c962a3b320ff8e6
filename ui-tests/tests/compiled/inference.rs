//! Locals whose types show only later, or nowhere.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::run::{run, turn};

fn foo(x: i32) -> i32 {
    x
}

fn bar(x: i32) -> i32 {
    x + 1
}

fn eight(x: u8) -> u8 {
    x
}

macro_rules! cases {
    ($($name:ident: $ty:ty = |$local:ident| $made:expr => $used:expr;)*) => { $(
        mod $name {
            use super::*;

            #[volt::state_machine]
            pub(super) async fn machine(flag: bool) -> $ty {
                let _flag = flag;
                #[allow(unused_mut, reason = "some cases change it")]
                let mut $local = $made;
                turn().await;
                $used
            }

            pub(super) async fn native(flag: bool) -> $ty {
                let _flag = flag;
                #[allow(unused_mut, reason = "some cases change it")]
                let mut $local = $made;
                turn().await;
                $used
            }
        }
        )*

        #[test]
        fn inferred_types_match_the_compiler() {
            $(
                for flag in [true, false] {
                    let (found, polls) = run($name::machine(flag));
                    assert_eq!((found, polls), run($name::native(flag)), stringify!($name));
                }
            )*
        }
    };
}

cases! {
    default_later: u64 = |v| Default::default() => v;
    vec_later: usize = |v| Vec::new() => { v.push(1_u8); v.len() };
    parsed: i32 = |v| "5".parse().unwrap() => v;
    none_later: u8 = |v| None => match v { Some(x) => eight(x), None => 0 };
    mapped: u64 = |v| [1, 2].into_iter().map(double) => v.sum::<u64>();
    function: i32 = |v| if c() { foo as fn(i32) -> i32 } else { bar } => v(1);
    index: i32 = |v| 0 => [1, 2][v];
    fallback: String = |v| 5 => v.to_string();
    collected: usize = |v| "a b".split(' ').map(str::len).collect::<Vec<_>>() => v.iter().sum::<usize>();
    boxed: Box<[i32]> = |v| Box::new([1, 2, 3]) => v;
    map: Option<i32> = |v| HashMap::new() => { v.insert("a", 1); v.values().copied().max() };
    shared: usize = |v| Rc::new(RefCell::new(vec![])) => { v.borrow_mut().push(1_i8); v.borrow().len() };
    steps: Option<u8> = |v| (1_u8..).step_by(2) => v.next();
    in_itself: usize = |v| vec![1] => { v.push(v.len()); v.len() };
}

fn double(x: u64) -> u64 {
    x * 2
}

fn c() -> bool {
    std::hint::black_box(true)
}

#[volt::state_machine]
async fn head_before_its_first_push() -> usize {
    let mut v = Vec::new();
    loop {
        turn().await;
        let n = v.len();
        if n > 2 {
            break n;
        }
        v.push(1_u8);
    }
}

#[test]
fn loop_head_reads_value_of_loop_end() {
    assert_eq!(run(head_before_its_first_push()).0, 3);
}
