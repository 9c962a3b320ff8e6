//! From syntax to body: what holds an await is taken apart, what is not known is refused.

use proc_macro2::Ident;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, Block as SynBlock, Expr, ExprIf, ExprLoop, ExprMatch, ExprWhile, Lit,
    Local as SynLocal, Pat, Stmt as SynStmt, Token, Type, parse_quote,
};

use super::body::{
    Arm, Await, Block, Body, Glue, If, Kind, Let, Local, LocalId, Loop, Match, Node, NodeId,
    Operand, Origin, Spine, Stmt, first_await, holds_await,
};
use super::errors::{Errors, Rule};
use super::names;
use super::operand::{Surroundings, is_place, may_hold_temporary};
use super::parse::{Function, elides, peel};
use super::scope::{Binding, bindings, holds_word};

/// Takes the body of `function` apart.
pub(crate) fn body(function: &Function, errors: &mut Errors) -> Body {
    let generics = &function.generics.params;
    let lent = function.params.iter().filter_map(|param| {
        let reference = param.lent.as_ref()?;
        Some((param.name.clone(), reference.mutability.is_some()))
    });
    let mut check = Check {
        generic: generics.iter().map(generic_name).collect(),
        lent: lent.collect(),
        locals: Vec::new(),
        scope: Vec::new(),
        next: 0,
        label: None,
        errors,
    };
    for param in function.stored() {
        let binding = Binding {
            ident: param.name.clone(),
            mutable: param.mutable,
            by_ref: false,
        };
        check.declare(&binding, Some(param.ty.clone()), Origin::Argument);
    }
    let root = check.block(None, &function.item.block);
    Body {
        root,
        locals: check.locals,
    }
}

fn generic_name(param: &syn::GenericParam) -> String {
    match param {
        syn::GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
        syn::GenericParam::Type(param) => param.ident.to_string(),
        syn::GenericParam::Const(param) => param.ident.to_string(),
    }
}

struct Check<'a> {
    generic: Vec<String>,
    lent: Vec<(Ident, bool)>,
    locals: Vec<Local>,
    scope: Vec<LocalId>,
    next: NodeId,
    /// The label of the statement, until its first await takes it.
    label: Option<Ident>,
    errors: &'a mut Errors,
}

