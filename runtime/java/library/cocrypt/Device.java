package cocrypt;

/** The device that a program runs on. */
public final class Device {
    private Device() {
    }

    /** The cycles since the device's start. */
    public static native long cycles();
}
