package matsuoka2004;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Iterator;

/** The values on the host: lines of a file, in hexadecimal digits. */
final class Vectors {
    private static Iterator<String> lines;

    private Vectors() {
    }

    static byte[] next() throws IOException {
        if (lines == null) {
            lines = Files.readAllLines(Paths.get(System.getProperty("vectors"))).iterator();
        }
        if (!lines.hasNext()) {
            return null;
        }
        String text = lines.next();
        byte[] made = new byte[text.length() / 2];
        for (int i = 0; i < made.length; i++) {
            made[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
        }
        return made;
    }
}
