//! Timing classes: what instructions that cost alike have in common.

use cocrypt_isa::timing_classes;

timing_classes! {
    Alu "alu" Alu "Arithmetic, logic, shifts by one bit, sign extension, counts, swaps, `imm`."
    Compare "pattern" Alu "Pattern comparison."
    Barrel "barrel" Alu "Shifts of the barrel shifter, and bit fields."
    Multiply "multiply" Multiply "The low half of a product."
    MultiplyHigh "multiply_high" Multiply "The high half of a product."
    Divide "divide" Divide "Quotients."
    Load "load" Load "Loads."
    Store "store" Store "Stores."
    Branch "branch" Branch "Conditional branches without delay slot."
    BranchDelayed "branch_delayed" Branch "Conditional branches with a delay slot."
    Jump "jump" Jump "Branches without condition and without delay slot."
    JumpDelayed "jump_delayed" Jump "Branches without condition, with a delay slot."
    Return "return" Jump "`rtsd`, `rtid`, `rtbd`, `rted`."
    Break "break" Other "`brk`, `brki`."
    Special "special" Other "Reads and writes of special registers."
    Barrier "barrier" Other "`mbar`, `sleep`."
    Stream "stream" Other "`get`, `put` and their variants."
    InvalidateSet "invalidate_set" Other "`wdc`, which takes out a line of the data cache, whatever its address."
    Invalidate "invalidate" Other "`wic`, `wdc.clear` and `wdc.flush`."
    Unmodelled "unmodelled" Other "What other cores have, which ends the run."
    Illegal "illegal" Other "An encoding that is no instruction of the core."
    Exception "exception" Other "From an exception to its handler."
    Interrupt "interrupt" Other "From between two instructions to the handler of an interrupt."
}
