//! Every state against every operation, and every order of operations.

mod word;
mod spec;
mod world;
