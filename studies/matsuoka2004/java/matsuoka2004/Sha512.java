package matsuoka2004;

import org.bouncycastle.crypto.digests.SHA512Digest;

final class Sha512 {
    private Sha512() {
    }

    public static void main(String[] args) {
        new Bench().digests(new SHA512Digest());
    }
}
