package matsuoka2004;

import org.bouncycastle.crypto.digests.MD2Digest;

final class Md2 {
    private Md2() {
    }

    public static void main(String[] args) {
        new Bench().digests(new MD2Digest());
    }
}
