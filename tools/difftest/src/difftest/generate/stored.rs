//! Functions whose awaits are serializable machines, for the mode that stores them at each await.
//!
//! Each await is a statement of its own with a `#[state]`, and no local is borrowed across one. A
//! local is moved only in the block that declares it.

use super::frame::{Frame, Function};
use super::function::FAMILY;
use super::rng::Rng;

/// The type of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StoredTy {
    Number,
    Logger,
    List,
    Maybe,
    Text,
    Both,
}

impl StoredTy {
    const ALL: [Self; 6] = [
        Self::Number,
        Self::Logger,
        Self::List,
        Self::Maybe,
        Self::Text,
        Self::Both,
    ];

    fn text(self) -> &'static str {
        match self {
            Self::Number => "u32",
            Self::Logger => "DropLogger",
            Self::List => "Vec<DropLogger>",
            Self::Maybe => "Option<DropLogger>",
            Self::Text => "String",
            Self::Both => "(u32, DropLogger)",
        }
    }
}

/// An earlier function of the family.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    arguments: Vec<StoredTy>,
    output: StoredTy,
}

/// A local, and the block that declares it.
#[derive(Clone, Debug)]
struct StoredLocal {
    name: String,
    ty: StoredTy,
    block: usize,
}

struct BodyWriter<'a> {
    rng: &'a mut Rng,
    out: String,
    indent: usize,
    next_id: u32,
    names: usize,
    states: usize,
    budget: usize,
    loops: usize,
    locals: Vec<StoredLocal>,
    callees: &'a [Callee],
    output: StoredTy,
}

/// The number of functions that are drawn until the explicit layout supports one.
const DRAWS: usize = 12;

/// Writes the `index`-th family below `seed`: functions of which the later may call the earlier.
pub(crate) fn stored_family(
    seed: u64,
    index: u64,
    is_sure: impl Fn(&Function) -> bool,
) -> Vec<Function> {
    let mut rng = Rng::new(seed, index);
    let (mut callees, mut family) = (Vec::new(), Vec::new());
    for number in 0..FAMILY {
        let mut draw = || function(&mut rng, format!("f{number}"), &callees);
        let mut drawn = draw();
        for _ in 1..DRAWS {
            if is_sure(&drawn.0) {
                break;
            }
            drawn = draw();
        }
        family.push(drawn.0);
        callees.push(drawn.1);
    }
    family
}

fn function(rng: &mut Rng, name: String, callees: &[Callee]) -> (Function, Callee) {
    let arguments: Vec<_> = (0..rng.below(3))
        .map(|_| rng.pick(&StoredTy::ALL))
        .collect();
    let output = rng.pick(&StoredTy::ALL);
    let budget = 3 + rng.below(12);
    let mut writer = BodyWriter {
        rng,
        out: String::new(),
        indent: 1,
        next_id: 0,
        names: 0,
        states: 0,
        budget,
        loops: 0,
        locals: Vec::new(),
        callees,
        output,
    };
    let mut head = Vec::new();
    for ty in &arguments {
        let name = writer.declare(*ty);
        head.push(format!("mut {name}: {}", ty.text()));
    }
    writer.statements();
    let value = writer.moved(output);
    writer.line(&value);
    let body = std::mem::take(&mut writer.out);
    let given: Vec<_> = arguments.iter().map(|ty| writer.fresh(*ty)).collect();
    let function = Function {
        source: format!(
            "pub async fn {name}({}) -> {} {{\n{body}}}",
            head.join(", "),
            output.text()
        ),
        call: format!("{name}({})", given.join(", ")),
        frame: Frame::new([String::new(), String::new()], None),
        wrap: None,
        name: name.clone(),
    };
    let callee = Callee {
        name,
        arguments,
        output,
    };
    (function, callee)
}

