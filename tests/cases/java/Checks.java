import java.util.Hashtable;
import java.util.Random;
import java.util.Stack;
import java.util.Vector;

/** Every check that throws, handlers and finally, static initialisers, strings, and the collector at work. */
public class Checks {
    interface Action {
        void run() throws Exception;
    }

    static void say(String text) {
        System.out.println(text);
    }

    static void name(Throwable thrown) {
        say(thrown.getClass().getName());
    }

    static class Broken {
        static int value = 1 / zero();

        static int zero() {
            return 0;
        }
    }

    static class Wrong {
        static int value;

        static {
            value = 3;
            if (value == 3) {
                throw new StackOverflowError();
            }
        }
    }

    static class Parent {
        static String order = "";

        static {
            order += "parent ";
        }

        int value = describe();

        int describe() {
            return 1;
        }
    }

    static class Child extends Parent implements Cloneable {
        static {
            order += "child ";
        }

        int further = 7;

        int describe() {
            return further + 10;
        }

        Child copy() throws CloneNotSupportedException {
            return (Child) clone();
        }
    }

    enum Colour {
        RED, GREEN, BLUE
    }

    static int depth(int n) {
        return depth(n + 1) + 1;
    }

    static int last(int n) {
        try {
            if (n == 0) {
                return 1;
            }
            if (n == 1) {
                throw new IllegalStateException("one");
            }
            return 100 / (n - 2);
        } catch (IllegalStateException e) {
            return e.getMessage().length();
        } finally {
            say("finally " + n);
            if (n == 3) {
                return -3;
            }
        }
    }

    static final class Node {
        final Node next;
        final byte[] load = new byte[5];

        Node(Node next) {
            this.next = next;
        }
    }

    static void attempt(Action action) {
        try {
            action.run();
            say("nothing is thrown");
        } catch (Exception e) {
            name(e);
        } catch (Error e) {
            name(e);
        }
    }

    static Object nothing;
    static int[] numbers = new int[3];
    static Object text = "text";
    static int negative = -1;

    static void checks() {
        attempt(new Action() { public void run() { nothing.toString(); } });
        attempt(new Action() { public void run() { numbers[3]++; } });
        attempt(new Action() { public void run() { numbers[negative] = 1; } });
        attempt(new Action() { public void run() { numbers = new int[negative]; } });
        attempt(new Action() { public void run() { nothing = new int[2][negative]; } });
        attempt(new Action() { public void run() { nothing = (Integer) text; } });
        attempt(new Action() { public void run() { Object[] all = new String[1]; all[0] = numbers; } });
        attempt(new Action() { public void run() { numbers[0] = 1 % numbers[1]; } });
        attempt(new Action() { public void run() { numbers[0] = (int) (1L / numbers[1]); } });
        attempt(new Action() { public void run() { numbers[0] = (int) (1L % numbers[1]); } });
        attempt(new Action() { public void run() { throw null; } });
        attempt(new Action() { public void run() { synchronized (nothing) { say("in"); } } });
        attempt(new Action() { public void run() { numbers[0] = ((int[]) nothing).length; } });
        attempt(new Action() { public void run() { numbers[0] = ((Child) nothing).further; } });
        attempt(new Action() { public void run() { ((Child) nothing).further = 1; } });
        attempt(new Action() { public void run() { numbers[0] = depth(0); } });
        attempt(new Action() { public void run() { nothing = new int[1 << 28]; } });
        attempt(new Action() { public void run() { System.arraycopy(numbers, 1, numbers, 2, 2); } });
        attempt(new Action() { public void run() { System.arraycopy(numbers, 0, text, 0, 1); } });
        attempt(new Action() { public void run() { System.arraycopy(numbers, 0, new long[1], 0, 1); } });
        attempt(new Action() { public void run() { System.arraycopy(numbers, 0, nothing, 0, 1); } });
        attempt(new Action() { public void run() { "abc".charAt(3); } });
        attempt(new Action() { public void run() { "abc".substring(2, 1); } });
        attempt(new Action() { public void run() { Integer.parseInt("2147483648"); } });
        attempt(new Action() { public void run() { new Vector<String>().firstElement(); } });
        attempt(new Action() { public void run() throws Exception { throw new Exception("own"); } });
    }

    static void initialisers() {
        for (int i = 0; i < 2; i++) {
            attempt(new Action() { public void run() { numbers[0] = Broken.value; } });
            attempt(new Action() { public void run() { numbers[0] = Wrong.value; } });
        }
        say("" + new Child().value + " " + Parent.order);
        Object[] mixed = {"a", numbers, "b"};
        Object[] strings = new String[3];
        try {
            System.arraycopy(mixed, 0, strings, 0, 3);
        } catch (ArrayStoreException e) {
            say(strings[0] + " " + strings[1]);
        }
    }

