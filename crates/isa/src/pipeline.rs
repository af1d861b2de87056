//! The state of a core's pipeline between blocks, as a number.

/// The state of a core's pipeline at a block's border, as its timing model numbers it: what it still
/// holds; 0 is nothing. A block's cost is a function of it, so there should be few.
pub type PipelineState = u32;

/// In place of a state: what is found out changes nothing but the instruction's own cost.
pub const STAYS: PipelineState = PipelineState::MAX;
