package matsuoka2004;

import org.bouncycastle.crypto.digests.MD5Digest;

final class Md5 {
    private Md5() {
    }

    public static void main(String[] args) {
        new Bench().digests(new MD5Digest());
    }
}
