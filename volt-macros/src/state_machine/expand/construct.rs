//! The code of expressions that hold an await: from their beginning, or from the await on.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Pat};

use super::code::{Code, as_block};
use super::leaving::leaves;
use super::rewrite::{Frame, Resumed};
use super::segment::{Entry, Segment};
use crate::state_machine::body::{Arm, Block, If, Kind, LocalId, Loop, Match, Node, NodeId, Spine};
use crate::state_machine::model::JumpKind;
use crate::state_machine::names;
use crate::state_machine::scope::holds_word;

impl Segment<'_> {
    pub(super) fn node(&mut self, node: &Node, focus: Option<NodeId>) -> Code {
        if focus == Some(node.id) && matches!(self.entry, Entry::After(_)) {
            return match self.machine.jump(node.id, false).map(|jump| jump.kind) {
                Some(JumpKind::After { value: true }) => Code::name(&names::local("value")),
                _ => Code {
                    falls: true,
                    ..Code::default()
                },
            };
        }
        match &node.kind {
            Kind::Plain(expr) => Code {
                falls: !leaves(expr),
                ..Code::value(self.plain(expr))
            },
            Kind::Await(point) if focus == Some(node.id) => {
                Code::name(&names::local_at("output", point.span))
            }
            Kind::Await(point) => Code::diverges(self.suspend(node.id, point)),
            Kind::Spine(spine) => self.spine(spine, focus),
            Kind::Block(block) => {
                let code = self.inner_block(node.id, block, focus);
                self.leave(node.id, code)
            }
            Kind::If(found) => {
                let code = self.if_node(found, focus);
                self.leave(node.id, code)
            }
            Kind::Match(found) => {
                let code = self.match_node(found, focus);
                self.leave(node.id, code)
            }
            Kind::Loop(found) => self.loop_node(node.id, found, focus),
        }
    }

    pub(super) fn spine(&mut self, spine: &Spine, focus: Option<NodeId>) -> Code {
        let inner = self.node(&spine.inner, focus);
        if !inner.falls {
            return inner;
        }
        let hole = if spine.moves {
            inner.expr()
        } else {
            inner.temporary()
        };
        let hole = if spine.moves && inner.is_name {
            hole
        } else {
            quote!((#hole))
        };
        let mut template = spine.template.clone();
        self.rewrite(&mut template, Some(hole));
        let leaves = matches!(spine.template, Expr::Return(_) | Expr::Break(_));
        Code {
            falls: !leaves,
            ..Code::value(template.into_token_stream())
        }
    }

    pub(super) fn inner_block(&mut self, id: NodeId, block: &Block, focus: Option<NodeId>) -> Code {
        let mut code = self.block(block, focus, false);
        code.value = code.value.map(|value| self.proven_tail(value));
        let (label, unsafety) = (&block.label, &block.unsafety);
        let inside = code.inside();
        // Of a block that was resumed, only some of the ways out may be left.
        let breaks = label.as_ref().is_some_and(|label| {
            let name = label.name.ident.to_string();
            holds_word(inside.clone(), &name).is_some()
        });
        let falls = code.falls || (breaks && self.is_left(id));
        match falls {
            true => Code::value(quote!(#label #unsafety { #inside })),
            false => Code::diverges(quote!(#label #unsafety { #inside })),
        }
    }

    pub(super) fn if_node(&mut self, node: &If, focus: Option<NodeId>) -> Code {
        let in_cond = focus.is_some_and(|focus| node.cond.holds(focus));
        if let Some(focus) = focus.filter(|_| !in_cond) {
            return match &node.otherwise {
                Some(otherwise) if otherwise.holds(focus) => self.node(otherwise, Some(focus)),
                _ => self.branch(&node.then, Some(focus), &node.bound),
            };
        }
        let cond = self.node(&node.cond, focus);
        if !cond.falls {
            return cond;
        }
        let cond = cond.expr();
        let then = self.branch(&node.then, None, &node.bound);
        let otherwise = node
            .otherwise
            .as_ref()
            .map(|node| (self.node(node, None), &node.kind));
        let falls = then.falls || otherwise.as_ref().is_none_or(|(code, _)| code.falls);
        let then = as_block(&then);
        let otherwise = otherwise.map(|(code, kind)| match (kind, &code.value) {
            (Kind::If(_), Some(value)) if code.stmts.is_empty() => quote!(else #value),
            (Kind::Plain(Expr::If(_)), Some(value)) => quote!(else #value),
            _ => {
                let block = as_block(&code);
                quote!(else #block)
            }
        });
        Code {
            falls,
            ..Code::value(quote!(if #cond #then #otherwise))
        }
        .settled()
    }

    /// A block in which bindings of a pattern are in scope.
    pub(super) fn branch(
        &mut self,
        block: &Block,
        focus: Option<NodeId>,
        bound: &[LocalId],
    ) -> Code {
        let before = match focus {
            Some(_) => self.restore(bound),
            None => self.bound(bound),
        };
        let code = self.block(block, focus, false);
        let inside = code.inside();
        match code.falls {
            true => Code::value(quote!({ #before #inside })),
            false => Code::diverges(quote!({ #before #inside })),
        }
    }

    pub(super) fn match_node(&mut self, node: &Match, focus: Option<NodeId>) -> Code {
        let in_scrutinee = focus.is_some_and(|focus| node.scrutinee.holds(focus));
        if let Some(focus) = focus.filter(|_| !in_scrutinee) {
            let arm = node.arms.iter().find(|arm| arm.body.holds(focus));
            return arm.map_or_else(Code::default, |arm| self.resumed_arm(arm, focus));
        }
        let scrutinee = self.node(&node.scrutinee, focus);
        if !scrutinee.falls {
            return scrutinee;
        }
        let mut value = scrutinee.temporary();
        if let Some(residue) = &node.residue {
            value = residue.proven(&value, self.volt());
        }
        if matches!(&node.scrutinee.kind, Kind::Spine(spine) if matches!(spine.template, Expr::Struct(_)))
        {
            value = quote!((#value));
        }
        let mut falls = false;
        let mut arms = TokenStream::new();
        for arm in &node.arms {
            let proofs = self.bound(&arm.bound);
            let body = self.node(&arm.body, None);
            falls |= body.falls;
            let mut pat = arm.source.pat.clone();
            if let Pat::Guard(guard) = &mut pat {
                self.rewrite(&mut guard.guard, None);
            }
            let attrs = &arm.source.attrs;
            let unpacked = &arm.unpacked;
            let body = match unpacked.is_none() && proofs.is_empty() && body.stmts.is_empty() {
                true => body.expr(),
                false => {
                    let inside = body.inside();
                    quote!({ #unpacked #proofs #inside })
                }
            };
            arms.extend(quote!(#(#attrs)* #pat => #body,));
        }
        Code {
            falls,
            ..Code::value(quote!(match #value { #arms }))
        }
        .settled()
    }

    fn resumed_arm(&mut self, arm: &Arm, focus: NodeId) -> Code {
        let mut maybe = arm.bound.iter();
        let maybe = maybe.any(|&local| self.machine.is_conditional(local));
        let restored = maybe.then(|| self.restore(&arm.bound));
        let code = self.node(&arm.body, Some(focus));
        if !code.falls && restored.is_none() {
            return code;
        }
        let (inside, falls) = (code.inside(), code.falls);
        Code {
            falls,
            ..Code::value(quote!({ #restored #inside }))
        }
        .settled()
    }

    pub(super) fn loop_node(&mut self, id: NodeId, node: &Loop, focus: Option<NodeId>) -> Code {
        let at_head = self.entry == Entry::Head(id);
        let code = match focus {
            Some(focus) if focus != id => self.resumed_loop(id, node, focus),
            _ => match self.jump(id, true).filter(|_| !at_head) {
                Some(jump) => return Code::diverges(jump),
                None => self.whole_loop(id, node),
            },
        };
        self.leave(id, code)
    }

    pub(super) fn whole_loop(&mut self, id: NodeId, node: &Loop) -> Code {
        self.frames.push(Frame {
            label: node.label.clone(),
            resumed: None,
        });
        let head = match &node.cond {
            Some((token, cond)) => {
                let cond = self.plain(cond);
                quote!(#token #cond)
            }
            None => quote!(loop),
        };
        let proofs = self.bound(&node.bound);
        let body = self.block(&node.body, None, false);
        self.frames.pop();
        let (label, inside) = (&node.label, body.inside());
        let code = quote!(#label #head { #proofs #inside });
        match self.is_left(id) {
            true => Code::value(code),
            false => Code::diverges(code),
        }
    }

    /// The rest of a turn, then the head again.
    pub(super) fn resumed_loop(&mut self, id: NodeId, node: &Loop, focus: NodeId) -> Code {
        let depth = self.frames.len();
        self.frames.push(Frame {
            label: node.label.clone(),
            resumed: Some(Resumed {
                exit: names::label(&format!("exit_{depth}")),
                again: names::label(&format!("again_{depth}")),
                exits: false,
                agains: false,
            }),
        });
        let body = self.block(&node.body, Some(focus), false);
        let frame = self.frames.pop().and_then(|frame| frame.resumed);
        let Some(Resumed {
            exit,
            again,
            exits,
            agains,
        }) = frame
        else {
            return body;
        };
        let again = agains.then(|| quote!(#again:));
        let jump = self.jump(id, true).filter(|_| body.falls || agains);
        let (restored, inside) = (self.restore(&node.bound), body.inside());
        let turn = quote!({ #restored #inside });
        match exits {
            true => Code::value(quote!(#exit: { #again #turn #jump })),
            false => Code::diverges(quote!(#again #turn #jump)),
        }
    }
}
