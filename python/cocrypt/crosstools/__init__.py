"""Cross toolchains that no distribution has ready, built by cocrypt: GCC, binutils, simulator.

`targets` is the list of them, `packages` gets their sources, `building` builds, and `kept` finds
what is there.
"""
