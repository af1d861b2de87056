package java.io;

public abstract class OutputStream implements Closeable, Flushable {
    public abstract void write(int value) throws IOException;

    public void write(byte[] from) throws IOException {
        write(from, 0, from.length);
    }

    public void write(byte[] from, int at, int count) throws IOException {
        requireWithin(from, at, count);
        for (int i = 0; i < count; i++) {
            write(from[at + i]);
        }
    }

    static void requireWithin(byte[] bytes, int at, int count) {
        if ((at | count) < 0 || count > bytes.length - at) {
            throw new IndexOutOfBoundsException();
        }
    }

    public void flush() throws IOException {
    }

    public void close() throws IOException {
    }
}
