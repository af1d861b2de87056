//! Blocks in other languages, and their place in a cycle.
//!
//! A block drives registers that nothing else writes. In each cycle it is evaluated, with all others, until
//! nothing changes, so that an output may depend on inputs of the same cycle; the clock's edge comes behind
//! that, for the design and all blocks together.

use std::sync::Arc;

use super::{Fault, PASSES, Simulator};
use crate::bits::{limbs, top_mask};
use crate::{BlockPort, Model, NetId};

/// A model in its place.
#[derive(Debug)]
pub(super) struct Attached {
    block: usize,
    model: Box<dyn Model>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// True if the model has seen these inputs since the last edge.
    seen: bool,
}

impl Clone for Attached {
    fn clone(&self) -> Self {
        let Self { block, inputs, outputs, seen, .. } = self;
        let (inputs, outputs) = (inputs.clone(), outputs.clone());
        Self { block: *block, model: self.model.duplicate(), inputs, outputs, seen: *seen }
    }
}

impl Simulator {
    /// Lets a model be a block of the design, by its place in [`crate::Netlist::blocks`]. A block without a
    /// model drives 0.
    pub fn attach(&mut self, block: usize, model: Box<dyn Model>) {
        let ports = &self.program.netlist.blocks[block];
        let count = |ports: &[BlockPort]| ports.iter().map(|port| limbs(port.width)).sum();
        let (inputs, outputs) = (vec![0; count(&ports.inputs)], vec![0; count(&ports.outputs)]);
        self.blocks.push(Attached { block, model, inputs, outputs, seen: false });
        self.is_stale = true;
    }

    /// Brings the outputs of all blocks up to date with the registers and inputs of the present cycle.
    pub(super) fn settle(&mut self) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        let mut blocks = std::mem::take(&mut self.blocks);
        let fault = self.fault.clone();
        let settled = (0..PASSES).any(|_| {
            // What is read past its end before all inputs are there is none.
            self.fault.clone_from(&fault);
            let mut changed = false;
            for block in &mut blocks {
                changed |= self.evaluate_block(block);
            }
            !changed
        });
        if !settled {
            self.fault.get_or_insert(Fault::Loop { cycle: self.cycle() });
        }
        self.blocks = blocks;
    }

    /// Evaluates one block; true if an output changed.
    fn evaluate_block(&mut self, attached: &mut Attached) -> bool {
        let program = Arc::clone(&self.program);
        let ports = &program.netlist.blocks[attached.block];
        let (mut at, mut is_other) = (0, !attached.seen);
        for port in &ports.inputs {
            let next = at + limbs(port.width);
            is_other |= self.copy_net(port.net, port.width, &mut attached.inputs[at..next]);
            at = next;
        }
        if !is_other {
            return false;
        }
        attached.seen = true;
        attached.model.evaluate(&attached.inputs, &mut attached.outputs);
        let (mut at, mut changed) = (0, false);
        for port in &ports.outputs {
            let next = at + limbs(port.width);
            changed |= self.set_register_wide(port.net, &attached.outputs[at..next]);
            at = next;
        }
        self.note_block(attached, self.cycle());
        changed
    }

    /// Writes the low bits of a net's value in the present cycle to a place; true if it had another.
    fn copy_net(&mut self, net: NetId, width: u32, place: &mut [u64]) -> bool {
        let value = self.net_limbs(net);
        let mut is_other = false;
        for (index, limb) in place.iter_mut().enumerate() {
            let mask = if index + 1 == limbs(width) { top_mask(width) } else { u64::MAX };
            let now = value.get(index).map_or(0, |limb| limb & mask);
            is_other |= *limb != now;
            *limb = now;
        }
        is_other
    }

    /// The clock's edge of all blocks, at the end of this cycle.
    pub(super) fn clock_blocks(&mut self, cycle: u64) {
        let mut blocks = std::mem::take(&mut self.blocks);
        for attached in &mut blocks {
            attached.model.clock();
            attached.seen = false;
            self.note_block(attached, cycle);
        }
        self.blocks = blocks;
        self.is_stale = true;
    }

    /// Back to the start, with all blocks.
    pub(super) fn reset_blocks(&mut self) {
        for attached in &mut self.blocks {
            attached.model.reset();
            attached.seen = false;
        }
        self.is_stale = true;
    }

    fn note_block(&mut self, attached: &Attached, cycle: u64) {
        if self.fault.is_none()
            && let Some(why) = attached.model.fault()
        {
            let block = &self.program.netlist.blocks[attached.block];
            let name = match self.program.netlist.path(block.scope) {
                path if path.is_empty() => block.module.clone(),
                path => path,
            };
            let message = format!("the block `{name}` stops: {why}");
            self.fault = Some(Fault::Rule { message, cycle });
        }
    }
}
