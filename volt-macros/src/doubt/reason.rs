//! Every reason for which a function is native, in its user's words.

use crate::errors::catalogue;

catalogue! {
    /// Why the macro is not sure.
    enum Reason;

    TypeParameter: "the function has type parameters, and an item in its body or an option for a coroutine",
        "the fields with written types cannot name the item, and hold no coroutine",
        "declare the item outside of the function, and leave out `boxed` and `inline`";
    UntypedLocal: "a local of a generic function lives across an await without a written type",
        "its size may depend on the type parameters, so its field needs a type",
        "write the type of the local";
    UntypedFuture: "a generic function awaits an expression whose type is not written",
        "its size may depend on the type parameters, so its field needs a type",
        "store the future in a local with a written type, and await the local";
    GenericLend: "an await of a generic function borrows a local",
        "the place of a borrowed local is computed from sizes, and these depend on the type parameters",
        "pass the local by value, or take a reference as an argument";
    ForeignAttribute: "an attribute below may rewrite the function",
        "the macro has to see the body that will run",
        "put that attribute above `#[volt::state_machine]`";
    DerivedLend: "a derived trait where an await borrows a local",
        "a clone would borrow from the machine that it was cloned from",
        "give the await what it needs by value, or derive nothing";
    OutputType: "the function returns an `impl Trait`",
        "the machine's type has to name its output",
        "write the type, or return a `Box<dyn Trait>`";
    Condition: "a `#[cfg]` stands in the body",
        "it is not decided yet whether the code is there",
        "put the `#[cfg]` on the function, or ask `cfg!(..)` in an `if`";
    UnsafeCode: "`unsafe` code",
        "it may rely on the address of a local, and locals of a machine may move",
        "move it to a function that is called";
    Address: "the address of a value is taken",
        "locals of a machine may move between two awaits",
        "take the address in a function that is called";
    InnerItem: "an item is declared in an inner block",
        "the blocks are taken apart, and its name may mean something else outside",
        "declare it at the top of the function, or outside";
    ItemOnce: "an `impl` stands in the body, or an item has a symbol's name",
        "the machine holds the items of the body more than once",
        "declare it outside of the function";
    CapitalName: "a name in a pattern may be a constant's",
        "a constant binds nothing, and where this name comes from is not known",
        "write a local in small letters, and import constants outside of the function";
    TwoExpansions: "a macro and its user both have this name",
        "to the compiler these are two names, and the attribute sees how they are spelled",
        "give one of them another name in the `macro_rules!`";
    MacroOfBody: "a macro is defined in the body",
        "what it stands for is not known where it is called",
        "define it outside of the function";
    UnknownMacro: "a macro that the attribute does not know",
        "it may return, declare a local, or wait",
        "call a function, or write what the macro stands for";
    SelfInText: "a text in a macro names `self`",
        "the body of the machine is outside of the `impl`, where the receiver has another name",
        "give the macro the value: `println!(\"{:?}\", self)`";
    CallInEvent: "an event that is logged calls something with a local",
        "the call may take the local, and is made only if somebody listens",
        "bind the value by a `let` before";
    ShadowedInMacro: "a macro names a local, and two locals have that name",
        "which of its words are names of locals is not known",
        "give one of the locals another name";
    AwaitInMacro: "an await within a macro",
        "the macro may not evaluate it, or what it does around it is not known",
        "await before, and give the macro the value";
    AwaitInGuard: "a guard in a `match` that waits",
        "the guard borrows what is matched, and the next arm may take it",
        "decide before the `match`, or by an `if` in the arm";
    AwaitInCondition: "`&&` or `||` beside an await, or beside a `let` in an `if` that waits",
        "a part is not always evaluated, and what was bound before it lives in both branches",
        "write one `if` inside the other";
    AwaitInElse: "an await in the `else` of a `let`",
        "the value that did not match lives meanwhile",
        "write a `match`";
    AwaitInPlace: "an await in a place that is assigned to",
        "the order of evaluation depends on types",
        "await before, by a `let`";
    AwaitAfterOperand: "something is evaluated before an await in the same expression",
        "its value lives across the await without a name",
        "bind it by a `let` before";
    UnknownExpression: "an await in an expression of this kind",
        "how it is evaluated is not known",
        "await before, by a `let`";
    OperandTemporary: "what is awaited borrows a value without a name, or may do so",
        "that value lives as long as the await",
        "bind the value by a `let` before";
    OperandLeaves: "an awaited call that borrows locals may return from the function, or holds a block",
        "it is evaluated where only what it borrows is at hand",
        "bind its parts by `let` before";
    TakenLate: "an awaited call that borrows locals takes this one behind a call within it",
        "if the inner call panics, the locals are dropped in another order",
        "bind the value of the inner call by a `let` before";
    StoredClosure: "a closure, an `async` block or a macro's value lives across an await, or may do so",
        "its type has no name, and is another one at each place",
        "write a function instead, or write the type of the local";
    ScrutineeTemporary: "a value without a name lives in branches that wait, or may do so",
        "it is dropped behind the last branch",
        "bind it by a `let` before";
    TailTemporary: "a value without a name lives to the end of a block that waits, or may do so",
        "it is dropped with the locals of the block, or behind them",
        "bind the value by a `let` before";
    Remainder: "a pattern leaves a part of the value, in branches that wait",
        "what it does not bind is dropped behind the last branch",
        "bind all parts by names, such as `_rest`";
    OwnDestructor: "a pattern opens a type that may have a destructor, in branches that wait",
        "of such a value nothing is moved, and it is dropped behind the last branch",
        "match on a reference to a local, or take the value apart by `let` before";
    ArrayPattern: "a pattern takes an array apart, or may do so",
        "the compiler drops such an array from its last element to its first",
        "match on a reference to it, or take the elements by `into_iter()`";
    BorrowingPattern: "a pattern borrows, in branches that wait",
        "what is borrowed may not move meanwhile",
        "bind the part by value";
    Coercion: "the value of a branch that waits may be coerced to another type",
        "the type that is expected of it is not known behind the await",
        "bind the value by a `let` with a type";
    MovedOrUsed: "the last use of a local before an await is a call of it, or of a method on it",
        "the call may take the local, or only look at it",
        "use the local later, or end it by `drop(local)`";
    CopiedOrBorrowed: "an await is given a local by value, and the local is used later",
        "it may be copied, or be a reference that is borrowed again",
        "write the local's type";
    ConditionalMove: "a local is moved on some of the paths to an await",
        "the machine does not know whether it is still there",
        "drop it on all paths before the await, or keep it in an `Option`";
    Renewed: "a local gets a new value after an await, and no place of the machine gives it a type",
        "its type decides what the new value is",
        "write the type of the local, or declare another local there";
    PartialMove: "a part of a local may be moved out of it, and the rest lives across an await",
        "the rest would be dropped part by part",
        "borrow the part, move it after the last await, or end the local before the await";
    Borrow: "a local that may borrow from another local lives across an await",
        "what is borrowed may not move meanwhile",
        "borrow again after the await, or write the local's type if it owns what it holds";
    LentThenMoved: "a local that was borrowed by an await is moved or taken apart later",
        "it has to stay where the future has seen it",
        "pass or match a reference to it, or make the value anew";
    LentInParts: "a part of a local that was borrowed by an await is used, and so is another part or all of it",
        "the local is borrowed as a whole, where the await has seen it",
        "take it apart by one pattern: `let Pair { left, right } = &mut pair`";
    LentInMacro: "a macro names a local that is borrowed by an await",
        "which of its words are names of locals is not known",
        "call a function, or write what the macro stands for";
    CapturedLent: "a `move` closure or an `async` block names a local that is borrowed by an await",
        "it would take a reference, and not the local",
        "bind what it needs by a `let` before";
    NeverReached: "a local or an await stands behind what never ends",
        "nothing is kept for code that is never reached",
        "remove that code";
    TooLarge: "the function has too many awaits and branches",
        "its states are counted in one word: at most a hundred, or sixty where an await borrows a local",
        "make several functions of it";
    QuestionMark: "`?` in a function whose output is neither a `Result` nor an `Option` by name",
        "what it returns is not known",
        "write the output as a `Result`";
    NeverOutput: "the function never returns a value",
        "stable Rust lets nobody name `!` as an output",
        "write `-> std::convert::Infallible`";
}
