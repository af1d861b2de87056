/** Encrypts a block twice under a key of the device, and keeps the result and the cycles of both. */
public final class Application {
    static final byte[] output = new byte[16];
    static final long[] cycles = new long[2];

    private Application() {
    }

    public static void main(String[] args) {
        byte[] text = new byte[16];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (0x11 * i);
        }
        long start = cocrypt.Device.cycles();
        long reading = cocrypt.Device.cycles() - start;
        for (int run = 0; run < cycles.length; run++) {
            start = cocrypt.Device.cycles();
            Vault.encrypt(1, text, output);
            cycles[run] = cocrypt.Device.cycles() - start - reading;
        }
    }
}