impl BodyWriter<'_> {
    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.indent);
        self.out += &format!("{indent}{text}\n");
    }

    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// Declares a local in the current block, and returns its name.
    fn declare(&mut self, ty: StoredTy) -> String {
        self.names += 1;
        let name = format!("v{}", self.names);
        let block = self.indent;
        self.locals.push(StoredLocal {
            name: name.clone(),
            ty,
            block,
        });
        name
    }

    /// Returns an expression that creates a value.
    fn fresh(&mut self, ty: StoredTy) -> String {
        let (one, two) = (self.id(), self.id());
        match ty {
            StoredTy::Number => format!("num({one})"),
            StoredTy::Logger => format!("d({one})"),
            StoredTy::List => format!("vec![d({one}), d({two})]"),
            StoredTy::Maybe => format!("maybe({one}, d({two}))"),
            StoredTy::Text => format!("String::from(\"text {one}\")"),
            StoredTy::Both => format!("(num({one}), d({two}))"),
        }
    }

    /// Returns an expression that moves a local of the block, or creates a value.
    fn moved(&mut self, ty: StoredTy) -> String {
        let block = self.indent;
        let mut locals = self.locals.iter();
        let found = locals.rposition(|local| local.ty == ty && local.block == block);
        match found.filter(|_| self.rng.chance(60)) {
            Some(index) if ty == StoredTy::Number => self.locals[index].name.clone(),
            Some(index) => self.locals.remove(index).name,
            None => self.fresh(ty),
        }
    }

    /// Writes statements until the budget is spent, and at least one.
    fn statements(&mut self) {
        let count = 1 + self.rng.below(5);
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.statement();
        }
    }

    fn block(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        write(self);
        self.statements();
        self.locals.retain(|local| local.block < self.indent);
        self.indent -= 1;
        self.line("}");
    }

    fn in_loop(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.block(head, write);
        self.loops -= 1;
    }

    fn state(&mut self) {
        self.states += 1;
        let label = format!("#[state(S{})]", self.states);
        self.line(&label);
    }

    fn statement(&mut self) {
        match self
            .rng
            .weighted(&[16, 26, 8, 10, 8, 12, 8, 6, 8, 6, 14, 6, 4, 5])
        {
            0 => self.local(),
            1 => self.awaited_value(),
            2 => {
                let id = self.id();
                self.state();
                self.line(&format!("tick({id}).await;"));
            }
            3 => self.look(),
            4 => self.consume(),
            5 => self.branches(),
            6 => {
                let id = self.id();
                self.in_loop(&format!("while more({id})"), |_| ());
            }
            7 => self.counted_loop(),
            8 => self.list_loop(),
            9 => self.matched(),
            10 => self.call(),
            11 => self.assign(),
            12 => self.jump(),
            _ => self.block("", |_| ()),
        }
    }

    fn local(&mut self) {
        let ty = self.rng.pick(&StoredTy::ALL);
        let value = self.moved(ty);
        let name = self.declare(ty);
        self.line(&format!("let mut {name}: {} = {value};", ty.text()));
    }

    fn awaited_value(&mut self) {
        let ty = self.rng.pick(&StoredTy::ALL);
        let (id, value) = (self.id(), self.moved(ty));
        let boxed = self.rng.chance(15);
        let operand = format!("step({id}, {value})");
        let operand = if boxed {
            format!("Box::pin({operand})")
        } else {
            operand
        };
        self.state();
        let name = self.declare(ty);
        self.line(&format!("let mut {name}: {} = {operand}.await;", ty.text()));
    }

    fn look(&mut self) {
        if let Some(local) = self.rng.any(&self.locals.clone()) {
            self.line(&format!("look(&{});", local.name));
        }
    }

    fn consume(&mut self) {
        let ty = self.rng.pick(&StoredTy::ALL);
        let value = self.moved(ty);
        self.line(&format!("consume({value});"));
    }

    fn branches(&mut self) {
        let id = self.id();
        self.block(&format!("if flip({id})"), |_| ());
        if self.rng.chance(60) {
            self.block("else", |_| ());
        }
    }

    fn counted_loop(&mut self) {
        let (id, name) = (self.id(), self.names + 1);
        self.names = name;
        let range = if self.rng.chance(50) { "0.." } else { "1..=" };
        let head = format!("for v{name} in {range}num({id})");
        self.in_loop(&head, |this| this.line(&format!("note(v{name});")));
    }

    fn list_loop(&mut self) {
        let list = self.moved(StoredTy::List);
        self.names += 1;
        let name = format!("v{}", self.names);
        let head = format!("for mut {name} in {list}");
        self.in_loop(&head, |this| {
            this.locals.push(StoredLocal {
                name,
                ty: StoredTy::Logger,
                block: this.indent,
            });
        });
    }

    fn matched(&mut self) {
        let value = self.moved(StoredTy::Maybe);
        self.names += 1;
        let name = format!("v{}", self.names);
        self.line(&format!("match {value} {{"));
        self.indent += 1;
        self.block(&format!("Some(mut {name}) =>"), |this| {
            this.locals.push(StoredLocal {
                name,
                ty: StoredTy::Logger,
                block: this.indent,
            });
        });
        self.block("None =>", |_| ());
        self.indent -= 1;
        self.line("}");
    }

    /// Awaits an earlier function: at once, in a box, or as a local across another await.
    fn call(&mut self) {
        let Some(callee) = self.rng.any(self.callees) else {
            return self.awaited_value();
        };
        let given: Vec<_> = callee.arguments.iter().map(|ty| self.moved(*ty)).collect();
        let call = format!("{}({})", callee.name, given.join(", "));
        let operand = match self.rng.below(3) {
            0 => call,
            1 => format!("Box::pin({call})"),
            _ => {
                self.names += 1;
                let child = format!("v{}", self.names);
                self.line(&format!("let {child} = {call};"));
                let id = self.id();
                self.state();
                self.line(&format!("tick({id}).await;"));
                child
            }
        };
        self.state();
        let name = self.declare(callee.output);
        let ty = callee.output.text();
        self.line(&format!("let mut {name}: {ty} = {operand}.await;"));
    }

    fn assign(&mut self) {
        let block = self.indent;
        let locals = self.locals.iter().filter(|local| local.block == block);
        let locals: Vec<_> = locals.cloned().collect();
        if let Some(local) = self.rng.any(&locals) {
            let value = self.fresh(local.ty);
            self.line(&format!("{} = {value};", local.name));
        }
    }

    /// Leaves the function or the loop on some paths.
    fn jump(&mut self) {
        let id = self.id();
        let jump = match self.rng.below(3) {
            1 if self.loops > 0 => "break;".to_owned(),
            2 if self.loops > 0 => "continue;".to_owned(),
            _ => format!("return {};", self.fresh(self.output)),
        };
        self.line(&format!("if done({id}) {{"));
        self.indent += 1;
        self.line(&jump);
        self.indent -= 1;
        self.line("}");
    }
}
