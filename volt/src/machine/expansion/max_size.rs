//! Compile-time checks of the size limits that options set.

use volt_inspect::machine::State;
use volt_inspect::machine::StateMachine;

use super::const_text::ConstText;

/// Checks the size of a machine against its `max_size`.
///
/// # Panics
///
/// Panics if the machine is larger. The message has both numbers, and the contents of the largest
/// state if they are known.
#[track_caller]
pub const fn assert_max_size<M: StateMachine>(max_size: usize) {
    let size = size_of::<M>();
    if size > max_size {
        let mut text = ErrorText::EMPTY;
        text.add("the state machine takes ");
        text.add_number(size);
        text.add(" bytes, and its `max_size` is ");
        text.add_number(max_size);
        text.add_largest(M::STATES);
        panic!("{}", text.as_str());
    }
}

/// Checks the size of a coroutine against the bytes that the option `inline` reserves for it.
///
/// # Panics
///
/// Panics if the coroutine is larger. The message has both numbers.
#[track_caller]
pub const fn assert_fits_inline(size: usize, room: usize) {
    if size > room {
        let mut text = ErrorText::EMPTY;
        text.add("the coroutine takes ");
        text.add_number(size);
        text.add(" bytes, and its machine has room for ");
        text.add_number(room);
        text.add(": write `inline = ");
        text.add_number(size);
        text.add("` or more");
        panic!("{}", text.as_str());
    }
}

/// The text of an error.
type ErrorText = ConstText<1000>;

impl ErrorText {
    /// Adds the contents of the largest state, if they are known.
    const fn add_largest(&mut self, states: &[State]) {
        let (mut largest, mut index) = (0, 0);
        while index < states.len() {
            if stored(&states[index]) > stored(&states[largest]) {
                largest = index;
            }
            index += 1;
        }
        if states.is_empty() || stored(&states[largest]) == 0 {
            return;
        }
        let state = &states[largest];
        self.add("; `");
        self.add(state.name);
        self.add("` in line ");
        self.add_number(state.line as usize);
        self.add(" stores");
        let mut index = 0;
        while index < state.locals.len() {
            let local = &state.locals[index];
            if let Some(size) = local.size {
                self.add(" `");
                self.add(local.name);
                self.add("` (");
                self.add_number(size);
                self.add(")");
            }
            index += 1;
        }
        if let Some(size) = state.future {
            self.add(" the awaited future (");
            self.add_number(size);
            self.add(")");
        }
    }
}

/// Returns how many bytes a state is known to store.
const fn stored(state: &State) -> usize {
    let mut bytes = match state.future {
        Some(size) => size,
        None => 0,
    };
    let mut index = 0;
    while index < state.locals.len() {
        if let Some(size) = state.locals[index].size {
            bytes += size;
        }
        index += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use volt_inspect::machine::Local;

    #[test]
    #[should_panic(
        expected = "takes 88 bytes, and its machine has room for 80: write `inline = 88`"
    )]
    fn large_coroutine_panics() {
        assert_fits_inline(80, 80);
        assert_fits_inline(88, 80);
    }

    #[test]
    fn largest_state_is_described() {
        const LOCALS: &[Local] = &[{
            let mut page = Local::new("page", "[u8; 3]");
            page.size = Some(3);
            page
        }];
        let place = ("page.rs", 7, 9);
        let mut states = [
            State::new("Page", 0, "start", place, &[]),
            State::new("Page", 1, "await tick", place, LOCALS),
        ];
        states[1].future = Some(12);
        let mut text = ErrorText::EMPTY;
        text.add_largest(&states);
        let expected = "; `await tick` in line 7 stores `page` (3) the awaited future (12)";
        assert_eq!(text.as_str(), expected);
        let mut text = ErrorText::EMPTY;
        text.add_largest(&states[..1]);
        assert_eq!(text.as_str(), "");
    }
}
