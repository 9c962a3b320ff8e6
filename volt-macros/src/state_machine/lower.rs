//! From body and flow to the machine: states, jumps, names.
//!
//! After an await in one branch of an `if`, the code behind the `if` follows; so it does after
//! the other branch. Where several paths meet like this, the code is written once and jumped to.
//! The same holds for the head of a loop that is resumed in its middle. Where only one path
//! comes by, or nothing but a return is left to do, no jump is made: the code just goes on.

use proc_macro2::Ident;
use quote::format_ident;
use syn::Pat;

use super::args::Options;
use super::body::{Await, Block, Body, Kind, Local, LocalId, Node, NodeId, Stmt};
use super::conditional::partial;
use super::flow::{EXIT, Event, Flow, Place, START};
use super::generics::generic_name;
use super::in_place::{InPlace, Rooms};
use super::liveness::Points;
use super::model::{Jump, JumpKind, Machine, Names, RoomNames, State};
use super::names;
use super::parse::Function;

/// Makes the machine.
pub(crate) fn lower(
    function: Function,
    options: Options,
    body: Body,
    flow: &Flow,
    points: Points,
    in_place: InPlace,
) -> Machine {
    let InPlace { rooms, beside } = in_place;
    let names = make_names(&function, &options, &body);
    let mut survey = Survey::default();
    survey.block(&body.root, false);
    let states = states(&survey, &body, flow, &points);
    let mut jumps = jumps(&survey, flow, &points);
    let room_names = room_names(&names, &rooms, &body, &states);
    let variants = states.iter().flat_map(State::variants);
    let rooms_of = room_names.iter().map(|room| &room.variant);
    let variants = variants.map(|(name, _)| name).chain(rooms_of);
    let variants = variants.map(Ident::to_string);
    let generics = function.generics.params.iter().map(generic_name);
    number(&mut jumps, &variants.chain(generics).collect::<Vec<_>>());
    let left = |node: &NodeId| {
        flow.find(&Event::After(*node))
            .is_some_and(|place| reached(flow, place))
    };
    let assigned = (0..body.locals.len()).filter(|&local| flow.assigns(local));
    Machine {
        names,
        transitions: transitions(&states, flow),
        proven: points.proven.iter().copied().collect(),
        apart: apart(flow, &points),
        relied: [&flow.relied[..], &body.relied[..]].concat(),
        doubts: flow.doubts.clone(),
        conditional: points.conditional.union(&points.renewed).copied().collect(),
        renewed: points.renewed.iter().copied().collect(),
        assigned: assigned.collect(),
        places: places(&states, body.locals.len()),
        left: survey
            .constructs
            .iter()
            .map(|found| found.node)
            .filter(left)
            .collect(),
        states,
        jumps,
        rooms,
        beside,
        room_names,
        function,
        options,
        body,
    }
}

/// The patterns that take a local apart which is missed at a suspend point, or may be.
fn apart(flow: &Flow, points: &Points) -> Vec<(LocalId, Pat)> {
    let missed = flow.apart.iter();
    let missed =
        missed.filter(|(local, _)| points.opened.contains(local) || points.is_conditional(*local));
    missed.cloned().collect()
}

fn make_names(function: &Function, options: &Options, body: &Body) -> Names {
    let name = &function.item.sig.ident;
    let owner = function.method.as_ref();
    let machine = function.machine_name(options);
    let is_taken = |name: &str| body.locals.iter().any(|local: &Local| local.name == name);
    Names {
        core: function.core_name(&machine),
        states: names::states(&machine),
        next: names::next_enum(&machine),
        twin: match owner.is_some_and(|method| method.home.of.is_some()) {
            true => names::twin(&machine),
            false => names::twin(name),
        },
        native_size: names::native_size(&machine),
        future: names::local(if is_taken("future") {
            "future_"
        } else {
            "future"
        }),
        at: names::local(if is_taken("at") { "at_" } else { "at" }),
        marker: names::local(if is_taken("marker") {
            "marker_"
        } else {
            "marker"
        }),
        machine,
    }
}

