package java.lang;

/** The number in a Byte, Short or Integer. */
abstract class BoxedInt extends Number {
    final int value;

    BoxedInt(int value) {
        this.value = value;
    }

    public int intValue() {
        return value;
    }

    public long longValue() {
        return value;
    }

    public int hashCode() {
        return value;
    }

    public String toString() {
        return Integer.toString(value);
    }
}
