/** Encryption under the device's keys, of which users know the numbers alone. */
final class Vault {
    private Vault() {
    }

    /** Encrypts a block of 16 bytes under the key of a number. */
    static void encrypt(int number, byte[] text, byte[] result) {
        Aes.encrypt(Keys.get(number), text, result);
    }
}
