//! The fields of a machine, and the blocks in which they are live.

use std::collections::BTreeSet;

use proc_macro2::Ident;

use crate::cfg::{Block, BlockId, Cfg, Step, counted};
use crate::fallback::{FallbackReason, Fallbacks};
use crate::hir::{AwaitId, Body, LocalId, is_copy, is_fully_written};
use crate::liveness::{Live, Liveness, Need, QueryId, poll_fn};

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldContent {
    Local(LocalId),
    Future(AwaitId),
}

/// A field, and the sets of blocks in which it is live.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) content: FieldContent,
    /// The blocks in which it is always stored.
    pub(crate) used: u128,
    /// The blocks in which it is stored if it has a destructor.
    pub(crate) scope: u128,
    /// The blocks in which it is stored unless a method moved it: for each query `used` and
    /// `scope`.
    pub(crate) unless: Vec<(QueryId, [u128; 2])>,
    /// The blocks in which it is stored unless none of these locals can borrow from it, or a method
    /// moved it.
    pub(crate) borrowed: Vec<(Vec<LocalId>, Option<QueryId>, u128)>,
}

impl Field {
    fn new(content: FieldContent, used: u128) -> Self {
        Self {
            content,
            used,
            scope: 0,
            unless: Vec::new(),
            borrowed: Vec::new(),
        }
    }

    /// Records a block in which it is stored only if it has a destructor, or if another local
    /// borrows from it.
    fn enter_unused(&mut self, bit: u128, need: Need, others: Vec<LocalId>) {
        let (scope, query) = match need {
            Need::Unless(query) => (need, Some(query)),
            Need::Used | Need::Scope => (Need::Scope, None),
        };
        self.enter(bit, scope, false);
        self.borrowed.push((others, query, bit));
    }

    /// Records a block in which it is stored. `is_lent` is `true` if an await borrows it.
    fn enter(&mut self, bit: u128, need: Need, is_borrowed: bool) {
        match need {
            Need::Used => self.used |= bit,
            Need::Scope => self.scope |= bit,
            Need::Unless(query) => {
                let mut sets = [0; 2];
                sets[usize::from(!is_borrowed)] = bit;
                self.unless.push((query, sets));
            }
        }
    }
}

/// The place of a local between blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the field with this number.
    Field(usize),
    /// On the stack of the poll.
    Stack,
    /// Only within its block.
    Nowhere,
}

/// The layout of a machine.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The fields of locals in the order of their declarations, then those of futures.
    pub(crate) fields: Vec<Field>,
    /// The place of each local.
    pub(crate) places: Vec<Place>,
    /// The number of each block: zero for the start, and the number of its state for a block after
    /// an await.
    pub(crate) numbers: Vec<u8>,
    /// The block after each await.
    pub(crate) resumes: Vec<BlockId>,
    /// The locals that are live where each block begins, in the order of their declarations,
    /// without the output of the await before it.
    pub(crate) entry: Vec<Vec<Live>>,
    /// For each await, `true` if each poll creates the operand again and does not store it.
    pub(crate) recreated: Vec<bool>,
    /// The awaits that count towards the limit of a poll.
    pub(crate) counted: Vec<bool>,
    /// Locals of whose types the compiler decides whether they may borrow.
    pub(crate) queried: Vec<LocalId>,
}

impl Layout {
    /// Places all locals and futures, or returns the reason for which it cannot.
    pub(crate) fn of(
        body: &Body,
        cfg: &Cfg,
        liveness: &Liveness,
        function: &Ident,
    ) -> Result<Self, Fallbacks> {
        let refused = |reason| Fallbacks::of(reason, function);
        let resumes = resumes(body, cfg).ok_or_else(|| refused(FallbackReason::NeverReached))?;
        let mut layout = Self {
            fields: Vec::new(),
            places: vec![Place::Nowhere; body.locals.len()],
            numbers: numbers(cfg, &resumes).ok_or_else(|| refused(FallbackReason::TooLarge))?,
            entry: entry(body, cfg, liveness, &resumes),
            resumes,
            recreated: recreated(body),
            counted: counted(cfg),
            queried: Vec::new(),
        };
        layout
            .enter_recreated(body, cfg, liveness)
            .map_err(refused)?;
        layout.choose(body);
        let mut bare = liveness.uninitialized.iter().flatten();
        if let Some(local) = bare.find(|local| layout.has_no_type(body, **local)) {
            let ident = &body.locals[local.0].ident;
            return Err(Fallbacks::of(FallbackReason::ReassignedUntyped, ident));
        }
        layout.enter_locals(cfg, liveness);
        layout.ask();
        layout.enter_futures();
        Ok(layout)
    }

