/* The virtual machine's tables, which the host writes, and its own parts' common functions. */

#ifndef COCRYPT_JAVA_VM_H
#define COCRYPT_JAVA_VM_H

#include <stddef.h>
#include <stdint.h>

#include "java.h"

/* Bytes of the heap and of Java's stack; 0 for JAVA_COLLECTOR leaves the collector out. */
#ifndef JAVA_HEAP
#define JAVA_HEAP 32768
#endif
#ifndef JAVA_STACK
#define JAVA_STACK 4096
#endif
#ifndef JAVA_COLLECTOR
#define JAVA_COLLECTOR 1
#endif

/* `cocrypt java` refuses other processors before: they have no file there. */
#ifdef __riscv
#include "processors/riscv32.h"
#elif defined(__arm__)
#include "processors/arm.h"
#elif defined(__sh__)
#include "processors/superh.h"
#elif defined(__MICROBLAZE__)
#include "processors/microblaze.h"
#else
#error the virtual machine for Java runs on RISC-V, ARM, SuperH and MicroBlaze
#endif
_Static_assert(sizeof(void *) == 4, "the virtual machine for Java needs pointers of 32 bits");

/* Slots of a frame between the local variables and the operand stack; the state of a class whose static initialiser
 * runs or has ended. */
enum {
    JAVA_NONE        = 0xffff,
    JAVA_STACK_WORDS = JAVA_STACK / 4,
    JAVA_HEADER      = 3,
    JAVA_RUNNING     = 1
};

/* A class: its parent; of arrays, the class of the elements if they are objects; numbers of all its interfaces, up
 * to JAVA_NONE; the words of an object that hold references, behind their count; its row of `java_dispatch`; its
 * static initialiser; the words of an object; of arrays, the binary logarithm of an element's bytes and one. */
typedef struct java_class {
    const struct java_class *super;
    const struct java_class *element;
    const uint16_t          *interfaces;
    const uint8_t           *references;
    const char              *name;
    uint16_t                 row;
    uint16_t                 initializer;
    uint8_t                  words;
    uint8_t                  array;
    uint8_t                  is_interface;
} java_class;

/* An object: its class, then its fields; of an array its length, then its elements. */
typedef struct java_object {
    uintptr_t type;
    int32_t   words[1];
} java_object;

/* A string or a class among the constants: its only field points to its text or class. */
typedef struct {
    const java_class *type;
    const void       *value;
} java_constant;

/* Code from `start` up to `end` goes on at `target` with an exception of a class, or with any for JAVA_NONE. */
typedef struct {
    uint16_t start;
    uint16_t end;
    uint16_t target;
    uint16_t type;
} java_handler;

/* A method: instructions, or a function that takes its arguments from the stack and leaves its result there.
 * `stack` of a native method are the slots of its result. */
typedef struct java_method {
    const uint8_t      *code;
    void              (*native)(int32_t *slots);
    const java_handler *handlers;
    uint16_t            owner;
    uint16_t            locals;
    uint16_t            stack;
    uint8_t             arguments;
    uint8_t             handler_count;
} java_method;

/* The method of a selector; rows overlap, so an entry is checked. */
typedef struct {
    uint16_t selector;
    uint16_t method;
} java_entry;

extern const java_class  java_classes[];
extern const java_method java_methods[];
extern const java_entry  java_dispatch[];
extern const int32_t     java_ints[];
extern const int32_t     java_longs[];
extern const void *const java_objects[];
extern const void *const java_class_objects[];
extern const uint16_t    java_thrown[];
extern uint32_t          java_statics[];
extern uint8_t           java_states[];
/* Objects in RAM outside of the heap that refer to others, up to NULL. */
extern java_object *const java_initial[];

extern const uint16_t java_class_count, java_reference_count, java_entry_method, java_entry_array;
extern const uint16_t java_error_class, java_cloneable_class;

/* The first argument of the native method by KNI that is under way; `this` is before it. */
extern const int32_t *kni_arguments;

/* Java's stack, up to the first free slot, and an exception that is under way. */
extern int32_t      java_stack[];
extern int32_t     *java_top;
extern java_object *java_pending;

static inline int64_t java_get_long(const int32_t *slots)
{
    return (int64_t)((uint64_t)(uint32_t)slots[1] << 32 | (uint32_t)slots[0]);
}

static inline void java_put_long(int32_t *slots, int64_t value)
{
    slots[0] = (int32_t)value;
    slots[1] = (int32_t)((uint64_t)value >> 32);
}

/* Quotient and remainder without an overflow. */
static inline int64_t java_quotient(int64_t left, int64_t right)
{
    return right == -1 ? (int64_t)(0 - (uint64_t)left) : left / right;
}

static inline int64_t java_remainder(int64_t left, int64_t right)
{
    return right == -1 ? 0 : left % right;
}

/* The end of C's stack, and the room below which no method begins. It is for functions without checks, and for the frame
 * of a compiled method, which is there before its check: the compiler refuses one of more than JAVA_FRAME_MOST bytes. */
extern uint8_t _stack_limit[];
#ifndef JAVA_FRAME_MOST
#define JAVA_FRAME_MOST 0
#endif
enum { JAVA_C_STACK_LEAST = 1024 + JAVA_FRAME_MOST };

static inline int java_c_stack_is_full(void)
{
    return java_c_stack_pointer() < (uintptr_t)_stack_limit + JAVA_C_STACK_LEAST;
}

static inline const java_class *java_type(const java_object *object)
{
    return (const java_class *)object->type;
}

/* A new object or array, all zero; NULL, with an exception under way, if there is no room. */
java_object *java_new(const java_class *type);
java_object *java_new_array(const java_class *type, int32_t length);

/* Frees all objects that cannot be reached. */
void java_collect(void);

/* Bytes that new objects may take. */
int32_t java_free(void);

/* Throws the error of a full heap, for which no new object is needed. */
void java_throw_out_of_memory(void);

/* Returns whether an object of one class is one of another, too. */
int java_is(const java_class *type, const java_class *above);

/* An array of arrays, whose lengths are on Java's stack. */
java_object *java_new_arrays(const java_class *type, int32_t *lengths, uint32_t dimensions);

/* Runs a method, compiled or not, whose arguments are `JAVA_HEADER` slots behind `java_top`; its result takes their
 * place. There is room for it. */
void java_invoke(const java_method *method);

/* Runs the static initialiser of a class, unless it did. */
void java_initialize(const java_class *type);

/* The number of the method that an object has for a selector; JAVA_NONE, with an exception under way, if it has none. */
uint32_t java_select(const java_object *receiver, uint32_t selector);

/* Runs a program from its entry. Returns NULL, or the exception that it ends with. */
java_object *java_run(void);

#endif
