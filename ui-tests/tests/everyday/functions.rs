//! The functions.

use crate::world::*;
use std::sync::{Arc, Mutex, RwLock};

subject! {
async fn get_user(State(db): State<Db>, Path(id): Path<u32>) -> Result<Json<User>, Error> {
    let user = db.find(id).await?;
    Ok(Json(user))
}}

subject! {
async fn create_user(State(db): State<Db>, Json(body): Json<NewUser>) -> Result<Json<User>, Error> {
    let NewUser { name, role } = body;
    let user = db.insert(name, role).await?;
    Ok(Json(user))
}}

subject! {
async fn retry(mut attempts: u32, url: String) -> Result<Page, Error> {
    let mut delay = 10;
    loop {
        match fetch(&url).await {
            Ok(page) => return Ok(page),
            Err(error) if attempts == 0 => return Err(error),
            Err(_) => {
                attempts -= 1;
                sleep(delay).await;
                delay *= 2;
            }
        }
    }
}}

subject! {
async fn increment(counter: &Mutex<u64>) -> u64 {
    let value = {
        let mut guard = counter.lock().unwrap();
        *guard += 1;
        *guard
    };
    notify(value).await;
    value
}}

subject! {
async fn take_role(user: User) -> u32 {
    let id = user.id;
    let n = match user.role {
        Role::Guest => 0,
        Role::Member(n) => n,
    };
    let more = step(n, id).await;
    more + count(&user.name).await as u32
}}

subject! {
async fn parse_header(conn: &mut Conn) -> Result<u32, Error> {
    let mut buf = [0u8; 8];
    conn.read(&mut buf).await?;
    let len = u32::from_be_bytes([buf[0], buf[1], buf[2], buf[3]]);
    let kind = match buf[4] {
        0 => 1,
        1 => 2,
        other => return Err(Error::Kind(other)),
    };
    conn.flush().await?;
    Ok(len + kind)
}}

subject! {
async fn strip_line(conn: &mut Conn, line: String) -> Result<usize, Error> {
    let Some(text) = line.strip_suffix('\n') else {
        return Err(Error::Closed);
    };
    conn.write(text.as_bytes()).await?;
    Ok(count(text).await)
}}

subject! {
async fn late(flag: bool, name: String) -> usize {
    let total;
    if flag {
        total = count(&name).await;
    } else {
        total = 0;
    }
    sleep(1).await;
    total
}}

subject! {
async fn write_all(conn: &mut Conn, items: Vec<Page>) -> Result<usize, Error> {
    let mut written = 0;
    for item in items {
        conn.write(&item.body).await?;
        written += item.body.len();
    }
    conn.flush().await?;
    Ok(written)
}}

subject! {
async fn coerced(round: bool) -> u32 {
    let shape: Box<dyn Shape> = if round { Box::new(square(1).await) } else { Box::new(Square(2)) };
    sleep(1).await;
    shape.area()
}}

subject! {
async fn dispatch(message: Message, conn: &mut Conn) -> Result<usize, Error> {
    match message {
        Message::Ping => conn.write(b"pong").await?,
        Message::Data { len, .. } if len > 10 => return Err(Error::Closed),
        Message::Data { len, body } => {
            conn.write(&body).await?;
            sleep(len as u64).await;
        }
        Message::Close(reason) => conn.write(reason.as_bytes()).await?,
    }
    Ok(1)
}}

subject! {
async fn session(mut conn: Conn, peer: String) -> Result<usize, Error> {
    let mut buf = vec![0; 64];
    let mut total = 0;
    loop {
        let n = conn.read(&mut buf).await?;
        if n == 0 {
            break;
        }
        total += n;
        conn.write(&buf[..n]).await?;
    }
    Ok(total + peer.len())
}}

subject! {
async fn redirects(start: String) -> Result<Page, Error> {
    let mut url = start;
    for _ in 0..5 {
        let page = fetch(&url).await?;
        if page.body.len() > 3 {
            url = page.title;
        } else {
            return Ok(page);
        }
    }
    Err(Error::Missing)
}}

subject! {
async fn with_field(page: Page) -> u32 {
    let id = page.id;
    store(&page.body).await;
    report(id, page.title).await;
    id
}}

