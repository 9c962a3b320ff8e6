//! The sizes of a machine as the message of a failed constant, which `cargo volt sizes` reads.
//!
//! ```text
//! volt sizes 1
//! place <file> <line> <name of the function>
//! machine <name> <size> <align> <size of the compiler's future> <layout> <line> <reason> <states>
//! state <name> <line> <column> <size of the future> <offset of the future>
//! local <name> <type> <size> <offset>
//! ```
//!
//! The fields are separated by tabs. An unknown number is `-`. A local belongs to the state above
//! it.

use volt_inspect::machine::{Layout, State, StateMachine, Storage};

use super::const_text::ConstText;

/// The size of the longest message in bytes. States that do not fit are omitted.
const MAX_LEN: usize = 32 * 1024;

type Message = ConstText<MAX_LEN>;

/// The offsets of the fields of an explicit machine.
#[derive(Clone, Copy, Debug)]
pub struct FieldOffsets {
    /// For each state, the offset of its future.
    pub futures: &'static [Option<usize>],
    /// For each local of each state, in the order of the states, its offset.
    pub locals: &'static [Option<usize>],
}

impl FieldOffsets {
    /// The offsets of a machine without known fields.
    pub const NONE: Self = Self {
        futures: &[],
        locals: &[],
    };
}

/// Reports the sizes of the machine of the function at `place`.
///
/// # Panics
///
/// Panics always: the message is the report.
pub const fn report_size<M: StateMachine>(place: &str, offsets: FieldOffsets) {
    let mut message = Message::EMPTY;
    message.add("volt sizes 1\nplace\t");
    message.add(place);
    message.add("\n");
    message.add_machine::<M>();
    let (mut index, mut local) = (0, 0);
    while index < M::STATES.len() {
        let state = &M::STATES[index];
        message.add_state(state, at(offsets.futures, index));
        let mut own = 0;
        while own < state.locals.len() {
            message.add("local\t");
            message.add(state.locals[own].name);
            message.add("\t");
            message.add(state.locals[own].ty);
            message.add_field(state.locals[own].size);
            message.add_field(at(offsets.locals, local));
            message.add("\n");
            own += 1;
            local += 1;
        }
        index += 1;
    }
    panic!("{}", message.as_str());
}

const fn at(offsets: &[Option<usize>], index: usize) -> Option<usize> {
    if index < offsets.len() {
        offsets[index]
    } else {
        None
    }
}

impl Message {
    const fn add_field(&mut self, number: Option<usize>) {
        self.add("\t");
        match number {
            Some(number) => self.add_number(number),
            None => self.add("-"),
        }
    }

    const fn add_machine<M: StateMachine>(&mut self) {
        let (layout, line, why) = match M::LAYOUT {
            Layout::Native {
                why,
                line,
                storage: Storage::Inline,
            } => ("native", line, why),
            Layout::Native { why, line, .. } => ("boxed", line, why),
            _ => ("explicit", 0, ""),
        };
        self.add("machine\t");
        self.add(M::NAME);
        self.add_field(Some(size_of::<M>()));
        self.add_field(Some(align_of::<M>()));
        self.add_field(M::NATIVE_SIZE);
        self.add("\t");
        self.add(layout);
        self.add_field(Some(line as usize));
        self.add("\t");
        self.add(why);
        self.add_field(Some(M::STATES.len()));
        self.add("\n");
    }

    const fn add_state(&mut self, state: &State, offset: Option<usize>) {
        self.add("state\t");
        self.add(state.name);
        self.add_field(Some(state.line as usize));
        self.add_field(Some(state.column as usize));
        self.add_field(state.future);
        self.add_field(offset);
        self.add("\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use volt_inspect::machine::Local;

    struct Fetch([u8; 7]);

    const LOCALS: &[Local] = &[page()];

    const fn page() -> Local {
        let mut page = Local::new("page", "[u8; 3]");
        page.size = Some(3);
        page
    }

    const fn waiting() -> State {
        let mut state = State::new("Fetch", 1, "await tick", ("fetch.rs", 8, 9), LOCALS);
        state.future = Some(4);
        state
    }

    impl StateMachine for Fetch {
        const NAME: &'static str = "Fetch";
        const STATES: &'static [State] = &[
            State::new("Fetch", 0, "start", ("fetch.rs", 7, 1), &[]),
            waiting(),
        ];
        const NATIVE_SIZE: Option<usize> = Some(9);
        const LAYOUT: Layout = Layout::Explicit;

        fn state(&self) -> &'static State {
            &Self::STATES[usize::from(self.0[0])]
        }

        fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
            visit(self.state());
        }
    }

    #[test]
    fn report_has_a_line_for_each_state_and_local() {
        let offsets = FieldOffsets {
            futures: &[None, Some(3)],
            locals: &[Some(0)],
        };
        let report =
            std::panic::catch_unwind(|| report_size::<Fetch>("fetch.rs\t7\tfetch", offsets));
        let message = report.expect_err("the report is a panic");
        let expected = "volt sizes 1\n\
             place\tfetch.rs\t7\tfetch\n\
             machine\tFetch\t7\t1\t9\texplicit\t0\t\t2\n\
             state\tstart\t7\t1\t-\t-\n\
             state\tawait tick\t8\t9\t4\t3\n\
             local\tpage\t[u8; 3]\t3\t0\n";
        assert_eq!(message.downcast_ref::<String>().expect("a text"), expected);
    }
}
