"""SDCC, which compiles and links C for cores that neither LLVM nor GCC has."""
