/** Floating point on values at all borders, and on random ones: what is printed are bits. */
public final class Floats {
    static final float[] SINGLE = {
        0f, -0f, 1f, -1f, 0.5f, 1.5f, 2.5f, -2.5f, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MIN_NORMAL,
        Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, 2147483648f, -2147483648f,
        9223372036854775808f, -9223372036854775808f, 16777217f, 3f, 1e-40f, 1e30f, 0.1f,
    };
    static final double[] DOUBLE = {
        0d, -0d, 1d, -1d, 0.5, 1.5, 2.5, -2.5, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL,
        Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 2147483647d, 2147483648d,
        -2147483649d, 9223372036854775808d, -9223372036854777856d, 9007199254740993d, 3d, 1e-310, 1e300, 0.1,
    };
    static final float CONSTANT = 0.3f;
    static final double LARGE = 1e100;
    static float field = 2.5f;
    static double wide = -1e-5;
    static int hash;

    float own = 1.25f;
    double other = 3.75;

    static void put(int bits) {
        hash = hash * 31 + bits;
    }

    static void put(long bits) {
        put((int) bits);
        put((int) (bits >> 32));
    }

    static void put(float value) {
        put(Float.floatToIntBits(value));
    }

    static void put(double value) {
        put(Double.doubleToLongBits(value));
    }

    static void print(String name) {
        System.out.print(name);
        System.out.print(' ');
        System.out.println(hash);
        hash = 0;
    }

    static int order(float a, float b) {
        return (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a >= b ? 8 : 0) | (a == b ? 16 : 0)
            | (a != b ? 32 : 0);
    }

    static int order(double a, double b) {
        return (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a >= b ? 8 : 0) | (a == b ? 16 : 0)
            | (a != b ? 32 : 0);
    }

    static void pair(float a, float b) {
        put(a + b);
        put(a - b);
        put(a * b);
        put(a / b);
        put(a % b);
        put(order(a, b));
    }

    static void pair(double a, double b) {
        put(a + b);
        put(a - b);
        put(a * b);
        put(a / b);
        put(a % b);
        put(order(a, b));
    }

    static float half(float a) {
        return a / 2;
    }

    static void one(float a) {
        put(-half(a));
        put((int) a);
        put((long) a);
        put((double) a);
        put((byte) a);
        put((char) a);
    }

    static void one(double a) {
        put(-a);
        put((int) a);
        put((long) a);
        put((float) a);
        put((short) a);
    }

    static void whole(int number, long large) {
        put((float) number);
        put((double) number);
        put((float) large);
        put((double) large);
    }

    static long seed = 42;

    /** Numbers of all sizes: each has as many bits as another part of the state says. */
    static long random() {
        seed = seed * 6364136223846793005L + 1442695040888963407L;
        long bits = seed ^ seed >>> 29;
        seed = seed * 6364136223846793005L + 1442695040888963407L;
        return bits >> (int) (seed >>> 58);
    }

    static void borders() {
        for (int i = 0; i < SINGLE.length; i++) {
            one(SINGLE[i]);
            for (int j = 0; j < SINGLE.length; j++) {
                pair(SINGLE[i], SINGLE[j]);
            }
            print("single");
        }
        for (int i = 0; i < DOUBLE.length; i++) {
            one(DOUBLE[i]);
            for (int j = 0; j < DOUBLE.length; j++) {
                pair(DOUBLE[i], DOUBLE[j]);
            }
            print("double");
        }
    }

    static void atRandom(int count) {
        float before = 1;
        double last = 1;
        for (int i = 0; i < count; i++) {
            long bits = random();
            float single = Float.intBitsToFloat((int) (bits ^ random() << 20));
            double wider = Double.longBitsToDouble(bits ^ random() << 50);
            one(single);
            one(wider);
            pair(single, before);
            pair(wider, last);
            pair(single, (float) (int) bits);
            pair(wider, (double) bits);
            pair(wider, (double) single);
            whole((int) bits, random());
            before = single;
            last = wider;
            if (i % 16 == 15) {
                print("random");
            }
        }
    }

    double sum(double[] values, float factor) {
        double sum = 0;
        for (double value : values) {
            sum += value * factor;
        }
        return sum * other + own;
    }

    static void places() {
        Floats made = new Floats();
        made.own *= CONSTANT;
        made.other -= LARGE / 1e98;
        put(made.sum(new double[] {1, 2.5, -0.125}, 1.5f));
        put(made.own);
        put(made.other);
        field += 1;
        wide = wide * field - 2;
        put(field);
        put(wide);
        float[][] grid = new float[3][2];
        grid[2][1] += 0.75f;
        grid[1][0]--;
        put(grid[2][1] * grid[1][0]);
        double[] copied = DOUBLE.clone();
        copied[1] = copied[2]++;
        put(copied[1] + copied[2]);
        Object boxed = copied;
        put(boxed instanceof double[] ? 1 : 0);
        put(boxed instanceof long[] ? 1 : 0);
        System.out.println(boxed.getClass().getName());
        print("places");
        try {
            put(DOUBLE[DOUBLE.length]);
        } catch (ArrayIndexOutOfBoundsException e) {
            print("outside");
        }
        double product = 1;
        switch ((int) (field * 2)) {
            case 7:
                product = 7.5f;
                break;
            default:
                product = Float.MAX_VALUE * 2f;
        }
        put(product);
        print("switched");
    }

    public static void main(String[] args) {
        places();
        borders();
        atRandom(COUNT);
    }

    static final int COUNT = 16;
}
