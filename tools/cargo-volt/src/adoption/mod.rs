//! `cargo volt try`: puts the attribute on the async functions of a project without volt, and
//! reports the layout of each.
//!
//! ```text
//! copy ──▶ add volt ──▶ build, test ──▶ find every async fn ──▶ attribute on each ──▶ build ──▶ test
//! origin   manifest     cargo, suites   workspace, scan         rewrite ▲              │ errors
//!                                                                bisect └── blame ◀────┘
//! ```
//!
//! Attributes are inserted on existing lines, so that line numbers stay the same. Each error is
//! attributed to a function, also through macros. That function is tried with other options, and is
//! finally left without the attribute, until the project builds. The macro reports the layout of
//! each function: see `layouts`.

mod search;

pub(crate) use self::search::{bisect, blame, reason, subjects};

mod output;

pub(crate) use self::output::{data, table, verdict};

mod options;
mod project;
mod rounds;
mod corpus;
mod rustc_wanted;
mod rustc_tests;
mod run;

pub(crate) use self::options::{CorpusArgs, RustcTestsArgs, TryArgs};
pub(crate) use self::run::{run_corpus, run_one, run_rustc_tests};
