package matsuoka2004;

import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.DESEngine;
import org.bouncycastle.crypto.params.KeyParameter;

final class Des {
    private Des() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        BlockCipher engine = new DESEngine();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.block(engine, new KeyParameter(key));
        }
        bench.print();
    }
}
