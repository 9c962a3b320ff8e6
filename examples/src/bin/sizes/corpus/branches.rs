//! Awaits in branches: the widest one counts, not their sum.

use volt::task::yield_now;

use crate::world::{Problem, Record, answer, checksum};

subject! {
    async fn either_page(left: bool) -> u32 {
        if left {
            let page: [u8; 512] = [1; 512];
            yield_now().await;
            checksum(&page)
        } else {
            let page: [u8; 512] = [2; 512];
            yield_now().await;
            checksum(&page)
        }
    }
}

#[allow(dead_code, reason = "nothing is run, only measured")]
enum Command {
    Get(u64),
    Put(u64, String),
    List,
    Quit,
}

subject! {
    async fn dispatch(command: Command) -> Result<String, Problem> {
        match command {
            Command::Get(id) => {
                let record: Record = answer::<Record>(Record::new(id)).await;
                Ok(record.total().to_string())
            }
            Command::Put(id, text) => {
                let (id, text): (u64, String) = (id, text);
                yield_now().await;
                Ok(format!("{id}: {text}"))
            }
            Command::List => {
                let names: Vec<String> = answer::<Vec<String>>(Vec::new()).await;
                Ok(names.join(", "))
            }
            Command::Quit => Err(Problem::Full),
        }
    }
}

subject! {
    async fn cached(id: u64, cache: Option<Record>) -> Record {
        if let Some(record) = cache {
            return record;
        }
        let record: Record = answer::<Record>(Record::new(id)).await;
        yield_now().await;
        record
    }
}

subject! {
    async fn first_that_works(id: u64) -> Option<Record> {
        let near: Option<Record> = answer::<Option<Record>>(None).await;
        if near.is_some() {
            return near;
        }
        let far: Option<Record> = answer::<Option<Record>>(Some(Record::new(id))).await;
        far
    }
}

subject! {
    async fn same_end(kind: u8) -> u32 {
        let base: u32 = match kind {
            0 => answer::<u32>(1).await,
            1 => answer::<u32>(2).await,
            2 => answer::<u32>(3).await,
            _ => 0,
        };
        yield_now().await;
        base + u32::from(kind)
    }
}

subject! {
    async fn checked(id: u64) -> Result<u64, Problem> {
        let Some(record) = answer::<Option<Record>>(Some(Record::new(id))).await else {
            return Err(Problem::Missing(id));
        };
        let total: u64 = record.total();
        drop(record);
        yield_now().await;
        Ok(total)
    }
}

subject! {
    async fn nested_choice(outer: bool, inner: bool, text: String) -> usize {
        let mut length: usize = text.len();
        if outer {
            yield_now().await;
            if inner {
                length += answer::<usize>(7).await;
            } else {
                yield_now().await;
            }
        }
        length
    }
}

measure![
    either_page(_),
    dispatch(_),
    cached(_, _),
    first_that_works(_),
    same_end(_),
    checked(_),
    nested_choice(_, _, _),
];
