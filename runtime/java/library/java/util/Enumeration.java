package java.util;

public interface Enumeration<T> {
    boolean hasMoreElements();

    T nextElement();
}
