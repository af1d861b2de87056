package java.io;

/** The console of the device; a letter is sent as its lower eight bits. */
public class PrintStream {
    public PrintStream() {
    }

    private static native void put(int letter);

    public void write(int letter) {
        put(letter);
    }

    public void print(String value) {
        String text = String.valueOf(value);
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    public void print(Object value) {
        print(String.valueOf(value));
    }

    public void print(char value) {
        put(value);
    }

    public void print(int value) {
        print(Integer.toString(value));
    }

    public void print(long value) {
        print(Long.toString(value));
    }

    public void print(boolean value) {
        print(String.valueOf(value));
    }

    public void println() {
        put('\n');
    }

    public void println(String value) {
        print(value);
        println();
    }

    public void println(Object value) {
        println(String.valueOf(value));
    }

    public void println(char value) {
        print(value);
        println();
    }

    public void println(int value) {
        print(value);
        println();
    }

    public void println(long value) {
        print(value);
        println();
    }

    public void println(boolean value) {
        print(value);
        println();
    }
}
