//! Connections that end at a request, and a server that is restarted: each commit has an unknown
//! outcome once.

mod proxy;
mod cut_connections;
mod family_crashes;
mod restarts;
