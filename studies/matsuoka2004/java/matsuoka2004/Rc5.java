package matsuoka2004;

import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.RC532Engine;
import org.bouncycastle.crypto.params.RC5Parameters;

final class Rc5 {
    private Rc5() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        BlockCipher engine = new RC532Engine();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.block(engine, new RC5Parameters(key, 12));
        }
        bench.print();
    }
}
