//! Work in parallel, with and without limits.

use serde::{Deserialize, Serialize};

use super::durable::{
    Failure, Result, activities, attempt, child, failure, join_all, minutes, select_all, signal,
    sleep,
};
use super::world::{self, Script, effect};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct ChunkResult {
    items: u64,
    sum: u64,
}

activities! {
    fn sum_chunk(id: u64) -> Result<ChunkResult> {
        effect(format!("chunk {id}"));
        attempt("sum_chunk")?;
        Ok(ChunkResult { items: id, sum: id * id })
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn process_chunk(id: u64) -> Result<ChunkResult> {
    sleep(minutes(id)).await;
    #[step]
    sum_chunk(id).await
}

/// Temporal, samples-go, split and merge.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn split_merge(workers: u64) -> Result<ChunkResult> {
    let mut total = ChunkResult::default();
    let mut pending: Vec<_> = (1..=workers).map(|id| child(process_chunk(id))).collect();
    while !pending.is_empty() {
        let (result, rest) = select_all(pending).await;
        let chunk = result?;
        total.items += chunk.items;
        total.sum += chunk.sum;
        pending = rest;
    }
    Ok(total)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Contact {
    name: String,
    email: String,
}

activities! {
    fn read_file(url: &str) -> String {
        effect(format!("read {url}"));
        "ada,ada@x\nbob,bob@x\neve,eve@x\n".to_string()
    }
    fn import(contacts: &[Contact]) -> Result<usize> {
        let names: Vec<&str> = contacts.iter().map(|contact| contact.name.as_str()).collect();
        effect(format!("import {}", names.join(" ")));
        attempt("import")?;
        Ok(contacts.len())
    }
}

fn parse(text: &str) -> Result<Vec<Contact>> {
    let parse_line = |line: &str| {
        let (name, email) = line.split_once(',').ok_or_else(|| failure(line))?;
        Ok(Contact {
            name: name.to_string(),
            email: email.to_string(),
        })
    };
    text.lines().map(parse_line).collect()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn import_batch(batch: Vec<Contact>) -> Result<usize> {
    #[step]
    import(&batch).await
}

/// Inngest, demo, import of contacts.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn import_contacts(url: String) -> Result<usize> {
    #[step]
    let text = read_file(&url).await;
    let contacts = parse(&text)?;
    let imports = contacts.chunks(2).map(|batch| import_batch(batch.to_vec()));
    let results = join_all(imports).await;
    let mut total = 0;
    for result in results {
        total += result?;
    }
    Ok(total)
}

activities! {
    fn load_records(offset: u64, page: u64) -> Vec<u64> {
        effect(format!("load {offset}"));
        (offset..(offset + page).min(7)).collect()
    }
    fn handle_record(id: u64) {
        effect(format!("record {id} at {}", world::now()));
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn process_record(id: u64) -> u64 {
    sleep(minutes(1 + id % 3)).await;
    #[step]
    handle_record(id).await;
    id
}

/// Temporal, samples-go, batch with a sliding window.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn sliding_window(page: u64, window: usize) -> u64 {
    let mut offset = 0;
    let mut progress = 0;
    let mut running = Vec::new();
    loop {
        #[step]
        let records = load_records(offset, page).await;
        if records.is_empty() {
            break;
        }
        offset += records.len() as u64;
        for record in records {
            if running.len() >= window {
                let (_, rest) = select_all(running).await;
                running = rest;
                progress += 1;
            }
            running.push(child(process_record(record)));
        }
    }
    progress += join_all(running).await.len() as u64;
    progress
}

/// AWS, durable execution SDK for JavaScript, parallel with callbacks.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn first_callback() -> String {
    let callbacks = ["one", "two", "three"].map(|name| child(signal::<String>(name)));
    let (first, _others) = select_all(callbacks.into()).await;
    first
}

activities! {
    fn process_item(item: u32) -> Result<String> {
        effect(format!("item {item}"));
        if item == 2 || item == 4 {
            return Err(failure(format!("item {item} failed")));
        }
        Ok(format!("item {item} processed"))
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Summary {
    successes: usize,
    failures: usize,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn item_task(item: u32) -> Result<String> {
    #[step]
    process_item(item).await
}

/// AWS, durable execution SDK for JavaScript, map with tolerated failures.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn tolerate_failures(items: Vec<u32>, tolerated: usize) -> Result<Summary> {
    let count = items.len();
    let mut pending: Vec<_> = items
        .into_iter()
        .map(|item| child(item_task(item)))
        .collect();
    let mut failures: Vec<Failure> = Vec::new();
    while !pending.is_empty() {
        let (result, rest) = select_all(pending).await;
        pending = rest;
        if let Err(error) = result {
            failures.push(error);
            if failures.len() > tolerated {
                return Err(failure(format!("{} failures", failures.len())));
            }
        }
    }
    sleep(minutes(1)).await;
    Ok(Summary {
        successes: count - failures.len(),
        failures: failures.len(),
    })
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Buckets {
    source: String,
    target: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct File {
    key: String,
    size: u64,
}

activities! {
    fn list_bucket(bucket: &str) -> Result<Vec<File>> {
        effect(format!("list {bucket}"));
        attempt("list_bucket")?;
        let keys: &[&str] = if bucket == "a" { &["x", "y", "z"] } else { &["y"] };
        Ok(keys.iter().map(|key| File { key: key.to_string(), size: 5 }).collect())
    }
    fn copy_file(buckets: &Buckets, file: &File) -> Result<u64> {
        effect(format!("copy {} to {}", file.key, buckets.target));
        attempt("copy_file")?;
        Ok(file.size)
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn transfer_file(buckets: Buckets, file: File) -> Result<u64> {
    #[step]
    copy_file(&buckets, &file).await
}

/// Returns the files that are not present.
fn missing(mut files: Vec<File>, present: Vec<File>) -> Vec<File> {
    files.retain(|file| present.iter().all(|other| other.key != file.key));
    files
}

fn batches(files: Vec<File>, size: usize) -> Vec<Vec<File>> {
    files.chunks(size).map(<[File]>::to_vec).collect()
}

/// DBOS, demo apps, S3 mirror.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn mirror(buckets: Buckets, only: Option<Vec<String>>) -> Result<u64> {
    #[step]
    #[state(ListingSource)]
    let mut files: Vec<File> = list_bucket(&buckets.source).await?;
    if let Some(keys) = only {
        files.retain(|file| keys.contains(&file.key));
        if files.len() < keys.len() {
            return Err(failure("not all keys were found"));
        }
    }
    #[step]
    #[state(ListingTarget)]
    let present = list_bucket(&buckets.target).await?;
    let mut bytes = 0;
    for batch in batches(missing(files, present), 2) {
        let mut transfers = Vec::new();
        for file in batch {
            transfers.push(transfer_file(buckets.clone(), file));
        }
        let copied = join_all(transfers).await;
        for size in copied {
            bytes += size?;
        }
    }
    Ok(bytes)
}

activities! {
    fn split(task: &str) -> Vec<String> {
        effect(format!("split {task}"));
        task.split(' ').map(str::to_string).collect()
    }
    fn execute(part: &str) -> Result<usize> {
        effect(format!("execute {part}"));
        attempt(part)?;
        Ok(part.len())
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn run_part(part: String) -> Result<usize> {
    #[step]
    execute(&part).await
}

/// Restate, examples, parallel work.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn split_task(task: String) -> Result<usize> {
    #[step]
    let parts = split(&task).await;
    let results = join_all(parts.into_iter().map(run_part)).await;
    results.into_iter().sum()
}

#[test]
fn chunks_are_merged() {
    let (output, _) = world::run(&Script::new(), || split_merge(4));
    assert_eq!(output, Ok(ChunkResult { items: 10, sum: 30 }));
    assert!(
        world::run(&Script::new().failing("sum_chunk"), || split_merge(4))
            .0
            .is_err()
    );
}

#[test]
fn contacts_are_imported_in_batches() {
    let make = || import_contacts("file".into());
    let (output, effects) = world::run(&Script::new(), make);
    assert_eq!(output, Ok(3));
    assert_eq!(effects, ["read file", "import ada bob", "import eve"]);
    assert!(
        world::run(&Script::new().failing("import"), make)
            .0
            .is_err()
    );
}

#[test]
fn window_limits_running_records() {
    let (output, effects) = world::run(&Script::new(), || sliding_window(3, 2));
    assert_eq!(output, 7);
    let records = effects.iter().filter(|effect| effect.starts_with("record"));
    assert_eq!(records.count(), 7);
}

#[test]
fn first_callback_wins() {
    let script = Script::new().message(7, "two", "b").message(9, "one", "a");
    assert_eq!(world::run(&script, first_callback).0, "b");
}

#[test]
fn failures_are_tolerated_up_to_a_number() {
    let make = |tolerated| tolerate_failures(vec![1, 2, 3, 4, 5], tolerated);
    let (output, _) = world::run(&Script::new(), || make(2));
    assert_eq!(
        output,
        Ok(Summary {
            successes: 3,
            failures: 2
        })
    );
    assert_eq!(
        world::run(&Script::new(), || make(1)).0,
        Err(failure("2 failures"))
    );
}

#[test]
fn missing_files_are_copied() {
    let make = |only: Option<&[&str]>| {
        let [source, target] = ["a", "b"].map(String::from);
        let only = only.map(|keys| keys.iter().map(ToString::to_string).collect());
        mirror(Buckets { source, target }, only)
    };
    let (output, effects) = world::run(&Script::new(), || make(None));
    assert_eq!(output, Ok(10));
    assert_eq!(effects[2..], ["copy x to b", "copy z to b"]);
    assert_eq!(
        world::run(&Script::new(), || make(Some(&["x", "y"]))).0,
        Ok(5)
    );
    assert!(world::run(&Script::new(), || make(Some(&["w"]))).0.is_err());
    assert!(
        world::run(&Script::new().failing("copy_file"), || make(None))
            .0
            .is_err()
    );
}

#[test]
fn task_is_split_and_its_parts_are_merged() {
    let make = || split_task("a bb ccc".into());
    let (output, effects) = world::run(&Script::new(), make);
    assert_eq!((output, effects.len()), (Ok(6), 4));
    assert!(world::run(&Script::new().failing("ccc"), make).0.is_err());
}
