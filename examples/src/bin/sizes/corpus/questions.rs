//! `?` after an await: what went wrong leaves, and the state stays small.

use std::num::ParseIntError;

use volt::task::yield_now;

use crate::world::{Problem, Record, Report, answer, checksum, note};

subject! {
    async fn attempt(number: u32) -> Result<u32, Report> {
        yield_now().await;
        number.checked_add(1).ok_or(Report::new("full"))
    }
}

subject! {
    async fn four_questions(number: u32) -> Result<u32, Report> {
        let tried = attempt(number).await;
        note(&tried);
        let tried = attempt(tried?).await;
        note(&tried);
        let tried = attempt(tried?).await;
        note(&tried);
        let tried = attempt(tried?).await;
        note(&tried);
        let last: u32 = tried?;
        yield_now().await;
        Ok(last)
    }
}

subject! {
    async fn four_in_a_row(number: u32) -> Result<u32, Report> {
        let first: u32 = attempt(number).await?;
        let second: u32 = attempt(first).await?;
        let third: u32 = attempt(second).await?;
        attempt(third).await
    }
}

subject! {
    async fn hashed(number: u32) -> Result<u32, Problem> {
        let key: [u8; 80] = [number as u8; 80];
        let sum: u32 = checksum(&key);
        yield_now().await;
        number.checked_add(sum).ok_or(Problem::Full)
    }
}

subject! {
    async fn hashed_four_times(number: u32) -> Result<u32, Problem> {
        let mut sum: u32 = hashed(number).await?;
        sum ^= hashed(1).await?;
        sum ^= hashed(2).await?;
        sum ^= hashed(3).await?;
        Ok(sum)
    }
}

subject! {
    async fn load(id: u64) -> Result<Record, Problem> {
        let known: bool = answer::<bool>(id < 1000).await;
        if known { Ok(Record::new(id)) } else { Err(Problem::Missing(id)) }
    }
}

subject! {
    async fn four_loads(id: u64) -> Result<u64, Problem> {
        let first: u64 = load(id).await?.total();
        let second: u64 = load(first).await?.total();
        let third: u64 = load(second).await?.total();
        let fourth: u64 = load(third).await?.total();
        Ok(fourth)
    }
}

subject! {
    async fn parse_line(line: String) -> Result<i64, ParseIntError> {
        yield_now().await;
        let number: i64 = line.trim().parse()?;
        yield_now().await;
        Ok(number)
    }
}

subject! {
    async fn parse_both(left: String, right: String) -> Result<i64, ParseIntError> {
        let left: i64 = parse_line(left).await?;
        let right: i64 = parse_line(right).await?;
        Ok(left + right)
    }
}

subject! {
    async fn optional_steps(from: Option<u32>) -> Option<u32> {
        let first: u32 = from?;
        let second: u32 = answer::<Option<u32>>(first.checked_mul(2)).await?;
        let third: u32 = answer::<Option<u32>>(second.checked_mul(2)).await?;
        Some(third)
    }
}

subject! {
    async fn move_funds(from: u64, to: u64, amount: u64) -> Result<u64, Problem> {
        let source: Record = load(from).await?;
        if source.total() < amount {
            return Err(Problem::Full);
        }
        let target: Record = load(to).await?;
        yield_now().await;
        Ok(source.total() + target.total())
    }
}

subject! {
    async fn reported(id: u64) -> Result<u64, Problem> {
        match load(id).await {
            Ok(record) => Ok(record.total()),
            Err(problem) => {
                let problem: Problem = problem;
                yield_now().await;
                Err(problem)
            }
        }
    }
}

measure![
    four_questions(_),
    four_in_a_row(_),
    hashed_four_times(_),
    four_loads(_),
    parse_line(_),
    parse_both(_, _),
    optional_steps(_),
    move_funds(_, _, _),
    reported(_),
];
