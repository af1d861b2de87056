package matsuoka2004;

import org.bouncycastle.crypto.CryptoException;

/** All algorithms in one image, whose size is of interest. */
final class All {
    private All() {
    }

    public static void main(String[] args) throws CryptoException {
        Aes.main(args);
        Des.main(args);
        Rc2.main(args);
        Rc4.main(args);
        Rc5.main(args);
        Rc6.main(args);
        Md2.main(args);
        Md4.main(args);
        Md5.main(args);
        Sha1.main(args);
        Sha256.main(args);
        Sha512.main(args);
        HmacSha1.main(args);
        Rsa.main(args);
    }
}
