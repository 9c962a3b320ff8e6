//! The main job as a user runs it: from the command line, on files of all kinds.

mod process;

mod command;
mod requests;
