package java.lang;

public final class Byte extends BoxedInt implements Comparable<Byte> {
    public static final byte MIN_VALUE = -128;
    public static final byte MAX_VALUE = 127;

    private static final Object[][] KEPT = Boxes.none();

    public Byte(byte value) {
        super(value);
    }

    public static Byte valueOf(byte value) {
        Object[] row = Boxes.row(KEPT, value);
        int at = Boxes.at(value);
        if (row[at] == null) {
            row[at] = new Byte(value);
        }
        return (Byte) row[at];
    }

    public boolean equals(Object other) {
        return other instanceof Byte && ((Byte) other).value == value;
    }

    public int compareTo(Byte other) {
        return value - other.value;
    }
}
