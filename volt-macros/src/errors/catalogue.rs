//! A catalogue: what is wrong, why, and what to write instead.

/// Declares an enum of reasons, each with what is said of it.
macro_rules! catalogue {
    (
        $(#[$doc:meta])*
        enum $name:ident;
        $($id:ident: $what:literal, $why:literal, $instead:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($id),* }

        impl $name {
            /// What is there, why that is refused, and what to write instead.
            pub(crate) fn text(self) -> (&'static str, &'static str, &'static str) {
                match self { $(Self::$id => ($what, $why, $instead)),* }
            }

            /// The name of its place in the book: `not-async` for `NotAsync`.
            pub(crate) fn anchor(self) -> String {
                $crate::names::kebab(&format!("{self:?}"))
            }

            /// All that is said: `place` goes behind what is there, and `written` for `{}` into what to write.
            pub(crate) fn says(self, place: &str, written: &str) -> String {
                let ((what, why, instead), anchor) = (self.text(), self.anchor());
                let instead = instead.replace("{}", written);
                format!(
                    "{what}{place}\n  = reason: {why}\n  = instead: {instead}\n  = \
                     book: page \"What is refused\", {anchor}"
                )
            }
        }
    };
}

pub(crate) use catalogue;
