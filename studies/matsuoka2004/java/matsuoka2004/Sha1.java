package matsuoka2004;

import org.bouncycastle.crypto.digests.SHA1Digest;

final class Sha1 {
    private Sha1() {
    }

    public static void main(String[] args) {
        new Bench().digests(new SHA1Digest());
    }
}
