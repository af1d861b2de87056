package java.io;

public abstract class InputStream implements Closeable {
    public abstract int read() throws IOException;

    public int read(byte[] to) throws IOException {
        return read(to, 0, to.length);
    }

    public int read(byte[] to, int at, int count) throws IOException {
        OutputStream.requireWithin(to, at, count);
        int done = 0;
        while (done < count) {
            int next = read();
            if (next < 0) {
                return done == 0 ? -1 : done;
            }
            to[at + done++] = (byte) next;
        }
        return done;
    }

    public long skip(long count) throws IOException {
        long done = 0;
        while (done < count && read() >= 0) {
            done++;
        }
        return done;
    }

    public int available() throws IOException {
        return 0;
    }

    public void close() throws IOException {
    }

    public void mark(int limit) {
    }

    public void reset() throws IOException {
        throw new IOException("mark/reset not supported");
    }

    public boolean markSupported() {
        return false;
    }
}
