package matsuoka2004;

import org.bouncycastle.crypto.digests.SHA256Digest;

final class Sha256 {
    private Sha256() {
    }

    public static void main(String[] args) {
        new Bench().digests(new SHA256Digest());
    }
}
