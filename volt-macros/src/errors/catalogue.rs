//! Catalogues of messages, in the form of the compiler's errors.
//!
//! ```text
//! error: an await is in the left side of an assignment: `list[next().await]`
//!          = note: the order of evaluation depends on types
//!          = help: await in a `let` before the assignment
//!          = note: see book/src/refusals.md#await-in-place
//! ```

/// The page of the book that describes each entry, from the root of the repository.
pub(crate) const BOOK_PAGE: &str = "book/src/refusals.md";

/// The text of an error: the fault, its cause, and the code to write instead.
pub(crate) fn labelled(fault: &str, note: &str, help: &str) -> String {
    format!("{fault}\n  = note: {note}\n  = help: {help}")
}

/// Declares an enum of faults. Each has a message, a note with the cause, and a help.
macro_rules! catalogue {
    (
        $(#[$doc:meta])*
        enum $name:ident;
        $($id:ident: $message:literal, $note:literal, $help:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($id),* }

        impl $name {
            /// The message, the note and the help.
            fn texts(self) -> (&'static str, &'static str, &'static str) {
                match self { $(Self::$id => ($message, $note, $help)),* }
            }

            /// The message, in one line and without the source.
            #[allow(dead_code, reason = "one of the catalogues is only printed with its notes")]
            pub(crate) fn message(self) -> &'static str {
                self.texts().0
            }

            /// The anchor of the entry in the book: `not-async` for `NotAsync`.
            pub(crate) fn anchor(self) -> String {
                $crate::names::kebab(&format!("{self:?}"))
            }

            /// The whole text of the error. `place` is appended to the message, and `source`
            /// replaces `{}` in the help.
            pub(crate) fn error_text(self, place: &str, source: &str) -> String {
                let ((message, note, help), anchor) = (self.texts(), self.anchor());
                let help = help.replace("{}", source);
                let text = $crate::errors::labelled(&format!("{message}{place}"), note, &help);
                format!("{text}\n  = note: see {}#{anchor}", $crate::errors::BOOK_PAGE)
            }
        }
    };
}

pub(crate) use catalogue;
