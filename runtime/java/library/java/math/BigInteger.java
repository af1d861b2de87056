package java.math;

import java.util.Random;

/** Whole numbers of any size: a sign and a magnitude. */
public class BigInteger extends Number implements Comparable<BigInteger> {
    public static final BigInteger ZERO = new BigInteger(0, new int[0]);
    public static final BigInteger ONE = valueOf(1);
    public static final BigInteger TEN = valueOf(10);

    private static final int CHUNK = 5;

    private final int sign;
    private final int[] words;

    private BigInteger(int sign, int[] words) {
        this.words = Magnitude.trimmed(words);
        this.sign = this.words.length == 0 ? 0 : sign;
    }

    public BigInteger(byte[] twos) {
        this(fromTwos(wordsOf(twos)));
    }

    private BigInteger(BigInteger other) {
        sign = other.sign;
        words = other.words;
    }

    public BigInteger(int sign, byte[] magnitude) {
        this(sign, unsigned(magnitude));
        if (sign < -1 || sign > 1 || (sign == 0 && words.length != 0)) {
            throw new NumberFormatException("Invalid signum value");
        }
    }

    public BigInteger(String text) {
        this(text, 10);
    }

    public BigInteger(String text, int radix) {
        this(parsed(text, radix));
    }

    public BigInteger(int bits, Random random) {
        this(1, randomBytes(bits, random));
    }

    public static BigInteger valueOf(long value) {
        return fromTwos(new int[] {(int) value, (int) (value >> 32)});
    }

    private static byte[] randomBytes(int bits, Random random) {
        if (bits < 0) {
            throw new IllegalArgumentException("numBits must be non-negative");
        }
        byte[] made = new byte[(int) (((long) bits + 7) / 8)];
        if (made.length > 0) {
            random.nextBytes(made);
            made[0] &= (1 << 8 - (8 * made.length - bits)) - 1;
        }
        return made;
    }

    private static int[] wordsOf(byte[] bytes) {
        if (bytes.length == 0) {
            throw new NumberFormatException("Zero length BigInteger");
        }
        int[] made = new int[bytes.length / 4 + 1];
        for (int i = 0; i < 4 * made.length; i++) {
            int each = i < bytes.length ? bytes[bytes.length - 1 - i] : bytes[0] >> 7;
            made[i / 4] |= (each & 0xff) << 8 * (i & 3);
        }
        return made;
    }

    private static int[] unsigned(byte[] bytes) {
        int[] made = new int[(bytes.length + 3) / 4];
        for (int i = 0; i < bytes.length; i++) {
            made[i / 4] |= (bytes[bytes.length - 1 - i] & 0xff) << 8 * (i & 3);
        }
        return made;
    }

    /** The number of a two's complement. */
    private static BigInteger fromTwos(int[] twos) {
        if (twos[twos.length - 1] >= 0) {
            return new BigInteger(1, twos);
        }
        int[] made = new int[twos.length];
        int carry = 1;
        for (int i = 0; i < twos.length; i++) {
            made[i] = ~twos[i] + carry;
            carry = carry == 1 && made[i] == 0 ? 1 : 0;
        }
        return new BigInteger(-1, made);
    }

