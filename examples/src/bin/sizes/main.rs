//! Shows how large machines are beside the compiler's futures of the same functions.
//!
//! The functions are written once, in `corpus/`. They are compiled three times: as plain functions
//! that call plain functions, as native machines that call native machines, and as machines of the
//! layout that the attribute chooses. The tool fails if an explicit machine is larger than the
//! compiler's future. `--help` lists its other uses.
#![forbid(unsafe_code)]
#![allow(clippy::duplicate_mod, reason = "the corpus is compiled three times")]

mod function;
#[allow(dead_code, reason = "nothing is run, only measured")]
mod wire;
#[allow(dead_code, reason = "nothing is run, only measured")]
mod world;

macro_rules! measure {
    ($($name:ident $(($($any:tt),*))? $(= $future:expr)?),* $(,)?) => {
        pub(crate) fn sizes() -> Vec<(&'static str, usize)> {
            vec![$((stringify!($name), measure!(@ $name $(($($any),*))? $(= $future)?))),*]
        }
    };
    (@ $name:ident ($($any:tt),*)) => {
        crate::function::output_size($name as fn($($any),*) -> _)
    };
    (@ $name:ident = $future:expr) => {
        size_of_val(&$future)
    };
}

#[allow(unused_macros, reason = "redefined below")]
macro_rules! subject {
    ($($function:tt)*) => { $($function)* };
}

#[path = "corpus/mod.rs"]
#[allow(
    clippy::drop_non_drop,
    clippy::needless_lifetimes,
    clippy::while_let_on_iterator,
    reason = "what is moved, borrowed and stored is said by name"
)]
mod compiler;

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine(native)] $($function)* };
}

#[path = "corpus/mod.rs"]
#[allow(
    clippy::drop_non_drop,
    clippy::needless_lifetimes,
    clippy::while_let_on_iterator,
    reason = "what is moved, borrowed and stored is said by name"
)]
mod native;

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine] $($function)* };
}

#[path = "corpus/mod.rs"]
#[allow(
    clippy::drop_non_drop,
    clippy::needless_lifetimes,
    clippy::while_let_on_iterator,
    reason = "what is moved, borrowed and stored is said by name"
)]
mod chosen;

mod options;
mod page;
mod table;

use std::process::ExitCode;

use examples::command;

use self::options::{HELP, Task};
use self::table::{Row, Table};

fn main() -> ExitCode {
    let task = match command::read(HELP, options::parse) {
        Ok(task) => task,
        Err(code) => return code,
    };
    let table = table();
    let text = table.to_string();
    println!("{text}");
    let done = match task {
        Task::Print => Ok(()),
        Task::Write => page::write(&text),
        Task::Check => page::check(&text),
    };
    match none_larger(&table).and(done) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sizes: {error}");
            ExitCode::FAILURE
        }
    }
}

fn none_larger(table: &Table) -> Result<(), String> {
    match table.larger().as_slice() {
        [] => Ok(()),
        larger => Err(format!("larger than the compiler's: {}", larger.join(", "))),
    }
}

/// The three lists side by side; they come from the same text.
fn table() -> Table {
    let machines = native::themes().into_iter().zip(chosen::themes());
    let themes = compiler::themes().into_iter().zip(machines);
    let themes = themes.map(|((theme, futures), ((_, natives), (_, chosen)))| {
        let rows = futures.into_iter().zip(natives.into_iter().zip(chosen));
        let rows = rows.map(|((function, compiler), ((_, native), (_, chosen)))| Row {
            function,
            compiler,
            native,
            chosen,
        });
        (theme, rows.collect())
    });
    Table::new(themes.collect())
}