subject! {
async fn cached(cache: &Mutex<Vec<String>>, key: &str) -> Result<String, Error> {
    if let Some(value) = cache.lock().unwrap().iter().find(|it| *it == key).cloned() {
        return Ok(value);
    }
    let page = fetch(key).await?;
    let title = page.title.clone();
    cache.lock().unwrap().push(title.clone());
    store(&page.body).await;
    Ok(title)
}}

subject! {
async fn worker(jobs: &mut Vec<Job>, failed: Arc<AtomicUsize>) -> usize {
    let mut done = 0;
    while let Some(job) = jobs.pop() {
        let Job { id, payload } = job;
        if let Err(error) = process(id, payload).await {
            eprintln!("job failed: {error:?}");
            failed.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        done += 1;
    }
    done
}}

subject! {
async fn last_error(hosts: &[String]) -> Result<Page, Error> {
    let mut last = None;
    for host in hosts {
        match fetch(host).await {
            Ok(page) => return Ok(page),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or(Error::Missing))
}}

subject! {
async fn look(chunk: Chunk) -> u8 {
    store(&chunk.data[..chunk.len]).await;
    1
}}

subject! {
async fn debugged(value: u32) -> u32 {
    let doubled = dbg!(value * 2);
    step(doubled, 1).await + doubled
}}

subject! {
async fn default_value(map: &std::collections::HashMap<u32, u32>, key: u32) -> u32 {
    let value = if let Some(v) = map.get(&key) { *v } else { step(key, 1).await };
    step(value, key).await;
    value
}}

subject! {
async fn read_lock(table: &RwLock<Vec<String>>, index: usize) -> Option<usize> {
    let row = {
        let rows = table.read().ok()?;
        rows.get(index)?.clone()
    };
    let size = count(&row).await;
    Some(size)
}}

subject! {
async fn tuple((host, port): (String, u32)) -> u32 {
    let size = count(&host).await;
    step(size as u32, port).await
}}

subject! {
async fn guarded(cell: &RefCell<u32>, n: u32) -> u32 {
    let value = *cell.borrow();
    let next = step(value, n).await;
    *cell.borrow_mut() = next;
    next
}}

subject! {
async fn chunked(data: Vec<u8>, conn: &mut Conn) -> Result<(), Error> {
    for chunk in data.chunks(2) {
        conn.write(chunk).await?;
    }
    conn.flush().await
}}

subject! {
async fn merged(left: String, right: String) -> Result<Vec<u8>, Error> {
    let mut first = fetch(&left).await?.body;
    let second = fetch(&right).await?.body;
    first.extend(second);
    first.sort_unstable();
    Ok(first)
}}

subject! {
async fn option(id: Option<u32>) -> Option<u32> {
    let id = id?;
    let more = step(id, 1).await;
    Some(more + id)
}}

subject! {
async fn upgraded(conn: Conn, tls: bool) -> Result<Conn, Error> {
    let mut conn = conn;
    if tls {
        conn.write(b"hello").await?;
        conn.flush().await?;
    }
    Ok(conn)
}}

subject! {
async fn reconnect(conn: &mut Conn, url: &str) -> Result<usize, Error> {
    let mut page = fetch(url).await?;
    let mut tries = 0;
    while page.body.is_empty() {
        tries += 1;
        if tries > 3 {
            return Err(Error::Closed);
        }
        page = fetch(url).await?;
    }
    conn.write(&page.body).await?;
    Ok(tries)
}}

subject! {
async fn choose(user: &User, other: String) -> usize {
    let name = match user.role {
        Role::Guest => "guest",
        Role::Member(n) if n > 10 => &user.name,
        Role::Member(_) => &other,
    };
    let size = count(name).await;
    sleep(size as u64).await;
    size
}}

subject! {
async fn batch(jobs: Vec<Job>, limit: usize) -> Result<Vec<usize>, Error> {
    let mut sizes = Vec::with_capacity(jobs.len());
    for (index, job) in jobs.into_iter().enumerate() {
        if index >= limit {
            break;
        }
        let size = process(job.id, job.payload).await?;
        sizes.push(size);
    }
    Ok(sizes)
}}
