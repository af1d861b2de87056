package matsuoka2004;

import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.RC6Engine;
import org.bouncycastle.crypto.params.KeyParameter;

final class Rc6 {
    private Rc6() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        BlockCipher engine = new RC6Engine();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.block(engine, new KeyParameter(key));
        }
        bench.print();
    }
}
