//! Cases of the last expressions of blocks, which the editions of the language end differently.

use super::log::*;

/// Returns a list whose drop is not logged.
fn list() -> Vec<u32> {
    note("list");
    vec![1, 2, 3]
}

subject! {
    async fn tail_of_the_function(word: String) -> usize {
        let first: D = D("first");
        tick("one").await;
        let second: D = D("second");
        list().iter().map(|n| *n as usize).sum::<usize>() + word.trim().len() + list()[1] as usize
    }
}

subject! {
    async fn tails_of_blocks(some: Option<&'static str>) -> usize {
        let n: usize = {
            let held: D = D("held");
            tick("one").await;
            match some.map(|text| text.len()).into_iter().next() {
                Some(n) => n,
                None => list().len(),
            }
        };
        let outer: D = D("outer");
        tick("two").await;
        if let Some(first) = list().first() {
            *first as usize + n
        } else {
            n
        }
    }
}

subject! {
    async fn tail_that_formats() -> () {
        let held: D = D("held");
        tick("one").await;
        println!("{}", list().len())
    }
}

subject! {
    async fn tails_given() -> u32 {
        let held: D = D("held");
        step::<u32>("one", 1, { let n = list().len() as u32; n + 1 }).await
    }
}

// A block at the end of a branch that is left before it has a value.
subject! {
    async fn left_at_the_end_of_a_branch(host: D, number: u32) -> Result<u32, D> {
        if number == 1 {
            {
                let _guard = D("guard");
                tick("returns").await;
                return Ok(3)
            }
        }
        for _ in 1..number {
            {
                let _turn = D("turn");
                tick("turns").await;
                Err(D("error"))?
            }
        }
        if number > 7 {
            {
                tick("never").await;
                unreachable!()
            }
        }
        look(&host);
        Ok(number)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(
        list,
        "tail of the function",
        tail_of_the_function(String::from(" word"))
    );
    case!(list, "tails of blocks some", tails_of_blocks(Some("text")));
    case!(list, "tails of blocks none", tails_of_blocks(None));
    case!(list, "tail that formats", tail_that_formats());
    case!(list, "tails given", tails_given());
    case!(list, "left_at_the_end_of_a_branch", left_at_the_end_of_a_branch(D("host"), 0));
    case!(list, "left_at_the_end_of_a_branch soon", left_at_the_end_of_a_branch(D("host"), 1));
    case!(list, "left_at_the_end_of_a_branch late", left_at_the_end_of_a_branch(D("host"), 3));
    list
}
