package java.lang;

public final class Integer extends BoxedInt implements Comparable<Integer> {
    public static final int MIN_VALUE = 0x80000000;
    public static final int MAX_VALUE = 0x7fffffff;
    public static final int SIZE = 32;
    public static final int BYTES = 4;

    private static final Object[][] KEPT = Boxes.none();

    public Integer(int value) {
        super(value);
    }

    public static Integer valueOf(int value) {
        if (value != (byte) value) {
            return new Integer(value);
        }
        Object[] row = Boxes.row(KEPT, value);
        int at = Boxes.at(value);
        if (row[at] == null) {
            row[at] = new Integer(value);
        }
        return (Integer) row[at];
    }

    public boolean equals(Object other) {
        return other instanceof Integer && ((Integer) other).value == value;
    }

    public int compareTo(Integer other) {
        return compare(value, other.value);
    }

    public static int compare(int left, int right) {
        return left < right ? -1 : left == right ? 0 : 1;
    }

    public static String toString(int value) {
        char[] digits = new char[11];
        int at = 11;
        int rest = value < 0 ? value : -value;
        do {
            digits[--at] = (char) ('0' - rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (value < 0) {
            digits[--at] = '-';
        }
        return new String(digits, at, 11 - at);
    }

    public static String toHexString(int value) {
        return Long.toHexString(value & 0xffffffffL);
    }

    public static int parseInt(String text) {
        return parseInt(text, 10);
    }

    public static int parseInt(String text, int radix) {
        long value = Long.parseLong(text, radix);
        if (value != (int) value) {
            throw new NumberFormatException(text);
        }
        return (int) value;
    }

    public static int rotateLeft(int value, int distance) {
        return value << distance | value >>> -distance;
    }

    public static int rotateRight(int value, int distance) {
        return value >>> distance | value << -distance;
    }

    public static int bitCount(int value) {
        int count = 0;
        for (; value != 0; value &= value - 1) {
            count++;
        }
        return count;
    }

    public static int numberOfLeadingZeros(int value) {
        int count = 32;
        for (; value != 0; value >>>= 1) {
            count--;
        }
        return count;
    }

    public static int numberOfTrailingZeros(int value) {
        return 32 - numberOfLeadingZeros(~value & (value - 1));
    }

    public static int reverseBytes(int value) {
        return value << 24 | (value & 0xff00) << 8 | value >>> 8 & 0xff00 | value >>> 24;
    }
}
