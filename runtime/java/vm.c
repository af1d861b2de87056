/* The interpreter: The Java Virtual Machine Specification, chapters 2 and 6.
 *
 * Java's stack grows upwards. A frame has the method's local variables, which begin with the arguments on the caller's
 * operand stack, then the method, the caller's next instruction and the caller's frame, then the operand stack. Below
 * the frames of each run of the interpreter is one of a method that only leaves it, so that compiled methods may call
 * interpreted ones. */

#include "vm.h"
#ifdef JAVA_FLOATING
#include "floating.h"
#endif

enum {
    HEADER = JAVA_HEADER,
    FAILED = 2
};

enum opcode {
#define OP(name) OP_##name,
#include "opcodes.h"
#undef OP
    OP_COUNT
};

int32_t      java_stack[JAVA_STACK_WORDS];
int32_t     *java_top = java_stack;
java_object *java_pending;

#ifdef JAVA_COUNT
uint64_t java_executed;
#define IS_JOINED(opcode) ((opcode) > OP_leave && (opcode) <= OP_i2ul)
#define COUNT(opcode) \
    (java_executed += (uint64_t)((opcode) != OP_initialize && (opcode) != OP_leave) + IS_JOINED(opcode) + ((opcode) == OP_i2ul))
#else
#define COUNT(opcode) ((void)0)
#endif

static int implements(const java_class *type, uint16_t number)
{
    for (const uint16_t *each = type->interfaces; each && *each != JAVA_NONE; each++) {
        if (*each == number) {
            return 1;
        }
    }
    return 0;
}

int java_is(const java_class *type, const java_class *above)
{
    while (type->element && above->element) {
        type  = type->element;
        above = above->element;
    }
    if (above->is_interface) {
        return type == above || implements(type, (uint16_t)(above - java_classes));
    }
    while (type && type != above) {
        type = type->super;
    }
    return type != NULL;
}

void java_throw(enum java_exception kind)
{
    java_object *made = java_new(java_classes + java_thrown[kind]);
    if (made) {
        java_pending = made;
    }
}

static int16_t half(const uint8_t *at)
{
    return (int16_t)(at[0] | at[1] << 8);
}

