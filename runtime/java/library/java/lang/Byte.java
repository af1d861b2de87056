package java.lang;

public final class Byte extends BoxedInt implements Comparable<Byte> {
    public static final byte MIN_VALUE = -128;
    public static final byte MAX_VALUE = 127;

    public Byte(byte value) {
        super(value);
    }

    public static Byte valueOf(byte value) {
        return new Byte(value);
    }

    public boolean equals(Object other) {
        return other instanceof Byte && ((Byte) other).value == value;
    }

    public int compareTo(Byte other) {
        return value - other.value;
    }
}
