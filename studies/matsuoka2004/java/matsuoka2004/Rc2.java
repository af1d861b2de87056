package matsuoka2004;

import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.RC2Engine;
import org.bouncycastle.crypto.params.RC2Parameters;

final class Rc2 {
    private Rc2() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        BlockCipher engine = new RC2Engine();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.block(engine, new RC2Parameters(key));
        }
        bench.print();
    }
}
