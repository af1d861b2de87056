// arm.elf:   arm-none-eabi-gcc -mcpu=cortex-m0 -Os -g -nostdlib -ffreestanding -fdebug-prefix-map=$PWD=. seed.c
// arm.hex:   arm-none-eabi-objcopy -O ihex arm.elf arm.hex
// riscv.elf: riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32, and the other options
struct point { int x; unsigned char y[3]; };
static volatile struct point here = { 1, { 2, 3, 4 } };
static const char text[] = "seed";
static inline int twice(int a) { return a + a; }
int add(int a, int b) { return twice(a) + b; }
void _start(void) { here.x = add(here.x, text[here.y[0] & 3]); for (;;) { } }
