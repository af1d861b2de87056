import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.Random;

/** Numbers of any size, with carries and quotients at the edges of words, and streams of bytes. */
public class Numbers {
    static int hash;

    static void mix(Object value) {
        hash = hash * 31 + value.hashCode();
    }

    static BigInteger number(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(20)];
        random.nextBytes(bytes);
        // Words of ones and zeros make carries run far and guesses of quotients wrong.
        if (random.nextInt(3) == 0) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (bytes[i] % 3 == 0 ? bytes[i] : -(bytes[i] & 1));
            }
        }
        return new BigInteger(bytes);
    }

    static void pair(BigInteger a, BigInteger b, int places) {
        mix(a.add(b));
        mix(a.subtract(b));
        mix(a.multiply(b));
        mix(a.gcd(b));
        mix(a.and(b).or(a.xor(b.not())));
        mix(a.shiftLeft(places).add(b.shiftRight(places)));
        mix(a.min(b).max(BigInteger.TEN).negate().abs());
        hash = hash * 31 + a.compareTo(b) + a.bitLength() + a.getLowestSetBit() + a.intValue() + (int) b.longValue();
        hash = hash * 2 + (a.testBit(places) ? 1 : 0) + a.setBit(places).clearBit(places + 1).toByteArray().length;
        if (b.signum() != 0) {
            BigInteger[] parts = a.multiply(a).divideAndRemainder(b);
            mix(parts[0]);
            mix(parts[1]);
            mix(a.modPow(BigInteger.valueOf(places + 3), b.abs()));
            mix(a.mod(b.abs()));
        }
    }

    static void numbers() {
        Random random = new Random(7);
        for (int i = 0; i < 12; i++) {
            BigInteger a = number(random);
            BigInteger b = number(random);
            pair(a, b, random.nextInt(70));
            if (i % 4 == 0) {
                System.out.println(a + " " + b.toString(2 + i % 35) + " " + a.equals(new BigInteger(a.toString(36), 36)));
            }
        }
        System.out.println(hash + " " + BigInteger.ZERO + " " + BigInteger.ONE.shiftLeft(32).pow(3));
    }

    /** RSA with primes of 64 bits. */
    static void keys() {
        BigInteger p = new BigInteger("18446744073709551557");
        BigInteger q = new BigInteger("ffffffffffffffad", 16);
        BigInteger n = p.multiply(q);
        BigInteger e = BigInteger.valueOf(65537);
        BigInteger d = e.modInverse(p.subtract(BigInteger.ONE).multiply(q.subtract(BigInteger.ONE)));
        BigInteger message = new BigInteger(1, new byte[] {-1, 2, -3, 4, -5, 6, -7, 8, 9});
        System.out.println(n + " " + d + " " + message.modPow(e, n).toString(16));
        System.out.println(message.modPow(e, n).modPow(d, n).equals(message) + " " + message.modPow(e.negate(), n));
        System.out.println(p.isProbablePrime(6) + " " + n.isProbablePrime(6) + " " + new BigInteger(90, new Random(5)));
    }

    interface Action {
        Object run();
    }

    static void fails(Action action) {
        try {
            System.out.println(action.run());
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName());
        }
    }

    static void failures() {
        final BigInteger two = BigInteger.valueOf(2);
        fails(new Action() { public Object run() { return two.divide(BigInteger.ZERO); } });
        fails(new Action() { public Object run() { return two.mod(two.negate()); } });
        fails(new Action() { public Object run() { return two.modInverse(BigInteger.TEN); } });
        fails(new Action() { public Object run() { return two.pow(-1); } });
        fails(new Action() { public Object run() { return two.testBit(-1) ? "set" : "clear"; } });
        fails(new Action() { public Object run() { return new BigInteger("12x"); } });
        fails(new Action() { public Object run() { return new BigInteger("-"); } });
        fails(new Action() { public Object run() { return new BigInteger(new byte[0]); } });
        fails(new Action() { public Object run() { return new BigInteger(0, new byte[] {1}); } });
    }

    static void streams() throws IOException {
        ByteArrayOutputStream made = new ByteArrayOutputStream(2);
        OutputStream out = made;
        out.write(0x141);
        out.write("bcdefgh".getBytes());
        out.write(new byte[] {1, 'i', 'j', 2}, 1, 2);
        out.flush();
        System.out.println(made + " " + made.size());
        InputStream in = new ByteArrayInputStream(made.toByteArray(), 1, 8);
        byte[] part = new byte[5];
        System.out.println(in.read() + " " + in.skip(2) + " " + in.available() + " " + in.markSupported());
        in.mark(9);
        System.out.println(in.read(part) + " " + part[0] + " " + in.read(part, 3, 2) + " " + in.read() + " " + in.read(part));
        in.reset();
        System.out.println(in.read());
        try {
            in.read(part, 4, 2);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("outside");
        }
        in.close();
    }

    /** Shifts by numbers that have no positive one, and tests with more rounds than an int counts. */
    static void extremes() {
        for (int value = -3; value < 4; value++) {
            BigInteger each = BigInteger.valueOf(value);
            System.out.println(each.shiftLeft(Integer.MIN_VALUE) + " " + each.shiftRight(Integer.MAX_VALUE));
            System.out.println(each.shiftLeft(-1) + " " + each.shiftRight(-33) + " " + each.shiftRight(0));
        }
        System.out.println(BigInteger.ZERO.shiftLeft(Integer.MAX_VALUE).add(BigInteger.ZERO.shiftRight(Integer.MIN_VALUE)));
        int[] candidates = {-7, 0, 1, 2, 9, 91, 561, 65537, 65539};
        for (int value : candidates) {
            BigInteger each = BigInteger.valueOf(value);
            System.out.println(each.isProbablePrime(Integer.MAX_VALUE) + " " + each.isProbablePrime(20));
        }
    }

    public static void main(String[] args) throws IOException {
        numbers();
        extremes();
        keys();
        failures();
        streams();
    }
}
