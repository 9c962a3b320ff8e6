//! The site that is mirrored: pages that link to pages, some of them in a bad mood.

use std::collections::HashSet;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use volt::net::{TcpListener, TcpStream};
use volt::time::sleep;

/// The properties of the site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) pages: usize,
    pub(crate) delay: Duration,
    /// One page is gone for good.
    pub(crate) is_broken: bool,
}

/// The pages that were requested before.
type Seen = Arc<Mutex<HashSet<usize>>>;

/// Serves the site on a loopback address until the runtime ends.
pub(crate) fn serve(site: Site) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    volt::spawn(async move {
        let seen = Seen::default();
        while let Ok((stream, _)) = listener.accept().await {
            let seen = seen.clone();
            // The error of a client that disconnects concerns no other client.
            volt::spawn(async move { _ = answer(site, &seen, stream).await }).detach();
        }
    })
    .detach();
    Ok(address)
}

async fn answer(site: Site, seen: &Seen, stream: TcpStream) -> io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut part = [0; 512];
        match stream.read(&mut part).await? {
            0 => return Ok(()),
            read => request.extend_from_slice(&part[..read]),
        }
    }
    sleep(site.delay).await;
    let text = String::from_utf8_lossy(&request);
    let path = text.split(' ').nth(1).unwrap_or_default();
    stream.write_all(reply(site, seen, path).as_bytes()).await
}

fn reply(site: Site, seen: &Seen, path: &str) -> String {
    let page: Option<usize> = path.strip_prefix('/').and_then(|page| page.parse().ok());
    match page {
        Some(page) if page < site.pages && !(site.is_broken && page == site.pages / 2) => {
            let is_new = seen.lock().expect("no panics").insert(page);
            if is_new && page % 7 == 3 {
                return "HTTP/1.0 503 Later\r\n\r\n".to_owned();
            }
            // A tree, with a link home from every page.
            let links = [0, 2 * page + 1, 2 * page + 2];
            let links = links.into_iter().filter(|&link| link < site.pages);
            let links: String = links.map(|link| format!("link /{link}\n")).collect();
            format!("HTTP/1.0 200 OK\r\n\r\npage {page}\n{links}")
        }
        _ => "HTTP/1.0 404 Gone\r\n\r\n".to_owned(),
    }
}
