//! Cases of borrowed places that are computed again at each poll. `subject!` decides their layout.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::log::*;

struct Page {
    url: String,
    tags: Vec<(String, u32)>,
    at: usize,
    other: usize,
}

fn page() -> Page {
    Page {
        url: "url".to_owned(),
        tags: vec![("a".to_owned(), 1), ("b".to_owned(), 2), ("c".to_owned(), 3)],
        at: 1,
        other: 0,
    }
}

subject! {
    async fn twice(text: &str) -> String {
        let mut seen: String = text.to_owned();
        tick("once").await;
        seen.push_str(text);
        tick("twice").await;
        seen.push_str(text);
        seen
    }
}

subject! {
    async fn bytes(list: &[u8]) -> usize {
        tick("bytes").await;
        list.len()
    }
}

subject! {
    async fn named(path: &Path) -> String {
        tick("path").await;
        path.display().to_string()
    }
}

subject! {
    async fn fills(list: &mut [u8], count: &mut usize) -> usize {
        *count += 1;
        tick("fills").await;
        list[0] += 1;
        *count
    }
}

subject! {
    async fn of_methods(text: String, lent: &str, path: PathBuf, list: Vec<u8>) -> String {
        let shared: Rc<String> = Rc::new("shared".to_owned());
        let names: Vec<String> = vec!["zero".to_owned(), "one".to_owned()];
        let mut seen: String = twice(text.as_str()).await;
        let more: String = twice(shared.as_str()).await;
        seen.push_str(&more);
        let more: String = twice(names[1].as_str()).await;
        seen.push_str(&more);
        let more: String = named(path.as_path()).await;
        seen.push_str(&more);
        let lens: usize = bytes(text.as_bytes()).await;
        let more: usize = bytes(lent.as_bytes()).await;
        let most: usize = bytes(list.as_slice()).await;
        let least: usize = bytes(b"four".as_slice()).await;
        format!("{seen} {lens} {more} {most} {least}")
    }
}

subject! {
    async fn of_elements(page: Page, map: HashMap<String, Page>, key: String) -> String {
        let at: usize = 2;
        let mut seen: String = twice(&page.tags[page.at].0).await;
        let more: String = twice(&map[&key].url).await;
        seen.push_str(&more);
        let more: String = twice(&map[key.as_str()].tags[at - 1].0).await;
        seen.push_str(&more);
        let more: String = twice(&page.url[..at]).await;
        seen.push_str(&more);
        seen
    }
}

subject! {
    async fn of_numbers(mut list: Vec<u8>, mut page: Page) -> usize {
        let mut count: usize = 0;
        let at: usize = fills(&mut list[page.at..], &mut page.other).await;
        let more: usize = fills(&mut list[..at + 1], &mut count).await;
        let end: usize = fills(&mut list[page.at..page.other + 1], &mut count).await;
        let last: usize = list.len();
        let most: usize = fills(&mut list[last - 1..], &mut count).await;
        at + more + end + most + page.other + usize::from(list[0] + list[1] * 3 + list[last - 1] * 5)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "of_methods",
        of_methods("text".to_owned(), "lent", PathBuf::from("path"), vec![1, 2, 3])
    );
    case!(
        list,
        "of_elements",
        of_elements(page(), HashMap::from([("k".to_owned(), page())]), "k".to_owned())
    );
    case!(list, "of_numbers", of_numbers(vec![1; 6], page()));
    list
}
