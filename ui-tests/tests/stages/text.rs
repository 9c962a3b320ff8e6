//! Every stage as text.

use std::fmt::Write;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{Pat, Token};

use crate::cfg::{Branch, End, Step};
use crate::hir::{Arm, Body, ExprId, LocalId, Rewrite, ScopeId, Stmt, Use, Value};
use crate::liveness::{Live, Need};
use crate::pipeline::Analysis;

impl Analysis {
    /// The stages from the tree on.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("locals\n");
        for (id, local) in self.body.locals.iter().enumerate() {
            let _ = writeln!(text, "  {id} {} {:?}", local.ident, local.kind);
        }
        text.push_str("hir\n");
        self.scope(self.body.root, 1, &mut text);
        text.push_str("cfg\n");
        for block in 0..self.cfg.blocks.len() {
            self.block(block, &mut text);
        }
        for (number, jump) in self.cfg.jumps.iter().enumerate() {
            let _ = writeln!(text, "  jump {number} -> B{}", jump.to.0);
        }
        self.lives(&mut text);
        text.push_str(&self.doubted());
        text
    }

    /// Returns the fallback reasons, one a line.
    pub(crate) fn doubted(&self) -> String {
        let mut text = String::new();
        for fallback in self.fallbacks.all() {
            let _ = writeln!(
                text,
                "fallback {:?}: {}",
                fallback.reason,
                tidy(&fallback.place)
            );
        }
        text
    }

    fn expr(&self, id: ExprId) -> String {
        tidy(&self.body.print(id, &AsWritten(&self.body)).to_string())
    }

    fn names<'l>(&self, locals: impl IntoIterator<Item = &'l LocalId>) -> String {
        let names = locals
            .into_iter()
            .map(|local| self.body.locals[local.0].ident.to_string());
        names.collect::<Vec<_>>().join(" ")
    }

    fn scope(&self, id: ScopeId, depth: usize, text: &mut String) {
        let pad = "  ".repeat(depth);
        let scope = &self.body.scopes[id.0];
        for stmt in &scope.stmts {
            match stmt {
                Stmt::Eval(value) => {
                    let _ = write!(text, "{pad}eval ");
                    self.value(value, depth, text);
                }
                Stmt::Let(it) => {
                    let _ = write!(text, "{pad}let {} = ", shown(&it.pat));
                    match &it.value {
                        Some(value) => self.value(value, depth, text),
                        None => text.push_str("..\n"),
                    }
                }
            }
        }
        if let Some(value) = &scope.value {
            let _ = write!(text, "{pad}give ");
            self.value(value, depth, text);
        }
    }

    fn value(&self, value: &Value, depth: usize, text: &mut String) {
        match value {
            Value::Expr(id) => {
                let _ = writeln!(text, "{}", self.expr(*id));
            }
            Value::Await(id) => {
                let operand = self.body.awaits[id.0].operand;
                let _ = writeln!(text, "await {} {}", id.0, self.expr(operand));
            }
            Value::Branches { on, arms } => self.arms(*on, arms, depth, text),
            Value::Loop { id, body } => {
                let _ = writeln!(text, "loop {}", id.0);
                self.scope(*body, depth + 1, text);
            }
            Value::Block { id, body } => {
                let _ = writeln!(text, "block {}", id.0);
                self.scope(*body, depth + 1, text);
            }
        }
    }

    fn arms(&self, on: ExprId, arms: &[Arm], depth: usize, text: &mut String) {
        let pad = "  ".repeat(depth);
        let is_match = arms.iter().any(|arm| arm.pat.is_some());
        let word = if is_match { "match" } else { "if" };
        let _ = writeln!(text, "{word} {}", self.expr(on));
        for (index, arm) in arms.iter().enumerate() {
            let Some(body) = arm.body else { continue };
            if let Some(pat) = &arm.pat {
                let _ = writeln!(text, "{pad}  {} =>", shown(pat));
            } else if index > 0 {
                let _ = writeln!(text, "{pad}else");
            }
            self.scope(body, depth + 1 + usize::from(is_match), text);
        }
    }

    fn block(&self, index: usize, text: &mut String) {
        let block = &self.cfg.blocks[index];
        let _ = writeln!(text, "  B{index} ({})", self.names(&block.in_scope));
        block
            .steps
            .iter()
            .for_each(|step| self.step(step, "    ", text));
        match &block.end {
            End::Goto(to) => {
                let _ = writeln!(text, "    goto B{}", to.0);
            }
            End::Branches { on, branches } => {
                let is_match = branches.iter().any(|branch| branch.pat.is_some());
                let word = if is_match { "match" } else { "if" };
                let _ = writeln!(text, "    {word} {}", self.expr(*on));
                branches.iter().for_each(|branch| self.branch(branch, text));
            }
            End::Suspend {
                id,
                operand,
                resume,
            } => {
                let operand = self.expr(*operand);
                let _ = writeln!(text, "    suspend {} {operand} -> B{}", id.0, resume.0);
            }
            End::Return(value) => {
                let value = value.map(|value| self.expr(value)).unwrap_or_default();
                let _ = writeln!(text, "    return {value}");
            }
            End::Never => text.push_str("    never\n"),
        }
    }

    fn branch(&self, branch: &Branch, text: &mut String) {
        let pat = branch.pat.as_ref().map(shown);
        let to = branch
            .to
            .map_or("out".to_owned(), |to| format!("B{}", to.0));
        let binds = self.names(&branch.binds);
        let guard = branch
            .guard
            .map(|guard| format!(" if {}", self.expr(guard)));
        let (pat, guard) = (pat.unwrap_or_default(), guard.unwrap_or_default());
        let _ = writeln!(text, "      {pat}{guard} [{binds}] -> {to}");
        branch
            .steps
            .iter()
            .for_each(|step| self.step(step, "        ", text));
    }

    fn step(&self, step: &Step, pad: &str, text: &mut String) {
        let said = match step {
            Step::Let(it) => {
                let value = it.value.map_or("..".to_owned(), |value| self.expr(value));
                format!("let {} = {value}", shown(&it.pat))
            }
            Step::Set { local, value } => {
                format!("set {} = {}", self.names(&[*local]), self.expr(*value))
            }
            Step::Eval(value) => self.expr(*value),
            Step::Return(value) => {
                format!(
                    "return {}",
                    value.map(|value| self.expr(value)).unwrap_or_default()
                )
            }
        };
        let _ = writeln!(text, "{pad}{said}");
    }

    fn lives(&self, text: &mut String) {
        text.push_str("liveness\n");
        let blocks = self.liveness.entry.iter().zip(&self.liveness.uninitialized);
        for (index, (entry, bare)) in blocks.enumerate() {
            let live: Vec<_> = entry.iter().map(|live| self.live(live)).collect();
            let bare = match self.names(bare) {
                none if none.is_empty() => none,
                bare => format!(" bare {bare}"),
            };
            let _ = writeln!(text, "  B{index} {{{}}}{bare}", live.join(" "));
        }
        if !self.liveness.stable.is_empty() {
            let _ = writeln!(text, "  stay [{}]", self.names(&self.liveness.stable));
        }
        self.operands(text);
    }

    fn live(&self, Live { local, need }: &Live) -> String {
        let mark = match need {
            Need::Used => String::new(),
            Need::Scope => "~".to_owned(),
            Need::Unless(question) => format!("?{}~", question.0),
        };
        format!("{mark}{}", self.names(&[*local]))
    }

    fn operands(&self, text: &mut String) {
        for (id, operand) in self.liveness.operands.iter().enumerate() {
            let (lends, takes) = (self.names(&operand.borrows), self.names(&operand.moves));
            let asks = operand.query.map_or(String::new(), |(local, question)| {
                format!(" asks {} [{}]", question.0, self.names(&[local]))
            });
            let _ = writeln!(text, "  await {id} lends [{lends}] takes [{takes}]{asks}");
        }
    }
}

/// A pattern as text.
fn shown(pat: &Pat) -> String {
    tidy(&pat.to_token_stream().to_string())
}

/// Tokens as text, on one line.
fn tidy(text: &str) -> String {
    let mut text = text.replace('\n', " ");
    for (from, to) in [
        (" . ", "."),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" ?", "?"),
        ("& ", "&"),
        (" :: ", "::"),
        (" !", "!"),
        (" ;", ";"),
    ] {
        text = text.replace(from, to);
    }
    text
}

/// Prints expressions as they are.
struct AsWritten<'b>(&'b Body);

impl Rewrite for AsWritten<'_> {
    fn local(&self, id: LocalId, _: Use) -> TokenStream {
        self.0.locals[id.0].ident.to_token_stream()
    }

    fn ret(&self, value: Option<TokenStream>) -> TokenStream {
        quote!(return #value)
    }

    fn try_operator(&self, value: TokenStream, token: Token![?]) -> TokenStream {
        quote!(#value #token)
    }

    fn jump(&self, number: usize, value: Option<TokenStream>) -> TokenStream {
        let value = value.into_iter();
        let number = Literal::usize_unsuffixed(number);
        quote!(volt_jump!(#number #(, #value)*))
    }
}
