/** A native method that reads an array, to compare the interfaces: sum_jni.c and sum_kni.c have it in C. */
final class Sum {
    static native int sum(byte[] data, int count);

    public static void main(String[] args) {
        byte[] data = new byte[16];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) i;
        }
        System.out.println(sum(data, data.length));
    }
}
