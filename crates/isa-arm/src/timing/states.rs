//! The pipeline states at the borders of blocks, by the engine's numbers for them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use cocrypt_isa::PipelineState;

/// All states that were met. Number 0 is the default one, without hazards.
#[derive(Debug)]
pub(super) struct States<S>(Mutex<StateTable<S>>);

#[derive(Debug)]
struct StateTable<S> {
    all: Vec<S>,
    numbers: HashMap<S, PipelineState>,
}

impl<S: Clone + Default + Eq + Hash + Debug> States<S> {
    pub fn new() -> Self {
        let nothing = S::default();
        let numbers = HashMap::from([(nothing.clone(), 0)]);
        Self(Mutex::new(StateTable { all: vec![nothing], numbers }))
    }

    /// The state of a number; without hazards for a number that was never given.
    pub fn get(&self, number: PipelineState) -> S {
        let met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.all.get(number as usize).cloned().unwrap_or_default()
    }

    /// The number of a state.
    pub fn number(&self, state: S) -> PipelineState {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = met.numbers.get(&state) {
            return number;
        }
        let number = met.all.len() as PipelineState;
        met.all.push(state.clone());
        met.numbers.insert(state, number);
        number
    }
}
