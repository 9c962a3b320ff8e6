//! What is refused in any layout, in its user's words.

use super::catalogue::catalogue;

catalogue! {
    /// What no machine can be made of.
    enum Rule;

    NotAsync: "a state machine is made from an `async fn`",
        "there is nothing to suspend in this function",
        "write `async fn`; if an attribute above has made it an ordinary function, put `#[volt::state_machine]` above that one";
    Receiver: "a method cannot be a state machine on its own",
        "the machine's type cannot be declared inside an `impl`",
        "put `#[volt::state_machine]` on the `impl` block; it makes a machine of each `async fn` in it";
    UnnamedSelf: "the methods of this type cannot be state machines",
        "the machine of a method stands outside of the `impl`, where the type needs a path",
        "make it a free function that takes the receiver as an argument";
    NameOfBlock: "`name` on an `impl` block",
        "each `async fn` in it has a machine of its own",
        "put `#[state_machine(name = ..)]` on the method";
    NothingAsync: "there is no `async fn` in this `impl` block",
        "a state machine is made of each of them",
        "remove the attribute; or `#[async_trait]`, if that stands above and has made boxes of them";
    OfTrait: "a trait cannot be a state machine",
        "each type that implements it has machines of its own",
        "put `#[volt::state_machine]` on the `impl` blocks";
    AsyncTrait: "`#[async_trait]` below `#[volt::state_machine]`",
        "it replaces the methods by functions that return boxes, also in the trait",
        "remove one of the two; traits may have `async fn`s without `#[async_trait]`";
    VisOfMethod: "`vis` on a method that has a visibility of its own",
        "its machine is as visible as the method",
        "write it before `async fn`";
    Qualifier: "a state machine cannot be `const`, `extern` or variadic",
        "the function only builds the machine",
        "remove the qualifier";
    UnreadFunction: "the macro could not read this function",
        "a fault of the macro stopped the analysis of the body",
        "report the function, please, and write it as a plain `async fn` until then";
    DerivedNative: "a native machine cannot derive a trait",
        "it holds the compiler's own coroutine, which has none of them",
        "remove `derive`, or ask for the other layout with `explicit`";
    UnboxedRecursion: "this function awaits itself without a box",
        "its machine holds the future that it awaits, and so it would hold itself",
        "put the call into a box: `Box::pin({}).await`";
    UnboxedCircle: "methods await each other without a box",
        "their machines hold the futures that they await, and so each would hold itself",
        "put the call into a box: `Box::pin({}).await`";
}