/// A variant for each room, and the states in it.
fn room_names(names: &Names, rooms: &Rooms, body: &Body, states: &[State]) -> Vec<RoomNames> {
    let mut taken: Vec<String> = names::RESERVED.map(String::from).into();
    let variants = states.iter().flat_map(State::variants);
    taken.extend(variants.map(|(name, _)| name.to_string()));
    let made = rooms.0.iter().map(|room| {
        let local = &body.locals[room.local].name;
        let base = names::upper_camel(&local.to_string());
        let variant = names::unused(&base, local.span(), &mut taken);
        let set = format_ident!("{}{variant}", names.machine);
        RoomNames {
            states: names::states(&set),
            next: names::next_enum(&set),
            variant,
        }
    });
    made.collect()
}

/// Gives each local the first place that none has with which it is ever kept. So most stay where
/// they are when the machine goes from state to state.
fn places(states: &[State], locals: usize) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for local in 0..locals {
        let keeps = |state: &&State, local| state.kept.iter().any(|kept| kept.local == local);
        let beside = states.iter().filter(|state| keeps(state, local));
        let beside = beside.flat_map(|state| &state.kept);
        let taken: Vec<usize> = beside
            .filter_map(|kept| places.get(kept.local).copied())
            .collect();
        let free = (0..).find(|place| !taken.contains(place));
        places.push(free.unwrap_or_default());
    }
    places
}

/// The suspend points and constructs of a body, in source order.
#[derive(Default)]
struct Survey<'a> {
    awaits: Vec<(NodeId, &'a Await)>,
    constructs: Vec<Construct>,
}

/// Something that paths fork in and join behind.
struct Construct {
    node: NodeId,
    end: NodeId,
    word: &'static str,
    is_loop: bool,
    /// Whether there is code behind it that is not a mere end of what it is in.
    followed: bool,
    value: bool,
}

impl<'a> Survey<'a> {
    /// `followed` tells whether code follows the block in what it is part of.
    fn block(&mut self, block: &'a Block, followed: bool) {
        let last = block.stmts.len().saturating_sub(1);
        for (index, stmt) in block.stmts.iter().enumerate() {
            let is_last = index == last;
            match stmt {
                Stmt::Let(stmt) => {
                    if let Some(init) = &stmt.init {
                        self.node(init, true, true);
                    }
                    if let Some(otherwise) = &stmt.otherwise {
                        self.node(otherwise, false, false);
                    }
                }
                Stmt::Item(_) => {}
                Stmt::Expr { node, semi } => {
                    let used = is_last && !semi;
                    self.node(node, followed || !is_last, used);
                }
            }
        }
    }

    fn construct(&mut self, node: &Node, word: &'static str, followed: bool, value: bool) {
        self.constructs.push(Construct {
            node: node.id,
            end: node.end,
            word,
            is_loop: word == "Loop",
            followed,
            value,
        });
    }

    fn node(&mut self, node: &'a Node, followed: bool, value: bool) {
        match &node.kind {
            Kind::Plain(_) => {}
            Kind::Await(point) => self.awaits.push((node.id, point)),
            Kind::Spine(spine) => {
                let returns = matches!(spine.template, syn::Expr::Return(_));
                self.node(&spine.inner, !returns, true);
            }
            Kind::Block(block) if block.label.is_none() => self.block(block, followed),
            Kind::Block(block) => {
                self.construct(node, "Block", followed, value);
                self.block(block, false);
            }
            Kind::If(found) => {
                self.construct(node, "If", followed, value);
                self.node(&found.cond, true, true);
                self.block(&found.then, false);
                if let Some(otherwise) = &found.otherwise {
                    self.node(otherwise, false, value);
                }
            }
            Kind::Match(found) => {
                self.construct(node, "Match", followed, value);
                self.node(&found.scrutinee, true, true);
                for arm in &found.arms {
                    self.node(&arm.body, false, value);
                }
            }
            Kind::Loop(found) => {
                self.construct(node, "Loop", followed, value);
                self.block(&found.body, false);
            }
        }
    }
}

fn reached(flow: &Flow, place: Place) -> bool {
    flow.reach(START, &[])[place]
}

fn states(survey: &Survey<'_>, body: &Body, flow: &Flow, points: &Points) -> Vec<State> {
    let mut taken: Vec<String> = names::RESERVED.map(String::from).into();
    let made = survey.awaits.iter().map(|&(node, point)| {
        let base = match &point.label {
            Some(label) => label.to_string(),
            None => names::upper_camel(&point.name),
        };
        let title = match &point.label {
            Some(label) => label.to_string(),
            None => format!("await {}", point.name),
        };
        let kept = flow
            .find(&Event::Suspend(node))
            .map_or(&[][..], |place| points.at(place));
        let variant = names::unused(&base, point.span, &mut taken);
        State {
            node,
            partial: partial(&variant, kept, body, &mut taken),
            variant,
            title,
            span: point.span,
            kept: kept.to_vec(),
        }
    });
    made.collect()
}