impl Check<'_> {
    fn node(&mut self, kind: impl FnOnce(&mut Self) -> Kind) -> Node {
        let id = self.next;
        self.next += 1;
        let kind = kind(self);
        Node {
            id,
            end: self.next,
            kind,
        }
    }

    fn refused(&mut self, rule: Rule, expr: &Expr) -> Kind {
        let span = first_await(expr).unwrap_or_else(|| expr.span());
        self.errors.refuse_at(rule, span);
        Kind::Plain(parse_quote!({}))
    }

    // Locals.

    fn declare(&mut self, binding: &Binding, ty: Option<Type>, origin: Origin) -> LocalId {
        let glue = match &ty {
            Some(ty) if !drops(ty) => Glue::None,
            Some(ty) if self.is_generic(ty) => Glue::Generic,
            _ => Glue::Concrete,
        };
        let id = self.locals.len();
        self.locals.push(Local {
            name: binding.ident.clone(),
            mutable: binding.mutable,
            ty,
            origin,
            glue,
        });
        self.scope.push(id);
        id
    }

    fn is_generic(&self, ty: &Type) -> bool {
        let mentions = |name: &String| holds_word(quote!(#ty), name).is_some();
        self.generic.iter().any(mentions)
    }

    fn declare_let(&mut self, local: &SynLocal) -> Vec<LocalId> {
        let origin = Origin::Let {
            initialised: local.init.is_some(),
        };
        let init = local.init.as_ref().map(|init| &*init.expr);
        let mut typed = Vec::new();
        pair_types(&local.pat, None, init, &mut typed);
        let declared = typed.into_iter().map(|(binding, ty)| {
            let ty = ty.filter(|_| !binding.by_ref);
            self.declare(&binding, ty, origin)
        });
        declared.collect()
    }

    fn declare_pattern(&mut self, pat: &Pat) -> Vec<LocalId> {
        let bound = bindings(pat);
        let declared = bound
            .iter()
            .map(|binding| self.declare(binding, None, Origin::Pattern));
        declared.collect()
    }

    fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        let result = body(self);
        self.scope.truncate(depth);
        result
    }

    // Statements.

    fn block(&mut self, label: Option<&syn::Label>, block: &SynBlock) -> Block {
        self.scoped(|this| Block {
            label: label.cloned(),
            stmts: block.stmts.iter().map(|stmt| this.stmt(stmt)).collect(),
        })
    }

    fn stmt(&mut self, stmt: &SynStmt) -> Stmt {
        match stmt {
            SynStmt::Local(local) => Stmt::Let(Box::new(self.let_stmt(local))),
            SynStmt::Item(item) => Stmt::Item(Box::new(item.clone())),
            SynStmt::Expr(expr, semi) => {
                let mut expr = expr.clone();
                self.take_label(attributes(&mut expr));
                if holds_await(&expr) {
                    self.check_configured(attributes(&mut expr));
                }
                let node = Box::new(self.expr(&expr));
                self.label = None;
                let semi = semi.is_some();
                Stmt::Expr { node, semi }
            }
            SynStmt::Macro(mac) => {
                let expr = Expr::Macro(syn::ExprMacro {
                    attrs: mac.attrs.clone(),
                    mac: mac.mac.clone(),
                });
                let braces = matches!(mac.mac.delimiter, syn::MacroDelimiter::Brace(_));
                let semi = mac.semi_token.is_some() || braces;
                let node = Box::new(self.expr(&expr));
                Stmt::Expr { node, semi }
            }
        }
    }

    fn let_stmt(&mut self, local: &SynLocal) -> Let {
        let mut source = local.clone();
        self.take_label(Some(&mut source.attrs));
        self.check_configured(Some(&mut source.attrs));
        let init = source.init.as_ref().map(|init| self.expr(&init.expr));
        self.label = None;
        if let Some((_, otherwise)) = source.init.as_ref().and_then(|init| init.diverge.as_ref())
            && let Some(span) = first_await(&**otherwise)
        {
            self.errors.refuse_at(Rule::AwaitInElse, span);
        }
        let locals = self.declare_let(local);
        Let {
            source,
            init,
            locals,
        }
    }

    /// Takes `#[state(Name)]` off a statement.
    fn take_label(&mut self, attrs: Option<&mut Vec<Attribute>>) {
        let Some(attrs) = attrs else { return };
        let Some(index) = attrs.iter().position(|attr| attr.path().is_ident("state")) else {
            return;
        };
        match attrs.remove(index).parse_args::<Ident>() {
            Ok(label)
                if ["Start", "Done", "Poisoned"]
                    .iter()
                    .any(|name| label == name) =>
            {
                self.errors.refuse(Rule::NamedPoison, &label);
            }
            Ok(label) => self.label = Some(label),
            Err(error) => self.errors.push(error),
        }
    }

    fn check_configured(&mut self, attrs: Option<&mut Vec<Attribute>>) {
        for attr in attrs.into_iter().flatten() {
            if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
                self.errors.refuse(Rule::ConfiguredStatement, attr);
            }
        }
    }

    // Expressions.

    fn expr(&mut self, expr: &Expr) -> Node {
        match expr {
            Expr::Paren(paren) if holds_await(expr) => self.expr(&paren.expr),
            Expr::Group(group) if holds_await(expr) => self.expr(&group.expr),
            Expr::While(node) if holds_await(&*node.cond) => self.while_await(node),
            _ => self.node(|this| this.kind(expr)),
        }
    }

    fn kind(&mut self, expr: &Expr) -> Kind {
        if !holds_await(expr) {
            return Kind::Plain(expr.clone());
        }
        match expr {
            Expr::Await(node) => self.await_point(node),
            Expr::Block(node) => Kind::Block(self.block(node.label.as_ref(), &node.block)),
            Expr::If(node) => self.if_expr(node),
            Expr::Match(node) => self.match_expr(node),
            Expr::Loop(node) => self.loop_expr(node),
            Expr::While(node) => self.while_expr(node),
            Expr::ForLoop(node) => match first_await(&*node.expr) {
                Some(_) if !holds_await(&node.body) => self.spine(expr, |expr| match expr {
                    Expr::ForLoop(node) => Some((&mut node.expr, true)),
                    _ => None,
                }),
                _ => {
                    self.errors.refuse(Rule::AwaitInFor, &node.for_token);
                    // As far as its locals go, it is a `while`.
                    Kind::Loop(Box::new(Loop {
                        label: node.label.clone(),
                        cond: Some((Token![while](node.for_token.span), (*node.expr).clone())),
                        bound: Vec::new(),
                        body: self.block(None, &node.body),
                    }))
                }
            },
            Expr::Macro(_) => self.refused(Rule::AwaitInMacro, expr),
            _ => self.spine(expr, first_operand),
        }
    }

    fn await_point(&mut self, node: &syn::ExprAwait) -> Kind {
        let label = self.label.take();
        if let Some(span) = first_await(&*node.base) {
            self.errors.refuse_at(Rule::NoAwaitTypes, span);
            return Kind::Plain(parse_quote!({}));
        }
        let surroundings = Surroundings {
            locals: &self.locals,
            scope: &self.scope,
            lent: &self.lent,
        };
        match surroundings.operand(&node.base, self.errors) {
            Some((operand, name)) => Kind::Await(Box::new(Await {
                span: node.await_token.span,
                operand,
                name,
                label,
            })),
            // Still a suspend point, for what else is to be said about it.
            None => Kind::Await(Box::new(Await {
                span: node.await_token.span,
                operand: Operand::Closure(parse_quote!({})),
                name: String::new(),
                label,
            })),
        }
    }

    fn spine(
        &mut self,
        expr: &Expr,
        slot: impl FnOnce(&mut Expr) -> Option<(&mut Expr, bool)>,
    ) -> Kind {
        let mut template = expr.clone();
        let Some((part, moves)) = slot(&mut template) else {
            return self.refused(Rule::UnknownExpression, expr);
        };
        if !holds_await(&*part) {
            let rule = match expr {
                Expr::Binary(node) if is_lazy(&node.op) => Rule::AwaitInCondition,
                _ => Rule::AwaitAfterOperand,
            };
            return self.refused(rule, expr);
        }
        let hole = names::hole();
        let part = std::mem::replace(part, parse_quote!(#hole));
        let inner = self.expr(&part);
        if let Some(span) = first_await(&template) {
            self.errors.refuse_at(Rule::AwaitAfterOperand, span);
        }
        Kind::Spine(Box::new(Spine {
            template,
            inner,
            moves,
        }))
    }

    fn if_expr(&mut self, node: &ExprIf) -> Kind {
        self.scoped(|this| {
            let in_then = holds_await(&node.then_branch);
            this.check_scrutinees(&node.cond, in_then);
            let cond = this.expr(&node.cond);
            let bound = this.declare_lets(&node.cond);
            let then = this.block(None, &node.then_branch);
            this.scope.truncate(this.scope.len() - bound.len());
            let otherwise = node.else_branch.as_ref();
            Kind::If(Box::new(If {
                cond,
                bound,
                then,
                otherwise: otherwise.map(|(_, otherwise)| this.expr(otherwise)),
            }))
        })
    }

    /// What an `if let` or `while let` matches must not outlive the value it gives.
    fn check_scrutinees(&mut self, cond: &Expr, awaits_below: bool) {
        match cond {
            Expr::Let(node) if awaits_below => {
                let residue = !is_place(&node.expr) && leaves_residue(&node.pat);
                if may_hold_temporary(&node.expr) || residue {
                    self.errors.refuse(Rule::ScrutineeTemporary, &node.expr);
                }
            }
            Expr::Binary(node) => {
                self.check_scrutinees(&node.left, awaits_below);
                self.check_scrutinees(&node.right, awaits_below);
            }
            _ => {}
        }
    }

    fn declare_lets(&mut self, cond: &Expr) -> Vec<LocalId> {
        match cond {
            Expr::Let(node) => self.declare_pattern(&node.pat),
            Expr::Binary(node) => {
                let mut bound = self.declare_lets(&node.left);
                bound.extend(self.declare_lets(&node.right));
                bound
            }
            _ => Vec::new(),
        }
    }

    fn match_expr(&mut self, node: &ExprMatch) -> Kind {
        let awaiting = || node.arms.iter().filter(|arm| holds_await(&*arm.body));
        if awaiting().next().is_some() && may_hold_temporary(&node.expr) {
            self.errors.refuse(Rule::ScrutineeTemporary, &node.expr);
        }
        let residue = !is_place(&node.expr) && awaiting().any(|arm| leaves_residue(&arm.pat));
        let scrutinee = self.expr(&node.expr);
        let arms = node.arms.iter().map(|arm| self.arm(arm)).collect();
        Kind::Match(Box::new(Match {
            scrutinee,
            arms,
            residue,
        }))
    }

    fn arm(&mut self, arm: &syn::Arm) -> Arm {
        if let Some(span) = first_await(&arm.pat) {
            self.errors.refuse_at(Rule::AwaitInGuard, span);
        }
        self.scoped(|this| {
            let bound = this.declare_pattern(&arm.pat);
            Arm {
                source: arm.clone(),
                bound,
                body: this.expr(&arm.body),
            }
        })
    }

    fn loop_expr(&mut self, node: &ExprLoop) -> Kind {
        Kind::Loop(Box::new(Loop {
            label: node.label.clone(),
            cond: None,
            bound: Vec::new(),
            body: self.block(None, &node.body),
        }))
    }

    fn while_expr(&mut self, node: &ExprWhile) -> Kind {
        self.scoped(|this| {
            this.check_scrutinees(&node.cond, true);
            let bound = this.declare_lets(&node.cond);
            Kind::Loop(Box::new(Loop {
                label: node.label.clone(),
                cond: Some((node.while_token, (*node.cond).clone())),
                bound,
                body: this.block(None, &node.body),
            }))
        })
    }

    /// `while c.await { .. }` is what the language says it is: `loop { if c.await { .. } else { break } }`.
    fn while_await(&mut self, node: &ExprWhile) -> Node {
        let (label, cond, body) = (&node.label, &node.cond, &node.body);
        let unrolled: Expr = parse_quote!(#label loop { if #cond #body else { break } });
        self.expr(&unrolled)
    }
}

fn is_lazy(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_))
}

