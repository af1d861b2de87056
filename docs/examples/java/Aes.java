/** AES-128 (FIPS 197), one block, with tables for the S-box alone. */
public final class Aes {
    private static final byte[] SBOX = new byte[256];

    static {
        // The powers of 3 in GF(2^8) and those of its inverse 0xf6 are inverses of each other.
        int power = 1;
        int inverse = 1;
        do {
            power = power ^ power << 1 ^ (power >> 7) * 0x11b;
            inverse ^= inverse << 1;
            inverse ^= inverse << 2;
            inverse ^= inverse << 4;
            inverse &= 0xff;
            inverse ^= (inverse >> 7) * 0x09;
            int turned = inverse * 0x101;
            SBOX[power & 0xff] =
                (byte) (inverse ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4 ^ 0x63);
        } while ((power & 0xff) != 1);
        SBOX[0] = 0x63;
    }

    private final byte[] keys = new byte[176];

    public Aes(byte[] key) {
        System.arraycopy(key, 0, keys, 0, 16);
        int constant = 1;
        for (int i = 16; i < 176; i++) {
            int word = i & ~3;
            int before = keys[i - 4];
            if (i % 16 < 4) {
                before = SBOX[keys[word - 4 + (i + 1 & 3)] & 0xff] ^ (i % 16 == 0 ? constant : 0);
                constant = i % 16 == 3 ? times2(constant) : constant;
            }
            keys[i] = (byte) (keys[i - 16] ^ before);
        }
    }

    private static int times2(int value) {
        return value << 1 & 0xff ^ (value >> 7 & 1) * 0x1b;
    }

    /** Encrypts 16 bytes in place. */
    public void encrypt(byte[] block) {
        byte[] state = new byte[16];
        addKey(block, 0);
        for (int round = 1; round <= 10; round++) {
            for (int i = 0; i < 16; i++) {
                state[i] = SBOX[block[i * 5 & 15] & 0xff];
            }
            if (round < 10) {
                mixColumns(state);
            }
            System.arraycopy(state, 0, block, 0, 16);
            addKey(block, 16 * round);
        }
    }

    private void addKey(byte[] block, int at) {
        for (int i = 0; i < 16; i++) {
            block[i] ^= keys[at + i];
        }
    }

    private static void mixColumns(byte[] state) {
        for (int i = 0; i < 16; i += 4) {
            int a = state[i];
            int b = state[i + 1];
            int c = state[i + 2];
            int d = state[i + 3];
            int all = a ^ b ^ c ^ d;
            state[i] ^= all ^ times2(a ^ b);
            state[i + 1] ^= all ^ times2(b ^ c);
            state[i + 2] ^= all ^ times2(c ^ d);
            state[i + 3] ^= all ^ times2(d ^ a);
        }
    }

    public static void main(String[] args) {
        byte[] key = new byte[16];
        byte[] block = new byte[16];
        for (int i = 0; i < 16; i++) {
            key[i] = (byte) i;
            block[i] = (byte) (i * 0x11);
        }
        new Aes(key).encrypt(block);
        StringBuffer text = new StringBuffer();
        for (int i = 0; i < 16; i++) {
            text.append(Integer.toHexString(block[i] & 0xff | 0x100).substring(1));
        }
        System.out.println(text.toString());
    }
}
