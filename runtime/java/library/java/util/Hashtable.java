package java.util;

public class Hashtable<K, V> {
    private Entry[] rows;
    private int count;

    private static class Entry {
        final Object key;
        Object value;
        Entry next;

        Entry(Object key, Object value, Entry next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    public Hashtable() {
        this(11);
    }

    public Hashtable(int capacity) {
        rows = new Entry[Math.max(capacity, 1)];
    }

    private int row(Object key) {
        return (key.hashCode() & 0x7fffffff) % rows.length;
    }

    private Entry entry(Object key) {
        Entry entry = rows[row(key)];
        while (entry != null && !entry.key.equals(key)) {
            entry = entry.next;
        }
        return entry;
    }

    private void grow() {
        Entry[] old = rows;
        rows = new Entry[old.length * 2 + 1];
        for (int i = 0; i < old.length; i++) {
            Entry entry = old[i];
            while (entry != null) {
                Entry next = entry.next;
                int to = row(entry.key);
                entry.next = rows[to];
                rows[to] = entry;
                entry = next;
            }
        }
    }

    public int size() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public V get(Object key) {
        Entry entry = entry(key);
        return entry == null ? null : (V) entry.value;
    }

    public boolean containsKey(Object key) {
        return entry(key) != null;
    }

    public V put(K key, V value) {
        if (value == null) {
            throw new NullPointerException();
        }
        Entry entry = entry(key);
        if (entry != null) {
            V old = (V) entry.value;
            entry.value = value;
            return old;
        }
        if (count >= rows.length) {
            grow();
        }
        int at = row(key);
        rows[at] = new Entry(key, value, rows[at]);
        count++;
        return null;
    }

    public V remove(Object key) {
        int at = row(key);
        Entry before = null;
        for (Entry entry = rows[at]; entry != null; entry = entry.next) {
            if (entry.key.equals(key)) {
                if (before == null) {
                    rows[at] = entry.next;
                } else {
                    before.next = entry.next;
                }
                count--;
                return (V) entry.value;
            }
            before = entry;
        }
        return null;
    }
}
