`define PATTERN 100'hf0f0f0f0f0f0f0f0f0f0f0f0f
