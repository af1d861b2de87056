package java.lang;

/** Text in UTF-16. Its only field is the array of its letters, as the machine expects of constants. */
public final class String implements CharSequence, Comparable<String>, java.io.Serializable {
    private final char[] text;

    public String() {
        text = new char[0];
    }

    public String(String other) {
        text = other.text;
    }

    public String(char[] letters) {
        this(letters, 0, letters.length);
    }

    public String(char[] letters, int from, int count) {
        if (from < 0 || count < 0 || from > letters.length - count) {
            throw new StringIndexOutOfBoundsException();
        }
        text = new char[count];
        System.arraycopy(letters, from, text, 0, count);
    }

    /** A string of the letters of ISO 8859-1. */
    public String(byte[] letters) {
        text = new char[letters.length];
        for (int i = 0; i < letters.length; i++) {
            text[i] = (char) (letters[i] & 0xff);
        }
    }

    public static String valueOf(Object value) {
        return value == null ? "null" : value.toString();
    }

    public static String valueOf(char value) {
        return new String(new char[] {value});
    }

    public static String valueOf(char[] value) {
        return new String(value);
    }

    public static String valueOf(int value) {
        return Integer.toString(value);
    }

    public static String valueOf(long value) {
        return Long.toString(value);
    }

    public static String valueOf(boolean value) {
        return value ? "true" : "false";
    }

    public int length() {
        return text.length;
    }

    public boolean isEmpty() {
        return text.length == 0;
    }

    public char charAt(int index) {
        if (index < 0 || index >= text.length) {
            throw new StringIndexOutOfBoundsException();
        }
        return text[index];
    }

    public void getChars(int from, int to, char[] target, int at) {
        if (from < 0 || to > text.length || from > to) {
            throw new StringIndexOutOfBoundsException();
        }
        System.arraycopy(text, from, target, at, to - from);
    }

    public char[] toCharArray() {
        return text.clone();
    }

    /** The lower eight bits of each letter: ISO 8859-1. */
    public byte[] getBytes() {
        byte[] bytes = new byte[text.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) text[i];
        }
        return bytes;
    }

    public boolean equals(Object other) {
        return other instanceof String && compareTo((String) other) == 0;
    }

    public int hashCode() {
        int hash = 0;
        for (int i = 0; i < text.length; i++) {
            hash = 31 * hash + text[i];
        }
        return hash;
    }

    public int compareTo(String other) {
        int shorter = Math.min(text.length, other.text.length);
        for (int i = 0; i < shorter; i++) {
            if (text[i] != other.text[i]) {
                return text[i] - other.text[i];
            }
        }
        return text.length - other.text.length;
    }

    public int indexOf(int letter) {
        return indexOf(letter, 0);
    }

    public int indexOf(int letter, int from) {
        for (int i = Math.max(from, 0); i < text.length; i++) {
            if (text[i] == letter) {
                return i;
            }
        }
        return -1;
    }

    public int indexOf(String other) {
        for (int i = 0; i <= text.length - other.text.length; i++) {
            if (startsWith(other, i)) {
                return i;
            }
        }
        return -1;
    }

    public int lastIndexOf(int letter) {
        int at = text.length - 1;
        while (at >= 0 && text[at] != letter) {
            at--;
        }
        return at;
    }

    public boolean startsWith(String other) {
        return startsWith(other, 0);
    }

    public boolean startsWith(String other, int from) {
        if (from < 0 || from > text.length - other.text.length) {
            return false;
        }
        for (int i = 0; i < other.text.length; i++) {
            if (text[from + i] != other.text[i]) {
                return false;
            }
        }
        return true;
    }

    public boolean endsWith(String other) {
        return startsWith(other, text.length - other.text.length);
    }

    public String substring(int from) {
        return substring(from, text.length);
    }

    public String substring(int from, int to) {
        if (from < 0 || to > text.length || from > to) {
            throw new StringIndexOutOfBoundsException();
        }
        return new String(text, from, to - from);
    }

    public String concat(String other) {
        return this + other;
    }

    public String replace(char old, char with) {
        char[] letters = text.clone();
        for (int i = 0; i < letters.length; i++) {
            if (letters[i] == old) {
                letters[i] = with;
            }
        }
        return new String(letters);
    }

    public String toLowerCase() {
        char[] letters = text.clone();
        for (int i = 0; i < letters.length; i++) {
            letters[i] = Character.toLowerCase(letters[i]);
        }
        return new String(letters);
    }

    public String toUpperCase() {
        char[] letters = text.clone();
        for (int i = 0; i < letters.length; i++) {
            letters[i] = Character.toUpperCase(letters[i]);
        }
        return new String(letters);
    }

    public String trim() {
        int from = 0;
        int to = text.length;
        while (from < to && text[from] <= ' ') {
            from++;
        }
        while (from < to && text[to - 1] <= ' ') {
            to--;
        }
        return substring(from, to);
    }

    public String toString() {
        return this;
    }
}
