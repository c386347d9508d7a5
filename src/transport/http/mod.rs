//! Streamable HTTP: one endpoint for both eras, as a listener of its own or as a service in somebody else's.

mod body;
mod guard;
mod listener;
mod negotiate;
mod options;
mod service;
mod watch;

pub use body::ResponseBody;
pub use listener::HttpServer;
pub use options::{HttpLimits, HttpOptions, Principal};
pub use service::HttpService;
