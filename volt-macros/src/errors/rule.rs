//! Errors of every layout, in the terms of the user's code.

use super::catalogue::catalogue;

catalogue! {
    /// Faults of an item for which no layout has a machine.
    enum Rule;

    NotAsync: "`#[state_machine]` requires an `async fn`",
        "the function has no suspend point",
        "write `async fn`; if another attribute removes `async`, put `#[volt::state_machine]` above it";
    Receiver: "`#[state_machine]` is not supported on a single method",
        "the machine's type cannot be declared inside of an `impl`",
        "put `#[volt::state_machine]` on the `impl` block; it creates a machine for each `async fn`";
    UnnamedSelf: "`#[state_machine]` is not supported on an `impl` for a type without a path",
        "the machine of a method is declared outside of the `impl`, where the type needs a path",
        "write a free function that takes the receiver as an argument";
    NameOfBlock: "the option `name` is not supported on an `impl` block",
        "each `async fn` of the block has a machine of its own",
        "put `#[state_machine(name = ..)]` on the method";
    NothingAsync: "the `impl` block contains no `async fn`",
        "`#[state_machine]` creates a machine for each `async fn`",
        "remove the attribute, or an `#[async_trait]` above that has rewritten the methods";
    OfTrait: "`#[state_machine]` is not supported on a trait",
        "each type that implements the trait has machines of its own",
        "put `#[volt::state_machine]` on the `impl` blocks";
    AsyncTrait: "`#[async_trait]` is below `#[volt::state_machine]`",
        "`#[async_trait]` replaces the methods by functions that return boxes, in the trait too",
        "remove one of the two; a trait may have an `async fn` without `#[async_trait]`";
    VisOfMethod: "the option `vis` is not supported on a method with a visibility of its own",
        "the machine is as visible as the method",
        "write the visibility before `async fn`";
    Qualifier: "a state machine cannot be `extern` or variadic",
        "the function only creates the machine",
        "remove the qualifier";
    UnreadFunction: "the attribute failed to expand this function",
        "the failure is a bug in the attribute, not in the function",
        "report the function, and write it as a plain `async fn` until the bug is fixed";
    DerivedNative: "a native machine cannot derive a trait",
        "the machine contains the compiler's coroutine, which implements none of these traits",
        "remove `derive`, or write `explicit` instead of `native`";
    StepWithoutDerive: "`#[step]` requires `derive(Serialize, Deserialize)`",
        "the machine is stored before the step, so that only the step runs again after a crash",
        "write `#[volt::state_machine(derive(Serialize, Deserialize))]`, or remove `#[step]`";
    StepPlace: "`#[step]` is not supported here",
        "a step is a statement of the function itself, outside of closures, `async` blocks and other steps",
        "put the attribute on the statement that contains the expression; in an arm, write `=> { #[step] .. }`";
    DenyWithoutTrace: "the option `deny(dormant)` is not supported with `trace = false`",
        "a machine without a trace does not know its awaits",
        "remove one of the two options";
    UnboxedRecursion: "this function awaits itself without a box",
        "the machine contains the awaited future, so it would contain itself",
        "put the call into a box: `Box::pin({}).await`";
    UnboxedCircle: "methods await each other without a box",
        "each machine contains the awaited future, so it would contain itself",
        "put the call into a box: `Box::pin({}).await`";
}
