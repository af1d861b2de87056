package java.lang;

public class Throwable implements java.io.Serializable {
    private String message;
    private Throwable cause;

    public Throwable() {
    }

    public Throwable(String message) {
        this.message = message;
    }

    public Throwable(String message, Throwable cause) {
        this.message = message;
        this.cause = cause;
    }

    public String getMessage() {
        return message;
    }

    public Throwable getCause() {
        return cause;
    }

    public Throwable initCause(Throwable cause) {
        this.cause = cause;
        return this;
    }

    public final void addSuppressed(Throwable suppressed) {
    }

    public void printStackTrace() {
        System.out.println(toString());
    }

    public String toString() {
        String text = getMessage();
        String name = getClass().getName();
        return text == null ? name : name + ": " + text;
    }
}
