/** Encrypts the block of FIPS 197, appendix B, twice, and keeps the result and the cycles of both. */
public final class Application {
    static final byte[] output = new byte[16];
    static final long[] cycles = new long[2];

    private Application() {
    }

    public static void main(String[] args) {
        byte[] text = {
            0x32, 0x43, (byte) 0xf6, (byte) 0xa8, (byte) 0x88, 0x5a, 0x30, (byte) 0x8d,
            0x31, 0x31, (byte) 0x98, (byte) 0xa2, (byte) 0xe0, 0x37, 0x07, 0x34,
        };
        for (int run = 0; run < cycles.length; run++) {
            long start = cocrypt.Device.cycles();
            long reading = cocrypt.Device.cycles() - start;
            start = cocrypt.Device.cycles();
            Vault.encrypt(0, text, output);
            cycles[run] = cocrypt.Device.cycles() - start - reading;
        }
    }
}
