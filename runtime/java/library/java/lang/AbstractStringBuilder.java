package java.lang;

/** The letters of a StringBuffer or StringBuilder. */
abstract class AbstractStringBuilder implements CharSequence {
    private char[] text;
    private int count;

    AbstractStringBuilder(int capacity) {
        text = new char[capacity];
    }

    private void reserve(int more) {
        if (more > text.length - count) {
            char[] larger = new char[Math.max(text.length * 2 + 2, count + more)];
            System.arraycopy(text, 0, larger, 0, count);
            text = larger;
        }
    }

    final void add(String other) {
        String added = other == null ? "null" : other;
        reserve(added.length());
        added.getChars(0, added.length(), text, count);
        count += added.length();
    }

    final void add(char letter) {
        reserve(1);
        text[count++] = letter;
    }

    final void put(int at, String other) {
        if (at < 0 || at > count) {
            throw new StringIndexOutOfBoundsException();
        }
        String added = other == null ? "null" : other;
        reserve(added.length());
        System.arraycopy(text, at, text, at + added.length(), count - at);
        added.getChars(0, added.length(), text, at);
        count += added.length();
    }

    final void remove(int index) {
        require(index);
        System.arraycopy(text, index + 1, text, index, --count - index);
    }

    final void turn() {
        for (int i = 0; i < count / 2; i++) {
            char kept = text[i];
            text[i] = text[count - 1 - i];
            text[count - 1 - i] = kept;
        }
        // A pair of surrogates is one letter, which keeps its order.
        for (int i = 1; i < count; i++) {
            if (isSurrogate(text[i - 1], 0xdc00) && isSurrogate(text[i], 0xd800)) {
                char low = text[i - 1];
                text[i - 1] = text[i];
                text[i++] = low;
            }
        }
    }

    private static boolean isSurrogate(char letter, int first) {
        return letter >> 10 == first >> 10;
    }

    private void require(int index) {
        if (index < 0 || index >= count) {
            throw new StringIndexOutOfBoundsException();
        }
    }

    public int length() {
        return count;
    }

    public char charAt(int index) {
        require(index);
        return text[index];
    }

    public void setCharAt(int index, char letter) {
        require(index);
        text[index] = letter;
    }

    public void setLength(int length) {
        if (length < 0) {
            throw new StringIndexOutOfBoundsException();
        }
        reserve(length - count);
        while (count < length) {
            text[count++] = 0;
        }
        count = length;
    }

    public String toString() {
        return new String(text, 0, count);
    }
}
