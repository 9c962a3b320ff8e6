//! The accepted options of `#[state_machine(..)]`.

use super::forms::{Form, Forms};

/// The accepted options.
pub(super) static FORMS: Forms = Forms {
    options: &[
        ("name", Form::Value("name = Machine")),
        ("alias", Form::Value("alias = false")),
        ("crate", Form::Value("crate = my_crate::volt")),
        ("max_size", Form::Value("max_size = 256")),
        ("derive", Form::List("derive(Clone)")),
        ("send", Form::Word),
        ("local", Form::Word),
        ("vis", Form::Value("vis = pub(crate)")),
        ("public", Form::List("public(Send)")),
        ("explicit", Form::Word),
        ("native", Form::Word),
        ("boxed", Form::Word),
        ("inline", Form::Value("inline = 256")),
        ("trace", Form::Value("trace = false")),
        ("secret", Form::Word),
        ("deny", Form::List("deny(dormant)")),
    ],
    exclusive: &[
        (["explicit", "native"], "a machine has one layout"),
        (
            ["send", "local"],
            "`send` asserts that the machine is `Send`, and `local` makes it not `Send`",
        ),
        (["boxed", "inline"], "a coroutine is stored in one place"),
    ],
};