/// The part of an expression that is evaluated first, and whether the expression moves it.
fn first_operand(expr: &mut Expr) -> Option<(&mut Expr, bool)> {
    match expr {
        Expr::Try(node) => Some((&mut node.expr, true)),
        Expr::Return(node) => Some((node.expr.as_mut()?, true)),
        Expr::Break(node) => Some((node.expr.as_mut()?, true)),
        Expr::Cast(node) => Some((&mut node.expr, true)),
        Expr::Unary(node) => Some((&mut node.expr, !matches!(node.op, syn::UnOp::Deref(_)))),
        Expr::Let(node) => Some((&mut node.expr, false)),
        Expr::Field(node) => Some((&mut node.base, false)),
        Expr::Index(node) => Some((&mut node.expr, false)),
        Expr::MethodCall(node) => Some((&mut node.receiver, false)),
        Expr::Binary(node) => first_of_binary(node),
        Expr::Assign(node) => Some((&mut node.right, true)),
        Expr::Call(node) if matches!(*node.func, Expr::Path(_)) => {
            let argument = node
                .args
                .iter_mut()
                .find(|argument| !is_literal(argument))?;
            Some((argument, true))
        }
        Expr::Tuple(node) => {
            let element = node.elems.iter_mut().find(|element| !is_literal(element))?;
            Some((element, true))
        }
        Expr::Array(node) => Some((node.elems.first_mut()?, true)),
        Expr::Struct(node) => Some((&mut node.fields.first_mut()?.expr, true)),
        _ => None,
    }
}

