//! Functions with counters: all their states store plain values.

use super::super::locals::join;
use super::super::rng::Rng;
use super::super::signature::{Argument, Home, Signature};
use super::super::ty::Ty;
use super::super::writer::{AroundKind, Flow, Writer};

/// The argument of such a function, which nothing changes.
const LIMIT: &str = "limit";

/// Returns the signature of such a function: the number of turns, and a borrowed value.
pub(crate) fn tally(rng: &mut Rng, name: String) -> Signature {
    let argument = |name: &str, ty: Ty, borrowed: Option<bool>| Argument {
        name: name.to_owned(),
        mutable: false,
        ty,
        borrowed,
        bound: None,
    };
    let mut arguments = vec![argument(LIMIT, Ty::Wide, None)];
    if rng.chance(40) {
        arguments.push(argument("a", Ty::Noisy, Some(rng.chance(50))));
    }
    Signature {
        name,
        returns: rng.pick(&[Ty::Wide, Ty::U32, Ty::Unit, Ty::Noisy]),
        home: Home::Module,
        risky: false,
        behind: false,
        generics: Vec::new(),
        arguments,
    }
}

/// Returns `true` if the function was made by [`tally`].
pub(crate) fn tallies(signature: &Signature) -> bool {
    let first = signature.arguments.first();
    first.is_some_and(|argument| argument.name == LIMIT)
}

impl Writer<'_> {
    /// A loop of turns with numbers that live around all of it, and what becomes of them.
    pub(crate) fn tallied(&mut self, ty: &Ty) {
        let (sum, turn) = (format!("v{}", self.id()), format!("v{}", self.id()));
        let most = 1 + self.rng.below(3);
        self.line(&format!("let mut {sum}: u64 = {LIMIT} ^ 5;"));
        let counter = self.rng.pick(&["usize", "u64"]);
        self.line(&format!("let mut {turn}: {counter} = 0;"));
        self.prepare_turns();
        self.line(&format!("while {turn} < {most} && {LIMIT} < 99 {{"));
        let around = self.enter(AroundKind::Loop, None, &Ty::Unit, true);
        let entry = self.snapshot();
        self.scoped(|this| {
            this.line(&format!("{turn} += 1;"));
            let count = 2 + this.rng.below(4);
            let mut flow = this.statements(count);
            if flow == Flow::Falls {
                this.line(&format!("{sum} = {sum}.wrapping_mul(31) + {turn} as u64;"));
                let count = this.rng.below(2);
                flow = this.statements(count);
            }
            this.end_turn(flow, around);
        });
        let breaks = self.around[around].breaks.take();
        self.around.truncate(around);
        self.line("}");
        self.meet(join(Some(entry), breaks));
        // Further down the name may be that of another local.
        self.line(&format!("look(&({sum} ^ {LIMIT} ^ {turn} as u64));"));
        self.whole(ty);
    }
}
