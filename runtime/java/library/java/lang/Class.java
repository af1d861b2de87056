package java.lang;

/** The class of an object. Its only field is the address of the machine's description, as the machine expects. */
public final class Class<T> {
    private int description;

    private Class() {
    }

    private static native int letter(int description, int at);

    public String getName() {
        StringBuilder name = new StringBuilder();
        int at = 0;
        for (int first = letter(description, at++); first != 0; first = letter(description, at++)) {
            if (first >= 0xe0) {
                first = (first & 0xf) << 12 | (letter(description, at++) & 0x3f) << 6 | letter(description, at++) & 0x3f;
            } else if (first >= 0xc0) {
                first = (first & 0x1f) << 6 | letter(description, at++) & 0x3f;
            }
            name.append((char) first);
        }
        return name.toString();
    }

    public String getSimpleName() {
        String name = getName();
        int from = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$'));
        return name.substring(from + 1);
    }

    public boolean desiredAssertionStatus() {
        return false;
    }

    public String toString() {
        return "class " + getName();
    }
}