    /// Records the locals of operands that each poll creates again. Such an operand did not move
    /// them, and liveness does not know that they are needed. A `Copy` local has no other use.
    fn enter_recreated(
        &mut self,
        body: &Body,
        cfg: &Cfg,
        of: &Liveness,
    ) -> Result<(), FallbackReason> {
        for id in (0..self.recreated.len()).filter(|id| self.recreated[*id]) {
            if of.operands[id].query.is_some() {
                return Err(FallbackReason::StoredClosure);
            }
            let resume = self.resumes[id].0;
            let (in_scope, lives) = (&cfg.blocks[resume].in_scope, &mut self.entry[resume]);
            for local in body.named(body.awaits[id].operand) {
                if !in_scope.contains(&local) || lives.iter().any(|live| live.local == local) {
                    continue;
                }
                if !body.has_type(local, is_copy) {
                    return Err(FallbackReason::StoredClosure);
                }
                let need = Need::Used;
                lives.push(Live { local, need });
            }
            in_order(lives, in_scope);
        }
        Ok(())
    }

    /// Lists the locals of whose types the compiler decides whether they may borrow.
    fn ask(&mut self) {
        let borrowed = self.fields.iter().flat_map(|field| &field.borrowed);
        let queried: BTreeSet<_> = borrowed.flat_map(|(others, ..)| others).copied().collect();
        self.queried = queried.into_iter().collect();
    }

    /// Adds a field for each awaited future.
    fn enter_futures(&mut self) {
        for id in 0..self.resumes.len() {
            let content = FieldContent::Future(AwaitId(id));
            self.fields.push(Field::new(content, 1 << (id + 1)));
        }
    }

    /// Returns `true` if an awaited future may borrow or move a local of the machine.
    pub(crate) fn borrows_locals(&self, liveness: &Liveness) -> bool {
        let mut operands = liveness.operands.iter().zip(&self.recreated);
        !liveness.queries.is_empty()
            || !liveness.stable.is_empty()
            || operands.any(|(operand, recreated)| !recreated && !operand.borrows.is_empty())
    }

    /// Returns the set of states that are stored between polls: the start, and the awaits.
    pub(crate) fn stored_states(&self) -> u128 {
        (1 << (self.resumes.len() + 1)) - 1
    }

    /// Returns `true` if a field may be live only between two awaits. Then it is on the stack of
    /// the poll.
    pub(crate) fn may_be_on_stack(&self, field: usize) -> bool {
        let field = &self.fields[field];
        field.used != 0 && field.used & self.stored_states() == 0
    }

    /// Returns the field of an awaited future.
    pub(crate) fn future(&self, id: AwaitId) -> usize {
        // The fields of futures are the last ones.
        self.fields.len() - self.resumes.len() + id.0
    }

    /// Returns `true` if a local that is declared again has neither a written type nor a place.
    fn has_no_type(&self, body: &Body, local: LocalId) -> bool {
        !body.has_type(local, is_fully_written) && self.places[local.0] == Place::Nowhere
    }

    /// Chooses the kind of place of each local.
    fn choose(&mut self, body: &Body) {
        for live in self.entry.iter().flatten() {
            self.places[live.local.0] = Place::Stack;
        }
        let live = self.resumes.iter().flat_map(|block| &self.entry[block.0]);
        let live_at_awaits: Vec<LocalId> = live.map(|live| live.local).collect();
        for id in (0..body.locals.len()).map(LocalId) {
            if body.locals[id.0].is_argument() || live_at_awaits.contains(&id) {
                self.places[id.0] = Place::Field(self.fields.len());
                // The constructor stores each argument, used or not.
                let used = u128::from(body.locals[id.0].is_argument());
                self.fields.push(Field::new(FieldContent::Local(id), used));
            }
        }
    }

    /// Returns the fields of the locals that a block declares in their places.
    fn declared(&self, block: &Block, liveness: &Liveness) -> Vec<usize> {
        let declared = block.steps.iter().flat_map(Step::declares);
        let stable = declared.filter(|local| liveness.stable.contains(local));
        let fields = stable.filter_map(|local| match self.places[local.0] {
            Place::Field(field) => Some(field),
            _ => None,
        });
        fields.collect()
    }

