package matsuoka2004;

import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.params.KeyParameter;

final class Aes {
    private Aes() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        BlockCipher engine = new AESEngine();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.block(engine, new KeyParameter(key));
        }
        bench.print();
    }
}
