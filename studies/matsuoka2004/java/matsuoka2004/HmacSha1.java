package matsuoka2004;

import org.bouncycastle.crypto.Mac;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.KeyParameter;

final class HmacSha1 {
    private HmacSha1() {
    }

    public static void main(String[] args) {
        Bench bench = new Bench();
        Mac engine = new HMac(new SHA1Digest());
        for (byte[] key = Vectors.next(); key != null; key = Vectors.next()) {
            bench.mac(engine, new KeyParameter(key));
        }
        bench.print();
    }
}
