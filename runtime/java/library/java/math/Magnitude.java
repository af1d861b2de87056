package java.math;

/** Arithmetic of natural numbers: words of 32 bits, the lowest first, without zeros at the top. */
final class Magnitude {
    private static final long WORD = 0xffffffffL;

    private Magnitude() {
    }

    static int[] trimmed(int[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        return length == words.length ? words : resized(words, length);
    }

    static int[] resized(int[] words, int length) {
        int[] made = new int[length];
        System.arraycopy(words, 0, made, 0, Math.min(length, words.length));
        return made;
    }

    static int compare(int[] left, int[] right) {
        if (left.length != right.length) {
            return left.length < right.length ? -1 : 1;
        }
        for (int i = left.length - 1; i >= 0; i--) {
            if (left[i] != right[i]) {
                return (left[i] & WORD) < (right[i] & WORD) ? -1 : 1;
            }
        }
        return 0;
    }

    static int bits(int[] words) {
        int length = words.length;
        return length == 0 ? 0 : 32 * length - Integer.numberOfLeadingZeros(words[length - 1]);
    }

    static int[] sum(int[] left, int[] right) {
        int[] longer = left.length < right.length ? right : left;
        int[] shorter = longer == left ? right : left;
        int[] made = new int[longer.length + 1];
        long carry = 0;
        for (int i = 0; i < longer.length; i++) {
            carry += longer[i] & WORD;
            if (i < shorter.length) {
                carry += shorter[i] & WORD;
            }
            made[i] = (int) carry;
            carry >>>= 32;
        }
        made[longer.length] = (int) carry;
        return trimmed(made);
    }

    /** The difference of a number and one that is not larger. */
    static int[] difference(int[] left, int[] right) {
        int[] made = new int[left.length];
        long carry = 0;
        for (int i = 0; i < left.length; i++) {
            carry += left[i] & WORD;
            if (i < right.length) {
                carry -= right[i] & WORD;
            }
            made[i] = (int) carry;
            carry >>= 32;
        }
        return trimmed(made);
    }

    static int[] product(int[] left, int[] right) {
        int[] made = new int[left.length + right.length];
        for (int i = 0; i < left.length; i++) {
            long factor = left[i] & WORD;
            long carry = 0;
            for (int k = 0; k < right.length; k++) {
                carry += factor * (right[k] & WORD) + (made[i + k] & WORD);
                made[i + k] = (int) carry;
                carry >>>= 32;
            }
            made[i + right.length] = (int) carry;
        }
        return trimmed(made);
    }

    /** Multiplies by a small factor and adds, in place; returns the carry. */
    static int multiplyAdd(int[] words, int factor, int added) {
        long carry = added;
        for (int i = 0; i < words.length; i++) {
            carry += (words[i] & WORD) * factor;
            words[i] = (int) carry;
            carry >>>= 32;
        }
        return (int) carry;
    }

    /** Divides by less than 2^31, in place; returns the remainder. */
    static int divideSmall(int[] words, int divisor) {
        long rest = 0;
        for (int i = words.length - 1; i >= 0; i--) {
            rest = rest << 32 | words[i] & WORD;
            words[i] = (int) (rest / divisor);
            rest %= divisor;
        }
        return (int) rest;
    }

    static int[] shiftedLeft(int[] words, int places) {
        int whole = places >>> 5;
        int part = places & 31;
        int[] made = new int[words.length + whole + 1];
        for (int i = 0; i < words.length; i++) {
            long moved = (words[i] & WORD) << part;
            made[i + whole] |= (int) moved;
            made[i + whole + 1] = (int) (moved >>> 32);
        }
        return trimmed(made);
    }

    /** Quotient and remainder: Knuth's algorithm D on digits of 16 bits, which an int divides by. */
    static int[][] divided(int[] left, int[] right) {
        if (compare(left, right) < 0) {
            return new int[][] {new int[0], left};
        }
        int shift = 15 - (bits(right) - 1) % 16;
        int[] rest = halves(shiftedLeft(left, shift), 2);
        int[] by = halves(shiftedLeft(right, shift), 0);
        int[] quotient = new int[rest.length - by.length];
        for (int at = quotient.length - 1; at >= 0; at--) {
            quotient[at] = digit(rest, by, at);
        }
        return new int[][] {joined(quotient, 0), joined(rest, shift)};
    }

    /** The digits of 16 bits without zeros at the top, and some zeros more. */
    private static int[] halves(int[] words, int more) {
        int length = (bits(words) + 15) / 16;
        int[] made = new int[length + more];
        for (int i = 0; i < length; i++) {
            made[i] = words[i / 2] >>> 16 * (i & 1) & 0xffff;
        }
        return made;
    }

    /** The number of digits of 16 bits, shifted right by less than 16 places. */
    private static int[] joined(int[] digits, int shift) {
        int[] made = new int[(digits.length + 1) / 2];
        for (int i = 0; i < digits.length; i++) {
            int above = i + 1 < digits.length ? digits[i + 1] : 0;
            int digit = (above << 16 | digits[i]) >>> shift & 0xffff;
            made[i / 2] |= digit << 16 * (i & 1);
        }
        return trimmed(made);
    }

    /** A digit of the quotient, whose product is taken off the rest. */
    private static int digit(int[] rest, int[] by, int at) {
        int top = at + by.length;
        long guess = Math.min(quotient(rest[top] << 16 | rest[top - 1], by[by.length - 1]), 0xffff);
        long carry = 0;
        for (int i = 0; i < by.length; i++) {
            carry += rest[at + i] - guess * by[i];
            rest[at + i] = (int) carry & 0xffff;
            carry >>= 16;
        }
        carry += rest[top];
        rest[top] = 0;
        // The guess is too large by two at most.
        while (carry < 0) {
            guess--;
            carry += addBack(rest, by, at);
        }
        return (int) guess;
    }

    /** The quotient of a number without a sign, by one of 16 bits. */
    private static int quotient(int value, int divisor) {
        int made = (value >>> 1) / divisor << 1;
        return value - made * divisor >= divisor ? made + 1 : made;
    }

    private static int addBack(int[] rest, int[] by, int at) {
        int carry = 0;
        for (int i = 0; i < by.length; i++) {
            carry += rest[at + i] + by[i];
            rest[at + i] = carry & 0xffff;
            carry >>>= 16;
        }
        return carry;
    }
}
