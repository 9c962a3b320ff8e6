//! A `matches!` that another macro declares may take its argument. The file does not show it.

macro_rules! declare {
    ($name:ident, $($rules:tt)*) => {
        macro_rules! $name {
            $($rules)*
        }
    };
}

declare! {
    matches,
    ($value:expr, $_pat:pat) => {{
        let _value = $value;
        true
    }};
}

#[volt::state_machine]
async fn looked_at(text: String) -> bool {
    let is = matches!(text, _);
    std::future::ready(is).await
}

#[volt::state_machine(native)]
async fn native(text: String) -> bool {
    let is = matches!(text, _);
    std::future::ready(is).await
}

fn main() {}
