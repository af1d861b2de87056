package matsuoka2004;

/** The values of the table that the image has, one after another. */
final class Vectors {
    private static int at;

    private Vectors() {
    }

    private static native int length(int index);

    private static native void copy(int index, byte[] target);

    /** The next value; null behind the last one. */
    static byte[] next() {
        int length = length(at);
        if (length < 0) {
            return null;
        }
        byte[] made = new byte[length];
        copy(at++, made);
        return made;
    }
}
