//! The fields of a machine, and the blocks in which they live.

use std::collections::BTreeSet;

use crate::cfg::{Block, BlockId, Cfg, Step, counted};
use crate::fallback::FallbackReason;
use crate::hir::{AwaitId, Body, LocalId, is_copy, is_whole};
use crate::liveness::{Live, Liveness, Need, QueryId, poll_fn};

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldContent {
    Local(LocalId),
    Future(AwaitId),
}

/// A field, and the sets of blocks in which it lives.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) content: FieldContent,
    /// Where it is stored, whatever it is.
    pub(crate) used: u128,
    /// Where it is stored if it has a destructor.
    pub(crate) scope: u128,
    /// The same, if a method did not take it: for each question `used` and `scope`.
    pub(crate) unless: Vec<(QueryId, [u128; 2])>,
    /// Where it is stored, whatever it is, unless none of these locals can borrow from it, or a method
    /// took it.
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

    /// Notes that it is stored in a block only if it has a destructor, or one of the others borrows from it.
    fn enter_unused(&mut self, bit: u128, need: Need, others: Vec<LocalId>) {
        let (scope, query) = match need {
            Need::Unless(query) => (need, Some(query)),
            Need::Used | Need::Scope => (Need::Scope, None),
        };
        self.enter(bit, scope, false);
        self.borrowed.push((others, query, bit));
    }

    /// Notes that it is stored in a block, for as long as an await takes if that borrows it.
    fn enter(&mut self, bit: u128, need: Need, is_lent: bool) {
        match need {
            Need::Used => self.used |= bit,
            Need::Scope => self.scope |= bit,
            Need::Unless(query) => {
                let mut sets = [0; 2];
                sets[usize::from(!is_lent)] = bit;
                self.unless.push((query, sets));
            }
        }
    }
}

/// Where a local is kept between blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the field with this number.
    Field(usize),
    /// On the stack of the poll.
    Stack,
    /// In no block but its own.
    Nowhere,
}

/// The layout of a machine.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Those of locals first, in the order of their declarations.
    pub(crate) fields: Vec<Field>,
    /// By local.
    pub(crate) places: Vec<Place>,
    /// The number of each block: zero for the start, that of its state where one waits.
    pub(crate) numbers: Vec<u8>,
    /// The block behind each await.
    pub(crate) resumes: Vec<BlockId>,
    /// What each block finds where it begins, in the order of the declarations; not the output of the
    /// await that it stands behind.
    pub(crate) entry: Vec<Vec<Live>>,
    /// Whether what is awaited there is made anew by each poll, and not stored.
    pub(crate) recreated: Vec<bool>,
    /// The awaits that count towards the limit of a poll.
    pub(crate) counted: Vec<bool>,
    /// Locals of whose types it is asked whether they may borrow.
    pub(crate) queried: Vec<LocalId>,
}

impl Layout {
    /// Decides where everything is kept, or says why it does not.
    pub(crate) fn of(
        body: &Body,
        cfg: &Cfg,
        liveness: &Liveness,
    ) -> Result<Self, (FallbackReason, Option<LocalId>)> {
        // Each block may need one more set for what it declares.
        if 2 * cfg.blocks.len() + 2 > 128 && !liveness.stable.is_empty() {
            return Err((FallbackReason::TooLarge, None));
        }
        let resumes = resumes(body, cfg).ok_or((FallbackReason::NeverReached, None))?;
        let mut layout = Self {
            fields: Vec::new(),
            places: vec![Place::Nowhere; body.locals.len()],
            numbers: numbers(cfg, &resumes).ok_or((FallbackReason::TooLarge, None))?,
            entry: entry(body, cfg, liveness, &resumes),
            resumes,
            recreated: recreated(body),
            counted: counted(cfg),
            queried: Vec::new(),
        };
        layout
            .enter_renewed(body, cfg, liveness)
            .map_err(|reason| (reason, None))?;
        layout.choose(body);
        let mut bare = liveness.uninitialized.iter().flatten();
        if let Some(local) = bare.find(|local| layout.has_no_type(body, **local)) {
            return Err((FallbackReason::Renewed, Some(*local)));
        }
        layout.enter_locals(cfg, liveness);
        layout.ask();
        layout.enter_futures();
        Ok(layout)
    }

