/* A parser by recursive descent that evaluates expressions of integers. */
#include "kernel.h"

static const char *const expressions[] = {
    "1+2*3-(4+5)*(6-7)", "((((12))))*12-144+x", "x*x+3*x+1", "100/(3+x%5)-7*(2+(3*(4+(5*6))))",
    "x<<3^(x>>2)&255|17", "-(-(-x))+~0x",
};

static const char *at;
static int32_t     x;

static int32_t expression(int level);

static int32_t primary(void)
{
    char c = *at++;
    if (c == '-')
        return (int32_t)(0u - (uint32_t)primary());
    if (c == '~')
        return ~primary();
    if (c == 'x')
        return x;
    if (c == '(') {
        int32_t value = expression(0);
        at++;
        return value;
    }
    int32_t value = c - '0';
    while (*at >= '0' && *at <= '9')
        value = value * 10 + (*at++ - '0');
    return value;
}

static int level_of(char c)
{
    switch (c) {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case '<': case '>': return 4;
    case '+': case '-': return 5;
    case '*': case '/': case '%': return 6;
    default: return 0;
    }
}

static int32_t apply(char operation, int32_t left, int32_t right)
{
    uint32_t a = (uint32_t)left, b = (uint32_t)right;
    switch (operation) {
    case '|': return (int32_t)(a | b);
    case '^': return (int32_t)(a ^ b);
    case '&': return (int32_t)(a & b);
    case '<': return (int32_t)(a << (b & 31));
    case '>': return (int32_t)(a >> (b & 31));
    case '+': return (int32_t)(a + b);
    case '-': return (int32_t)(a - b);
    case '*': return (int32_t)(a * b);
    case '/': return b ? (int32_t)(a / b) : 0;
    default: return b ? (int32_t)(a % b) : 0;
    }
}

static int32_t expression(int level)
{
    int32_t left = primary();
    for (;;) {
        char operation = *at;
        int  own       = level_of(operation);
        if (own == 0 || own <= level)
            return left;
        at += own == 4 ? 2 : 1;
        left = apply(operation, left, expression(own));
    }
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t sum = 0;
    while (rounds--) {
        x = (int32_t)(rounds & 1023);
        for (unsigned i = 0; i < sizeof expressions / sizeof *expressions; i++) {
            at  = expressions[i];
            sum = sum * 7 + (uint32_t)expression(0);
        }
    }
    return sum;
}
