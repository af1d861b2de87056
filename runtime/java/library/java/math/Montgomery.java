package java.math;

/** Powers modulo an odd number by Montgomery's products, four bits of the exponent at a time. */
final class Montgomery {
    private static final long WORD = 0xffffffffL;

    private final int[] modulus;
    private final int size;
    private final long inverse;

    Montgomery(int[] modulus) {
        this.modulus = modulus;
        size = modulus.length;
        int found = modulus[0];
        // Each step doubles the bits of the inverse that are right, of which there are three at first.
        for (int i = 0; i < 4; i++) {
            found *= 2 - modulus[0] * found;
        }
        inverse = -found & WORD;
    }

    int[] power(int[] base, int[] exponent) {
        int[] one = Magnitude.resized(scaled(new int[] {1}), size);
        int[][] powers = new int[16][];
        powers[0] = one;
        powers[1] = Magnitude.resized(scaled(base), size);
        for (int i = 2; i < 16; i++) {
            powers[i] = product(powers[i - 1], powers[1]);
        }
        int[] made = one;
        for (int at = 8 * exponent.length - 1; at >= 0; at--) {
            for (int i = 0; i < 4; i++) {
                made = product(made, made);
            }
            int digit = exponent[at / 8] >>> 4 * (at & 7) & 15;
            if (digit != 0) {
                made = product(made, powers[digit]);
            }
        }
        int[] unit = new int[size];
        unit[0] = 1;
        return Magnitude.trimmed(product(made, unit));
    }

    private int[] scaled(int[] value) {
        return Magnitude.divided(Magnitude.shiftedLeft(value, 32 * size), modulus)[1];
    }

    /** The product of two numbers below the modulus, divided by 2^(32 * size). */
    private int[] product(int[] left, int[] right) {
        int[] sum = new int[size + 2];
        for (int i = 0; i < size; i++) {
            multiplyAdd(sum, right, left[i] & WORD);
            multiplyAdd(sum, modulus, (sum[0] & WORD) * inverse & WORD);
            System.arraycopy(sum, 1, sum, 0, size + 1);
            sum[size + 1] = 0;
        }
        int[] made = Magnitude.trimmed(sum);
        if (Magnitude.compare(made, modulus) >= 0) {
            made = Magnitude.difference(made, modulus);
        }
        return Magnitude.resized(made, size);
    }

    private void multiplyAdd(int[] sum, int[] words, long factor) {
        long carry = 0;
        for (int i = 0; i < size; i++) {
            carry += (words[i] & WORD) * factor + (sum[i] & WORD);
            sum[i] = (int) carry;
            carry >>>= 32;
        }
        carry += sum[size] & WORD;
        sum[size] = (int) carry;
        sum[size + 1] += (int) (carry >>> 32);
    }
}
