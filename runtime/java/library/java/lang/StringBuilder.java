package java.lang;

public final class StringBuilder extends AbstractStringBuilder {
    public StringBuilder() {
        super(16);
    }

    public StringBuilder(int capacity) {
        super(capacity);
    }

    public StringBuilder(String first) {
        super(first.length() + 16);
        add(first);
    }

    public StringBuilder append(String other) {
        add(other);
        return this;
    }

    public StringBuilder append(char letter) {
        add(letter);
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

    public StringBuilder deleteCharAt(int index) {
        remove(index);
        return this;
    }

    public StringBuilder insert(int at, String added) {
        put(at, added);
        return this;
    }

    public StringBuilder insert(int at, char letter) {
        return insert(at, String.valueOf(letter));
    }

    public StringBuilder reverse() {
        turn();
        return this;
    }

    // Compilers join strings by calling it, whose class everybody may name.
    public String toString() {
        return super.toString();
    }
}
