//! Notes by name: an axum service that keeps them in SQLite, and a client.
//!
//! sqlx and reqwest want tokio, so the runtime has to have a [tokio
//! context](volt::Builder::tokio_context); axum is served by `volt_hyper`, on volt's own sockets.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use volt::net::TcpListener;

/// The longest note, in bytes.
const LONGEST: usize = 10_000;

/// A note, and the number of times that it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub struct Note {
    pub name: String,
    pub text: String,
    pub revision: i64,
}

/// Opens the database, and makes its table where there is none. `None` is a database in memory.
pub async fn open(path: Option<&std::path::Path>) -> Result<SqlitePool, sqlx::Error> {
    let (options, connections) = match path {
        Some(path) => (SqliteConnectOptions::new().filename(path), 4),
        // Each connection to `:memory:` is a database of its own, so there is one.
        None => (SqliteConnectOptions::new().filename(":memory:"), 1),
    };
    let pool = SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options.create_if_missing(true))
        .await?;
    sqlx::query(
        "create table if not exists notes (
            name text primary key, text text not null, revision integer not null
        )",
    )
    .execute(&pool)
    .await?;
    Ok(pool)
}

/// Serves until `end` is ready, and the requests that have come by then.
pub async fn serve(
    listener: TcpListener,
    notes: SqlitePool,
    end: impl Future<Output = ()> + Send + 'static,
) {
    let router = Router::new()
        .route("/notes", get(list))
        .route("/notes/{name}", get(read).put(write).delete(remove))
        .with_state(notes.clone());
    volt_hyper::serve(listener, router).until(end).await;
    notes.close().await;
}

type Answer<T> = Result<T, StatusCode>;

/// The client receives a status. The cause is printed for the operator of the server.
fn failed(error: sqlx::Error) -> StatusCode {
    eprintln!("notes: {error}");
    StatusCode::INTERNAL_SERVER_ERROR
}

#[derive(Deserialize)]
struct Range {
    #[serde(default)]
    after: String,
    #[serde(default = "a_page")]
    limit: u32,
}

fn a_page() -> u32 {
    100
}

async fn list(
    State(notes): State<SqlitePool>,
    Query(range): Query<Range>,
) -> Answer<Json<Vec<Note>>> {
    let found = sqlx::query_as("select * from notes where name > ? order by name limit ?")
        .bind(range.after)
        .bind(range.limit.min(a_page()))
        .fetch_all(&notes)
        .await;
    found.map(Json).map_err(failed)
}

async fn read(State(notes): State<SqlitePool>, Path(name): Path<String>) -> Answer<Json<Note>> {
    let found = sqlx::query_as("select * from notes where name = ?")
        .bind(name)
        .fetch_optional(&notes)
        .await;
    let note = found.map_err(failed)?.ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(note))
}

async fn write(
    State(notes): State<SqlitePool>,
    Path(name): Path<String>,
    text: String,
) -> Answer<Json<Note>> {
    if text.len() > LONGEST {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let written = sqlx::query_as(
        "insert into notes values (?, ?, 1)
         on conflict do update set text = excluded.text, revision = revision + 1
         returning *",
    )
    .bind(name)
    .bind(text)
    .fetch_one(&notes)
    .await;
    written.map(Json).map_err(failed)
}

async fn remove(State(notes): State<SqlitePool>, Path(name): Path<String>) -> Answer<StatusCode> {
    let done = sqlx::query("delete from notes where name = ?")
        .bind(name)
        .execute(&notes)
        .await
        .map_err(failed)?;
    match done.rows_affected() {
        0 => Err(StatusCode::NOT_FOUND),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// A client of the service.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
}

impl Client {
    /// A client of the server at this address.
    pub fn new(address: std::net::SocketAddr) -> Self {
        Self {
            http: reqwest::Client::new(),
            base: format!("http://{address}/notes"),
        }
    }

    /// The note, if there is one.
    pub async fn read(&self, name: &str) -> reqwest::Result<Option<Note>> {
        let answer = self.http.get(self.at(name)).send().await?;
        if answer.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        answer.error_for_status()?.json().await.map(Some)
    }

    /// Writes a note, and returns it as the server has it.
    pub async fn write(&self, name: &str, text: impl Into<String>) -> reqwest::Result<Note> {
        let answer = self.http.put(self.at(name)).body(text.into()).send();
        answer.await?.error_for_status()?.json().await
    }

    /// Removes a note. Returns `true` if it was present.
    pub async fn remove(&self, name: &str) -> reqwest::Result<bool> {
        let answer = self.http.delete(self.at(name)).send().await?;
        if answer.status() == StatusCode::NOT_FOUND {
            return Ok(false);
        }
        answer.error_for_status().map(|_| true)
    }

    /// The first notes by name.
    pub async fn list(&self) -> reqwest::Result<Vec<Note>> {
        let answer = self.http.get(&self.base).send().await?;
        answer.error_for_status()?.json().await
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.base)
    }
}
