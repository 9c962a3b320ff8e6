//! Every fallback reason, in the terms of the user's code.

use crate::errors::catalogue;

catalogue! {
    /// A reason for which a function gets the native layout.
    enum FallbackReason;

    TypeParameter: "a generic function declares an item in its body, or has the option `boxed` or `inline`",
        "fields with written types cannot name the item, and do not contain a coroutine",
        "declare the item outside of the function, and remove `boxed` and `inline`";
    UntypedLocal: "a local of a generic function is live across an await, and its type is not written",
        "the size of the local may depend on the type parameters, so its field needs a type",
        "write the type of the local";
    UntypedFuture: "a generic function awaits an expression whose type is not written",
        "the size of the future may depend on the type parameters, so its field needs a type",
        "store the future in a local with a written type, and await the local";
    GenericLend: "an await of a generic function borrows a local",
        "the offset of a borrowed local is computed from sizes, which depend on the type parameters",
        "pass the local by value, or take a reference as an argument";
    ForeignAttribute: "an attribute below `#[volt::state_machine]` may rewrite the function",
        "the macro must see the body that runs",
        "move the attribute above `#[volt::state_machine]`";
    DerivedLend: "a trait is derived for a machine whose await borrows a local",
        "a clone would borrow from the original machine",
        "pass the value to the awaited call, or remove the trait from `derive`";
    DuplicateState: "several states of a machine that derives `Serialize` have the same name",
        "a snapshot contains the name of the state",
        "name the new one: `#[state(Name)]` before the statement";
    OutputType: "the function returns an `impl Trait`",
        "the machine's type has to name its output",
        "write the type, or return a `Box<dyn Trait>`";
    Condition: "the body contains a `#[cfg]`",
        "the macro runs before the condition is evaluated",
        "move the `#[cfg]` to the function, or write `if cfg!(..)`";
    UnsafeCode: "the function contains `unsafe` code",
        "`unsafe` code may rely on the address of a local, and locals of a machine may move",
        "move the code to another function, and call that function";
    Address: "the address of a value is taken",
        "locals of a machine may move between two awaits",
        "take the address in another function, and call that function";
    InnerItem: "an item is declared in an inner block",
        "the blocks are split, and outside of the block its name may mean another item",
        "declare the item at the top of the function, or outside of it";
    ItemOnce: "the body contains an `impl` of a type outside of it, or an item with `#[no_mangle]` or `#[export_name]`",
        "the machine contains the items of the body more than once",
        "declare the item outside of the function";
    CapitalName: "a name in a pattern may be a local, a constant or a variant",
        "a constant binds nothing, and the macro cannot tell where the name is declared",
        "write the local in lower case, the path of a constant or variant (`self::limit`, `Reply::None`), and the names that a `use` of another crate imports, instead of `*`";
    TwoExpansions: "a macro and its caller use the same name",
        "to the compiler these are two names, and the attribute sees only their spelling",
        "use another name in the `macro_rules!`";
    MacroOfBody: "the body defines a macro",
        "the attribute cannot tell the expansion of the macro where it is called",
        "define the macro outside of the function";
    UnknownMacro: "a macro is unknown to the attribute",
        "an unknown macro may return, declare a local, or await",
        "call a function, or write the expansion of the macro";
    SelfInText: "the text of a macro names `self`",
        "the machine's body is outside of the `impl`, where the receiver has another name",
        "pass the value as an argument: `println!(\"{:?}\", self)`";
    CallInEvent: "a logging macro contains a call with a local",
        "the call may move the local, and runs only if the event is enabled",
        "bind the value by a `let` before the macro";
    ShadowedInMacro: "a macro names a local, and two locals have that name",
        "the attribute cannot tell which tokens of the macro name locals",
        "rename one of the locals";
    AwaitInMacro: "an await is inside the arguments of a macro",
        "the macro may not evaluate the argument, or may run other code around it",
        "await before the macro, and pass the value to it";
    AwaitInGuard: "a `match` that awaits has a guard",
        "the guard borrows the matched value, and the next arm may move it",
        "test the condition before the `match`, or by an `if` in the arm";
    AwaitInCondition: "`&&` or `||` is combined with an await, or with a `let` in an `if` that awaits",
        "the right operand is not always evaluated, and bindings of the left one are live in both branches",
        "write one `if` inside the other";
    AwaitInPlace: "an await is in the left side of an assignment",
        "the order of evaluation depends on types",
        "await in a `let` before the assignment";
    AwaitAfterOperand: "an operand is evaluated before an await in the same expression",
        "the value of the operand is live across the await, and has no name",
        "bind the operand by a `let` before the expression";
    UnknownExpression: "an expression that contains an await is not supported",
        "the order of evaluation is unknown",
        "await in a `let` before the expression";
    DivergingBlock: "a block or loop that is used as a value diverges, or ends with `?`",
        "only the context determines the type of such a value",
        "end the block with a value, or remove the `let`";
    OperandTemporary: "a temporary of an awaited expression is live across the await",
        "the explicit layout stores locals, and no temporaries that an await may borrow",
        "bind the temporary by a `let` before the await, or the future if it borrows no temporary";
    OperandLeaves: "an awaited call that borrows locals contains a block, `?` or another jump",
        "the call is evaluated where only the borrowed locals are accessible",
        "bind the arguments by `let` before the await";
    TakenLate: "an awaited call that borrows locals moves a local after an inner call",
        "if the inner call panics, the locals are dropped in another order",
        "pass the inner call after the local, as in `debit(&book, name, transaction())`, or bind its value by a `let` before the await";
    StoredClosure: "a closure, an `async` block or the value of a macro may be live across an await",
        "its type has no name, and each copy of the expression has another type",
        "write a function instead, or write the type of the local";
    ScrutineeTemporary: "a temporary may be live in branches that await",
        "the temporary is dropped after the last branch",
        "bind the temporary by a `let` before the branches";
    TailTemporary: "a temporary may be live until the end of a block that awaits",
        "the temporary is dropped with the locals of the block, or after them",
        "bind the value by a `let` before";
    Remainder: "a pattern does not bind all parts of a value, in branches that await",
        "an unbound part is dropped after the last branch",
        "bind all parts by names, such as `_rest`";
    OwnDestructor: "a pattern destructures a type that may have a destructor, in branches that await",
        "no part moves out of a value with a destructor, and it is dropped after the last branch",
        "match on a reference to a local, or destructure the value by a `let` before";
    ArrayPattern: "a pattern may move elements out of an array",
        "the compiler drops such an array from its last element to its first",
        "match on a reference to the array, or take the elements by `into_iter()`";
    BorrowingPattern: "a pattern borrows a part of a value, in branches that await",
        "a borrowed value must not move during the await",
        "bind the part by value";
    Coercion: "the value of a branch that awaits may be coerced to another type",
        "the expected type is unknown after the await",
        "bind the value by a `let` with a type";
    MovedOrUsed: "the last use of a local before an await is a call of it, or of a method on it",
        "the call may move the local, or only borrow it",
        "write `(&local).method()` if the call borrows the local and `{ local }.method()` if it moves it, or bind an awaited future by a `let` before the await";
    RecursiveReceiver: "a method is called on the future of the function itself",
        "the explicit layout may have to store the receiver, which is the machine",
        "pass the future to a function: `Box::pin(walk(next)).await`";
    CopiedOrBorrowed: "an await takes a local by value, and the local is used later",
        "the local may be copied, or be a reference that is reborrowed",
        "write the type of the local";
    ConditionalMove: "a local is moved on only some of the paths to an await",
        "the explicit layout does not track conditional moves",
        "drop the local on every path before the await, or store it in an `Option`";
    ReassignedUntyped: "a local is assigned after an await, where it has no value and no written type",
        "the type of the local decides what the new value is",
        "write the type of the local, or declare another local there";
    PartialMove: "a part of a local may be moved, and the rest is live across an await",
        "the rest would be dropped part by part",
        "borrow the part, move it after the last await, or move all parts by a pattern before: `let Page { title, text } = page;`";
    Borrow: "a local that may borrow from another local is live across an await",
        "a borrowed value must not move during the await",
        "borrow again after the await, or write the type of the local if it owns its content";
    LentThenMoved: "a local that an await borrowed is moved or destructured later",
        "the local must stay at the address that the future has seen",
        "pass or match a reference to the local, or create the value again";
    LentInParts: "two uses of a local that an await borrowed overlap, and one is of a part of it",
        "the local is borrowed as a whole, at the address that the await has seen",
        "destructure the local by one pattern: `let Pair { left, right } = &mut pair`";
    LentInMacro: "a macro names a local that an await borrows",
        "the attribute cannot tell which tokens of the macro name locals",
        "call a function, or write the expansion of the macro";
    CapturedLent: "a `move` closure or an `async` block names a local that an await borrows",
        "the closure would capture a reference instead of the local",
        "bind the captured value by a `let` before the closure";
    NeverReached: "a local or an await is in unreachable code",
        "the machine stores nothing for code that is never reached",
        "remove the unreachable code";
    TooLarge: "the function has too many awaits and branches",
        "its states are counted in one word: at most about a hundred",
        "split the function";
    QuestionMark: "`?` is used in a function whose output is not written as a `Result` or an `Option`",
        "the attribute cannot tell the type of the returned error",
        "write the output as a `Result`";
    NeverOutput: "the function returns `!`",
        "stable Rust does not allow `!` as the output of a future type",
        "return `std::convert::Infallible`";
}

impl FallbackReason {
    /// Returns `true` if a local is moved partly, or on some of the paths to an await only.
    pub(crate) fn is_of_moves(self) -> bool {
        matches!(self, Self::PartialMove | Self::ConditionalMove)
    }

    /// Returns `true` if temporaries in code that awaits, or the locals that replace them, may be
    /// the cause.
    pub(crate) fn may_be_of_temporaries(self) -> bool {
        matches!(
            self,
            Self::OperandTemporary
                | Self::TailTemporary
                | Self::MovedOrUsed
                | Self::Borrow
                | Self::StoredClosure
                | Self::LentThenMoved
                | Self::LentInParts
                | Self::TakenLate
                | Self::OperandLeaves
        )
    }
}
