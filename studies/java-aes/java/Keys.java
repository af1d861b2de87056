/** The device's keys, from published examples: FIPS 197, appendices B and C.1. */
final class Keys {
    private static final byte[][] KEYS = {
        {0x2b, 0x7e, 0x15, 0x16, 0x28, (byte) 0xae, (byte) 0xd2, (byte) 0xa6,
         (byte) 0xab, (byte) 0xf7, 0x15, (byte) 0x88, 0x09, (byte) 0xcf, 0x4f, 0x3c},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    };

    private Keys() {
    }

    static byte[] get(int number) {
        return KEYS[number];
    }
}