fn first_of_binary(node: &mut syn::ExprBinary) -> Option<(&mut Expr, bool)> {
    use syn::BinOp;
    let compares = matches!(
        node.op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    );
    let assigns = matches!(
        node.op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    );
    // The place on the left of `+=` has nothing to evaluate if it is a plain one.
    if (assigns && is_plain_place(&node.left)) || is_literal(&node.left) {
        return Some((&mut node.right, true));
    }
    Some((&mut node.left, !compares))
}

fn is_plain_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_plain_place(&field.base),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(_))
}

/// Whether something that the pattern matches is not moved into a binding.
fn leaves_residue(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) | Pat::Reference(_) => true,
        Pat::Ident(pat) => pat.by_ref.is_some(),
        Pat::Guard(pat) => leaves_residue(&pat.pat),
        Pat::Paren(pat) => leaves_residue(&pat.pat),
        Pat::Type(pat) => leaves_residue(&pat.pat),
        Pat::Or(pat) => pat.cases.iter().any(leaves_residue),
        Pat::Tuple(pat) => pat.elems.iter().any(leaves_residue),
        Pat::TupleStruct(pat) => pat.elems.iter().any(leaves_residue),
        Pat::Slice(pat) => pat.elems.iter().any(leaves_residue),
        Pat::Struct(pat) => {
            pat.rest.is_some() || pat.fields.iter().any(|field| leaves_residue(&field.pat))
        }
        Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) => false,
        _ => true,
    }
}

