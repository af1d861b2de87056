package matsuoka2004;

import java.math.BigInteger;
import org.bouncycastle.crypto.AsymmetricBlockCipher;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;

final class Rsa {
    private Rsa() {
    }

    private static BigInteger number() {
        return new BigInteger(1, Vectors.next());
    }

    public static void main(String[] args) throws CryptoException {
        Bench bench = new Bench();
        AsymmetricBlockCipher engine = new RSAEngine();
        for (byte[] first = Vectors.next(); first != null; first = Vectors.next()) {
            BigInteger n = new BigInteger(1, first);
            BigInteger e = number();
            RSAPrivateCrtKeyParameters secret = new RSAPrivateCrtKeyParameters(
                n, e, number(), number(), number(), number(), number(), number());
            bench.number(engine, new RSAKeyParameters(false, n, e), secret);
        }
        bench.print();
    }
}
