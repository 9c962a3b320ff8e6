use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Reply {
    text: String,
    next: Option<String>,
    calls: Vec<String>,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn child(number: u32) -> u32 {
    number
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pattern_that_may_leave_a_part(reply: Reply) -> usize {
    let length = match reply.next {
        Some(next) => {
            #[state(Next)]
            child(1).await;
            next.len()
        }
        Some(_) | None => 0,
    };
    #[state(Last)]
    child(2).await;
    length + reply.text.len()
}

fn call(length: impl FnOnce() -> usize) -> usize {
    length()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn closure_that_captures_a_part(reply: Reply) -> usize {
    let mut length = 0;
    for call in reply.calls {
        length += call.len();
    }
    length += call(|| {
        let text: String = reply.text;
        text.len()
    });
    child(1).await;
    length + reply.next.map_or(0, |next| next.len())
}

fn lengths(names: &[String], length: impl Fn(&String) -> usize) -> std::vec::IntoIter<usize> {
    names.iter().map(length).collect::<Vec<_>>().into_iter()
}

async fn print(lengths: impl Iterator<Item = usize>) {
    assert!(lengths.count() > 0);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn closure_in_a_step(names: Vec<String>, title: String) -> usize {
    #[step]
    #[state(Printing)]
    print(lengths(&names, |name| name.len() + title.len())).await;
    child(1).await;
    names.len() + title.len()
}

async fn fails(text: &str) -> Result<usize, String> {
    Err(text.to_owned())
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn else_of_a_generic_function<T>(value: T) -> usize
where
    T: Serialize + for<'de> Deserialize<'de>,
{
    let mut length: usize = 0;
    #[step]
    #[state(Failing)]
    if let Ok(number) = fails(&String::new()).await {
        length = number;
    } else {
        length += 1;
    }
    child(1).await;
    drop(value);
    length
}

fn main() {}
