//! A machine written by hand may not announce itself: what is announced for one lifetime would be
//! called for every other.
#![forbid(unsafe_code)]

use volt::machine::{State, StateMachine, Transition};

struct Borrows<'a>(&'a str);

impl StateMachine for Borrows<'static> {
    const NAME: &'static str = "Borrows";
    const STATES: &'static [State] = &[];
    const TRANSITIONS: &'static [Transition] = &[];

    fn state(&self) -> &'static State {
        unimplemented!()
    }

    fn trace(&self, _: &mut dyn FnMut(&'static State)) {
        println!("{}", self.0);
    }
}

fn main() {
    volt::__private::native::register_on_first_poll::<Borrows<'static>>();
}
