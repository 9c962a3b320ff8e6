//! From the tree to blocks.

use syn::{Pat, parse_quote};

use super::diverge::diverges;
use super::graph::{Block, BlockId, Branch, Cfg, End, Step};
use super::order::{Target, finished};
use crate::hir::{Arm, AwaitId, Body, ExprId, LocalId, ScopeId, Stmt, TargetId, Value};

/// Draws the control flow of a body.
pub(crate) fn build(body: &mut Body) -> Cfg {
    let mut builder = Builder {
        body,
        blocks: Vec::new(),
        order: Vec::new(),
        current: None,
        in_scope: Vec::new(),
        targets: Vec::new(),
    };
    builder.function();
    let Builder {
        body,
        blocks,
        order,
        targets,
        ..
    } = builder;
    finished(body, blocks, &order, &targets)
}

/// What happens to a value.
#[derive(Clone, Copy)]
enum Dest {
    Return,
    Set(LocalId),
    Drop,
}

pub(super) struct Builder<'b> {
    pub(super) body: &'b mut Body,
    pub(super) blocks: Vec<Block>,
    /// The blocks in the order in which they began.
    pub(super) order: Vec<BlockId>,
    /// The block at hand, if its end can be reached.
    pub(super) current: Option<BlockId>,
    pub(super) in_scope: Vec<LocalId>,
    pub(super) targets: Vec<Target>,
}

