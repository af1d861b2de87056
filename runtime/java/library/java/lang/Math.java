package java.lang;

public final class Math {
    private Math() {
    }

    public static int abs(int value) {
        return value < 0 ? -value : value;
    }

    public static long abs(long value) {
        return value < 0 ? -value : value;
    }

    public static int max(int left, int right) {
        return left > right ? left : right;
    }

    public static long max(long left, long right) {
        return left > right ? left : right;
    }

    public static int min(int left, int right) {
        return left < right ? left : right;
    }

    public static long min(long left, long right) {
        return left < right ? left : right;
    }
}
