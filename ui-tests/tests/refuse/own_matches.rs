//! A `matches!` of the user's own, which may take what it is given, does not pass for the one of `core`.

mod imported {
    mod own {
        macro_rules! taken {
            ($value:expr, $_pat:pat) => {{
                let _value = $value;
                true
            }};
        }
        pub(crate) use taken as matches;
    }

    use own::matches;

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
}

macro_rules! matches {
    ($value:expr, $_pat:pat) => {{
        let _value = $value;
        true
    }};
}

#[volt::state_machine]
async fn defined_above(text: String) -> bool {
    let is = matches!(text, _);
    std::future::ready(is).await
}

fn main() {}
