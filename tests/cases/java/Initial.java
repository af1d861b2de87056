/** Static initialisers: those that depend on nothing, and those whose time can be told. */
public class Initial {
    // Nothing writes to these tables.
    static class Tables {
        static final byte[] BYTES = {1, -2, 127, -128};
        static final boolean[] FLAGS = {true, false, true};
        static final char[] LETTERS = "a\u00e9\u20ac\0z".toCharArray();
        static final short[] SHORTS = {-1, 32767, -32768};
        static final int[] INTS = {0x12345678, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        static final long[] LONGS = {1, -1, Long.MIN_VALUE, 0x123456789abcdefL};
        static final int[][] NESTED = {{1}, {2, 3}, null, {}};
        static final byte[][] GRID = new byte[3][4];
        static final int[] EMPTY = {};
        static final int COMPUTED = sum(INTS);
        static final long WIDE = LONGS[3] * 31 >>> 3 ^ LONGS[2] / 7 % 1000;

        static {
            for (int i = 0; i < 12; i++) {
                GRID[i / 4][i % 4] = (byte) (i * i);
            }
        }

        static int sum(int[] values) {
            int total = 0;
            for (int value : values) {
                total = total * 31 + (value >> 3) - value / 3 % 77;
            }
            return total;
        }
    }

    // Each of these is written to in another way.
    static class Written {
        static int[] direct = {1, 2, 3};
        static final byte[] passed = {1, 2, 3};
        static final long[] aliased = {1, 2, 3};
        static final int[][] rows = {{1, 2}, {3, 4}};
        static final char[] copied = {'a', 'b', 'c'};
        static final char[] source = {'x', 'y', 'z'};
        static final int[] cloned = {1, 2, 3};
        static final int[][] shallow = {{1}, {2}};
        static final int[] returned = {1, 2, 3};
        static final short[] stored = {1, 2, 3};
        static final int[] chosen = {1, 2, 3};
        static int count = 5;

        static int[] get() {
            return returned;
        }
    }

    // Objects that refer to each other, to literals and, later, to objects of the heap.
    static class Node {
        static final Node FIRST = new Node("first", null);
        static final Node SECOND = new Node("second", FIRST);
        static final Object[] KEPT = new Object[3];

        String name;
        Node next;
        long number = 1L << 40;

        static {
            FIRST.next = SECOND;
            KEPT[0] = SECOND;
            KEPT[1] = "literal";
        }

        Node(String name, Node next) {
            this.name = name;
            this.next = next;
        }
    }

    enum Colour {
        RED,
        GREEN {
            int value() {
                return super.value() * 2;
            }
        };

        int value() {
            return ordinal() + 10;
        }
    }

    static class Above {
        static final int[] SIZES = {4, 5};
    }

    static class Below extends Above {
        static final int[] DOUBLED = {8, 10};
        final int[] own = DOUBLED;
    }

    // What follows can be told from outside.
    static class Prints {
        static final int[] VALUES = {1};

        static {
            System.out.println("Prints");
        }
    }

    static class BelowPrints extends Prints {
        static final int[] MORE = {2};
    }

    static class Reads {
        static final int SEEN = Written.count;
    }

    static class Changes {
        static final int[] ONE = {1};

        static {
            Written.count++;
        }
    }

    static class Throws {
        static final int[] VALUES = {1, 2};

        static {
            VALUES[VALUES.length] = 3;
        }
    }

    static class Catches {
        static int value;

        static {
            try {
                value = 1 / value;
            } catch (ArithmeticException e) {
                value = 7;
            }
        }
    }

    static class Left {
        static final int OWN = Right.OWN + 1;
    }

    static class Right {
        static final int OWN = Left.OWN + 1;
    }

    static class Parent {
        static final int CHILDS = Child.own;
    }

    static class Child extends Parent {
        static int own = new int[3].length;
    }

    static class Long2 {
        static int value;

        static {
            for (int i = 0; i < 100000; i++) {
                value = value * 31 + i;
            }
        }
    }

    static class Buffer {
        static final byte[] SCRATCH = new byte[512];
    }

    // Its method relies on the initialiser, and runs on an object of another class's.
    static class Worker {
        static final byte[] SCRATCH = new byte[512];

        int go() {
            SCRATCH[1] += 4;
            return SCRATCH[1];
        }
    }

    static class Holder {
        static final Worker ONE = new Worker();
    }

