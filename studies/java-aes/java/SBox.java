/** The S-box of AES (FIPS 197, section 5.1.1), computed when it is first used. */
final class SBox {
    static final byte[] VALUES = new byte[256];

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
            VALUES[power & 0xff] =
                (byte) (inverse ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4 ^ 0x63);
        } while ((power & 0xff) != 1);
        VALUES[0] = 0x63;
    }

    private SBox() {
    }
}
