//! Cases of matched values whose rest is dropped after an arm has stored locals.
//!
//! The destructor of the rest can panic. Then the locals that the arm has stored must be dropped.

use super::log::*;

subject! {
    async fn ask(good: bool) -> Result<D, D> {
        tick("ask").await;
        if good { Ok(D("page")) } else { Err(D("error")) }
    }
}

subject! {
    async fn pair(good: bool) -> Option<(D, D)> {
        tick("pair").await;
        good.then(|| (D("first"), D("second")))
    }
}

subject! {
    async fn late_locals(good: bool) -> u32 {
        let kept: D;
        let number: u32;
        match ask(good).await {
            Ok(_) => {
                kept = D("one");
                number = 1;
            }
            Err(_) => {
                tick("ill").await;
                kept = D("two");
                number = 2;
            }
        }
        tick("after").await;
        look(&kept);
        number
    }
}

subject! {
    async fn replaced_locals(good: bool) -> u32 {
        let mut kept: D = D("kept");
        match ask(good).await {
            Ok(_) => {
                kept = D("new");
                tick("well").await;
            }
            Err(_) => {
                tick("ill").await;
                kept = D("other");
            }
        }
        tick("after").await;
        look(&kept);
        0
    }
}

subject! {
    async fn moved_parts(good: bool) -> u32 {
        let kept: D;
        if let Some((first, _)) = pair(good).await {
            kept = first;
        } else {
            tick("none").await;
            kept = D("none");
        }
        tick("after").await;
        look(&kept);
        0
    }
}

subject! {
    async fn values_of_arms(good: bool) -> D {
        let kept: D = match ask(good).await {
            Ok(_) => {
                tick("well").await;
                D("well")
            }
            Err(_) => D("made"),
        };
        tick("after").await;
        kept
    }
}

subject! {
    async fn values_of_conditions(good: bool) -> D {
        let held: D = D("held");
        let kept: D = if let Some((_, rest)) = pair(good).await {
            look(&held);
            rest
        } else {
            tick("else").await;
            D("else")
        };
        tick("after").await;
        kept
    }
}

subject! {
    async fn moved_locals(good: bool) -> D {
        let given: D = D("given");
        let kept: D;
        match ask(good).await {
            Ok(_) => {
                kept = given;
                tick("well").await;
            }
            Err(_) => {
                consume(given);
                kept = D("made");
            }
        }
        tick("after").await;
        kept
    }
}

subject! {
    async fn left_loops(good: bool) -> D {
        let kept: D = loop {
            let turn: D = D("turn");
            match ask(good).await {
                Ok(_) => {
                    tick("well").await;
                    break D("broken");
                }
                Err(_) => break turn,
            }
        };
        tick("after").await;
        kept
    }
}

subject! {
    async fn returned_values(good: bool) -> D {
        let held: D = D("held");
        match ask(good).await {
            Ok(_) => {
                tick("well").await;
                return held;
            }
            Err(_) => look(&held),
        }
        tick("after").await;
        held
    }
}

subject! {
    async fn named_values(good: bool) -> D {
        let whole: Result<D, D> = ask(good).await;
        let kept: D;
        match whole {
            Ok(page) => {
                kept = page;
                tick("well").await;
            }
            Err(_) => {
                tick("ill").await;
                kept = D("made");
            }
        }
        tick("after").await;
        kept
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "late_locals good", late_locals(true));
    case!(list, "late_locals ill", late_locals(false));
    case!(list, "replaced_locals good", replaced_locals(true));
    case!(list, "replaced_locals ill", replaced_locals(false));
    case!(list, "moved_parts good", moved_parts(true));
    case!(list, "moved_parts ill", moved_parts(false));
    case!(list, "values_of_arms good", values_of_arms(true));
    case!(list, "values_of_arms ill", values_of_arms(false));
    case!(list, "values_of_conditions good", values_of_conditions(true));
    case!(list, "values_of_conditions ill", values_of_conditions(false));
    case!(list, "moved_locals good", moved_locals(true));
    case!(list, "moved_locals ill", moved_locals(false));
    case!(list, "left_loops good", left_loops(true));
    case!(list, "left_loops ill", left_loops(false));
    case!(list, "returned_values good", returned_values(true));
    case!(list, "returned_values ill", returned_values(false));
    case!(list, "named_values good", named_values(true));
    case!(list, "named_values ill", named_values(false));
    list
}