static uint16_t number(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static int32_t word(const uint8_t *at)
{
    return (int32_t)(number(at) | (uint32_t)number(at + 2) << 16);
}

/* The registers of the machine while it is not interpreting. */
typedef struct {
    const uint8_t *pc;
    int32_t       *frame;
} state;

static const java_method *method_of(const int32_t *frame)
{
    return (const java_method *)(uintptr_t)frame[0];
}

static int32_t *caller_of(const int32_t *frame)
{
    return (int32_t *)(uintptr_t)frame[2];
}

/* Makes a frame whose arguments end at `top`. Returns 0, with an exception under way, if there is no room. */
static int enter(state *now, const java_method *method, int32_t *top)
{
    int32_t *locals = top - method->arguments;
    int32_t  room   = (int32_t)(java_stack + JAVA_STACK_WORDS - locals);
    if (method->locals + HEADER + method->stack > room) {
        java_throw(JAVA_STACK_OVERFLOW);
        return 0;
    }
    int32_t *frame = locals + method->locals;
    frame[0]       = (int32_t)(uintptr_t)method;
    frame[1]       = (int32_t)(uintptr_t)now->pc;
    frame[2]       = (int32_t)(uintptr_t)now->frame;
    now->frame     = frame;
    now->pc        = method->code;
    java_top       = frame + HEADER;
    return 1;
}

/* Makes the frames of a class's static initialiser and of its parents', which run first. Only classes with an
 * initialiser have a state: those without are as usable as their parents. */
static void initialize(state *now, const java_class *type)
{
    for (; type && !java_pending; type = type->super) {
        uint8_t *progress = &java_states[type - java_classes];
        if (type->initializer == JAVA_NONE) {
            continue;
        }
        if (*progress == FAILED) {
            java_throw(JAVA_NO_CLASS);
        }
        if (*progress) {
            return;
        }
        *progress = enter(now, java_methods + type->initializer, java_top) ? JAVA_RUNNING : FAILED;
    }
}

/* An exception leaves a static initialiser: its class is never usable again. */
static void leave_initializer(const java_method *method)
{
    const java_class *owner = java_classes + method->owner;
    if (owner->initializer != method - java_methods) {
        return;
    }
    java_states[method->owner] = FAILED;
    if (!java_is(java_type(java_pending), java_classes + java_error_class)) {
        java_throw(JAVA_IN_INITIALIZER);
    }
}

static const java_handler *handler_of(const java_method *method, const uint8_t *pc)
{
    uint32_t at = (uint32_t)(pc - method->code);
    for (uint32_t i = 0; i < method->handler_count; i++) {
        const java_handler *each = method->handlers + i;
        /* The pc is behind the first byte of the instruction, or behind all of it. */
        if (at <= each->start || at > each->end) {
            continue;
        }
        if (each->type == JAVA_NONE || java_is(java_type(java_pending), java_classes + each->type)) {
            return each;
        }
    }
    return NULL;
}

/* Leaves frames until one handles the exception under way. Returns 0 if none of this run of the interpreter does. */
static int unwind(state *now)
{
    while (caller_of(now->frame)) {
        const java_method  *method = method_of(now->frame);
        const java_handler *found  = handler_of(method, now->pc);
        if (found) {
            now->frame[HEADER] = (int32_t)(uintptr_t)java_pending;
            java_top           = now->frame + HEADER + 1;
            now->pc            = method->code + found->target;
            java_pending       = NULL;
            return 1;
        }
        java_top = now->frame - method->locals;
        now->pc  = (const uint8_t *)(uintptr_t)now->frame[1];
        leave_initializer(method);
        now->frame = caller_of(now->frame);
    }
    return 0;
}

/* The lengths are those at `lengths`, and each array is reachable from there when it is made. */
static java_object *multiple(const java_class *type, int32_t *lengths, uint32_t dimensions)
{
    java_object *array = java_new_array(type, lengths[0]);
    if (!array || dimensions == 1) {
        return array;
    }
    int32_t length = lengths[0];
    lengths[0]     = (int32_t)(uintptr_t)array;
    for (int32_t i = 0; i < length; i++) {
        int32_t      kept  = lengths[1];
        java_object *inner = multiple(type->element, lengths + 1, dimensions - 1);
        lengths[1]         = kept;
        if (!inner) {
            return NULL;
        }
        array->words[1 + i] = (int32_t)(uintptr_t)inner;
    }
    return array;
}

java_object *java_new_arrays(const java_class *type, int32_t *lengths, uint32_t dimensions)
{
    for (uint32_t i = 0; i < dimensions; i++) {
        if (lengths[i] < 0) {
            java_throw(JAVA_NEGATIVE_SIZE);
            return NULL;
        }
    }
    return multiple(type, lengths, dimensions);
}

/* The distance from a switch to the case of a key. */
static int32_t table_jump(const uint8_t *pc, int32_t key)
{
    uint32_t index = (uint32_t)key - (uint32_t)word(pc);
    return index < number(pc + 4) ? half(pc + 8 + 2 * index) : half(pc + 6);
}

static int32_t lookup_jump(const uint8_t *pc, int32_t key)
{
    uint32_t low = 0, high = number(pc);
    while (low < high) {
        uint32_t       middle = (low + high) / 2;
        const uint8_t *row    = pc + 4 + 6 * middle;
        int32_t        found  = word(row);
        if (found == key) {
            return half(row + 4);
        }
        if (found < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return half(pc + 2);
}

/* The empty instructions hide from compilers where `pc` comes from: clang would keep both it and the next one in registers,
 * and move them at each instruction. */
#define NEXT do { \
        COUNT(*pc); \
        uint32_t opcode = *pc; \
        __asm__("" : "+r"(pc), "+r"(opcode)); \
        pc++; \
        __asm__("" : "+r"(pc)); \
        goto *labels[opcode]; \
    } while (0)

/* The word on top of the operand stack is in `top`; its slot, at `sp`, need not have it. An empty stack is no case of its
 * own: `sp` is then at the last slot of the frame's header, and `top` is that slot's word, which a push writes back. */
#define PUSH(value) do { *sp++ = top; top = (value); } while (0)
/* Bytecode may be anywhere for a compiler, so an index in it is read before the stack is written to. */
#define PUSH_AT(words, at) do { uint32_t index = (at); *sp++ = top; top = (int32_t)(words)[index]; } while (0)
#define DROP(count) (sp -= (count), top = *sp)
#define SPILL      (*sp = top, java_top = sp + 1)
#define THROW(what) do { SPILL; java_throw(what); goto thrown; } while (0)
#define SAVE       (SPILL, now.pc = pc, now.frame = frame)
#define LOAD       (pc = now.pc, frame = now.frame, sp = java_top - 1, top = *sp, locals = frame - method_of(frame)->locals)

#define OBJECT(slot) ((java_object *)(uintptr_t)(slot))
#define WORDS(slot)  ((int32_t *)(uintptr_t)(slot))
#define REFERENCE(pointer) ((int32_t)(uintptr_t)(pointer))

#define BINARY(name, expression) \
    L_##name: { uint32_t a = (uint32_t)*--sp, b = (uint32_t)top; top = (int32_t)(expression); NEXT; }
/* The upper word of the long on top of the stack is in `top`. */
#define TOP_LONG ((int64_t)((uint64_t)(uint32_t)top << 32 | (uint32_t)sp[-1]))
#define PUT_LONG(value) do { \
        uint64_t put = (uint64_t)(value); \
        sp[-1] = (int32_t)put; \
        top    = (int32_t)(put >> 32); \
    } while (0)
#define LONGS(name, expression) \
    L_##name: { uint64_t a = (uint64_t)java_get_long(sp - 3), b = (uint64_t)TOP_LONG; sp -= 2; PUT_LONG(expression); NEXT; }
#define SHIFT(name, expression) \
    L_##name: { int64_t a = java_get_long(sp - 2); uint32_t b = (uint32_t)top & 63; sp--; PUT_LONG(expression); NEXT; }
#define JUMP(name, condition) \
    L_##name: { int32_t a = top; DROP(1); pc += (condition) ? half(pc) - 1 : 2; NEXT; }
#define JUMP2(name, condition) \
    L_##name: { int32_t a = sp[-1], b = top; DROP(2); pc += (condition) ? half(pc) - 1 : 2; NEXT; }
/* An array and an index; the array's address is in `array` afterwards. */
#define CHECKED(from, at) \
    java_object *array = OBJECT(from); uint32_t index = (uint32_t)(at); \
    if (!array) THROW(JAVA_NULL_POINTER); \
    if (index >= (uint32_t)array->words[0]) THROW(JAVA_ARRAY_INDEX)
#define ELEMENT_LOAD(name, type) \
    L_##name: { CHECKED(sp[-1], top); sp--; top = ((type *)(array->words + 1))[index]; NEXT; }
#define ELEMENT_LOAD_AT(name, type) \
    L_##name: { CHECKED(top, locals[*pc++]); top = ((type *)(array->words + 1))[index]; NEXT; }
#define ELEMENT_STORE(name, type) \
    L_##name: { CHECKED(sp[-2], sp[-1]); ((type *)(array->words + 1))[index] = (type)top; DROP(3); NEXT; }

static void interpret(state now)
{
    /* Profiles find it by its name, which compilers would make differently. */
    static const void *const labels[] __asm__("java_labels") = {
#define OP(name) &&L_##name,
#include "opcodes.h"
#undef OP
    };
    const uint8_t *pc;
    int32_t       *frame, *sp, *locals, top;
    const java_method *method;

    LOAD;
    NEXT;

    L_nop: NEXT;
    L_iconst_m1: PUSH(-1); NEXT;
    L_iconst_0: PUSH(0); NEXT;
    L_iconst_1: PUSH(1); NEXT;
    L_iconst_2: PUSH(2); NEXT;
    L_iconst_3: PUSH(3); NEXT;
    L_iconst_4: PUSH(4); NEXT;
    L_iconst_5: PUSH(5); NEXT;
    L_bconst: PUSH((int8_t)*pc++); NEXT;
    L_sconst: PUSH(half(pc)); pc += 2; NEXT;
    L_iconst: PUSH_AT(java_ints, number(pc)); pc += 2; NEXT;
    L_lconst: { const int32_t *from = java_longs + 2 * number(pc); PUSH(from[0]); PUSH(from[1]); pc += 2; NEXT; }
    L_oconst: PUSH(REFERENCE(java_objects[number(pc)])); pc += 2; NEXT;

    L_load: PUSH_AT(locals, *pc++); NEXT;
    L_load_0: PUSH(locals[0]); NEXT;
    L_load_1: PUSH(locals[1]); NEXT;
    L_load_2: PUSH(locals[2]); NEXT;
    L_load_3: PUSH(locals[3]); NEXT;
    L_load2: { const int32_t *from = locals + *pc++; PUSH(from[0]); PUSH(from[1]); NEXT; }
    L_load_w: PUSH_AT(locals, number(pc)); pc += 2; NEXT;
    L_load2_w: { const int32_t *from = locals + number(pc); PUSH(from[0]); PUSH(from[1]); pc += 2; NEXT; }
    L_store: locals[*pc++] = top; DROP(1); NEXT;
    L_store_0: locals[0] = top; DROP(1); NEXT;
    L_store_1: locals[1] = top; DROP(1); NEXT;
    L_store_2: locals[2] = top; DROP(1); NEXT;
    L_store_3: locals[3] = top; DROP(1); NEXT;
    L_store2: { int32_t *to = locals + *pc++; to[0] = sp[-1]; to[1] = top; DROP(2); NEXT; }
    L_store_w: locals[number(pc)] = top; DROP(1); pc += 2; NEXT;
    L_store2_w: { int32_t *to = locals + number(pc); to[0] = sp[-1]; to[1] = top; DROP(2); pc += 2; NEXT; }

    ELEMENT_LOAD(iaload, int32_t)
    ELEMENT_LOAD(baload, int8_t)
    ELEMENT_LOAD(caload, uint16_t)
    ELEMENT_LOAD(saload, int16_t)
    L_laload: { CHECKED(sp[-1], top); sp[-1] = array->words[1 + 2 * index]; top = array->words[2 + 2 * index]; NEXT; }
    ELEMENT_STORE(iastore, int32_t)
    ELEMENT_STORE(bastore, int8_t)
    ELEMENT_STORE(castore, uint16_t)
    L_lastore: {
        CHECKED(sp[-3], sp[-2]);
        array->words[1 + 2 * index] = sp[-1];
        array->words[2 + 2 * index] = top;
        DROP(4);
        NEXT;
    }
    L_aastore: {
        CHECKED(sp[-2], sp[-1]);
        if (top && !java_is(java_type(OBJECT(top)), java_type(array)->element)) {
            THROW(JAVA_ARRAY_STORE);
        }
        array->words[1 + index] = top;
        DROP(3);
        NEXT;
    }

    L_pop: DROP(1); NEXT;
    L_pop2: DROP(2); NEXT;
    L_dup: *sp++ = top; NEXT;
    L_dup_x1: sp[0] = sp[-1]; sp[-1] = top; sp++; NEXT;
    L_dup_x2: sp[0] = sp[-1]; sp[-1] = sp[-2]; sp[-2] = top; sp++; NEXT;
    L_dup2: sp[0] = top; sp[1] = sp[-1]; sp += 2; NEXT;
    L_dup2_x1: sp[1] = sp[-1]; sp[0] = sp[-2]; sp[-1] = top; sp[-2] = sp[1]; sp += 2; NEXT;
    L_dup2_x2: sp[1] = sp[-1]; sp[0] = sp[-2]; sp[-1] = sp[-3]; sp[-2] = top; sp[-3] = sp[1]; sp += 2; NEXT;
    L_swap: { int32_t under = sp[-1]; sp[-1] = top; top = under; NEXT; }

    BINARY(iadd, a + b)
    BINARY(isub, a - b)
    BINARY(imul, a * b)
    BINARY(ishl, a << (b & 31))
    BINARY(ishr, (int32_t)a >> (b & 31))
    BINARY(iushr, a >> (b & 31))
    BINARY(iand, a & b)
    BINARY(ior, a | b)
    BINARY(ixor, a ^ b)
    L_idiv: {
        if (!top) THROW(JAVA_ARITHMETIC);
        int32_t a = *--sp, b = top;
        top = b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
        NEXT;
    }
    L_irem: {
        if (!top) THROW(JAVA_ARITHMETIC);
        int32_t a = *--sp, b = top;
        top = b == -1 ? 0 : a % b;
        NEXT;
    }
    L_ineg: top = (int32_t)(0 - (uint32_t)top); NEXT;
    LONGS(ladd, a + b)
    LONGS(lsub, a - b)
    LONGS(lmul, a * b)
    LONGS(land, a & b)
    LONGS(lor, a | b)
    LONGS(lxor, a ^ b)
    L_ldiv: if (!(top | sp[-1])) THROW(JAVA_ARITHMETIC);
        { int64_t a = java_get_long(sp - 3), b = TOP_LONG; sp -= 2; PUT_LONG(java_quotient(a, b)); NEXT; }
    L_lrem: if (!(top | sp[-1])) THROW(JAVA_ARITHMETIC);
        { int64_t a = java_get_long(sp - 3), b = TOP_LONG; sp -= 2; PUT_LONG(java_remainder(a, b)); NEXT; }
    L_lneg: PUT_LONG(0 - (uint64_t)TOP_LONG); NEXT;
    SHIFT(lshl, (uint64_t)a << b)
    SHIFT(lshr, a >> b)
    SHIFT(lushr, (uint64_t)a >> b)

    L_iinc: locals[pc[0]] = (int32_t)((uint32_t)locals[pc[0]] + (uint32_t)(int8_t)pc[1]); pc += 2; NEXT;
    L_iinc_w: { int32_t *to = locals + number(pc); *to = (int32_t)((uint32_t)*to + (uint32_t)half(pc + 2)); pc += 4; NEXT; }
    L_i2l: PUSH(top >> 31); NEXT;
    L_l2i: DROP(1); NEXT;
    L_i2b: top = (int8_t)top; NEXT;
    L_i2c: top = (uint16_t)top; NEXT;
    L_i2s: top = (int16_t)top; NEXT;
    L_lcmp: { int64_t a = java_get_long(sp - 3), b = TOP_LONG; sp -= 3; top = (a > b) - (a < b); NEXT; }

    JUMP(ifeq, a == 0)
    JUMP(ifne, a != 0)
    JUMP(iflt, a < 0)
    JUMP(ifge, a >= 0)
    JUMP(ifgt, a > 0)
    JUMP(ifle, a <= 0)
    JUMP2(if_icmpeq, a == b)
    JUMP2(if_icmpne, a != b)
    JUMP2(if_icmplt, a < b)
    JUMP2(if_icmpge, a >= b)
    JUMP2(if_icmpgt, a > b)
    JUMP2(if_icmple, a <= b)
    L_goto: pc += half(pc) - 1; NEXT;
    L_jsr: PUSH((int32_t)(pc + 2 - method_of(frame)->code)); pc += half(pc) - 1; NEXT;
    L_ret: pc = method_of(frame)->code + locals[pc[0]]; NEXT;
    L_ret_w: pc = method_of(frame)->code + locals[number(pc)]; NEXT;
    L_tableswitch: pc += table_jump(pc, top) - 1; DROP(1); NEXT;
    L_lookupswitch: pc += lookup_jump(pc, top) - 1; DROP(1); NEXT;

    L_return: {
        sp     = locals - 1;
        top    = *sp;
        pc     = (const uint8_t *)(uintptr_t)frame[1];
        frame  = caller_of(frame);
        locals = frame - method_of(frame)->locals;
        NEXT;
    }
    L_return1: {
        sp     = locals;
        pc     = (const uint8_t *)(uintptr_t)frame[1];
        frame  = caller_of(frame);
        locals = frame - method_of(frame)->locals;
        NEXT;
    }
    L_return2: {
        int32_t low = sp[-1];
        sp     = locals + 1;
        pc     = (const uint8_t *)(uintptr_t)frame[1];
        frame  = caller_of(frame);
        locals = frame - method_of(frame)->locals;
        sp[-1] = low;
        NEXT;
    }

    L_getstatic: PUSH_AT(java_statics, number(pc)); pc += 2; NEXT;
    L_getstatic2: { const uint32_t *from = java_statics + number(pc); PUSH((int32_t)from[0]); PUSH((int32_t)from[1]); pc += 2; NEXT; }
    L_putstatic: java_statics[number(pc)] = (uint32_t)top; DROP(1); pc += 2; NEXT;
    L_putstatic2: { uint32_t *to = java_statics + number(pc); to[0] = (uint32_t)sp[-1]; to[1] = (uint32_t)top; DROP(2); pc += 2; NEXT; }
    L_getfield: if (!top) THROW(JAVA_NULL_POINTER); top = WORDS(top)[*pc++]; NEXT;
    L_getfield2: {
        if (!top) THROW(JAVA_NULL_POINTER);
        const int32_t *from = WORDS(top) + *pc++;
        top = from[0];
        PUSH(from[1]);
        NEXT;
    }
    L_putfield: if (!sp[-1]) THROW(JAVA_NULL_POINTER); WORDS(sp[-1])[*pc++] = top; DROP(2); NEXT;
    L_putfield2: {
        if (!sp[-2]) THROW(JAVA_NULL_POINTER);
        int32_t *to = WORDS(sp[-2]) + *pc++;
        to[0] = sp[-1];
        to[1] = top;
        DROP(3);
        NEXT;
    }

    L_initialize: {
        const java_class *type = java_classes + number(pc);
        pc += 2;
        if (java_states[type - java_classes] == JAVA_RUNNING) {
            NEXT;
        }
        SAVE;
        initialize(&now, type);
        LOAD;
        if (java_pending) goto thrown;
        NEXT;
    }
    L_invokestatic:
        method = java_methods + number(pc);
        pc += 2;
        goto call;
    L_invokespecial:
        method = java_methods + number(pc);
        pc += 2;
        *sp = top;
        if (!sp[1 - method->arguments]) THROW(JAVA_NULL_POINTER);
        goto call;
    L_invokevirtual: {
        *sp = top;
        const java_object *receiver = OBJECT(sp[1 - pc[0]]);
        uint16_t           selector = number(pc + 1);
        pc += 3;
        if (!receiver) THROW(JAVA_NULL_POINTER);
        const java_entry *entry = java_dispatch + java_type(receiver)->row + selector;
        if (entry->selector != selector) THROW(JAVA_INCOMPATIBLE_CHANGE);
        method = java_methods + entry->method;
        goto call;
    }
call:
    if (method->native) {
        SPILL;
        method->native(sp + 1 - method->arguments);
        if (java_pending) goto thrown;
        sp += method->stack - method->arguments;
        top = *sp;
        NEXT;
    }
    SAVE;
    if (!enter(&now, method, java_top)) goto thrown;
    LOAD;
    NEXT;

    L_new: {
        SPILL;
        java_object *made = java_new(java_classes + number(pc));
        pc += 2;
        if (!made) goto thrown;
        PUSH(REFERENCE(made));
        NEXT;
    }
    L_newarray: {
        SPILL;
        java_object *made = java_new_array(java_classes + number(pc), top);
        pc += 2;
        if (!made) goto thrown;
        top = REFERENCE(made);
        NEXT;
    }
    L_multianewarray: {
        uint32_t dimensions = pc[2];
        SPILL;
        java_object *made = java_new_arrays(java_classes + number(pc), java_top - dimensions, dimensions);
        pc += 3;
        if (!made) goto thrown;
        sp -= dimensions - 1;
        top = REFERENCE(made);
        NEXT;
    }
    L_arraylength: if (!top) THROW(JAVA_NULL_POINTER); top = OBJECT(top)->words[0]; NEXT;
    L_athrow:
        SPILL;
        java_pending = OBJECT(top);
        if (!java_pending) java_throw(JAVA_NULL_POINTER);
        goto thrown;
    L_checkcast:
        if (top && !java_is(java_type(OBJECT(top)), java_classes + number(pc))) THROW(JAVA_CLASS_CAST);
        pc += 2;
        NEXT;
    L_instanceof:
        top = top && java_is(java_type(OBJECT(top)), java_classes + number(pc));
        pc += 2;
        NEXT;
    /* There is one thread, so only null is checked. */
    L_monitor: if (!top) THROW(JAVA_NULL_POINTER); DROP(1); NEXT;
    L_leave: *sp = top; return;

    L_load_load: PUSH_AT(locals, pc[0]); PUSH_AT(locals, pc[1]); pc += 2; NEXT;
    L_load_bconst: PUSH_AT(locals, pc[0]); PUSH((int8_t)pc[1]); pc += 2; NEXT;
    L_load_getfield: {
        const int32_t *object = WORDS(locals[pc[0]]);
        pc += 2;
        if (!object) THROW(JAVA_NULL_POINTER);
        PUSH(object[pc[-1]]);
        NEXT;
    }
    ELEMENT_LOAD_AT(load_iaload, int32_t)
    ELEMENT_LOAD_AT(load_baload, int8_t)
    L_store_load: locals[pc[0]] = top; top = locals[pc[1]]; pc += 2; NEXT;
    L_sconst_iand: top &= half(pc); pc += 2; NEXT;
    L_i2ul: PUSH(0); NEXT;
#ifdef JAVA_FLOATING
    L_floating: *sp = top; sp = java_floating[*pc](sp + 1) - 1; top = *sp; pc++; NEXT;
#endif

thrown:
    SAVE;
    if (unwind(&now)) {
        LOAD;
        NEXT;
    }
}

static const uint8_t     leave_code[] = {OP_leave};
static const java_method leave        = {.code = leave_code};

/* A run of the interpreter whose frames begin at the first free slot. */
static state below(void)
{
    int32_t *frame = java_top;
    frame[0]       = REFERENCE(&leave);
    frame[1]       = 0;
    frame[2]       = 0;
    java_top       = frame + HEADER;
    return (state){leave_code, frame};
}

void java_invoke(const java_method *method)
{
    int32_t *bottom = java_top;
    state    now    = below();
    java_top += method->arguments;
    if (method->native) {
        method->native(bottom + HEADER);
    } else if (java_c_stack_is_full()) {
        java_throw(JAVA_STACK_OVERFLOW);
    } else if (enter(&now, method, java_top)) {
        interpret(now);
    }
    java_top = bottom;
}

void java_initialize(const java_class *type)
{
    /* The class is as usable as before: none of its initialiser ran. */
    if (java_c_stack_is_full()) {
        java_throw(JAVA_STACK_OVERFLOW);
        return;
    }
    int32_t *bottom = java_top;
    state    now    = below();
    initialize(&now, type);
    if (!java_pending || unwind(&now)) {
        interpret(now);
    }
    java_top = bottom;
}

uint32_t java_select(const java_object *receiver, uint32_t selector)
{
    const java_entry *entry = java_dispatch + java_type(receiver)->row + selector;
    if (entry->selector != selector) {
        java_throw(JAVA_INCOMPATIBLE_CHANGE);
        return JAVA_NONE;
    }
    return entry->method;
}

java_object *java_run(void)
{
    const java_method *method = java_methods + java_entry_method;
    java_initialize(java_classes + method->owner);
    if (!java_pending && java_entry_array != JAVA_NONE) {
        java_top[HEADER] = REFERENCE(java_new_array(java_classes + java_entry_array, 0));
    }
    if (!java_pending) {
        java_invoke(method);
    }
    return java_pending;
}
