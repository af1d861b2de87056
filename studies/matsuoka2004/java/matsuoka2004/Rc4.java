package matsuoka2004;

import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.engines.RC4Engine;
import org.bouncycastle.crypto.params.KeyParameter;

final class Rc4 {
    private Rc4() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        StreamCipher engine = new RC4Engine();
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.stream(engine, new KeyParameter(key));
        }
        bench.print();
    }
}
