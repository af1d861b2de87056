package java.util;

public class Vector<T> {
    protected Object[] elementData;
    protected int elementCount;

    public Vector() {
        this(10);
    }

    public Vector(int capacity) {
        elementData = new Object[capacity];
    }

    private void require(int index, int limit) {
        if (index < 0 || index >= limit) {
            throw new ArrayIndexOutOfBoundsException();
        }
    }

    public int size() {
        return elementCount;
    }

    public boolean isEmpty() {
        return elementCount == 0;
    }

    public T elementAt(int index) {
        require(index, elementCount);
        return (T) elementData[index];
    }

    public T firstElement() {
        if (elementCount == 0) {
            throw new NoSuchElementException();
        }
        return elementAt(0);
    }

    public T lastElement() {
        if (elementCount == 0) {
            throw new NoSuchElementException();
        }
        return elementAt(elementCount - 1);
    }

    public void setElementAt(T value, int index) {
        require(index, elementCount);
        elementData[index] = value;
    }

    public void insertElementAt(T value, int index) {
        require(index, elementCount + 1);
        if (elementCount == elementData.length) {
            Object[] larger = new Object[elementCount * 2 + 1];
            System.arraycopy(elementData, 0, larger, 0, elementCount);
            elementData = larger;
        }
        System.arraycopy(elementData, index, elementData, index + 1, elementCount - index);
        elementData[index] = value;
        elementCount++;
    }

    public void addElement(T value) {
        insertElementAt(value, elementCount);
    }

    public void removeElementAt(int index) {
        require(index, elementCount);
        System.arraycopy(elementData, index + 1, elementData, index, --elementCount - index);
        elementData[elementCount] = null;
    }

    public boolean removeElement(Object value) {
        int index = indexOf(value);
        if (index >= 0) {
            removeElementAt(index);
        }
        return index >= 0;
    }

    public void removeAllElements() {
        while (elementCount > 0) {
            elementData[--elementCount] = null;
        }
    }

    public int indexOf(Object value) {
        for (int i = 0; i < elementCount; i++) {
            if (value == null ? elementData[i] == null : value.equals(elementData[i])) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(Object value) {
        return indexOf(value) >= 0;
    }

    public Enumeration<T> elements() {
        return new Elements();
    }

    private class Elements implements Enumeration<T> {
        private int at;

        public boolean hasMoreElements() {
            return at < elementCount;
        }

        public T nextElement() {
            if (at >= elementCount) {
                throw new NoSuchElementException();
            }
            return elementAt(at++);
        }
    }
}
