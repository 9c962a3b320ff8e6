//! The middleware as a tower of services uses it: each layer alone, then all together.

mod filter;
mod limit;
mod report;
mod retry;
mod service;
mod stack;

mod timeout;
