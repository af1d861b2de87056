/* The instructions of the virtual machine: bytecode whose references are resolved.
 *
 * Variables, fields and arguments are slots of 32 bits; a number behind a name is the slots of a value. The
 * operands follow in the little-endian order. The host reads this list for its numbers. */

OP(nop) OP(iconst_m1) OP(iconst_0) OP(iconst_1) OP(iconst_2) OP(iconst_3) OP(iconst_4) OP(iconst_5)
OP(bconst) OP(sconst) OP(iconst) OP(lconst) OP(oconst)
OP(load) OP(load_0) OP(load_1) OP(load_2) OP(load_3) OP(load2) OP(load_w) OP(load2_w)
OP(store) OP(store_0) OP(store_1) OP(store_2) OP(store_3) OP(store2) OP(store_w) OP(store2_w)
OP(iaload) OP(laload) OP(baload) OP(caload) OP(saload)
OP(iastore) OP(lastore) OP(aastore) OP(bastore) OP(castore)
OP(pop) OP(pop2) OP(dup) OP(dup_x1) OP(dup_x2) OP(dup2) OP(dup2_x1) OP(dup2_x2) OP(swap)
OP(iadd) OP(isub) OP(imul) OP(idiv) OP(irem) OP(ineg) OP(ishl) OP(ishr) OP(iushr) OP(iand) OP(ior) OP(ixor)
OP(ladd) OP(lsub) OP(lmul) OP(ldiv) OP(lrem) OP(lneg) OP(lshl) OP(lshr) OP(lushr) OP(land) OP(lor) OP(lxor)
OP(iinc) OP(iinc_w) OP(i2l) OP(l2i) OP(i2b) OP(i2c) OP(i2s) OP(lcmp)
OP(ifeq) OP(ifne) OP(iflt) OP(ifge) OP(ifgt) OP(ifle)
OP(if_icmpeq) OP(if_icmpne) OP(if_icmplt) OP(if_icmpge) OP(if_icmpgt) OP(if_icmple)
OP(goto) OP(jsr) OP(ret) OP(ret_w) OP(tableswitch) OP(lookupswitch)
OP(return) OP(return1) OP(return2)
OP(getstatic) OP(getstatic2) OP(putstatic) OP(putstatic2) OP(getfield) OP(getfield2) OP(putfield) OP(putfield2)
OP(initialize) OP(invokestatic) OP(invokespecial) OP(invokevirtual)
OP(new) OP(newarray) OP(multianewarray) OP(arraylength) OP(athrow) OP(checkcast) OP(instanceof) OP(monitor) OP(leave)

/* Two or three instructions of bytecode in one: a variable and what comes behind it, and so on. */
OP(load_load) OP(load_bconst) OP(load_getfield) OP(load_iaload) OP(load_baload) OP(store_load)
OP(sconst_iand) OP(i2ul)

/* An operation on floating point, by its number in `java_floating`. */
#ifdef JAVA_FLOATING
OP(floating)
#endif
