package java.lang;

public final class Long extends Number implements Comparable<Long> {
    public static final long MIN_VALUE = 0x8000000000000000L;
    public static final long MAX_VALUE = 0x7fffffffffffffffL;
    public static final int SIZE = 64;
    public static final int BYTES = 8;

    private static final Object[][] KEPT = Boxes.none();

    private final long value;

    public Long(long value) {
        this.value = value;
    }

    public static Long valueOf(long value) {
        if (value != (byte) value) {
            return new Long(value);
        }
        Object[] row = Boxes.row(KEPT, (int) value);
        int at = Boxes.at((int) value);
        if (row[at] == null) {
            row[at] = new Long(value);
        }
        return (Long) row[at];
    }

    public int intValue() {
        return (int) value;
    }

    public long longValue() {
        return value;
    }

    public int hashCode() {
        return (int) (value ^ value >>> 32);
    }

    public boolean equals(Object other) {
        return other instanceof Long && ((Long) other).value == value;
    }

    public int compareTo(Long other) {
        return compare(value, other.value);
    }

    public String toString() {
        return toString(value);
    }

    public static int compare(long left, long right) {
        return left < right ? -1 : left == right ? 0 : 1;
    }

    public static String toString(long value) {
        char[] digits = new char[20];
        int at = 20;
        long rest = value < 0 ? value : -value;
        do {
            digits[--at] = (char) ('0' - (int) (rest % 10));
            rest /= 10;
        } while (rest != 0);
        if (value < 0) {
            digits[--at] = '-';
        }
        return new String(digits, at, 20 - at);
    }

    public static String toHexString(long value) {
        char[] digits = new char[16];
        int at = 16;
        do {
            int digit = (int) value & 15;
            digits[--at] = (char) (digit < 10 ? '0' + digit : 'a' - 10 + digit);
            value >>>= 4;
        } while (value != 0);
        return new String(digits, at, 16 - at);
    }

    public static long parseLong(String text) {
        return parseLong(text, 10);
    }

    public static long parseLong(String text, int radix) {
        if (text == null) {
            throw new NumberFormatException(text);
        }
        int at = 0;
        boolean negative = false;
        if (text.length() > 1 && (text.charAt(0) == '-' || text.charAt(0) == '+')) {
            negative = text.charAt(0) == '-';
            at = 1;
        }
        long value = 0;
        long least = negative ? MIN_VALUE : -MAX_VALUE;
        do {
            int digit = at < text.length() ? Character.digit(text.charAt(at), radix) : -1;
            if (digit < 0 || value < least / radix || value * radix < least + digit) {
                throw new NumberFormatException(text);
            }
            value = value * radix - digit;
        } while (++at < text.length());
        return negative ? value : -value;
    }

    public static long rotateLeft(long value, int distance) {
        return value << distance | value >>> -distance;
    }

    public static long rotateRight(long value, int distance) {
        return value >>> distance | value << -distance;
    }
}