fn jumps(survey: &Survey<'_>, flow: &Flow, points: &Points) -> Vec<Jump> {
    // Innermost first: a jump inside a construct is one more place to come from.
    let mut entries: Vec<(NodeId, Place)> = Vec::new();
    for &(node, _) in &survey.awaits {
        let place = flow.find(&Event::Suspend(node));
        entries.extend(
            place
                .filter(|&place| reached(flow, place))
                .map(|place| (node, place)),
        );
    }
    let mut jumps = Vec::new();
    for construct in survey.constructs.iter().rev() {
        let (head, after) = construct.needs_jumps(flow, &entries);
        let mut add = |event: Event, kind: JumpKind, word: &str| {
            let Some(place) = flow.find(&event) else {
                return;
            };
            entries.push((construct.node, place));
            jumps.push(Jump {
                node: construct.node,
                end: construct.end,
                kind,
                variant: format_ident!("{word}{}", construct.node),
                kept: points.at(place).to_vec(),
            });
        };
        if head {
            add(Event::Head(construct.node), JumpKind::Head, construct.word);
        }
        if after {
            let value = construct.value;
            let word = format!("After{}", construct.word);
            add(
                Event::After(construct.node),
                JumpKind::After { value },
                &word,
            );
        }
    }
    jumps.reverse();
    jumps
}

/// Numbers jumps of a kind from one, in source order, and leaves out the names that are taken.
fn number(jumps: &mut [Jump], taken: &[String]) {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for jump in jumps {
        let word = jump.variant.to_string();
        let word = word.trim_end_matches(char::is_numeric).to_owned();
        let index = counts
            .iter()
            .position(|(known, _)| *known == word)
            .unwrap_or_else(|| {
                counts.push((word.clone(), 0));
                counts.len() - 1
            });
        let free = (counts[index].1 + 1..).find(|count| !taken.contains(&format!("{word}{count}")));
        counts[index].1 = free.unwrap_or_default();
        jump.variant = format_ident!("{word}{}", counts[index].1);
    }
}

impl Construct {
    /// Whether the head and the place behind the construct are jumped to.
    fn needs_jumps(&self, flow: &Flow, entries: &[(NodeId, Place)]) -> (bool, bool) {
        let inside: Vec<Place> = entries
            .iter()
            .filter(|(node, _)| (self.node..self.end).contains(node))
            .map(|&(_, place)| place)
            .collect();
        let leads = |from: Place, walls: &[Place], to: Option<Place>| {
            to.is_some_and(|to| flow.reach(from, walls)[to])
        };
        let head = flow.find(&Event::Head(self.node));
        let head_jump = self.is_loop && inside.iter().any(|&from| leads(from, &inside, head));
        let after = flow.find(&Event::After(self.node));
        let mut walls = inside.clone();
        walls.extend(head.filter(|_| head_jump));
        let mut ways = walls
            .iter()
            .filter(|&&from| leads(from, &walls, after))
            .count();
        if !(self.is_loop && head_jump) && leads(START, &walls, after) {
            ways += 1;
        }
        (head_jump, self.followed && ways > 1)
    }
}

fn transitions(states: &[State], flow: &Flow) -> Vec<(usize, usize)> {
    let places: Vec<Option<Place>> = states
        .iter()
        .map(|state| flow.find(&Event::Suspend(state.node)))
        .collect();
    let walls: Vec<Place> = places.iter().copied().flatten().collect();
    let last = states.len() + 1;
    let mut steps = Vec::new();
    let starts = std::iter::once(Some(START)).chain(places.iter().copied());
    for (from, place) in starts.enumerate() {
        let Some(place) = place else { continue };
        let seen = flow.reach(place, &walls);
        for (to, target) in places.iter().enumerate() {
            if target.is_some_and(|target| seen[target]) {
                steps.push((from, to + 1));
            }
        }
        if seen[EXIT] {
            steps.push((from, last));
        }
    }
    steps
}
