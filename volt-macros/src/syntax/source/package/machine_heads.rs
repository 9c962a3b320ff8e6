//! `MachineHeads`: the functions in the code of a module that are machines.

/// The attribute of machines.
const ATTRIBUTE: &str = "state_machine";

/// The blocks around a place in the code of a module, which moves from its begin to its end.
pub(super) struct MachineHeads<'c> {
    code: &'c str,
    at: usize,
    /// The end of the last item or block.
    head: usize,
    /// For each block around the place, `true` if it is an `impl` of machines.
    blocks: Vec<bool>,
}

impl<'c> MachineHeads<'c> {
    pub(super) fn new(code: &'c str) -> Self {
        Self {
            code,
            at: 0,
            head: 0,
            blocks: Vec::new(),
        }
    }

    /// Returns `true` if the function at a place is a machine: the attribute is before it, or
    /// before its `impl`. The place must not be before that of the last call.
    pub(super) fn is_machine(&mut self, place: usize) -> bool {
        while self.at < place {
            match self.code.as_bytes()[self.at] {
                b'{' => {
                    let is_function = self.code[self.head..self.at].contains("fn ");
                    self.blocks
                        .push(!is_function && self.has_attribute(self.at));
                }
                b'}' => drop(self.blocks.pop()),
                b';' => {}
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 1;
            self.head = self.at;
        }
        let is_skipped = self.code[self.head..place].contains("skip");
        let is_of_block = self.blocks.last().is_some_and(|block| *block);
        self.has_attribute(place) || is_of_block && !is_skipped
    }

    /// Returns `true` if the attribute is before a place, and behind the last item.
    fn has_attribute(&self, place: usize) -> bool {
        let head = &self.code[self.head..place];
        head.contains(ATTRIBUTE) && !head.contains("skip")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_of_a_block_makes_machines() {
        let code = "
            #[volt::state_machine] async fn one() { async fn plain() {} }
            async fn plain() -> [u8; 2] { [1; 2] }
            #[state_machine(native)] #[inline] pub(crate) async fn two() {}
            #[volt::state_machine]
            impl Shelf {
                async fn three(&self) {}
                #[state_machine(skip)] async fn plain(&self) {}
                async fn four() -> u32 { if true { async fn plain() {} } 4 }
            }
            impl Shelf { async fn plain() {} }
        ";
        let mut heads = MachineHeads::new(code);
        for (place, _) in code.match_indices("fn ") {
            let name = code[place + 3..].split('(').next().unwrap_or_default();
            assert_eq!(
                heads.is_machine(place),
                name != "plain",
                "{name} at {place}"
            );
        }
    }
}
