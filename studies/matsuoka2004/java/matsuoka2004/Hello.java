package matsuoka2004;

/** The least program: what the machine and the core classes take. */
final class Hello {
    private Hello() {
    }

    public static void main(String[] args) {
        System.out.println("ready");
    }
}
