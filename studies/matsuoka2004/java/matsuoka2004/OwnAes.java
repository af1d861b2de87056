package matsuoka2004;

/** AES of FIPS 197 without a library, byte by byte; keys of 128, 192 and 256 bits. */
final class OwnAes {
    static final int SIZE = 16;

    private static final byte[] BOX = new byte[256];
    private static final byte[] BACK = new byte[256];

    static {
        int value = 1;
        int inverse = 1;
        do {
            // The product with 3 runs through all values but 0, and the quotient through their inverses.
            value = value ^ doubled(value);
            inverse ^= inverse << 1;
            inverse ^= inverse << 2;
            inverse ^= inverse << 4;
            inverse = inverse & 0xff ^ ((inverse & 0x80) != 0 ? 9 : 0);
            int turned = inverse * 0x101;
            int made = (turned ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4 ^ 0x63) & 0xff;
            BOX[value] = (byte) made;
            BACK[made] = (byte) value;
        } while (value != 1);
        BOX[0] = 0x63;
        BACK[0x63] = 0;
    }

    private byte[] keys;
    private boolean forward;

    private static int doubled(int value) {
        return (value << 1 ^ ((value & 0x80) != 0 ? 0x11b : 0)) & 0xff;
    }

    void init(boolean encrypts, byte[] key) {
        forward = encrypts;
        keys = new byte[SIZE * (key.length / 4 + 7)];
        System.arraycopy(key, 0, keys, 0, key.length);
        int constant = 1;
        for (int at = key.length; at < keys.length; at += 4) {
            boolean first = at % key.length == 0;
            for (int i = 0; i < 4; i++) {
                int last = keys[at - 4 + (first ? i + 1 & 3 : i)] & 0xff;
                boolean isBoxed = first || key.length == 32 && at % 32 == 16;
                keys[at + i] = (byte) (keys[at + i - key.length] ^ (isBoxed ? BOX[last] : last));
            }
            if (first) {
                keys[at] ^= constant;
                constant = doubled(constant);
            }
        }
    }

    void process(byte[] input, byte[] output) {
        byte[] state = new byte[SIZE];
        System.arraycopy(input, 0, state, 0, SIZE);
        int rounds = keys.length / SIZE - 1;
        addKey(state, forward ? 0 : rounds);
        for (int round = 1; round <= rounds; round++) {
            state = forward ? shifted(state, 4, BOX) : shifted(state, -4, BACK);
            if (!forward) {
                addKey(state, rounds - round);
            }
            if (round < rounds) {
                mix(state);
            }
            if (forward) {
                addKey(state, round);
            }
        }
        System.arraycopy(state, 0, output, 0, SIZE);
    }

    private void addKey(byte[] state, int round) {
        for (int i = 0; i < SIZE; i++) {
            state[i] ^= keys[SIZE * round + i];
        }
    }

    /** The table's values of the bytes, with the rows shifted; `step` is 4 to the left, -4 to the right. */
    private static byte[] shifted(byte[] state, int step, byte[] table) {
        byte[] made = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            made[i] = table[state[i + step * (i & 3) & 15] & 0xff];
        }
        return made;
    }

    private void mix(byte[] state) {
        for (int at = 0; at < SIZE; at += 4) {
            if (!forward) {
                // The inverse is the same matrix after one that adds products with 4.
                int even = doubled(doubled((state[at] ^ state[at + 2]) & 0xff));
                int odd = doubled(doubled((state[at + 1] ^ state[at + 3]) & 0xff));
                state[at] ^= even;
                state[at + 2] ^= even;
                state[at + 1] ^= odd;
                state[at + 3] ^= odd;
            }
            int all = state[at] ^ state[at + 1] ^ state[at + 2] ^ state[at + 3];
            int first = state[at];
            for (int i = 0; i < 4; i++) {
                int next = i == 3 ? first : state[at + i + 1];
                state[at + i] ^= all ^ doubled((state[at + i] ^ next) & 0xff);
            }
        }
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        OwnAes engine = new OwnAes();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.own(engine, key);
        }
        bench.print();
    }
}
