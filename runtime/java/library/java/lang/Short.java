package java.lang;

public final class Short extends BoxedInt implements Comparable<Short> {
    public static final short MIN_VALUE = -32768;
    public static final short MAX_VALUE = 32767;

    private static final Object[][] KEPT = Boxes.none();

    public Short(short value) {
        super(value);
    }

    public static Short valueOf(short value) {
        if (value != (byte) value) {
            return new Short(value);
        }
        Object[] row = Boxes.row(KEPT, value);
        int at = Boxes.at(value);
        if (row[at] == null) {
            row[at] = new Short(value);
        }
        return (Short) row[at];
    }

    public boolean equals(Object other) {
        return other instanceof Short && ((Short) other).value == value;
    }

    public int compareTo(Short other) {
        return value - other.value;
    }
}
