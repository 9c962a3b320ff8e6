//! An error in an item of the body is reported once, as of the plain function.

async fn load(number: u32) -> u32 {
    number
}

unsafe fn raw(number: u32) -> u32 {
    number
}

#[volt::state_machine]
async fn unsafe_call_in_a_function(number: u32) -> u32 {
    fn nested(number: u32) -> u32 {
        raw(number)
    }
    load(nested(number)).await
}

#[volt::state_machine]
async fn pointer_in_a_function(number: u32) -> u32 {
    fn nested(number: *const u32) -> u32 {
        *number
    }
    load(nested(&number)).await
}

static mut COUNT: u32 = 0;

#[volt::state_machine]
async fn static_in_a_method() -> u32 {
    struct Counter;
    impl Counter {
        fn next(&self) -> u32 {
            COUNT + 1
        }
    }
    load(Counter.next()).await
}

#[volt::state_machine]
async fn missing_field() -> u32 {
    struct Pair {
        first: u32,
        second: u32,
    }
    let pair = Pair { first: 1 };
    load(pair.first).await
}

struct Page(u32);

#[volt::state_machine]
impl Page {
    async fn unsafe_call_in_a_method(&self) -> u32 {
        struct Reader;
        impl Reader {
            fn read(&self) -> u32 {
                raw(1)
            }
        }
        load(Reader.read() + self.0).await
    }
}

fn main() {}
