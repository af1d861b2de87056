//! Timing classes: what instructions that cost alike have in common.

use cocrypt_isa::timing_classes;

timing_classes! {
    Alu "alu" Alu "Arithmetic, logic, shifts, moves between registers, the T and S bits."
    Multiply16 "multiply16" Multiply "`muls.w`, `mulu.w`."
    Multiply32 "multiply32" Multiply "`mul.l`."
    Multiply64 "multiply64" Multiply "`dmuls.l`, `dmulu.l`."
    Accumulate "accumulate" Multiply "`mac.w`, `mac.l`."
    MacRegister "mac_register" Other "Moves from and to MACH and MACL, and `clrmac`."
    MacMemory "mac_memory" Other "Loads and stores of MACH and MACL."
    Load "load" Load "Loads."
    Store "store" Store "Stores."
    Modify "modify" Load "`and.b`, `or.b`, `xor.b` and `tst.b`, which compute in memory."
    TestAndSet "test_and_set" Load "`tas.b`."
    Branch "branch" Branch "`bt`, `bf`."
    BranchDelayed "branch_delayed" Branch "`bt/s`, `bf/s`."
    Jump "jump" Jump "Branches without condition, calls and returns from them."
    Return "return" Jump "`rte`."
    Trap "trap" Other "`trapa`."
    Control "control" Other "Moves to control registers other than SR."
    ControlLoad "control_load" Load "Loads of control registers other than SR."
    Status "status" Other "The move to SR."
    StatusLoad "status_load" Load "The load of SR."
    ControlRead "control_read" Other "Moves from control registers."
    ControlStore "control_store" Store "Stores of control registers."
    Hint "hint" Other "`pref`, `ocbi`, `ocbp`, `ocbwb`."
    Sleep "sleep" Other "`sleep`."
    Unmodelled "unmodelled" Other "What ends the run by name."
    Illegal "illegal" Other "An encoding that is no instruction of the core."
    Exception "exception" Other "From an exception to its handler."
    Interrupt "interrupt" Other "From between two instructions to the handler of an interrupt."
}
