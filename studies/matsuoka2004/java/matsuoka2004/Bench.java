package matsuoka2004;

import cocrypt.Device;
import java.math.BigInteger;
import org.bouncycastle.crypto.AsymmetricBlockCipher;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.Mac;
import org.bouncycastle.crypto.StreamCipher;

/** Runs an algorithm on vectors as an application does, by its interface; counts cycles, and results that are wrong. */
final class Bench {
    private static final int FORWARD = 0;
    private static final int BACK = 2;

    /** Cycles of keys and of data: forward, then back. */
    private final long[] cycles = new long[4];
    private final long reading;
    private long last;
    private int runs;
    private int wrong;
    private int hash;

    Bench() {
        last = Device.cycles();
        reading = Device.cycles() - last;
    }

    private void start() {
        last = Device.cycles();
    }

    private void stop(int part) {
        long now = Device.cycles();
        cycles[part] += now - last - reading;
        last = Device.cycles();
    }

    /** Compares a result; one of which nothing is known has no bytes. */
    private void compare(byte[] made, byte[] expected) {
        boolean same = expected.length == 0 || made.length == expected.length;
        for (int i = 0; i < made.length; i++) {
            hash = 31 * hash + made[i];
            same &= expected.length == 0 || i >= expected.length || made[i] == expected[i];
        }
        wrong += same ? 0 : 1;
    }

    void block(BlockCipher engine, CipherParameters key) {
        byte[] text = Vectors.next();
        byte[] made = block(engine, FORWARD, key, text);
        compare(made, Vectors.next());
        compare(block(engine, BACK, key, made), text);
        runs++;
    }

    private byte[] block(BlockCipher engine, int way, CipherParameters key, byte[] input) {
        byte[] output = new byte[input.length];
        start();
        engine.init(way == FORWARD, key);
        stop(way);
        for (int at = 0; at < input.length; at += engine.getBlockSize()) {
            engine.processBlock(input, at, output, at);
        }
        stop(way + 1);
        return output;
    }

    void own(OwnAes engine, byte[] key) {
        byte[] text = Vectors.next();
        byte[] made = own(engine, FORWARD, key, text);
        compare(made, Vectors.next());
        compare(own(engine, BACK, key, made), text);
        runs++;
    }

    private byte[] own(OwnAes engine, int way, byte[] key, byte[] input) {
        byte[] output = new byte[input.length];
        start();
        engine.init(way == FORWARD, key);
        stop(way);
        engine.process(input, output);
        stop(way + 1);
        return output;
    }

    void stream(StreamCipher engine, CipherParameters key) {
        byte[] text = Vectors.next();
        byte[] made = stream(engine, FORWARD, key, text);
        compare(made, Vectors.next());
        compare(stream(engine, BACK, key, made), text);
        runs++;
    }

    private byte[] stream(StreamCipher engine, int way, CipherParameters key, byte[] input) {
        byte[] output = new byte[input.length];
        start();
        engine.init(way == FORWARD, key);
        stop(way);
        engine.processBytes(input, 0, input.length, output, 0);
        stop(way + 1);
        return output;
    }

    /** Of all messages in the table. */
    void digests(Digest engine) {
        for (byte[] message = Vectors.next(); message != null; message = Vectors.next()) {
            byte[] made = new byte[engine.getDigestSize()];
            start();
            engine.update(message, 0, message.length);
            engine.doFinal(made, 0);
            stop(FORWARD + 1);
            compare(made, Vectors.next());
            runs++;
        }
        print();
    }

    void mac(Mac engine, CipherParameters key) {
        byte[] message = Vectors.next();
        byte[] made = new byte[engine.getMacSize()];
        start();
        engine.init(key);
        stop(FORWARD);
        engine.update(message, 0, message.length);
        engine.doFinal(made, 0);
        stop(FORWARD + 1);
        compare(made, Vectors.next());
        runs++;
    }

    void number(AsymmetricBlockCipher engine, CipherParameters open, CipherParameters secret) throws CryptoException {
        byte[] text = Vectors.next();
        byte[] made = number(engine, FORWARD, open, text);
        compare(made, Vectors.next());
        byte[] back = number(engine, BACK, secret, made);
        // Zeros at the top come back or not.
        wrong += new BigInteger(1, back).equals(new BigInteger(1, text)) ? 0 : 1;
        compare(back, new byte[0]);
        runs++;
    }

    private byte[] number(AsymmetricBlockCipher engine, int way, CipherParameters key, byte[] input) throws CryptoException {
        start();
        engine.init(way == FORWARD, key);
        stop(way);
        byte[] output = engine.processBlock(input, 0, input.length);
        stop(way + 1);
        return output;
    }

    /** What depends on the values alone, then what depends on the device. */
    void print() {
        System.out.println("runs " + runs + " wrong " + wrong + " hash " + hash);
        System.out.println("cycles " + cycles[0] + " " + cycles[1] + " " + cycles[2] + " " + cycles[3]);
    }
}