    interface Limits {
        int[] BOUNDS = {3, 9};
    }

    static void write(byte[] array, int at) {
        array[at] = 9;
    }

    static int[] keep;
    static short[] further;

    static void writeAll() {
        Written.direct[1] = 20;
        write(Written.passed, 1);
        long[] alias = Written.aliased;
        alias[2] += 40;
        int[] row = Written.rows[1];
        row[0]--;
        System.arraycopy(Written.source, 1, Written.copied, 0, 2);
        int[] clone = Written.cloned.clone();
        clone[0] = 100;
        Written.shallow.clone()[1][0] = 77;
        Written.get()[0] = 50;
        further = Written.stored;
        further[1] = 60;
        int[] either = Written.count > 3 ? Written.chosen : clone;
        either[2] = 70;
        System.out.println(clone[0] + Written.cloned[0] + Written.count);
    }

    static void show(String name, int[] values) {
        StringBuilder text = new StringBuilder(name);
        for (int value : values) {
            text.append(' ').append(value);
        }
        System.out.println(text);
    }

    static void tables() {
        for (int i = 0; i < 4; i++) {
            System.out.println(Tables.BYTES[i] + " " + Tables.INTS[i] + " " + Tables.LONGS[i]);
        }
        System.out.println(Tables.FLAGS[1] + " " + Tables.FLAGS[2] + " " + Tables.SHORTS[2]);
        System.out.println(new String(Tables.LETTERS, 3, 2).length() + Tables.LETTERS[1] + Tables.LETTERS[2]);
        System.out.println(Tables.NESTED[1][1] + Tables.NESTED[3].length + Tables.EMPTY.length);
        System.out.println(Tables.NESTED[2] == null);
        System.out.println(Tables.GRID[2][3] + " " + Tables.COMPUTED + " " + Tables.WIDE);
        try {
            System.out.println(Tables.BYTES[Tables.BYTES.length]);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("outside");
        }
    }

    static void written() {
        writeAll();
        show("direct", Written.direct);
        show("returned", Written.returned);
        show("chosen", Written.chosen);
        show("rows", Written.rows[1]);
        System.out.println(Written.passed[1] + Written.aliased[2] + Written.stored[1] + Written.shallow[1][0]);
        System.out.println(new String(Written.copied));
        Written.direct = new int[] {6};
        show("direct", Written.direct);
    }

    /** The collector keeps what only objects outside of the heap refer to. */
    static void collected() {
        Node.KEPT[2] = new Node("new", new Node("newer", null));
        Node.FIRST.name = "fir" + Written.count;
        for (int i = 0; i < 300; i++) {
            int[] filled = new int[40];
            for (int k = 0; k < filled.length; k++) {
                filled[k] = 0x5a5a5a5a;
            }
        }
        Node found = (Node) Node.KEPT[2];
        System.out.println(found.name + found.next.name + found.number + Node.FIRST.name);
        System.out.println(Node.FIRST.next.name + Node.SECOND.next.name + (Node.KEPT[0] == Node.SECOND));
        System.out.println(Node.KEPT[1] == "literal");
        System.out.println(Node.KEPT.getClass().getName() + (Node.KEPT[0] instanceof Node));
    }

    static void told() {
        System.out.println("before");
        System.out.println(BelowPrints.MORE[0]);
        Written.count = 8;
        System.out.println(Reads.SEEN + " " + Changes.ONE[0] + " " + Written.count);
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Throws.VALUES[0]);
            } catch (ExceptionInInitializerError e) {
                System.out.println("failed");
            } catch (NoClassDefFoundError e) {
                System.out.println("gone");
            }
        }
        System.out.println(Catches.value + " " + Right.OWN + " " + Left.OWN);
        System.out.println(Child.own + " " + Parent.CHILDS);
        System.out.println(Long2.value);
        System.out.println(Holder.ONE.go());
        Buffer.SCRATCH[511] = 3;
        System.out.println(Buffer.SCRATCH[511] + Buffer.SCRATCH[0]);
    }

    public static void main(String[] args) {
        told();
        tables();
        written();
        collected();
        for (Colour each : Colour.values()) {
            System.out.println(each.name() + each.value());
        }
        System.out.println(new Below().own[1] + Below.DOUBLED[0] + Below.SIZES[1] + Limits.BOUNDS[1]);
    }
}
