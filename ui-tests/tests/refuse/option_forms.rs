#[volt::state_machine(public)]
pub async fn without_list() {}

#[volt::state_machine(derive = Clone)]
async fn list_as_value() {}

#[volt::state_machine(max_size)]
async fn without_value() {}

#[volt::state_machine(name(Machine))]
async fn value_in_parentheses() {}

#[volt::state_machine(explicit = true)]
async fn word_with_value() {}

#[volt::state_machine(native, explicit)]
async fn two_layouts() {}

#[volt::state_machine(send, local)]
async fn two_answers_to_send() {}

#[volt::state_machine(boxed, inline = 256)]
async fn two_stores<T>(value: T) {
    let _ = value;
}

fn main() {}
