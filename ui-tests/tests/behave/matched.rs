//! Cases of locals that conditions and matches bind, while an await borrows other locals.
//!
//! `subject!` decides what they become.

use super::log::*;

struct Job {
    id: u32,
    payload: D,
}

struct Page {
    title: D,
    body: Vec<u32>,
}

fn jobs() -> Vec<Job> {
    let job = |id, name| Job { id, payload: D(name) };
    vec![job(1, "one"), job(2, "two"), job(3, "three")]
}

async fn process(id: u32, payload: D) -> Result<u32, D> {
    tick("process").await;
    match id {
        2 => Err(payload),
        _ => Ok(id),
    }
}

async fn send(body: &[u32]) -> Result<u32, D> {
    tick("send").await;
    Ok(total(body))
}

subject! {
    async fn jobs_of_a_list(jobs: &mut Vec<Job>) -> u32 {
        let mut done = 0;
        while let Some(job) = jobs.pop() {
            let Job { id, payload } = job;
            if let Err(error) = process(id, payload).await {
                look(&error);
                continue;
            }
            done += id;
        }
        done
    }
}

subject! {
    async fn parts_of_a_borrowed_local(pages: Vec<Page>) -> Result<u32, D> {
        let mut written = 0;
        for mut page in pages {
            look(&page.title);
            page.body.push(1);
            written += send(&page.body).await?;
            page.body.clear();
            written += page.body.len() as u32;
        }
        tick("end").await;
        Ok(written)
    }
}

subject! {
    async fn question_of_an_argument(id: Option<u32>, last: D) -> Option<u32> {
        let id = id?;
        let more = step::<u32>("more", 1, id).await;
        look(&last);
        Some(more + id)
    }
}

subject! {
    async fn question_of_an_owner(first: Option<String>, last: D) -> Option<String> {
        let first = first?;
        let length = send(&[1, 2]).await.ok()?;
        look(&last);
        tick("end").await;
        Some(format!("{first}{length}"))
    }
}

subject! {
    async fn value_of_a_match(id: Option<u32>, text: &str) -> u32 {
        let shown = match id {
            Some(1) => text,
            Some(_) => "some",
            None => return 0,
        };
        tick("one").await;
        let length = shown.len() as u32;
        tick("two").await;
        length + id.unwrap_or(0)
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "jobs_of_a_list", async {
        let mut jobs = jobs();
        jobs_of_a_list(&mut jobs).await
    });
    case!(list, "parts_of_a_borrowed_local", {
        let page = |name| Page { title: D(name), body: vec![1, 2] };
        parts_of_a_borrowed_local(vec![page("a"), page("b")])
    });
    case!(list, "question_of_an_argument", question_of_an_argument(Some(3), D("last")));
    case!(list, "question_of_an_argument none", question_of_an_argument(None, D("last")));
    case!(list, "question_of_an_owner", question_of_an_owner(Some(String::from("f")), D("last")));
    case!(list, "question_of_an_owner none", question_of_an_owner(None, D("last")));
    case!(list, "value_of_a_match 1", value_of_a_match(Some(1), "text"));
    case!(list, "value_of_a_match 2", value_of_a_match(Some(2), "text"));
    case!(list, "value_of_a_match none", value_of_a_match(None, "text"));
    list
}
