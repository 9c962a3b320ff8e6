//! The body of a function, taken apart on the way to each await and whole elsewhere.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::visit::{self, Visit};
use syn::{
    Arm as SynArm, Block as SynBlock, Expr, ExprClosure, ExprPath, Item, Label, Local as SynLocal,
    Pat, Path, Stmt as SynStmt, Token, Type,
};

use super::claim::Claim;
use super::composed::Part;
use super::names::path_at;

/// Names a node; a node's descendants have the ids between its own and its `end`.
pub(crate) type NodeId = usize;
/// Names a local, an argument among them.
pub(crate) type LocalId = usize;

/// A function's body.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) root: Block,
    pub(crate) locals: Vec<Local>,
    /// What the compiler has to prove in the native twin.
    pub(crate) claims: Vec<Claim>,
}

/// An argument, or a local of a block or arm that holds an await.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    pub(crate) ty: Option<Type>,
    pub(crate) origin: Origin,
    pub(crate) glue: Glue,
    /// Whether it was said to be large.
    pub(crate) in_place: bool,
    /// The type that its initial value makes likely, for when one is needed that nobody wrote.
    pub(crate) guess: Option<(Type, Glue)>,
    /// Whether only custom says so, on which nothing else is to rest.
    pub(crate) customary: bool,
    /// Whether that is its type now, and is written on its `let`.
    pub(crate) ascribed: bool,
    /// Whether a pattern binds it, beside which a type cannot stand.
    pub(crate) in_pattern: bool,
    /// How the type is written for people, if not as it is.
    pub(crate) type_text: Option<String>,
    /// Where it stands for a value that ends a block, and so is dropped behind the locals of that
    /// before edition 2024.
    pub(crate) ends_block: Option<Span>,
    /// What to write if the type is needed, where more is known than that.
    pub(crate) advice: Option<String>,
}

impl Local {
    /// The type that is written, or that the initial value makes likely.
    pub(crate) fn likely_type(&self) -> Option<&Type> {
        let guess = self.guess.as_ref().map(|(ty, _)| ty);
        self.ty.as_ref().or(guess)
    }
}

/// Where a local comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Argument,
    /// A `let`; whether it gives a value at once.
    Let {
        initialised: bool,
    },
    /// A pattern of an arm or a condition.
    Pattern,
    /// A part of an expression, evaluated before an await in a later part.
    Operand,
}

/// What is known of a type's destructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glue {
    /// There is none.
    None,
    /// The compiler can tell, the macro cannot.
    Concrete,
    /// Only an instance can tell.
    Generic,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) label: Option<Label>,
    /// `unsafe`, if it stands before the block.
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) stmts: Vec<Stmt>,
}

#[derive(Debug)]
pub(crate) enum Stmt {
    Let(Box<Let>),
    Item(Box<Item>),
    Expr { node: Box<Node>, semi: bool },
}

/// A `let` in a block that holds an await.
#[derive(Debug)]
pub(crate) struct Let {
    /// The statement; its initial value is in `init`.
    pub(crate) source: SynLocal,
    pub(crate) init: Option<Node>,
    /// The block of a `let .. else`.
    pub(crate) otherwise: Option<Node>,
    pub(crate) locals: Vec<LocalId>,
    /// The local that the pattern of a `let .. else` takes apart, if that may be gone elsewhere.
    pub(crate) unpacked: Option<Ident>,
}

impl Let {
    /// The parts that may hold an await.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.init.iter().chain(&self.otherwise)
    }
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: NodeId,
    pub(crate) end: NodeId,
    pub(crate) kind: Kind,
}

impl Node {
    /// Whether the node with this id is this one or below it.
    pub(crate) fn holds(&self, id: NodeId) -> bool {
        (self.id..self.end).contains(&id)
    }
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// No await in it: emitted whole.
    Plain(Expr),
    Await(Box<Await>),
    /// An expression whose first evaluated part holds the await; a hole stands for that part.
    Spine(Box<Spine>),
    Block(Block),
    If(Box<If>),
    Match(Box<Match>),
    Loop(Box<Loop>),
}

#[derive(Debug)]
pub(crate) struct Spine {
    pub(crate) template: Expr,
    pub(crate) inner: Node,
    /// Whether the expression moves the part out, rather than looking at it.
    pub(crate) moves: bool,
}

#[derive(Debug)]
pub(crate) struct If {
    pub(crate) cond: Node,
    pub(crate) bound: Vec<LocalId>,
    pub(crate) then: Block,
    pub(crate) otherwise: Option<Node>,
}

#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) scrutinee: Node,
    pub(crate) arms: Vec<Arm>,
    /// What an arm with an await may leave behind of the matched value.
    pub(crate) residue: Option<Residue>,
}

/// A matched value of which a pattern may leave something behind.
#[derive(Debug)]
pub(crate) struct Residue {
    /// The pattern.
    pub(crate) span: Span,
    /// What asks the parts that are taken apart by value, if that is all that may stay; else the
    /// whole must have no destructor.
    pub(crate) apart: Option<ExprClosure>,
}

