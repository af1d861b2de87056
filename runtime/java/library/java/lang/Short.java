package java.lang;

public final class Short extends BoxedInt implements Comparable<Short> {
    public static final short MIN_VALUE = -32768;
    public static final short MAX_VALUE = 32767;

    public Short(short value) {
        super(value);
    }

    public static Short valueOf(short value) {
        return new Short(value);
    }

    public boolean equals(Object other) {
        return other instanceof Short && ((Short) other).value == value;
    }

    public int compareTo(Short other) {
        return value - other.value;
    }
}
