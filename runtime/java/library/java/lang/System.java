package java.lang;

public final class System {
    public static final java.io.PrintStream out = new java.io.PrintStream();
    public static final java.io.PrintStream err = out;

    private System() {
    }

    public static native void arraycopy(Object from, int fromAt, Object to, int toAt, int count);

    public static native void exit(int status);

    public static native void gc();

    public static int identityHashCode(Object object) {
        return object == null ? 0 : Runtime.identity(object);
    }
}
