package java.lang;

/** The boxes of small numbers, which are the same whenever these are boxed; made when they are asked for. */
final class Boxes {
    static final int COUNT = 256;

    private static final int ROW = 16;

    private Boxes() {
    }

    /** Rows of boxes, all empty. */
    static Object[][] none() {
        return new Object[COUNT / ROW][];
    }

    /** The row of a number, which is at `at(number)` there. */
    static Object[] row(Object[][] rows, int number) {
        int index = (number & COUNT - 1) / ROW;
        if (rows[index] == null) {
            rows[index] = new Object[ROW];
        }
        return rows[index];
    }

    static int at(int number) {
        return number & ROW - 1;
    }
}