impl Builder<'_> {
    fn function(&mut self) {
        let arguments = self.body.locals.iter().enumerate();
        let arguments = arguments.filter(|(_, local)| local.is_argument());
        self.in_scope = arguments.map(|(id, _)| LocalId(id)).collect();
        let start = self.block();
        self.begin(start);
        self.scope(self.body.root, Dest::Return);
    }

    /// A block that begins with what is in scope now.
    fn block(&mut self) -> BlockId {
        let in_scope = self.in_scope.clone();
        self.blocks.push(Block {
            in_scope,
            ..Block::default()
        });
        BlockId(self.blocks.len() - 1)
    }

    fn begin(&mut self, block: BlockId) {
        self.order.push(block);
        self.current = Some(block);
    }

    fn step(&mut self, step: Step) {
        if let Some(block) = self.current {
            self.blocks[block.0].steps.push(step);
        }
    }

    fn end(&mut self, end: End) {
        if let Some(block) = self.current.take() {
            self.blocks[block.0].end = end;
        }
    }

    fn goto(&mut self, block: BlockId) {
        self.end(End::Goto(block));
    }

    /// A block of statements, whose value has a destination.
    fn scope(&mut self, id: ScopeId, dest: Dest) {
        let depth = self.in_scope.len();
        let scope = std::mem::take(&mut self.body.scopes[id.0]);
        for stmt in &scope.stmts {
            if self.current.is_some() {
                self.stmt(stmt);
            }
        }
        match &scope.value {
            Some(value) if self.current.is_some() => self.value(value, dest),
            _ => self.finish(None, dest),
        }
        self.body.scopes[id.0] = scope;
        self.in_scope.truncate(depth);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Eval(value) => self.value(value, Dest::Drop),
            Stmt::Let {
                pat,
                ty,
                value,
                otherwise,
                binds,
            } => {
                let value = match value {
                    None => None,
                    Some(Value::Whole(value)) => Some(*value),
                    Some(value) => {
                        self.value(value, Dest::Set(binds[0]));
                        return;
                    }
                };
                let (pat, ty, otherwise) = (pat.clone(), ty.clone(), *otherwise);
                self.step(Step::Let {
                    pat,
                    ty,
                    value,
                    otherwise,
                    binds: binds.clone(),
                });
                self.in_scope.extend(binds);
                if value.is_some_and(|value| diverges(&self.body.exprs[value.0])) {
                    self.end(End::Never);
                }
            }
        }
    }

    /// What a value is for.
    fn finish(&mut self, value: Option<ExprId>, dest: Dest) {
        if let Some(value) = value
            && diverges(&self.body.exprs[value.0])
        {
            self.step(Step::Eval(value));
            return self.end(End::Never);
        }
        match (dest, value) {
            (Dest::Return, value) => self.end(End::Return(value)),
            (Dest::Drop, Some(value)) => self.step(Step::Eval(value)),
            (Dest::Drop, None) => {}
            (Dest::Set(local), value) => {
                let value = value.unwrap_or_else(|| self.unit());
                self.step(Step::Set { local, value });
            }
        }
    }

    fn unit(&mut self) -> ExprId {
        self.body.exprs.push(parse_quote!(()));
        ExprId(self.body.exprs.len() - 1)
    }

    fn value(&mut self, value: &Value, dest: Dest) {
        match value {
            Value::Whole(value) => {
                self.finish(Some(*value), dest);
                self.declare(dest);
            }
            Value::Await(id) => self.suspend(*id, dest),
            Value::If {
                condition,
                binds,
                then,
                otherwise,
            } => {
                let after = self.after(dest);
                let then = self.branch(None, None, binds, Some(*then), dest, after);
                let otherwise = self.branch(None, None, &[], *otherwise, dest, after);
                let (branches, waiting) = split([then, otherwise]);
                let [then, otherwise] = branches;
                self.end(End::If {
                    condition: *condition,
                    then,
                    otherwise,
                });
                self.branches(waiting, dest, after);
            }
            Value::Match { scrutinee, arms } => {
                let after = self.after(dest);
                let arms: Vec<_> = arms.iter().map(|arm| self.arm(arm, dest, after)).collect();
                let (arms, waiting) = arms.into_iter().unzip();
                self.end(End::Match {
                    scrutinee: *scrutinee,
                    arms,
                });
                self.branches(waiting, dest, after);
            }
            Value::Loop { id, body } => self.loop_(*id, *body, dest),
            Value::Block { id, body } => {
                let after = self.after(dest);
                let value = set(dest);
                self.targets.push(Target {
                    id: *id,
                    head: None,
                    after,
                    value,
                });
                self.scope(*body, dest);
                self.goto(after);
                self.begin(after);
                self.declare(dest);
            }
        }
    }

    /// The block behind a construct, in which its value is in scope.
    fn after(&mut self, dest: Dest) -> BlockId {
        let depth = self.in_scope.len();
        self.in_scope.extend(set(dest));
        let after = self.block();
        self.in_scope.truncate(depth);
        after
    }

    fn declare(&mut self, dest: Dest) {
        let value = set(dest).filter(|value| !self.in_scope.contains(value));
        self.in_scope.extend(value);
    }

    fn suspend(&mut self, id: AwaitId, dest: Dest) {
        let resume = self.block();
        self.end(End::Suspend { id, resume });
        self.begin(resume);
        let output = self.body.awaits[id.0].output;
        self.in_scope.push(output);
        if set(dest) != Some(output) {
            let ident = &self.body.locals[output.0].ident;
            self.body.exprs.push(parse_quote!(({ #ident })));
            let value = ExprId(self.body.exprs.len() - 1);
            self.finish(Some(value), dest);
            self.in_scope.pop();
            self.declare(dest);
        }
    }

    fn loop_(&mut self, id: TargetId, body: ScopeId, dest: Dest) {
        let after = self.after(dest);
        let head = self.block();
        self.goto(head);
        self.begin(head);
        self.targets.push(Target {
            id,
            head: Some(head),
            after,
            value: set(dest),
        });
        self.scope(body, Dest::Drop);
        self.goto(head);
        if self.is_left(id) {
            self.begin(after);
            self.declare(dest);
        }
    }

    /// Whether anything jumps behind the loop.
    fn is_left(&self, id: TargetId) -> bool {
        let mut jumps = self.body.jumps.iter();
        jumps.any(|jump| jump.target == id && !jump.is_continue)
    }

    fn arm(&mut self, arm: &Arm, dest: Dest, after: BlockId) -> (Branch, Option<Waiting>) {
        let pat = Some(arm.pat.clone());
        self.branch(pat, arm.guard, &arm.binds, Some(arm.body), dest, after)
    }

    /// A branch, and what is left to be done in a block of its own.
    fn branch(
        &mut self,
        pat: Option<Pat>,
        guard: Option<ExprId>,
        binds: &[LocalId],
        body: Option<ScopeId>,
        dest: Dest,
        after: BlockId,
    ) -> (Branch, Option<Waiting>) {
        let binds = binds.to_vec();
        let mut branch = Branch {
            pat,
            guard,
            binds,
            steps: Vec::new(),
            to: Some(after),
        };
        let value = match body.map(|body| (body, &self.body.scopes[body.0])) {
            None => None,
            Some((_, scope)) if scope.stmts.is_empty() && scope.value.is_none() => None,
            Some((body, scope)) => match &scope.value {
                Some(Value::Whole(value)) if scope.stmts.is_empty() => Some(*value),
                _ => {
                    let depth = self.in_scope.len();
                    self.in_scope.extend(&branch.binds);
                    let block = self.block();
                    self.in_scope.truncate(depth);
                    branch.to = Some(block);
                    let binds = branch.binds.clone();
                    return (branch, Some(Waiting { block, body, binds }));
                }
            },
        };
        if let Some(value) = value
            && diverges(&self.body.exprs[value.0])
        {
            branch.steps.push(Step::Eval(value));
            branch.to = None;
            return (branch, None);
        }
        match dest {
            Dest::Return => {
                branch.steps.push(Step::Return(value));
                branch.to = None;
            }
            Dest::Set(local) => {
                let value = value.unwrap_or_else(|| self.unit());
                branch.steps.push(Step::Set { local, value });
            }
            Dest::Drop => branch.steps.extend(value.map(Step::Eval)),
        }
        (branch, None)
    }

    /// The blocks of the branches that wait, and what is behind them.
    fn branches(&mut self, waiting: Vec<Option<Waiting>>, dest: Dest, after: BlockId) {
        for Waiting { block, body, binds } in waiting.into_iter().flatten() {
            let depth = self.in_scope.len();
            self.in_scope.extend(binds);
            self.begin(block);
            self.scope(body, dest);
            self.goto(after);
            self.in_scope.truncate(depth);
        }
        if !matches!(dest, Dest::Return) {
            self.begin(after);
            self.declare(dest);
        }
    }
}

/// A branch that waits.
struct Waiting {
    block: BlockId,
    body: ScopeId,
    binds: Vec<LocalId>,
}

fn split<const N: usize>(
    branches: [(Branch, Option<Waiting>); N],
) -> ([Branch; N], Vec<Option<Waiting>>) {
    let mut waiting = Vec::new();
    let branches = branches.map(|(branch, left)| {
        waiting.push(left);
        branch
    });
    (branches, waiting)
}

fn set(dest: Dest) -> Option<LocalId> {
    match dest {
        Dest::Set(local) => Some(local),
        Dest::Return | Dest::Drop => None,
    }
}
