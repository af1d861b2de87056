package java.lang;

public final class Character implements Comparable<Character> {
    public static final char MIN_VALUE = 0;
    public static final char MAX_VALUE = 0xffff;

    private static final Object[][] KEPT = Boxes.none();

    private final char value;

    public Character(char value) {
        this.value = value;
    }

    public static Character valueOf(char value) {
        if (value > 127) {
            return new Character(value);
        }
        Object[] row = Boxes.row(KEPT, value);
        int at = Boxes.at(value);
        if (row[at] == null) {
            row[at] = new Character(value);
        }
        return (Character) row[at];
    }

    public char charValue() {
        return value;
    }

    public int hashCode() {
        return value;
    }

    public boolean equals(Object other) {
        return other instanceof Character && ((Character) other).value == value;
    }

    public int compareTo(Character other) {
        return value - other.value;
    }

    public String toString() {
        return String.valueOf(value);
    }

    public static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    public static char toLowerCase(char letter) {
        return letter >= 'A' && letter <= 'Z' ? (char) (letter + 32) : letter;
    }

    public static char toUpperCase(char letter) {
        return letter >= 'a' && letter <= 'z' ? (char) (letter - 32) : letter;
    }

    public static int digit(char letter, int radix) {
        char lower = toLowerCase(letter);
        int digit = isDigit(letter) ? letter - '0' : lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : -1;
        return digit < radix ? digit : -1;
    }
}