    /// Records the blocks in which the fields of locals are live. The start stores all arguments.
    fn enter_locals(&mut self, cfg: &Cfg, liveness: &Liveness) {
        // The bits after those of all blocks.
        let mut between = 1_u128 << (self.entry.len() + 2);
        for block in 0..self.entry.len() {
            let awaited = cfg.awaited_before(BlockId(block));
            let queried = awaited.and_then(|id| liveness.operands[id.0].query);
            let mut bits = 1 << self.numbers[block];
            let declared = self.declared(&cfg.blocks[block], liveness);
            if !declared.is_empty() {
                // A local in its place is stored at its declaration, together with the locals that
                // the block has by then, but not with the future before the block.
                bits |= between;
                for field in declared {
                    self.fields[field].used |= between;
                }
                between = next_set(between);
            }
            let queried = queried.map(|(local, _)| local);
            self.enter_block(BlockId(block), bits, queried, liveness);
        }
        self.enter_nowhere(between);
    }

    /// Records that the locals which are live where a block begins are stored in these sets.
    /// `asked` is the local of the query in the await before the block.
    fn enter_block(&mut self, block: BlockId, bits: u128, queried: Option<LocalId>, of: &Liveness) {
        for Live { local, need } in &self.entry[block.0] {
            let Place::Field(field) = self.places[local.0] else {
                continue;
            };
            let field = &mut self.fields[field];
            if let Some(others) = of.dead_borrows.get(&(block, *local)) {
                field.enter_unused(bits, *need, others.iter().copied().collect());
                continue;
            }
            let is_borrowed = queried == Some(*local) || of.stable.contains(local);
            field.enter(bits, *need, is_borrowed);
        }
    }

    /// Places a field that no state stores. Without a local that borrows from it, it is on the
    /// stack.
    fn enter_nowhere(&mut self, mut between: u128) {
        for field in &mut self.fields {
            if field.used == 0 && !field.borrowed.is_empty() {
                field.used = between;
                between = next_set(between);
            }
        }
    }
}

/// Returns the set after another one. There is none after the last one, so it is used again: the
/// fields of both then share no bytes, which only makes the machine larger.
fn next_set(set: u128) -> u128 {
    set.rotate_left(1).max(set)
}

/// For each await, `true` if each poll creates its operand again.
fn recreated(body: &Body) -> Vec<bool> {
    let operands = body.awaits.iter().map(|data| &body.exprs[data.operand.0]);
    operands.map(|operand| poll_fn(operand).is_some()).collect()
}

/// The live locals of each block. After an await they include the locals that its future borrowed.
fn entry(body: &Body, cfg: &Cfg, liveness: &Liveness, resumes: &[BlockId]) -> Vec<Vec<Live>> {
    let mut entry = liveness.entry.clone();
    for (id, resume) in resumes.iter().enumerate() {
        let lives = &mut entry[resume.0];
        lives.retain(|live| live.local != body.awaits[id].output);
        for &local in &liveness.operands[id].borrows {
            lives.retain(|live| live.local != local);
            let need = Need::Used;
            lives.push(Live { local, need });
        }
        in_order(lives, &cfg.blocks[resume.0].in_scope);
    }
    entry
}

/// Sorts live locals by the order of their declarations.
fn in_order(lives: &mut [Live], in_scope: &[LocalId]) {
    lives.sort_by_key(|live| in_scope.iter().position(|local| *local == live.local));
}

/// The block after each await.
fn resumes(body: &Body, cfg: &Cfg) -> Option<Vec<BlockId>> {
    let mut found = vec![None; body.awaits.len()];
    cfg.suspensions()
        .for_each(|(id, resume)| found[id.0] = Some(resume));
    found.into_iter().collect()
}

/// The number of each block: the start, the blocks after awaits, then all others.
fn numbers(cfg: &Cfg, resumes: &[BlockId]) -> Option<Vec<u8>> {
    // After the numbers of states come those of a returned, a panicked and an empty machine.
    let mut next = resumes.len() + 3;
    let blocks = (0..cfg.blocks.len()).map(|block| {
        let state = resumes.iter().position(|resume| resume.0 == block);
        let number = match (block, state) {
            (0, _) => 0,
            (_, Some(state)) => state + 1,
            _ => {
                next += 1;
                next
            }
        };
        // The last number is that of a call that reports a type.
        u8::try_from(number).ok().filter(|number| *number < u8::MAX)
    });
    blocks.collect()
}