impl Residue {
    /// The value, with the proof that what stays of it goes unnoticed.
    pub(crate) fn proven(&self, value: &impl ToTokens, volt: &Path) -> TokenStream {
        let (function, rest) = self.proof(volt);
        let span = self.span;
        quote_spanned!(span=> #function(#value #rest))
    }

    /// The function that the value is passed through, and what stands behind it.
    pub(crate) fn proof(&self, volt: &Path) -> (TokenStream, TokenStream) {
        let (span, volt) = (self.span, path_at(volt, self.span));
        match &self.apart {
            None => (
                quote_spanned!(span=> #volt::__private::no_residue),
                TokenStream::new(),
            ),
            Some(apart) => (
                quote_spanned!(span=> #volt::__private::parted),
                quote_spanned!(span=> , #apart),
            ),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) source: SynArm,
    pub(crate) bound: Vec<LocalId>,
    pub(crate) body: Node,
    /// What takes the matched local apart, where the pattern does not.
    pub(crate) unpacked: Option<SynStmt>,
}

#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) label: Option<Label>,
    /// The condition of a `while`, with what it binds.
    pub(crate) cond: Option<(Token![while], Expr)>,
    pub(crate) bound: Vec<LocalId>,
    pub(crate) body: Block,
}

/// A suspend point.
#[derive(Debug)]
pub(crate) struct Await {
    /// The `await` keyword.
    pub(crate) span: Span,
    pub(crate) operand: Operand,
    /// What is awaited, for people: the last name of the call's path.
    pub(crate) name: String,
    /// The label given by `#[state(..)]`.
    pub(crate) label: Option<Ident>,
}

/// What is awaited.
#[derive(Debug)]
pub(crate) enum Operand {
    /// A future of a written type.
    Stored {
        ty: TokenStream,
        value: Expr,
        /// Whether the value is made into a future first.
        convert: bool,
    },
    /// A call of a machine that is lent something at each poll; for each argument the
    /// expression that lends it, if it does.
    Call {
        ty: TokenStream,
        value: Expr,
        lends: Vec<Option<Expr>>,
        /// `Box::pin`, if the machine is put behind it.
        boxed: Option<ExprPath>,
    },
    /// A call of a combinator, some of whose futures are lent something at each poll.
    Composed {
        ty: TokenStream,
        value: Expr,
        /// What becomes of its operands.
        parts: Vec<Part>,
    },
    /// A closure called at each poll; nothing is stored.
    Closure(Expr),
    /// A future borrowed at each poll; nothing is stored.
    Borrowed(Expr),
}

impl Operand {
    /// Whether anything is stored between the polls.
    pub(crate) fn stores(&self) -> bool {
        !matches!(self, Operand::Closure(_) | Operand::Borrowed(_))
    }
}

/// Source that may hold an await of the function itself.
pub(crate) trait MayAwait {
    fn accept(&self, visitor: &mut FindAwait);
}

macro_rules! may_await {
    ($($Source:ty: $visit:ident),*) => {
        $(impl MayAwait for $Source {
            fn accept(&self, visitor: &mut FindAwait) {
                visitor.$visit(self);
            }
        })*
    };
}

may_await!(Expr: visit_expr, SynBlock: visit_block, SynStmt: visit_stmt, Pat: visit_pat);

/// Whether the function itself awaits in `source`: not in closures, `async` blocks and items.
pub(crate) fn holds_await(source: &(impl MayAwait + ?Sized)) -> bool {
    first_await(source).is_some()
}

/// The place of the first await in `source`.
pub(crate) fn first_await(source: &(impl MayAwait + ?Sized)) -> Option<Span> {
    let mut visitor = FindAwait(None);
    source.accept(&mut visitor);
    visitor.0
}

/// Looks for the first await.
#[derive(Debug)]
pub(crate) struct FindAwait(Option<Span>);

impl<'ast> Visit<'ast> for FindAwait {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if self.0.is_none() {
            visit::visit_expr(self, expr);
        }
    }

    fn visit_expr_await(&mut self, node: &'ast syn::ExprAwait) {
        visit::visit_expr_await(self, node);
        self.0.get_or_insert(node.await_token.span);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if self.0.is_none() {
            self.0 = await_in_tokens(mac.tokens.clone());
        }
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// The first `.await` among tokens, `async` blocks left out.
pub(crate) fn await_in_tokens(tokens: TokenStream) -> Option<Span> {
    let mut in_async = false;
    let mut after_dot = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if ident == "await" && after_dot => return Some(ident.span()),
            TokenTree::Ident(ident) if ident == "async" => in_async = true,
            TokenTree::Ident(ident) if ident == "move" => {}
            TokenTree::Group(group) if !in_async => {
                if let Some(span) = await_in_tokens(group.stream()) {
                    return Some(span);
                }
            }
            _ => in_async = false,
        }
        after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
    }
    None
}
