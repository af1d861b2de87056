import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.params.KeyParameter;

/** AES-128 by Bouncy Castle's engine, in the place of the class of that name in `studies/java-aes`. */
final class Aes {
    private Aes() {
    }

    /** Encrypts a block of 16 bytes under a key of 16 bytes: key schedule and encryption. */
    static void encrypt(byte[] key, byte[] text, byte[] result) {
        AESEngine engine = new AESEngine();
        engine.init(true, new KeyParameter(key));
        engine.processBlock(text, 0, result, 0);
    }
}
