package java.lang;

public final class StringBuffer extends AbstractStringBuilder {
    public StringBuffer() {
        super(16);
    }

    public StringBuffer(int capacity) {
        super(capacity);
    }

    public StringBuffer(String first) {
        super(first.length() + 16);
        add(first);
    }

    public StringBuffer append(String other) {
        add(other);
        return this;
    }

    public StringBuffer append(char letter) {
        add(letter);
        return this;
    }

    public StringBuffer append(Object value) {
        return append(String.valueOf(value));
    }

    public StringBuffer append(CharSequence value) {
        return append(String.valueOf(value));
    }

    public StringBuffer append(char[] value) {
        return append(new String(value));
    }

    public StringBuffer append(int value) {
        return append(Integer.toString(value));
    }

    public StringBuffer append(long value) {
        return append(Long.toString(value));
    }

    public StringBuffer append(boolean value) {
        return append(String.valueOf(value));
    }

    public StringBuffer deleteCharAt(int index) {
        remove(index);
        return this;
    }

    public StringBuffer insert(int at, String added) {
        put(at, added);
        return this;
    }

    public StringBuffer insert(int at, char letter) {
        return insert(at, String.valueOf(letter));
    }

    public StringBuffer reverse() {
        turn();
        return this;
    }

    // Compilers join strings by calling it, whose class everybody may name.
    public String toString() {
        return super.toString();
    }
}
