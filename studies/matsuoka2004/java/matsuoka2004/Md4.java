package matsuoka2004;

import org.bouncycastle.crypto.digests.MD4Digest;

final class Md4 {
    private Md4() {
    }

    public static void main(String[] args) {
        new Bench().digests(new MD4Digest());
    }
}