/// The attributes of an expression statement, if the kind of expression is one we take apart.
fn attributes(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expr {
        Expr::Await(node) => &mut node.attrs,
        Expr::Try(node) => &mut node.attrs,
        Expr::Return(node) => &mut node.attrs,
        Expr::Match(node) => &mut node.attrs,
        Expr::If(node) => &mut node.attrs,
        Expr::Loop(node) => &mut node.attrs,
        Expr::While(node) => &mut node.attrs,
        Expr::Block(node) => &mut node.attrs,
        Expr::MethodCall(node) => &mut node.attrs,
        Expr::Call(node) => &mut node.attrs,
        Expr::Assign(node) => &mut node.attrs,
        _ => return None,
    })
}

/// The types that a `let` writes, or that its initial value shows.
fn pair_types(
    pat: &Pat,
    ty: Option<&Type>,
    init: Option<&Expr>,
    out: &mut Vec<(Binding, Option<Type>)>,
) {
    let ty = ty.map(peel);
    match (pat, ty) {
        (Pat::Type(typed), _) => pair_types(&typed.pat, Some(&typed.ty), init, out),
        (Pat::Paren(paren), _) => pair_types(&paren.pat, ty, init, out),
        (Pat::Tuple(tuple), Some(Type::Tuple(types))) if tuple.elems.len() == types.elems.len() => {
            for (pat, ty) in tuple.elems.iter().zip(&types.elems) {
                pair_types(pat, Some(ty), None, out);
            }
        }
        (Pat::Ident(_), ty) => {
            let shown = ty.cloned().or_else(|| init.and_then(shown_type));
            out.extend(
                bindings(pat)
                    .into_iter()
                    .map(|binding| (binding, shown.clone())),
            );
        }
        _ => out.extend(bindings(pat).into_iter().map(|binding| (binding, None))),
    }
}

/// The type that an expression writes out.
fn shown_type(expr: &Expr) -> Option<Type> {
    match expr {
        Expr::Cast(cast) => Some((*cast.ty).clone()),
        Expr::Paren(paren) => shown_type(&paren.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) if !int.suffix().is_empty() => Some(primitive(int.suffix(), expr)),
            Lit::Float(float) if !float.suffix().is_empty() => {
                Some(primitive(float.suffix(), expr))
            }
            Lit::Bool(_) => Some(primitive("bool", expr)),
            Lit::Char(_) => Some(primitive("char", expr)),
            Lit::Byte(_) => Some(primitive("u8", expr)),
            Lit::Str(_) => Some(parse_quote!(&'static ::core::primitive::str)),
            _ => None,
        },
        _ => None,
    }
}

fn primitive(name: &str, place: &Expr) -> Type {
    let name = format_ident!("{name}", span = place.span());
    parse_quote!(#name)
}

/// Whether a type may have a destructor, as far as its tokens tell.
fn drops(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) | Type::Never(_) => false,
        Type::Tuple(tuple) => tuple.elems.iter().any(drops),
        Type::Array(array) => drops(&array.elem),
        Type::Paren(paren) => drops(&paren.elem),
        Type::Group(group) => drops(&group.elem),
        Type::Path(path) => {
            const PLAIN: &[&str] = &[
                "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
                "isize", "f32", "f64", "bool", "char", "str",
            ];
            let name = path.path.get_ident();
            !name.is_some_and(|name| PLAIN.iter().any(|plain| name == plain))
        }
        _ => true,
    }
}

/// What keeps a written type from being the type of a field.
pub(crate) fn unfit_type(ty: &Type) -> Option<Rule> {
    if elides(ty) {
        Some(Rule::ElidedReference)
    } else if holds_word(quote!(#ty), "_").is_some() {
        Some(Rule::InferredType)
    } else {
        None
    }
}
