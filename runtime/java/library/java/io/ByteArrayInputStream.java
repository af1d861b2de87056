package java.io;

public class ByteArrayInputStream extends InputStream {
    protected byte[] buf;
    protected int pos;
    protected int mark;
    protected int count;

    public ByteArrayInputStream(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public ByteArrayInputStream(byte[] bytes, int at, int length) {
        buf = bytes;
        pos = at;
        mark = at;
        count = Math.min(at + length, bytes.length);
    }

    public int read() {
        return pos < count ? buf[pos++] & 0xff : -1;
    }

    public int read(byte[] to, int at, int length) {
        OutputStream.requireWithin(to, at, length);
        if (pos >= count) {
            return -1;
        }
        int taken = Math.min(length, count - pos);
        System.arraycopy(buf, pos, to, at, taken);
        pos += taken;
        return taken;
    }

    public long skip(long length) {
        long skipped = Math.max(0, Math.min(length, count - pos));
        pos += (int) skipped;
        return skipped;
    }

    public int available() {
        return count - pos;
    }

    public boolean markSupported() {
        return true;
    }

    public void mark(int limit) {
        mark = pos;
    }

    public void reset() {
        pos = mark;
    }
}
