/* A state machine that reads numbers, names and comments from a text, by nested switches. */
#include "kernel.h"

static const char text[] =
    "let x1 = 0x1f + 42; # a comment\nif (x1 >= 17) { y = y * 3.25e1 - \"text \\\" inside\"; }\n"
    "while (n != 0) { n = n - 1; sum = sum + table[n]; } /* more */ return sum;\n";

enum { START, NAME, NUMBER, HEXADECIMAL, FRACTION, STRING, ESCAPE, LINE, SLASH, BLOCK, STAR };

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int start(char c)
{
    switch (c) {
    case '"': return STRING;
    case '#': return LINE;
    case '/': return SLASH;
    default: return is_letter(c) ? NAME : is_digit(c) ? NUMBER : START;
    }
}

static int next(int state, char c)
{
    switch (state) {
    case NAME: return is_letter(c) || is_digit(c) ? NAME : start(c);
    case NUMBER:
        return c == 'x' ? HEXADECIMAL : c == '.' ? FRACTION : is_digit(c) ? NUMBER : start(c);
    case HEXADECIMAL: return is_digit(c) || (c >= 'a' && c <= 'f') ? HEXADECIMAL : start(c);
    case FRACTION: return is_digit(c) || c == 'e' ? FRACTION : start(c);
    case STRING: return c == '\\' ? ESCAPE : c == '"' ? START : STRING;
    case ESCAPE: return STRING;
    case LINE: return c == '\n' ? START : LINE;
    case SLASH: return c == '*' ? BLOCK : start(c);
    case BLOCK: return c == '*' ? STAR : BLOCK;
    case STAR: return c == '/' ? START : c == '*' ? STAR : BLOCK;
    default: return start(c);
    }
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t counts[STAR + 1] = {0};
    while (rounds--) {
        int state = START;
        for (const char *at = text; *at; at++) {
            state = next(state, *at);
            counts[state]++;
        }
    }
    uint32_t sum = 0;
    for (int state = START; state <= STAR; state++)
        sum = sum * 101 + counts[state];
    return sum;
}
