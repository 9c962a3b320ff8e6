//! The control flow graph, from the tree of a body.

use proc_macro2::Span;

use super::graph::{Block, BlockId, Branch, Cfg, End, ExprExits, Jump, Step};
use crate::hir::{
    Arm, AwaitId, Body, ExprId, Let, LocalId, ScopeId, Stmt, TargetId, Value, diverges, moved, unit,
};

/// Builds the control flow graph of a body.
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
    builder.finished()
}

/// The destination of a value.
#[derive(Clone, Copy)]
enum Dest {
    Return,
    Set(LocalId),
    Drop,
}

struct Builder<'b> {
    body: &'b mut Body,
    blocks: Vec<Block>,
    /// The blocks in the order in which they began.
    order: Vec<BlockId>,
    /// The current block, if its end can be reached.
    current: Option<BlockId>,
    in_scope: Vec<LocalId>,
    targets: Vec<TargetBlocks>,
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

    /// The graph with its blocks in order, without unreachable ones.
    fn finished(mut self) -> Cfg {
        let place = |block: BlockId| {
            let number = self.order.iter().position(|other| *other == block);
            BlockId(number.unwrap_or(0))
        };
        let order = self.order.iter();
        let taken = order.map(|block| std::mem::take(&mut self.blocks[block.0]));
        let mut blocks: Vec<Block> = taken.collect();
        blocks.iter_mut().for_each(|block| block.renumber(place));
        let jumps = self.body.jumps.iter().map(|jump| {
            let mut targets = self.targets.iter();
            let target = targets.find(|target| target.id == jump.target);
            let (to, value) = target.map_or((None, None), |target| target.of(jump.is_continue));
            let to = to.map_or(BlockId(0), place);
            Jump { to, value }
        });
        Cfg {
            jumps: jumps.collect(),
            expr_exits: self.body.exprs.iter().map(ExprExits::of).collect(),
            blocks,
        }
    }

    /// Adds a block that begins with the locals in scope.
    fn block(&mut self) -> BlockId {
        self.block_with(None)
    }

    /// Adds a block that begins with the locals in scope and these.
    fn block_with(&mut self, binds: impl IntoIterator<Item = LocalId>) -> BlockId {
        self.blocks.push(Block {
            in_scope: self.in_scope.iter().copied().chain(binds).collect(),
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

    /// Adds the statements of a block, whose value has a destination.
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
            Stmt::Let(node) => match &node.value {
                None => self.let_(node, None),
                Some(Value::Expr(value)) => self.let_(node, Some(*value)),
                Some(value) => self.value(value, Dest::Set(node.binds[0])),
            },
        }
    }

    /// Adds a `let` whose value contains no await.
    fn let_(&mut self, node: &Let<Value>, value: Option<ExprId>) {
        self.step(Step::Let(Box::new(Let {
            pat: node.pat.clone(),
            ty: node.ty.clone(),
            value,
            otherwise: node.otherwise,
            binds: node.binds.clone(),
        })));
        let otherwise = node.otherwise.and_then(|it| self.body.else_blocks.get(&it));
        if let Some(block) = otherwise.copied() {
            self.else_block(block.target, block.body);
        }
        self.in_scope.extend(&node.binds);
        if self.diverges(value) {
            self.end(End::Never);
        }
    }

    /// Adds the blocks of an `else` that awaits, beside the current block.
    fn else_block(&mut self, id: TargetId, body: ScopeId) {
        let (current, after) = (self.current, self.block());
        self.targets.push(TargetBlocks {
            id,
            head: None,
            after,
            value: None,
        });
        self.begin(after);
        self.scope(body, Dest::Drop);
        self.end(End::Never);
        self.current = current;
    }

    /// Returns `true` if a value diverges.
    fn diverges(&self, value: Option<ExprId>) -> bool {
        value.is_some_and(|value| diverges(&self.body.exprs[value.0]))
    }

    /// Ends an expression: returns its value, or adds the step for its destination.
    fn finish(&mut self, value: Option<ExprId>, dest: Dest) {
        let diverges = self.diverges(value);
        if let (Dest::Return, false) = (dest, diverges) {
            return self.end(End::Return(value));
        }
        if let Some(step) = self.step_of(value, dest) {
            self.step(step);
        }
        if diverges {
            self.end(End::Never);
        }
    }

    /// The step for the destination of a value.
    fn step_of(&mut self, value: Option<ExprId>, dest: Dest) -> Option<Step> {
        match dest {
            Dest::Set(local) if !self.diverges(value) => {
                let value = value.unwrap_or_else(|| self.body.add(unit()));
                Some(Step::Set { local, value })
            }
            Dest::Return if !self.diverges(value) => Some(Step::Return(value)),
            _ => value.map(Step::Eval),
        }
    }

    fn value(&mut self, value: &Value, dest: Dest) {
        match value {
            Value::Expr(value) => {
                self.finish(Some(*value), dest);
                self.declare(dest);
            }
            Value::Await(id) => self.suspend(*id, dest),
            Value::Branches { on, arms } => self.branching(*on, arms, dest),
            Value::Loop { id, body } => self.loop_(*id, *body, dest),
            Value::Block { id, body } => self.labelled(*id, *body, dest),
        }
    }

    fn branching(&mut self, on: ExprId, arms: &[Arm], dest: Dest) {
        let after = self.block_with(set(dest));
        let branches = arms.iter().map(|arm| self.branch(arm, dest, after));
        let (branches, awaiting): (Vec<Branch>, _) = branches.unzip();
        let mut is_reached = branches.iter().any(|branch| branch.to == Some(after));
        self.end(End::Branches { on, branches });
        is_reached |= self.branches(awaiting, dest, after);
        if is_reached && !matches!(dest, Dest::Return) {
            self.begin(after);
            self.declare(dest);
        }
    }

    /// Adds a block that a jump to its label can leave.
    fn labelled(&mut self, id: TargetId, body: ScopeId, dest: Dest) {
        let after = self.block_with(set(dest));
        self.targets.push(TargetBlocks {
            id,
            head: None,
            after,
            value: set(dest),
        });
        self.scope(body, dest);
        let is_reached = self.current.is_some() || self.body.has_break(id);
        self.goto(after);
        if is_reached {
            self.begin(after);
            self.declare(dest);
        }
    }

    fn declare(&mut self, dest: Dest) {
        let value = set(dest).filter(|value| !self.in_scope.contains(value));
        self.in_scope.extend(value);
    }

    fn suspend(&mut self, id: AwaitId, dest: Dest) {
        let resume = self.block();
        let operand = self.body.awaits[id.0].operand;
        let output = self.body.awaits[id.0].output;
        self.end(End::Suspend {
            id,
            operand,
            resume,
        });
        self.begin(resume);
        self.in_scope.push(output);
        if set(dest) != Some(output) {
            let ident = self.body.locals[output.0].ident.clone();
            let value = self.body.add(moved(ident, Span::call_site()));
            self.finish(Some(value), dest);
            self.in_scope.pop();
            self.declare(dest);
        }
    }

    fn loop_(&mut self, id: TargetId, body: ScopeId, dest: Dest) {
        let after = self.block_with(set(dest));
        let head = self.block();
        self.goto(head);
        self.begin(head);
        self.targets.push(TargetBlocks {
            id,
            head: Some(head),
            after,
            value: set(dest),
        });
        self.scope(body, Dest::Drop);
        self.goto(head);
        if self.body.has_break(id) {
            self.begin(after);
            self.declare(dest);
        }
    }

    /// Lowers a branch. Also returns the rest of a branch that awaits, which needs a block of its
    /// own.
    fn branch(
        &mut self,
        arm: &Arm,
        dest: Dest,
        after: BlockId,
    ) -> (Branch, Option<AwaitingBranch>) {
        let mut branch = Branch {
            pat: arm.pat.clone(),
            guard: arm.guard,
            binds: arm.binds.clone(),
            ..Branch::default()
        };
        let value = match arm.body.map(|body| (body, self.only_value(body))) {
            None => None,
            Some((_, Some(value))) => value,
            Some((body, None)) => {
                let binds = arm.binds.clone();
                let block = self.block_with(binds.iter().copied());
                branch.to = Some(block);
                return (branch, Some(AwaitingBranch { block, body, binds }));
            }
        };
        if !self.diverges(value) && !matches!(dest, Dest::Return) {
            branch.to = Some(after);
        }
        branch.steps.extend(self.step_of(value, dest));
        (branch, None)
    }

    /// The value of a scope that contains nothing else and no await.
    fn only_value(&self, id: ScopeId) -> Option<Option<ExprId>> {
        let scope = &self.body.scopes[id.0];
        match &scope.value {
            _ if !scope.stmts.is_empty() => None,
            None => Some(None),
            Some(Value::Expr(value)) => Some(Some(*value)),
            Some(_) => None,
        }
    }

    /// Adds the blocks of the branches that await. Returns `true` if one of them continues with the
    /// block after them.
    fn branches(
        &mut self,
        awaiting: Vec<Option<AwaitingBranch>>,
        dest: Dest,
        after: BlockId,
    ) -> bool {
        let mut continues = false;
        for AwaitingBranch { block, body, binds } in awaiting.into_iter().flatten() {
            let depth = self.in_scope.len();
            self.in_scope.extend(binds);
            self.begin(block);
            self.scope(body, dest);
            continues |= self.current.is_some();
            self.goto(after);
            self.in_scope.truncate(depth);
        }
        continues
    }
}

/// A branch that awaits.
struct AwaitingBranch {
    block: BlockId,
    body: ScopeId,
    binds: Vec<LocalId>,
}

fn set(dest: Dest) -> Option<LocalId> {
    match dest {
        Dest::Set(local) => Some(local),
        Dest::Return | Dest::Drop => None,
    }
}

/// The blocks of a loop or block that jumps can leave.
pub(super) struct TargetBlocks {
    pub(super) id: TargetId,
    pub(super) head: Option<BlockId>,
    pub(super) after: BlockId,
    pub(super) value: Option<LocalId>,
}

impl TargetBlocks {
    /// The block to which a jump leads, and the local that receives its value.
    pub(super) fn of(&self, is_continue: bool) -> (Option<BlockId>, Option<LocalId>) {
        if is_continue {
            (self.head.or(Some(self.after)), None)
        } else {
            (Some(self.after), self.value)
        }
    }
}
