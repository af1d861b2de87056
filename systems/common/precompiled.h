// The header of all that Verilator writes, which is compiled once by itself.
#include "verilated.h"
