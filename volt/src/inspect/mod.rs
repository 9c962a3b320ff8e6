//! The inspection server: a thread that answers HTTP requests about a runtime.
//!
//! ```text
//!   InspectAddress ──bind──► InspectListener ──accept──► HttpConnection ──reads──► HttpRequest
//!                                                              ▲                       │
//!                                                              │                 AccessRules
//!                                                              │                       ▼
//!   page.html  ◄─── browser ◄────── HttpResponse ◄── InspectServer ◄── InspectSource: the runtime
//! ```
//!
//! The server has its own thread, which waits for all its sockets at once. It needs no worker, so
//! it answers while all workers are blocked, and a slow client delays no other client. It holds no
//! lock while it calls the [`InspectSource`]. A request that polls tasks has a thread of its own,
//! so it delays no other request.
//!
//! A library adds a page of its own by [`add_inspect_page`], with data and actions.
//!
//! This folder does not know the runtime. The runtime implements [`InspectSource`], starts a server
//! for it, and stops the server at its end.

mod inspect_address;
#[cfg(unix)]
mod socket_file;
mod inspect_listener;
mod http_request;
mod http_response;
mod library;
mod request_access;
mod resource;
mod render_thread;
mod http_connection;
mod inspect_server;
mod server_table;

pub use self::inspect_address::{InspectAddress, InspectEndpoint};
pub(crate) use self::inspect_server::BoundServer;
pub use self::library::{LibraryPage, LibraryRequest, add_inspect_page};
pub(crate) use self::resource::{InspectSource, PollRequest, Rendering, Resource, Trees};
pub(crate) use self::server_table::{endpoint, is_serving, serve, stop};
