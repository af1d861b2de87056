package java.lang;

public class Runtime {
    private static final Runtime ONLY = new Runtime();

    private Runtime() {
    }

    private static native int free();

    static native int identity(Object object);

    public static Runtime getRuntime() {
        return ONLY;
    }

    /** The bytes that new objects may take, in blocks of any size. */
    public long freeMemory() {
        return free();
    }

    public void gc() {
        System.gc();
    }
}
