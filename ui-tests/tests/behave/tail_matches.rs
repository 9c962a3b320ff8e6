//! Cases of branches that await in the tail of a block with locals.

use super::log::*;

subject! {
    async fn ask(n: u32) -> Result<D, D> {
        tick("ask").await;
        if n > 1 { Ok(D("page")) } else { Err(D("error")) }
    }
}

subject! {
    async fn of_match(n: u32) -> u32 {
        let outer: D = D("outer");
        let found: u32 = {
            let held: D = D("held");
            look(&held);
            match ask(n).await {
                Ok(page) => {
                    tick("page").await;
                    look(&page);
                    1
                }
                Err(_) if n == 0 => 2,
                Err(_) => {
                    note("error");
                    3
                }
            }
        };
        look(&outer);
        found
    }
}

subject! {
    async fn of_if(n: u32) {
        for turn in 0..2 {
            let held: D = D("held");
            look(&held);
            if let Ok(page) = ask(turn + n).await {
                tick("page").await;
                look(&page);
            }
        }
    }
}

subject! {
    async fn of_function(n: u32) -> u32 {
        let held: D = D("held");
        look(&held);
        match ask(n).await {
            Ok(_) => 1,
            Err(error) => {
                tick("error").await;
                look(&error);
                0
            }
        }
    }
}

subject! {
    async fn of_leaf(n: u32) -> usize {
        let outer: D = D("outer");
        let length: usize = if n > 0 {
            let held: D = D("held");
            tick("wait").await;
            look(&held);
            D("temporary").0.len()
        } else {
            tick("other").await;
            0
        };
        look(&outer);
        length
    }
}

subject! {
    async fn of_clone(list: Vec<u32>, text: String) -> usize {
        let held: D = D("held");
        let sum: usize = count(list.clone(), held, text.to_string()).await;
        sum + list.len() + text.len()
    }
}

subject! {
    async fn count(list: Vec<u32>, held: D, text: String) -> usize {
        tick("count").await;
        look(&held);
        list.len() + text.len()
    }
}

subject! {
    async fn of_slot(mut list: Vec<Option<u32>>) -> u32 {
        let slot = slot(&mut list);
        if let Some(number) = slot {
            tick("slot").await;
            *number += 1;
        }
        tick("after").await;
        slot.take().unwrap_or(7)
    }
}

fn slot(list: &mut [Option<u32>]) -> &mut Option<u32> {
    &mut list[0]
}

subject! {
    async fn of_untyped(n: u32) -> u32 {
        let answer = ask(n).await;
        if let Err(error) = answer {
            tick("error").await;
            look(&error);
            return 0;
        }
        tick("well").await;
        1
    }
}

subject! {
    async fn of_else(n: u32) -> usize {
        let first: Option<D> = ask(n).await.ok();
        let second: D = D("second");
        let Some(page) = first else {
            tick("else").await;
            look(&second);
            return 0;
        };
        let third: D = D("third");
        look(&second);
        look(&page);
        look(&third);
        D("temporary").0.len()
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "of match, 0", of_match(0));
    case!(list, "of match, 1", of_match(1));
    case!(list, "of match, 2", of_match(2));
    case!(list, "of if", of_if(1));
    case!(list, "of function, 0", of_function(0));
    case!(list, "of function, 2", of_function(2));
    case!(list, "of leaf, 0", of_leaf(0));
    case!(list, "of leaf, 1", of_leaf(1));
    case!(list, "of clone", of_clone(vec![1, 2], "text".to_string()));
    case!(list, "of slot", of_slot(vec![Some(1)]));
    case!(list, "of slot, none", of_slot(vec![None]));
    case!(list, "of else, 0", of_else(0));
    case!(list, "of else, 2", of_else(2));
    case!(list, "of untyped, 0", of_untyped(0));
    case!(list, "of untyped, 2", of_untyped(2));
    list
}