    private static BigInteger parsed(String text, int radix) {
        boolean isSigned = text.length() > 0 && (text.charAt(0) == '-' || text.charAt(0) == '+');
        int start = isSigned ? 1 : 0;
        if (radix < 2 || radix > 36 || start == text.length()) {
            throw new NumberFormatException("Zero length BigInteger");
        }
        // A digit has less than six bits.
        int[] made = new int[(text.length() * 6 + 31) / 32];
        for (int i = start; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), radix);
            if (digit < 0) {
                throw new NumberFormatException("Illegal digit");
            }
            Magnitude.multiplyAdd(made, radix, digit);
        }
        return new BigInteger(isSigned && text.charAt(0) == '-' ? -1 : 1, made);
    }

    /** A word of the two's complement, which has no end. */
    private int word(int at) {
        if (at >= words.length) {
            return sign < 0 ? -1 : 0;
        }
        if (sign >= 0) {
            return words[at];
        }
        int lowest = 0;
        while (words[lowest] == 0) {
            lowest++;
        }
        return at < lowest ? 0 : at == lowest ? -words[at] : ~words[at];
    }

    public BigInteger add(BigInteger other) {
        if (sign == other.sign || sign == 0 || other.sign == 0) {
            return new BigInteger(sign == 0 ? other.sign : sign, Magnitude.sum(words, other.words));
        }
        int order = Magnitude.compare(words, other.words);
        if (order < 0) {
            return new BigInteger(other.sign, Magnitude.difference(other.words, words));
        }
        return new BigInteger(sign, Magnitude.difference(words, other.words));
    }

    public BigInteger subtract(BigInteger other) {
        return add(other.negate());
    }

    public BigInteger multiply(BigInteger other) {
        return new BigInteger(sign * other.sign, Magnitude.product(words, other.words));
    }

    public BigInteger[] divideAndRemainder(BigInteger other) {
        if (other.sign == 0) {
            throw new ArithmeticException("BigInteger divide by zero");
        }
        int[][] made = Magnitude.divided(words, other.words);
        return new BigInteger[] {new BigInteger(sign * other.sign, made[0]), new BigInteger(sign, made[1])};
    }

    public BigInteger divide(BigInteger other) {
        return divideAndRemainder(other)[0];
    }

    public BigInteger remainder(BigInteger other) {
        return divideAndRemainder(other)[1];
    }

    private static void requirePositive(BigInteger modulus) {
        if (modulus.sign <= 0) {
            throw new ArithmeticException("BigInteger: modulus not positive");
        }
    }

    public BigInteger mod(BigInteger modulus) {
        requirePositive(modulus);
        BigInteger rest = remainder(modulus);
        return rest.sign < 0 ? rest.add(modulus) : rest;
    }

    public BigInteger pow(int exponent) {
        if (exponent < 0) {
            throw new ArithmeticException("Negative exponent");
        }
        BigInteger made = ONE;
        BigInteger square = this;
        for (int rest = exponent; rest != 0; rest >>>= 1) {
            made = (rest & 1) != 0 ? made.multiply(square) : made;
            square = rest > 1 ? square.multiply(square) : square;
        }
        return made;
    }

    public BigInteger modPow(BigInteger exponent, BigInteger modulus) {
        requirePositive(modulus);
        if (exponent.sign < 0) {
            return modInverse(modulus).modPow(exponent.negate(), modulus);
        }
        BigInteger base = mod(modulus);
        if (modulus.testBit(0)) {
            int[] made = new Montgomery(modulus.words).power(base.words, exponent.words);
            return new BigInteger(1, made);
        }
        BigInteger made = ONE.mod(modulus);
        for (int at = exponent.bitLength() - 1; at >= 0; at--) {
            made = made.multiply(made).mod(modulus);
            made = exponent.testBit(at) ? made.multiply(base).mod(modulus) : made;
        }
        return made;
    }

    public BigInteger modInverse(BigInteger modulus) {
        requirePositive(modulus);
        BigInteger first = modulus;
        BigInteger second = mod(modulus);
        BigInteger before = ZERO;
        BigInteger now = ONE;
        while (second.sign != 0) {
            BigInteger[] made = first.divideAndRemainder(second);
            BigInteger next = before.subtract(made[0].multiply(now));
            before = now;
            now = next;
            first = second;
            second = made[1];
        }
        if (!first.equals(ONE)) {
            throw new ArithmeticException("BigInteger not invertible.");
        }
        return before.mod(modulus);
    }

    public BigInteger gcd(BigInteger other) {
        BigInteger first = abs();
        BigInteger second = other.abs();
        while (second.sign != 0) {
            BigInteger rest = first.remainder(second);
            first = second;
            second = rest;
        }
        return first;
    }

    /** By Miller and Rabin; an error has a chance of 2^-certainty at most. */
    public boolean isProbablePrime(int certainty) {
        BigInteger value = abs();
        BigInteger two = valueOf(2);
        if (certainty <= 0 || value.equals(two)) {
            return true;
        }
        if (!value.testBit(0) || value.equals(ONE)) {
            return false;
        }
        BigInteger less = value.subtract(ONE);
        Random random = new Random(less.hashCode());
        for (int rounds = (Math.min(certainty, 100) + 1) / 2; rounds > 0; rounds--) {
            BigInteger base = new BigInteger(value.bitLength(), random).mod(less).add(ONE);
            if (!passes(value, less, base)) {
                return false;
            }
        }
        return true;
    }

    private static boolean passes(BigInteger value, BigInteger less, BigInteger base) {
        int twos = less.getLowestSetBit();
        BigInteger power = base.modPow(less.shiftRight(twos), value);
        boolean passed = power.equals(ONE) || power.equals(less);
        for (int i = 1; i < twos && !passed; i++) {
            power = power.multiply(power).mod(value);
            passed = power.equals(less);
        }
        return passed;
    }

    public BigInteger negate() {
        return new BigInteger(-sign, words);
    }

    public BigInteger abs() {
        return sign < 0 ? negate() : this;
    }

    public int signum() {
        return sign;
    }

    public BigInteger shiftLeft(int places) {
        return places < 0 ? lowered(-places) : raised(places);
    }

    public BigInteger shiftRight(int places) {
        return places < 0 ? raised(-places) : lowered(places);
    }

    /** Shifted to the left by a number of places without a sign. */
    private BigInteger raised(int places) {
        return sign == 0 ? this : new BigInteger(sign, Magnitude.shiftedLeft(words, places));
    }

    /** Shifted to the right by a number of places without a sign. */
    private BigInteger lowered(int places) {
        int whole = places >>> 5;
        int part = places & 31;
        int[] made = new int[Math.max(words.length + 1 - whole, 1)];
        for (int i = 0; i < made.length; i++) {
            long both = (long) word(i + whole + 1) << 32 | word(i + whole) & 0xffffffffL;
            made[i] = (int) (both >> part);
        }
        return fromTwos(made);
    }

    public BigInteger and(BigInteger other) {
        int[] made = new int[Math.max(words.length, other.words.length) + 1];
        for (int i = 0; i < made.length; i++) {
            made[i] = word(i) & other.word(i);
        }
        return fromTwos(made);
    }

    public BigInteger or(BigInteger other) {
        return not().and(other.not()).not();
    }

    public BigInteger xor(BigInteger other) {
        return and(other.not()).or(not().and(other));
    }

    public BigInteger not() {
        return negate().subtract(ONE);
    }

    public BigInteger setBit(int at) {
        requireBit(at);
        return or(ONE.shiftLeft(at));
    }

    public BigInteger clearBit(int at) {
        requireBit(at);
        return and(ONE.shiftLeft(at).not());
    }

    public boolean testBit(int at) {
        requireBit(at);
        return (word(at >>> 5) >>> (at & 31) & 1) != 0;
    }

    private static void requireBit(int at) {
        if (at < 0) {
            throw new ArithmeticException("Negative bit address");
        }
    }

    public int bitLength() {
        return Magnitude.bits(sign < 0 ? Magnitude.difference(words, ONE.words) : words);
    }

    public int getLowestSetBit() {
        for (int i = 0; i < words.length; i++) {
            if (words[i] != 0) {
                return 32 * i + Integer.numberOfTrailingZeros(words[i]);
            }
        }
        return -1;
    }

    public BigInteger min(BigInteger other) {
        return compareTo(other) < 0 ? this : other;
    }

    public BigInteger max(BigInteger other) {
        return compareTo(other) > 0 ? this : other;
    }

    public int compareTo(BigInteger other) {
        if (sign != other.sign) {
            return sign < other.sign ? -1 : 1;
        }
        return sign * Magnitude.compare(words, other.words);
    }

    public boolean equals(Object other) {
        return other instanceof BigInteger && compareTo((BigInteger) other) == 0;
    }

    public int hashCode() {
        int made = 0;
        for (int i = words.length - 1; i >= 0; i--) {
            made = 31 * made + words[i];
        }
        return made * sign;
    }

    public int intValue() {
        return word(0);
    }

    public long longValue() {
        return (long) word(1) << 32 | word(0) & 0xffffffffL;
    }

    public byte[] toByteArray() {
        byte[] made = new byte[bitLength() / 8 + 1];
        for (int i = 0; i < made.length; i++) {
            made[made.length - 1 - i] = (byte) (word(i >>> 2) >>> 8 * (i & 3));
        }
        return made;
    }

    public String toString() {
        return toString(10);
    }

    public String toString(int radix) {
        int by = radix < 2 || radix > 36 ? 10 : radix;
        int chunk = by * by * by * by * by;
        StringBuffer text = new StringBuffer();
        int[] rest = Magnitude.resized(words, words.length);
        do {
            int part = Magnitude.divideSmall(rest, chunk);
            rest = Magnitude.trimmed(rest);
            for (int i = 0; i < CHUNK && (i == 0 || part != 0 || rest.length > 0); i++, part /= by) {
                int digit = part % by;
                text.append((char) (digit < 10 ? '0' + digit : 'a' + digit - 10));
            }
        } while (rest.length > 0);
        return (sign < 0 ? text.append('-') : text).reverse().toString();
    }
}
