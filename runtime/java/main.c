/* The entry of a program in Java: an exception that nothing catches is printed and ends it with 1. */

#include <stdio.h>
#include <stdlib.h>

#include "vm.h"

static void print(const char *text)
{
    while (*text) {
        putchar(*text++);
    }
}

/* The message is the first field of an exception, and the text that of a string. */
static void print_message(const java_object *thrown)
{
    const java_object *message = (const java_object *)(uintptr_t)thrown->words[0];
    if (!message) {
        return;
    }
    jobject text = (jobject)(uintptr_t)message->words[0];
    print(": ");
    for (jint i = 0; i < java_length(text); i++) {
        putchar(java_chars(text)[i] & 0xff);
    }
}

#ifdef JAVA_COUNT
extern uint64_t java_executed;

static void print_count(void)
{
    char digits[21];
    int  at = 20;
    digits[at] = '\0';
    for (uint64_t rest = java_executed; rest || at == 20; rest /= 10) {
        digits[--at] = (char)('0' + rest % 10);
    }
    print("executed ");
    print(digits + at);
    print("\n");
}
#endif

int main(void)
{
    const java_object *thrown = java_run();
#ifdef JAVA_COUNT
    print_count();
#endif
    if (thrown) {
        print("exception in Java: ");
        print(java_type(thrown)->name);
        print_message(thrown);
        print("\n");
    }
    return thrown != NULL;
}
