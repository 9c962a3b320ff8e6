//! Methods of one `impl` that await each other without a box: each machine would hold the next one.
//!
//! The compiler says so by a cycle of its own queries, with some hundred notes. Functions beside each other may be in
//! such a circle too, but no function's attribute sees the other function.

use syn::Expr;

use super::foreign::is_foreign;
use super::recursion::awaits_of;
use crate::errors::{Errors, Rule};
use crate::options::Options;
use crate::signature::Method;

/// Refuses one await of each circle. Gives the numbers of the methods that are left without a machine by that.
pub(crate) fn refuse_circles(methods: &[(&Method, &Options)], errors: &mut Errors) -> Vec<usize> {
    let mut calls = calls(methods);
    let mut refused = Vec::new();
    for start in 0..methods.len() {
        let closing = calls
            .iter()
            .find(|call| call.from == start && call.to != start && leads(&calls, call.to, start));
        let Some(closing) = closing else { continue };
        errors.refuse(Rule::UnboxedCircle, closing.place);
        refused.push(start);
        calls.retain(|call| call.from != start);
    }
    refused
}

/// An await of one method in another one.
struct Call<'a> {
    from: usize,
    to: usize,
    place: &'a Expr,
}

fn calls<'a>(methods: &[(&'a Method, &Options)]) -> Vec<Call<'a>> {
    let plain = || methods.iter().enumerate().filter(|(_, it)| is_plain(**it));
    let mut calls = Vec::new();
    for (to, (called, _)) in plain() {
        let name = &called.original.sig.ident;
        let named = methods.iter().filter(|it| it.0.original.sig.ident == *name);
        if named.count() > 1 {
            continue;
        }
        for (from, (method, _)) in plain() {
            let places = awaits_of(name, &method.original.block, true);
            calls.extend(places.into_iter().map(|place| Call { from, to, place }));
        }
    }
    calls
}

/// Whether the machine of a method holds all that the method awaits. What a trait's method calls by the name of
/// another one may be a third one, and an attribute of others may put the body into a box.
fn is_plain((method, options): (&Method, &Options)) -> bool {
    let is_condition = |attr: &syn::Attribute| attr.path().is_ident("cfg");
    let mut attrs = method.original.attrs.iter();
    method.home.of.is_none()
        && !options.boxed
        && !attrs.any(|attr| is_foreign(attr) || is_condition(attr))
}

/// Whether awaits lead from one method to another.
fn leads(calls: &[Call<'_>], from: usize, to: usize) -> bool {
    let (mut seen, mut next) = (vec![from], 0);
    while let Some(&at) = seen.get(next) {
        next += 1;
        for call in calls.iter().filter(|call| call.from == at) {
            if !seen.contains(&call.to) {
                seen.push(call.to);
            }
        }
    }
    seen.contains(&to)
}
