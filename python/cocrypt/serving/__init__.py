"""Finds the coprocessors of the library that compute what a function of a program does.

The program runs until the function is called for the first time. There it is called, on copies of
the machine, with the inputs of a coprocessor's vectors: in turn in the memory that its arguments
point to, or as arguments themselves. All else stays as the program has it, as a hash's first state.
If it leaves the vectors' outputs each time, the coprocessor can replace it.
"""

from cocrypt.serving.judgement import Judgement, Refusal, Serving, judge

__all__ = ["Judgement", "Refusal", "Serving", "judge"]