    static void objects() throws CloneNotSupportedException {
        Child child = new Child();
        child.further = 12;
        say(child.copy().further + " " + (child.copy() != child));
        int[][] grid = new int[3][4];
        grid[2][3] = 5;
        int[][] twin = grid.clone();
        say(grid.length + " " + grid[2].length + " " + (twin[2] == grid[2]) + " " + twin[2][3]);
        long[][][] deep = new long[2][2][];
        say((deep[1][1] == null) + " " + deep.getClass().getName() + " " + grid.getClass().getName());
        Object some = deep;
        say((some instanceof Object[]) + " " + (some instanceof long[][][]) + " " + (some instanceof int[]));
        say((some instanceof Cloneable) + " " + (child instanceof Parent) + " " + (nothing instanceof Object));
        for (Colour each : Colour.values()) {
            switch (each) {
                case RED:
                    say("r" + each.ordinal());
                    break;
                case BLUE:
                    say(each.name());
                default:
                    say("other " + each);
            }
        }
        say((child.getClass() == Child.class) + " " + Child.class.getName() + " " + Colour.BLUE.compareTo(Colour.RED));
    }

    static void texts() {
        StringBuilder made = new StringBuilder("x").append(1).append('c').append(-2L).append(true).append((Object) null);
        say(made.reverse().insert(2, "--").deleteCharAt(0).toString());
        say("Hello".hashCode() + " " + "Hello".indexOf("lo") + " " + "a-b-a".replace('-', '+') + " " + "  trim ".trim() + "|");
        say("abc".compareTo("abd") + " " + "Ab".toUpperCase() + "Ab".toLowerCase() + " " + "abcabc".lastIndexOf('b'));
        say(Integer.toHexString(-1) + " " + Long.toString(Long.MIN_VALUE) + " " + Integer.MIN_VALUE + " " + Long.parseLong("-77"));
        say(Integer.rotateLeft(0x80000001, 4) + " " + Integer.bitCount(-7) + " " + Integer.numberOfLeadingZeros(5));
        String key = "two";
        switch (key + "") {
            case "one":
                say("1");
                break;
            case "two":
                say("2");
                break;
            default:
                say("?");
        }
        say((("te" + "xt") == text) + " " + "text".equals(text) + " " + new Integer(4).equals(4));
    }

    static void collections() {
        Vector<Object> list = new Vector<Object>();
        Hashtable<String, Integer> table = new Hashtable<String, Integer>();
        for (int i = 0; i < 40; i++) {
            list.addElement("n" + i);
            table.put("k" + i % 30, i);
        }
        list.removeElementAt(3);
        list.insertElementAt("new", 0);
        say(list.size() + " " + list.elementAt(4) + " " + list.indexOf("n39") + " " + list.contains("n3"));
        say(table.size() + " " + table.get("k7") + " " + table.remove("k8") + " " + table.containsKey("k8"));
        Stack<Integer> stack = new Stack<Integer>();
        stack.push(4);
        stack.push(5);
        say(stack.pop() + " " + stack.peek() + " " + stack.empty());
        Random random = new Random(42);
        byte[] bytes = new byte[7];
        random.nextBytes(bytes);
        say(random.nextInt() + " " + random.nextInt(10) + " " + random.nextInt(16) + " " + random.nextLong() + " " + bytes[6]);
    }

    static void garbage() {
        int sum = 0;
        for (int round = 0; round < 20; round++) {
            Node list = null;
            for (int i = 0; i < 60; i++) {
                list = new Node(list);
                list.load[4] = (byte) i;
            }
            for (Node each = list; each != null; each = each.next) {
                sum += each.load[4];
            }
        }
        Object[] tree = new Object[1];
        for (int i = 0; i < 30; i++) {
            Object[] wide = new Object[40];
            for (int j = 0; j < 40; j++) {
                wide[j] = new int[1];
            }
            wide[i % 40] = tree;
            tree = i % 8 == 7 ? new Object[] {wide[0]} : wide;
        }
        say("sum " + sum);
        Vector<Object> kept = new Vector<Object>();
        boolean filled = false;
        for (int i = 0; i < 1000 && !filled; i++) {
            try {
                kept.addElement(new byte[100000]);
            } catch (OutOfMemoryError e) {
                filled = true;
                kept = null;
            }
        }
        say("still here " + new int[50].length);
    }

    public static void main(String[] args) throws Exception {
        checks();
        initialisers();
        objects();
        texts();
        collections();
        for (int i = 0; i < 5; i++) {
            try {
                say("last " + last(i));
            } catch (ArithmeticException e) {
                name(e);
            }
        }
        garbage();
        say(args.length + "");
    }
}
