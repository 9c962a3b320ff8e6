# What a user of tokio changes to run mini-redis on volt's own sockets, timers and signals. Its channels, locks and
# `select!` stay tokio's: they need no runtime.
s/use tokio::time::\{self, Duration, Instant\};/use std::time::Duration;\nuse volt::time::{self, Instant};/
s/use tokio::time::\{self, Duration\};/use std::time::Duration;\nuse volt::time;/
s/tokio::(net|io|signal|time|spawn)\b/volt::\1/g
s/tokio::task::JoinHandle/volt::JoinHandle/
s/#\[tokio::main(\([^)]*\))?\]/#[volt::main]/
s/#\[tokio::test\]/#[volt::test]/
s/tokio::runtime::Runtime/volt::Runtime/
s/tokio::runtime::Builder::new_current_thread\(\)/volt::Runtime::builder()/
/^ *\.enable_all\(\)$/d
# Binding waits for nothing, so it is no future.
/TcpListener::bind/ s/\)\.await/)/
# `shutdown` of a writer is called `close`, as in `futures`.
s/stream\.shutdown\(\)\.await/stream.close().await/
