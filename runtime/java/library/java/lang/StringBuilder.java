package java.lang;

public final class StringBuilder implements CharSequence {
    private char[] text;
    private int count;

    public StringBuilder() {
        this(16);
    }

    public StringBuilder(int capacity) {
        text = new char[capacity];
    }

    public StringBuilder(String first) {
        this(first.length() + 16);
        append(first);
    }

    private void reserve(int more) {
        if (more > text.length - count) {
            char[] larger = new char[Math.max(text.length * 2 + 2, count + more)];
            System.arraycopy(text, 0, larger, 0, count);
            text = larger;
        }
    }

    public StringBuilder append(String other) {
        String added = other == null ? "null" : other;
        reserve(added.length());
        added.getChars(0, added.length(), text, count);
        count += added.length();
        return this;
    }

    public StringBuilder append(char letter) {
        reserve(1);
        text[count++] = letter;
        return this;
    }

    public StringBuilder append(Object value) {
        return append(String.valueOf(value));
    }

    public StringBuilder append(CharSequence value) {
        return append(String.valueOf(value));
    }

    public StringBuilder append(char[] value) {
        return append(new String(value));
    }

    public StringBuilder append(int value) {
        return append(Integer.toString(value));
    }

    public StringBuilder append(long value) {
        return append(Long.toString(value));
    }

    public StringBuilder append(boolean value) {
        return append(String.valueOf(value));
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

    public StringBuilder deleteCharAt(int index) {
        require(index);
        System.arraycopy(text, index + 1, text, index, --count - index);
        return this;
    }

    public StringBuilder insert(int at, String added) {
        if (at < 0 || at > count) {
            throw new StringIndexOutOfBoundsException();
        }
        reserve(added.length());
        System.arraycopy(text, at, text, at + added.length(), count - at);
        added.getChars(0, added.length(), text, at);
        count += added.length();
        return this;
    }

    public StringBuilder insert(int at, char letter) {
        return insert(at, String.valueOf(letter));
    }

    public StringBuilder reverse() {
        for (int i = 0; i < count / 2; i++) {
            char kept = text[i];
            text[i] = text[count - 1 - i];
            text[count - 1 - i] = kept;
        }
        return this;
    }

    public String toString() {
        return new String(text, 0, count);
    }
}
