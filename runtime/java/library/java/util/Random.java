package java.util;

/** The generator that Java's specification prescribes. It is not for keys. */
public class Random {
    private long seed;

    public Random(long seed) {
        setSeed(seed);
    }

    public void setSeed(long seed) {
        this.seed = (seed ^ 0x5deece66dL) & (1L << 48) - 1;
    }

    protected int next(int bits) {
        seed = seed * 0x5deece66dL + 0xbL & (1L << 48) - 1;
        return (int) (seed >>> 48 - bits);
    }

    public int nextInt() {
        return next(32);
    }

    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException();
        }
        if ((bound & -bound) == bound) {
            return (int) (bound * (long) next(31) >> 31);
        }
        int bits;
        int value;
        do {
            bits = next(31);
            value = bits % bound;
        } while (bits - value + (bound - 1) < 0);
        return value;
    }

    public long nextLong() {
        return ((long) next(32) << 32) + next(32);
    }

    public boolean nextBoolean() {
        return next(1) != 0;
    }

    public void nextBytes(byte[] bytes) {
        for (int i = 0; i < bytes.length; ) {
            for (int word = nextInt(), n = Math.min(bytes.length - i, 4); n-- > 0; word >>= 8) {
                bytes[i++] = (byte) word;
            }
        }
    }
}
