//! The catalogue of what is refused.

/// A rule of the dialect that some source breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    NotAsync,
    Receiver,
    UnnamedSelf,
    NameOfBlock,
    NothingAsync,
    OfTrait,
    VisOfMethod,
    NameOfParameter,
    NameTaken,
    BorrowingFuture,
    CloneOfLent,
    ConstArgument,
    ImplTraitArgument,
    ImplTraitOutput,
    ConfiguredArgument,
    SupertraitType,
    LocalItem,
    ArgumentPattern,
    Qualifier,
    ForeignAttribute,
    NoAwaitTypes,
    UnknownExpression,
    AwaitAfterOperand,
    AwaitInPlace,
    AwaitInGuard,
    AwaitInMacro,
    AwaitInFor,
    BorrowedIterator,
    AwaitedAsyncBlock,
    AwaitedType,
    LentOperand,
    GenericReceiver,
    MovePollFn,
    IgnoredContext,
    UntypedLocal,
    UntypedInPlace,
    HiddenMove,
    ManyConditionalMoves,
    InferredType,
    PatternBinding,
    ElidedReference,
    BorrowedTemporary,
    ChangingPlace,
    ScrutineeTemporary,
    LastingTemporary,
    ConfiguredStatement,
    ShadowedInMacro,
    ItemOfLocal,
    RepeatedItem,
    ReservedName,
    UnsafeCode,
    TakenAddress,
    UnknownMacro,
    AwaitInRest,
    ForeignPollFn,
    UnreadFunction,
    NeverOutput,
    BareVariant,
    CoercedBranch,
    NamedPoison,
    DerivedNative,
    UnboxedRecursion,
}

impl Rule {
    /// The name of the rule's place in the book: `await-in-for` for `AwaitInFor`.
    pub(super) fn anchor(self) -> String {
        let mut anchor = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() && !anchor.is_empty() {
                anchor.push('-');
            }
            anchor.extend(letter.to_lowercase());
        }
        anchor
    }

    /// Whether the function is right, and only what an explicit machine would do of it is not sure.
    pub(super) fn is_doubt(self) -> bool {
        !matches!(
            self,
            Rule::NotAsync
                | Rule::Receiver
                | Rule::UnnamedSelf
                | Rule::NameOfBlock
                | Rule::NothingAsync
                | Rule::OfTrait
                | Rule::VisOfMethod
                | Rule::NameOfParameter
                | Rule::BorrowingFuture
                | Rule::CloneOfLent
                | Rule::Qualifier
                | Rule::UntypedInPlace
                | Rule::NamedPoison
                | Rule::DerivedNative
                | Rule::UnboxedRecursion
        )
    }
}
