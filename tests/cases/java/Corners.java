/** Rare cases of the rules on names, static initialisers and unused classes. */
class Corners {
    static final StringBuilder ORDER = new StringBuilder();

    static int noted(String name, int value) {
        ORDER.append(name);
        return value;
    }

    public static void main(String[] args) {
        names();
        constants();
        never(null);
        failures();
        boxes();
        sameBoxes();
        letters();
        pairs();
    }

    static void boxes() {
        Number[] all = {(byte) -7, (short) -30000, 70000, 1L << 40};
        for (Number each : all) {
            System.out.println(each + " " + each.byteValue() + " " + each.intValue() + " " + each.longValue());
            System.out.println(each.hashCode() + " " + each.equals(all[0]) + " " + all[1].equals(each));
        }
        System.out.println(Byte.valueOf((byte) 3).compareTo((byte) 5) + Short.valueOf((short) 9).compareTo((short) 2));
        System.out.println(Integer.valueOf(4).compareTo(5) + " " + Integer.valueOf(4).equals(4));
    }

    /** Small numbers have one box each. */
    static void sameBoxes() {
        long[] values = {-129, -128, -1, 0, 15, 16, 127, 128, 255, 256, 1L << 32, -1L << 32};
        for (long each : values) {
            System.out.print(each + " " + (Long.valueOf(each) == Long.valueOf(each)));
            System.out.print(" " + (Integer.valueOf((int) each) == Integer.valueOf((int) each)));
            System.out.print(" " + (Short.valueOf((short) each) == Short.valueOf((short) each)));
            System.out.print(" " + (Byte.valueOf((byte) each) == Byte.valueOf((byte) each)));
            System.out.println(" " + (Character.valueOf((char) each) == Character.valueOf((char) each)));
        }
        int sum = 0;
        for (int i = -200; i < 200; i++) {
            Integer box = i;
            sum = sum * 3 + box.intValue() + (box == (Object) Integer.valueOf(i) ? 1 : 0);
        }
        System.out.println(sum);
    }

    /** Pairs of surrogates keep their order, halves do not make new ones. */
    static void pairs() {
        String[] texts = {"a\ud83d\ude00b", "\ude00\ud83d", "\ud83d\ud83d\ude00\ude00", "\ude00x\ud83d", "\ud83d\ude00"};
        for (String each : texts) {
            String turned = new StringBuilder(each).reverse().toString();
            for (int i = 0; i < turned.length(); i++) {
                System.out.print(Integer.toHexString(turned.charAt(i)) + " ");
            }
            System.out.println(turned.length());
        }
        StringBuffer text = new StringBuffer("ab").insert(1, (String) null).insert(6, (String) null);
        System.out.println(text.append(new StringBuilder("cd").insert(0, (String) null)));
    }

    static void letters() {
        StringBuffer text = new StringBuffer("ab").append('c').append(1).append(2L).append(true).append((String) null);
        CharSequence same = text.append(new char[] {'x'}).append((Object) "y").insert(0, '<').insert(1, "in").reverse();
        System.out.println(same + " " + same.length() + " " + same.charAt(3));
        text.setLength(4);
        text.setCharAt(1, '!');
        System.out.println(text.deleteCharAt(0).toString());
        try {
            new StringBuilder("z").insert(2, "a");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("outside");
        }
    }

    /** Classes whose names are the letters of basic types. */
    static void names() {
        B[] bytes = new B[1];
        bytes[0] = null;
        I[][] ints = {{new I(3)}, new I[2]};
        ints[1][1] = ints[0][0];
        Object o = bytes;
        System.out.println((o instanceof byte[]) + " " + (o instanceof B[]) + " " + (o instanceof Object[]));
        Object p = ints[1];
        System.out.println((p instanceof int[]) + " " + ints[1][1].value + " " + p.getClass().getName());
        Object q = args(true);
        System.out.println(q.getClass().getName() + " " + (q instanceof F[]) + " " + F.class.getName());
        try {
            Object[] store = ints[1];
            store[0] = new F();
        } catch (ArrayStoreException e) {
            System.out.println("store");
        }
        try {
            System.out.println(((int[]) p).length);
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
    }

    static Object args(boolean first) {
        return first ? (Object) new F[2] : new int[2];
    }

    /** Constants of an interface, used by classes that implement it and those that inherit it. */
    static void constants() {
        System.out.println(new Cipher().at(1) + " " + new Below().at(2) + " " + ORDER);
    }

    /** Fields of a class that no code makes. */
    static void never(Never object) {
        try {
            object.word = 3;
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        try {
            System.out.println(object.wide);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }

    /** A class below one whose initialiser fails cannot be used either. */
    static void failures() {
        for (int round = 0; round < 3; round++) {
            try {
                switch (round) {
                    case 0:
                        new Lower();
                        break;
                    case 1:
                        new Lower();
                        break;
                    default:
                        System.out.println(Lowest.seven);
                        break;
                }
                System.out.println("made");
            } catch (Throwable e) {
                System.out.println(e.getClass().getName());
            }
        }
        try {
            System.out.println(Lowest.seven);
        } catch (Throwable e) {
            System.out.println(e.getClass().getName());
        }
    }
}

class B {
}

class F {
}

class I {
    int value;

    I(int value) {
        this.value = value;
    }
}

interface Tables {
    int[] T = {1, 2, Corners.noted("T", 3)};
}

class Cipher implements Tables {
    int at(int index) {
        return T[index];
    }
}

class Below extends Cipher {
    int at(int index) {
        return T[index] + super.at(index);
    }
}

class Never {
    int word;
    long wide;
}

class Upper {
    static int x = 1 / Corners.noted("U", 0);
}

class Lower extends Upper {
}

class Lowest extends Lower {
    static int seven = Corners.noted("L", 7);
}
