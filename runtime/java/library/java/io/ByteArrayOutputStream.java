package java.io;

public class ByteArrayOutputStream extends OutputStream {
    protected byte[] buf;
    protected int count;

    public ByteArrayOutputStream() {
        this(32);
    }

    public ByteArrayOutputStream(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("Negative initial size: " + size);
        }
        buf = new byte[size];
    }

    private void reserve(int more) {
        if (more > buf.length - count) {
            byte[] larger = new byte[Math.max(2 * buf.length, count + more)];
            System.arraycopy(buf, 0, larger, 0, count);
            buf = larger;
        }
    }

    public void write(int value) {
        reserve(1);
        buf[count++] = (byte) value;
    }

    public void write(byte[] from, int at, int length) {
        requireWithin(from, at, length);
        reserve(length);
        System.arraycopy(from, at, buf, count, length);
        count += length;
    }

    public void writeTo(OutputStream to) throws IOException {
        to.write(buf, 0, count);
    }

    public void reset() {
        count = 0;
    }

    public byte[] toByteArray() {
        byte[] made = new byte[count];
        System.arraycopy(buf, 0, made, 0, count);
        return made;
    }

    public int size() {
        return count;
    }

    public String toString() {
        StringBuffer text = new StringBuffer(count);
        for (int i = 0; i < count; i++) {
            text.append((char) (buf[i] & 0xff));
        }
        return text.toString();
    }
}
