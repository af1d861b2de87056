package java.util;

public class Stack<T> extends Vector<T> {
    public T push(T value) {
        addElement(value);
        return value;
    }

    public T peek() {
        if (elementCount == 0) {
            throw new EmptyStackException();
        }
        return lastElement();
    }

    public T pop() {
        T value = peek();
        removeElementAt(elementCount - 1);
        return value;
    }

    public boolean empty() {
        return isEmpty();
    }
}
