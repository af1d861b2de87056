import cocrypt.Device;

/** AES-128 with a table of 256 words that is rotated: FIPS 197. Prints a cipher text and the cycles of one block. */
public final class AesTable {
    private static final byte[] SBOX = new byte[256];
    private static final int[] TABLE = new int[256];

    static {
        int power = 1;
        int inverse = 1;
        do {
            power = (power ^ power << 1 ^ (power >> 7) * 0x11b) & 0xff;
            inverse ^= inverse << 1;
            inverse ^= inverse << 2;
            inverse ^= inverse << 4;
            inverse &= 0xff;
            inverse ^= (inverse >> 7) * 0x09;
            int turned = inverse * 0x101;
            SBOX[power] = (byte) (inverse ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4 ^ 0x63);
        } while (power != 1);
        SBOX[0] = 0x63;
        for (int i = 0; i < 256; i++) {
            int once = SBOX[i] & 0xff;
            int twice = once << 1 ^ (once >> 7) * 0x11b;
            TABLE[i] = twice | once << 8 | once << 16 | (once ^ twice) << 24;
        }
    }

    private final int[] keys = new int[44];

    AesTable(byte[] key) {
        for (int i = 0; i < 4; i++) {
            keys[i] = word(key, 4 * i);
        }
        int constant = 1;
        for (int i = 4; i < 44; i++) {
            int before = keys[i - 1];
            if (i % 4 == 0) {
                before = substituted(before >>> 8 | before << 24) ^ constant;
                constant = constant << 1 ^ (constant >> 7) * 0x11b;
            }
            keys[i] = keys[i - 4] ^ before;
        }
    }

    private static int word(byte[] from, int at) {
        return from[at] & 0xff | (from[at + 1] & 0xff) << 8 | (from[at + 2] & 0xff) << 16 | from[at + 3] << 24;
    }

    private static void put(byte[] to, int at, int value) {
        to[at] = (byte) value;
        to[at + 1] = (byte) (value >> 8);
        to[at + 2] = (byte) (value >> 16);
        to[at + 3] = (byte) (value >> 24);
    }

    private static int substituted(int value) {
        return last(value, value, value, value);
    }

    private static int last(int a, int b, int c, int d) {
        return SBOX[a & 0xff] & 0xff | (SBOX[b >> 8 & 0xff] & 0xff) << 8
            | (SBOX[c >> 16 & 0xff] & 0xff) << 16 | SBOX[d >>> 24] << 24;
    }

    private static int turned(int value, int places) {
        return value << places | value >>> 32 - places;
    }

    private static int column(int a, int b, int c, int d) {
        return TABLE[a & 0xff] ^ turned(TABLE[b >> 8 & 0xff], 8)
            ^ turned(TABLE[c >> 16 & 0xff], 16) ^ turned(TABLE[d >>> 24], 24);
    }

    void encrypt(byte[] from, byte[] to) {
        int a = word(from, 0) ^ keys[0];
        int b = word(from, 4) ^ keys[1];
        int c = word(from, 8) ^ keys[2];
        int d = word(from, 12) ^ keys[3];
        int at = 4;
        for (; at < 40; at += 4) {
            int e = column(a, b, c, d) ^ keys[at];
            int f = column(b, c, d, a) ^ keys[at + 1];
            int g = column(c, d, a, b) ^ keys[at + 2];
            d = column(d, a, b, c) ^ keys[at + 3];
            a = e;
            b = f;
            c = g;
        }
        put(to, 0, last(a, b, c, d) ^ keys[at]);
        put(to, 4, last(b, c, d, a) ^ keys[at + 1]);
        put(to, 8, last(c, d, a, b) ^ keys[at + 2]);
        put(to, 12, last(d, a, b, c) ^ keys[at + 3]);
    }

    public static void main(String[] args) {
        byte[] key = new byte[16];
        byte[] block = new byte[16];
        for (int i = 0; i < 16; i++) {
            key[i] = (byte) i;
            block[i] = (byte) (i * 0x11);
        }
        AesTable aes = new AesTable(key);
        byte[] result = new byte[16];
        aes.encrypt(block, result);
        StringBuffer text = new StringBuffer();
        for (int i = 0; i < 16; i++) {
            text.append(Integer.toHexString(result[i] & 0xff | 0x100).substring(1));
        }
        System.out.println(text.toString());
        long start = Device.cycles();
        aes.encrypt(block, result);
        System.out.println(Device.cycles() - start);
    }
}