    /// Notes what is named by operands that are made anew by each poll: it was not moved into the operand, but it is not
    /// known to live on. Nothing is done with it later if it is a copy.
    fn enter_renewed(
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

    /// Finds the locals of whose types it is asked whether they may borrow.
    fn ask(&mut self) {
        let borrowed = self.fields.iter().flat_map(|field| &field.borrowed);
        let asked: BTreeSet<_> = borrowed.flat_map(|(others, ..)| others).copied().collect();
        self.queried = asked.into_iter().collect();
    }

    /// A field for each awaited future.
    fn enter_futures(&mut self) {
        for id in 0..self.resumes.len() {
            let content = FieldContent::Future(AwaitId(id));
            self.fields.push(Field::new(content, 1 << (id + 1)));
        }
    }

    /// Whether an awaited future borrows a local of the machine, or may take it.
    pub(crate) fn borrows_locals(&self, liveness: &Liveness) -> bool {
        let mut operands = liveness.operands.iter().zip(&self.recreated);
        !liveness.queries.is_empty()
            || !liveness.stable.is_empty()
            || operands.any(|(operand, recreated)| !recreated && !operand.borrows.is_empty())
    }

    /// The states in which the machine waits, and that in which it begins.
    pub(crate) fn waits(&self) -> u128 {
        (1 << (self.resumes.len() + 1)) - 1
    }

    /// Whether a field may live only between two awaits: then it lies on the stack of the poll.
    pub(crate) fn may_be_on_stack(&self, field: usize) -> bool {
        let field = &self.fields[field];
        field.used != 0 && field.used & self.waits() == 0
    }

    /// The field that holds an awaited future.
    pub(crate) fn future(&self, id: AwaitId) -> usize {
        // Those of futures come last.
        self.fields.len() - self.resumes.len() + id.0
    }

    /// Returns `true` if nothing gives a type to a local that is declared anew: no type is
    /// written, and it has no place.
    fn has_no_type(&self, body: &Body, local: LocalId) -> bool {
        !body.has_type(local, is_whole) && self.places[local.0] == Place::Nowhere
    }

    /// Gives each local a kind of place.
    fn choose(&mut self, body: &Body) {
        for live in self.entry.iter().flatten() {
            self.places[live.local.0] = Place::Stack;
        }
        let waits = self.resumes.iter().flat_map(|block| &self.entry[block.0]);
        let waits: Vec<LocalId> = waits.map(|live| live.local).collect();
        for id in (0..body.locals.len()).map(LocalId) {
            if body.locals[id.0].is_argument() || waits.contains(&id) {
                self.places[id.0] = Place::Field(self.fields.len());
                // The function that makes the machine stores each argument, whether it is used or not.
                let used = u128::from(body.locals[id.0].is_argument());
                self.fields.push(Field::new(FieldContent::Local(id), used));
            }
        }
    }

    /// The fields of what a block declares and stays in its place.
    fn declared(&self, block: &Block, liveness: &Liveness) -> Vec<usize> {
        let declared = block.steps.iter().flat_map(Step::declares);
        let stable = declared.filter(|local| liveness.stable.contains(local));
        let fields = stable.filter_map(|local| match self.places[local.0] {
            Place::Field(field) => Some(field),
            _ => None,
        });
        fields.collect()
    }

    /// Notes in which blocks the fields of locals live. The start holds all arguments.
    fn enter_locals(&mut self, cfg: &Cfg, liveness: &Liveness) {
        // Behind the numbers of all blocks.
        let mut between = 1_u128 << (self.entry.len() + 2);
        for block in 0..self.entry.len() {
            let awaited = cfg.awaited_before(BlockId(block));
            let asked = awaited.and_then(|id| liveness.operands[id.0].query);
            let mut bits = 1 << self.numbers[block];
            let declared = self.declared(&cfg.blocks[block], liveness);
            if !declared.is_empty() {
                // What stays in its place is put there where it is declared, beside what the block has
                // then: not beside the future that it stands behind.
                bits |= between;
                for field in declared {
                    self.fields[field].used |= between;
                }
                between <<= 1;
            }
            let asked = asked.map(|(local, _)| local);
            self.enter_block(BlockId(block), bits, asked, liveness);
        }
        self.enter_nowhere(between);
    }

    /// Notes that what lives where a block begins is stored in these sets; an await before it asks about one local.
    fn enter_block(&mut self, block: BlockId, bits: u128, asked: Option<LocalId>, of: &Liveness) {
        for Live { local, need } in &self.entry[block.0] {
            let Place::Field(field) = self.places[local.0] else {
                continue;
            };
            let field = &mut self.fields[field];
            if let Some(others) = of.dead_borrows.get(&(block, *local)) {
                field.enter_unused(bits, *need, others.iter().copied().collect());
                continue;
            }
            let is_lent = asked == Some(*local) || of.stable.contains(local);
            field.enter(bits, *need, is_lent);
        }
    }

    /// What is stored in no state is put somewhere, also where nobody can borrow from it: on the stack then.
    fn enter_nowhere(&mut self, mut between: u128) {
        for field in &mut self.fields {
            if field.used == 0 && !field.borrowed.is_empty() {
                field.used = between;
                between = between.rotate_left(1).max(between);
            }
        }
    }
}

/// Whether what is awaited is made anew by each poll, by await.
fn recreated(body: &Body) -> Vec<bool> {
    let operands = body.awaits.iter().map(|data| &body.exprs[data.operand.0]);
    operands.map(|operand| poll_fn(operand).is_some()).collect()
}

/// What each block finds: what lives, and behind an await what the future has borrowed until then.
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

/// Sorts what lives by the order of the declarations.
fn in_order(lives: &mut [Live], in_scope: &[LocalId]) {
    lives.sort_by_key(|live| in_scope.iter().position(|local| *local == live.local));
}

/// The block behind each await.
fn resumes(body: &Body, cfg: &Cfg) -> Option<Vec<BlockId>> {
    let mut found = vec![None; body.awaits.len()];
    cfg.waits()
        .for_each(|(id, resume)| found[id.0] = Some(resume));
    found.into_iter().collect()
}

/// The number of each block: the start, those behind awaits, then all others.
fn numbers(cfg: &Cfg, resumes: &[BlockId]) -> Option<Vec<u8>> {
    // Behind those of the states stand two more, of a machine that has returned or panicked, and one of none.
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
        u8::try_from(number).ok()
    });
    blocks.collect()
}
