//! What is said of each rule: what is wrong, why, and what to write instead.

use super::rule::Rule;

impl Rule {
    /// What is wrong, why it cannot be, what to write instead; `{}` is what the user wrote.
    #[expect(clippy::too_many_lines, reason = "the catalogue is one table")]
    pub(super) fn text(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Rule::NotAsync => (
                "a state machine is made from an `async fn`",
                "there is nothing to suspend in this function",
                "write `async fn`; if an attribute above has made it an ordinary function, put \
                 `#[volt::state_machine]` above that one",
            ),
            Rule::Receiver => (
                "a method cannot be a state machine on its own",
                "the machine's type cannot be declared inside an `impl`",
                "put `#[volt::state_machine]` on the `impl` block; it makes a machine of each \
                 `async fn` in it",
            ),
            Rule::UnnamedSelf => (
                "the methods of this type cannot be state machines",
                "the machine of a method stands outside of the `impl`, where the type needs a path",
                "make it a free function that takes the receiver as an argument",
            ),
            Rule::NameOfBlock => (
                "`name` on an `impl` block",
                "each `async fn` in it has a machine of its own",
                "put `#[state_machine(name = ..)]` on the method",
            ),
            Rule::VisOfMethod => (
                "`vis` on what has a visibility of its own",
                "only the methods of a trait have none",
                "write it before `async fn`",
            ),
            Rule::NameOfParameter => (
                "a type parameter has the name of the state machine",
                "inside of the machine, one of them would hide the other",
                "write `#[state_machine(name = ..)]`, or rename the parameter",
            ),
            Rule::NameTaken => (
                "this type has the name of the state machine",
                "both would be types of this module",
                "write `#[state_machine(name = ..)]`",
            ),
            Rule::BorrowingFuture => (
                "the future of this method borrows, and this type has no lifetime for it",
                "what is lent to a method lives as long as its future",
                "if the trait has it, `type Future<'a> = ..<'a>`; else write `fn`, and return the \
                 machine of a free function that is given by value what it needs",
            ),
            Rule::CloneOfLent => (
                "`Clone` of a future that is lent something mutably",
                "there can be but one such reference",
                "give the machine what it changes by value, or leave out `Clone`",
            ),
            Rule::ConstArgument => (
                "a constant is an argument of this method",
                "the machine of a method is found by its name and by types",
                "make it a free function, or the constant a parameter of the `impl`",
            ),
            Rule::ImplTraitArgument => (
                "an argument of a trait's method is an `impl Trait`",
                "the machine stores it, and the type that the method returns cannot name it",
                "give the method of the trait a type parameter",
            ),
            Rule::ImplTraitOutput => (
                "the function gives an `impl Trait`",
                "the machine's future says what it gives, and that has no name",
                "write the type (`-> std::vec::IntoIter<T>`), or give a box: \
                 `-> Box<dyn Trait>`",
            ),
            Rule::ConfiguredArgument => (
                "`#[cfg]` on an argument",
                "the machine is made before the condition is decided",
                "put the `#[cfg]` on the whole function, and write it twice",
            ),
            Rule::SupertraitType => (
                "this type is not given by this `impl`",
                "the machine of a method stands outside of it, where nobody knows which trait is \
                 meant",
                "name the trait that gives it: `<Self as Trait>::{}`",
            ),
            Rule::LocalItem => (
                "the machine has a field of a type that is declared inside of the function",
                "the machine stands outside of the function, where that is not known",
                "declare it outside of the function",
            ),
            Rule::NothingAsync => (
                "there is no `async fn` in this `impl` block",
                "a state machine is made of each of them",
                "remove the attribute",
            ),
            Rule::OfTrait => (
                "a trait cannot be a state machine",
                "each type that implements it has machines of its own",
                "put `#[volt::state_machine]` on the `impl` blocks",
            ),
            Rule::ArgumentPattern => (
                "this pattern leaves or borrows a part of the argument",
                "what it leaves is kept to the end, and its type cannot be seen",
                "give each part a name, as `_rest` for `_`, or name the argument alone",
            ),
            Rule::Qualifier => (
                "a state machine cannot be `const`, `extern` or variadic",
                "the function only builds the machine",
                "remove the qualifier",
            ),
            Rule::ForeignAttribute => (
                "this attribute may rewrite the function below the machine",
                "`#[volt::state_machine]` has to see the body as it will run",
                "put this attribute above `#[volt::state_machine]`",
            ),
            Rule::NoAwaitTypes => (
                "the type of this awaited value cannot be seen",
                "what a machine waits for is a field, and a field has a written type",
                "await a call of a state machine by its path (`fetch(id).await`), or write the \
                 type: `let future: T = ..; future.await`, or `poll_fn(|cx| ..).await`",
            ),
            Rule::UnknownExpression => (
                "an await inside this kind of expression is not supported",
                "the machine cannot resume in the middle of it",
                "bind the awaited value to a `let` with a written type first",
            ),
            Rule::AwaitAfterOperand => (
                "this is evaluated before an await in the same expression",
                "its value would have to be kept in the machine, and its type cannot be seen",
                "bind each part to a `let` with a written type, in their order: \
                 `let left: A = ..; let right: B = ..;`",
            ),
            Rule::AwaitInPlace => (
                "an await beside a place that is computed, or in it",
                "which of the two comes first depends on their types",
                "bind the awaited value first: `let value: T = ..;`",
            ),
            Rule::AwaitInGuard => (
                "an await in a match guard",
                "the guard borrows what is matched while it waits",
                "move the condition into the arm: `pattern => if condition.await { .. }`",
            ),
            Rule::AwaitInMacro => (
                "an await inside a macro",
                "what the macro makes of it cannot be seen",
                "bind the awaited value to a `let` with a written type before the macro",
            ),
            Rule::AwaitInFor => (
                "the type of this iterator cannot be seen, and the `for` over it awaits",
                "the iterator is kept across the await, and a field has a written type",
                "go over a range with a written type (`0..n`, `0u32..4`) or over a local with \
                 one: `let items: T = {};` and `for item in items`",
            ),
            Rule::BorrowedIterator => (
                "this iterator borrows, and the `for` over it awaits",
                "a machine does not store borrows of its own locals or of what it is lent",
                "go over the values (`for item in items`) or over the indices \
                 (`for index in 0..items.len()`); if what it borrows lives outside, name its \
                 lifetime and write `let items: Iter<'a, T> = ..;`",
            ),
            Rule::AwaitedAsyncBlock => (
                "an `async` block is awaited here",
                "its type has no name, so no field can hold it",
                "write its statements in place, or make it a function with \
                 `#[volt::state_machine]`",
            ),
            Rule::AwaitedType => (
                "what a function of a trait returns cannot be seen",
                "functions and the methods of types stand among the types, those of traits do not",
                "write the type: `let future: T = <Type as Trait>::function(..); future.await`",
            ),
            Rule::LentOperand => (
                "this future borrows what it is given, and is handed on to what cannot lend it",
                "a machine does not store what it is lent, and is given it at each poll",
                "hand on one that owns what it needs",
            ),
            Rule::GenericReceiver => (
                "the type of this receiver is a parameter, and what its methods give cannot be seen",
                "what a trait's method gives does not stand among the types, unless the trait names \
                 it",
                "write the type that the trait has for it: `let future: T::Future = ..;` and \
                 `future.await` (book: middleware.md)",
            ),
            Rule::MovePollFn => (
                "a `move` closure in an awaited `poll_fn`",
                "the closure is inlined and borrows what it names afresh at each poll",
                "remove `move`",
            ),
            Rule::IgnoredContext => (
                "this closure never uses its context",
                "it cannot register a waker, so nothing would ever wake the machine",
                "pass the context on to what is polled",
            ),
            Rule::UntypedInPlace => (
                "`#[in_place]` stands on what is not a local of a written type",
                "the machine has a field of that type for it",
                "write `#[in_place] let name: Type = ..`",
            ),
            Rule::UntypedLocal => (
                "this local is used after an await and its type is not written",
                "it is kept in the machine meanwhile, and a field has a written type",
                "write `let {}: Type = ..`",
            ),
            Rule::HiddenMove => (
                "this method may take what it is called on, or look at it",
                "what it looks at lives on, and is kept across the await; what it takes is gone",
                "say which it is",
            ),
            Rule::ManyConditionalMoves => (
                "more than four locals are moved on some of the paths to one await only",
                "the machine has a state for each choice of what is still there",
                "move this one before the branches, or keep it in an `Option` and `take()` it",
            ),
            Rule::InferredType => (
                "this local is alive across an await and its type holds `_`",
                "a field has a complete type",
                "write the whole type",
            ),
            Rule::PatternBinding => (
                "this binding is used after an await and has no written type",
                "it is kept in the machine meanwhile, and a field has a written type",
                "bind it again with a type before the await: `let {}: Type = {};`",
            ),
            Rule::ElidedReference => (
                "a reference without a named lifetime is alive across an await",
                "a machine does not store borrows of its own locals or of what it is lent",
                "borrow again after the await; what lives outside, name its lifetime, as in `async fn \
                 f<'a>(text: &'a str)`, and write `let name: &'a str = ..`",
            ),
            Rule::BorrowedTemporary => (
                "a temporary is borrowed for the whole of this await",
                "the machine would have to keep the temporary, whose type is not written",
                "bind it to a `let` with a written type and lend that",
            ),
            Rule::ChangingPlace => (
                "what is lent here may be something else at the next poll",
                "it is looked for again at each poll, by a call whose repetition may be told, or by \
                 an index that is changed meanwhile",
                "take it before: `let value: T = {}.clone();`, and lend `&value`; or lend the whole, \
                 as `&self.name` without `as_str()`, and look for the part in the callee",
            ),
            Rule::ScrutineeTemporary => (
                "a temporary of this expression may live through an await below",
                "the temporary would have to be kept in the machine, and has no written type",
                "bind the value first: `let value: T = {};` and match on `value`",
            ),
            Rule::LastingTemporary => (
                "a temporary of this expression may live through the await that it stands before",
                "what has no name lives to the end of its statement, and the machine would have to \
                 keep it",
                "bind the value first: `let value: T = {};` and use `value`",
            ),
            Rule::ConfiguredStatement => (
                "`#[cfg]` stands on a part of this body",
                "the machine's states are chosen before the condition is decided",
                "put the `#[cfg]` on the whole function or on a function called from here, or ask \
                 `cfg!(..)` in an `if`",
            ),
            Rule::ShadowedInMacro => (
                "this name means two locals that are alive at once, and a macro uses it",
                "the machine tells them apart by renaming one, and this macro may show or capture the name",
                "give the later local a name of its own",
            ),
            Rule::ItemOfLocal => (
                "this item has the name of a local, in a block that awaits",
                "the local is kept across the await, by a name that means the item there",
                "give one of them a name of its own",
            ),
            Rule::RepeatedItem => (
                "this item is declared in the body of a state machine",
                "the machine repeats the items of a block in each state that enters it again; a \
                 `static`, a type, an `impl` or a macro would be another one each time",
                "declare it outside of the function",
            ),
            Rule::ReservedName => (
                "this item has the name of a variable in the machine's own code",
                "an item hides the variables of its name in all of its block",
                "declare it outside of the function, or give it another name",
            ),
            Rule::UnsafeCode => (
                "`unsafe` stands in this function",
                "the machine moves locals to other addresses between two states, on which unsafe code may \
                 rely",
                "move the unsafe code into a function that is called from here",
            ),
            Rule::TakenAddress => (
                "the address of a value is taken or printed here",
                "the machine moves locals to other addresses between two states, where the compiler's \
                 future leaves them in place",
                "take the address in a function that is called from here",
            ),
            Rule::UnknownMacro => (
                "this macro is not one of the standard library's",
                "the machine cannot see whether the macro returns from the function, declares a local or \
                 moves one",
                "call a function in its place, or write out what the macro expands to",
            ),
            Rule::AwaitInRest => (
                "an await stands behind the `..` of a struct",
                "the fields that the struct does not take would be dropped at another time if a destructor \
                 panics",
                "bind the value before the struct: `let rest: T = {};` and `..rest`",
            ),
            Rule::ForeignPollFn => (
                "this `poll_fn` is not written as the standard library's",
                "the machine calls the closure itself at each poll, which another function may not do",
                "write `std::future::poll_fn(..)`, or import it and write `poll_fn(..)`",
            ),
            Rule::UnreadFunction => (
                "the macro could not read this function",
                "a fault of the macro stopped the analysis of the body",
                "report the function, please, and write it as a plain `async fn` until then",
            ),
            Rule::NeverOutput => (
                "this function never returns a value",
                "stable Rust does not let a machine name `!` as what its future gives",
                "write `-> std::convert::Infallible`",
            ),
            Rule::BareVariant => (
                "this pattern is the bare name of a variant, or of a struct without fields",
                "the machine has to know that the name binds nothing, and the type behind the name may \
                 have parameters that nothing tells",
                "write the variant with its type: `Type::{}`",
            ),
            Rule::CoercedBranch => (
                "this value ends a branch, and may be coerced to another type there",
                "the branches wait, so the machine carries their value on without the type that is \
                 expected of it",
                "bind the value in the branch: `let value: Type = {};` and `value`",
            ),
            Rule::DerivedNative => (
                "a native machine cannot derive a trait",
                "it holds the compiler's own coroutine, which has none of them",
                "remove `derive`, or ask for the other layout with `explicit`",
            ),
            Rule::UnboxedRecursion => (
                "this function awaits itself without a box",
                "its machine holds the future that it awaits, and so it would hold itself",
                "put the call into a box: `Box::pin({}).await`",
            ),
            Rule::NamedPoison => (
                "`Start`, `Done` and `Poisoned` are states of every machine",
                "a label names a state",
                "use another label",
            ),
        }
    }
}
