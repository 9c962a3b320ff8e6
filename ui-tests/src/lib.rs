//! Tests of the macro from outside, and of the workspace as a whole; this library itself is empty.
//!
//! | `tests/` | holds | run it, or accept what is there now |
//! | --- | --- | --- |
//! | `ui.rs` | `refuse/`: rejected functions, with the whole message; `pass/`: accepted ones | `--test ui`, one case by `--test ui -- refusals trybuild=name`; `TRYBUILD=overwrite` accepts |
//! | `expand.rs` | `snapshots/`: the model and the code of each construct | `INSTA_UPDATE=always` accepts, `UPDATE_BOOK=1` writes the book's page |
//! | `behave.rs` | `behave/`: cases that run as they are and as machines | `--test behave` |
//! | `asserted.rs` | assertions that wait, beside the compiler's own | `--test asserted`; CI also runs it without debug assertions |
//! | `tidy/` | the rules of the house, over all files of the workspace | `--test tidy` |
//! | `catalogue.rs`, `faults.rs` | pages of the book name what exists | |
//! | `derive.rs`, `forgotten.rs`, `inspect.rs`, `methods.rs` | what machines do besides running | |
//!
//! All of it runs by `cargo test -p ui-tests`.
