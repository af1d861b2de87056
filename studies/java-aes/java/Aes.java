/** AES-128 (FIPS 197) byte by byte. */
final class Aes {
    private Aes() {
    }

    /** Encrypts a block of 16 bytes under a key of 16 bytes: key schedule and encryption. */
    static void encrypt(byte[] key, byte[] text, byte[] result) {
        byte[] keys = expanded(key);
        byte[] state = new byte[16];
        System.arraycopy(text, 0, result, 0, 16);
        addKey(result, keys, 0);
        for (int round = 1; round <= 10; round++) {
            for (int i = 0; i < 16; i++) {
                state[i] = SBox.VALUES[result[i * 5 & 15] & 0xff];
            }
            if (round < 10) {
                mixColumns(state);
            }
            System.arraycopy(state, 0, result, 0, 16);
            addKey(result, keys, 16 * round);
        }
    }

    private static byte[] expanded(byte[] key) {
        byte[] keys = new byte[176];
        System.arraycopy(key, 0, keys, 0, 16);
        int constant = 1;
        for (int i = 16; i < 176; i++) {
            int before = keys[i - 4];
            if (i % 16 < 4) {
                int turned = SBox.VALUES[keys[(i & ~3) - 4 + (i + 1 & 3)] & 0xff];
                before = turned ^ (i % 16 == 0 ? constant : 0);
                constant = i % 16 == 3 ? times2(constant) : constant;
            }
            keys[i] = (byte) (keys[i - 16] ^ before);
        }
        return keys;
    }

    private static int times2(int value) {
        return value << 1 & 0xff ^ (value >> 7 & 1) * 0x1b;
    }

    private static void addKey(byte[] block, byte[] keys, int at) {
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
}
