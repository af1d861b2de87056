"""Programs in Java, generated at random, that reach every integer instruction and conversion."""

from __future__ import annotations

from random import Random

INTS, LONGS = ("a", "b", "c", "d"), ("x", "y", "z")
INT_VALUES = (
    "0", "1", "-1", "7", "127", "-128", "255", "32767", "-32768", "65535", "0x7fffffff",
    "0x80000000", "123456789", "31", "32", "33",
)  # fmt: skip
LONG_VALUES = (
    "0L", "1L", "-1L", "5L", "0x7fffffffffffffffL", "0x8000000000000000L", "123456789012345L",
    "63L", "64L",
)  # fmt: skip
CAUGHT = ("ArithmeticException", "ArrayIndexOutOfBoundsException", "RuntimeException")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
NAME = "System.out.println({0}.getClass().getName());"

START = """
public class @NAME@ {
  static int S = @INT@; static long T = @LONG@;
  static final int[] TABLE = {1, -2, 300000, @INT@};
  interface Shape { int area(int v); }
  static class A { int n = 5; long l = 77; int get(int v) { return n + v; } }
  static class B extends A implements Shape {
    B() { n = 9; }
    int get(int v) { return super.get(v) ^ 0x55; }
    public int area(int v) { return v * n; }
  }
  static class C implements Shape {
    static int made = TABLE[2];
    public int area(int v) { return v - made++; }
  }
  static class H {
    static final int[] I = new int[8]; static final short[] READ = new short[8];
    static long wide = @LONG@;
    static {
      int a = @INT@, b = @INT@, c = 3, d = -7; long x = @LONG@, y = 5, z = -1;
      int[] ia = {1, 2, 3, 4, 5, 6, 7, -1}; long[] la = new long[8];
      short[] sa = {1, -2, 3, 4, 5, 6, 7, 8};
      byte[] ba = new byte[8]; char[] ca = "ABCDEFGH".toCharArray();
      A o = new A(), p = new B();
@TABLES@
      wide ^= x ^ y + z;
    }
  }
  static A make(int v) { return v % 3 == 0 ? null : v % 3 == 1 ? new A() : new B(); }
  static int f0(int a, long x) { return a * 31 + (int) x; }
  static int f1(int a, long x) { return (int) (x >>> 7) ^ a; }
  static int f2(int a, long x) { int d = (int) x; return a / (d | 1) + a - d; }
  public static void main(String[] args) {
    int a = 1, b = -2, c = @INT@, d = 1000003; long x = 3, y = @LONG@, z = -99;
    int[] ia = new int[8]; long[] la = new long[8]; short[] sa = new short[8];
    byte[] ba = {1, 2, 3, 4, 5, 6, 7, -8}; char[] ca = "abcdefg!".toCharArray();
    A o = new A(), p = new B(); Shape shape = new C();
    for (int round = 0; round < 3; round++) {
@BODY@
      if (o == null) o = new B();
      System.out.println(a + " " + b + " " + c + " " + d + " " + x + " " + y + " " + z);
    }
    int h = 0;
    for (int v : ia) h = h * 31 + v;
    for (long v : la) h = h * 31 + (int) (v ^ v >>> 32);
    for (byte v : ba) h = h * 31 + v;
    for (char v : ca) h = h * 31 + v;
    for (short v : sa) h = h * 31 + v;
    for (int i = 0; i < 8; i++) h = h * 31 + H.I[i] - H.READ[i] + (H.I[i] ^= h);
    System.out.println(h + " " + H.wide);
    System.out.println(h + " " + S + " " + T + " " + o.n + " " + p.l);
  }
}
"""


def program(name: str, seed: int) -> str:
    """The source of a class with `main`; equal seeds give equal programs."""
    return _Writer(Random(seed)).program(name)


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.pick = random.choice

    def program(self, name: str) -> str:
        lines = (f"try {{ {self.statement(2)} }} {self.caught('e')}" for _ in range(25))
        text = START.replace("@NAME@", name).replace("@BODY@", "\n".join(lines))
        text = text.replace("@TABLES@", "\n".join(self.element(index) for index in range(8)))
        while "@INT@" in text:
            text = text.replace("@INT@", self.pick(INT_VALUES), 1)
        while "@LONG@" in text:
            text = text.replace("@LONG@", self.pick(LONG_VALUES), 1)
        return text

    def element(self, index: int) -> str:
        """Statements of a static initialiser, which the host may run unless they throw."""
        values = f"I[{index}] = {self.number(3)}; READ[{index}] = (short) {self.number(2)};"
        mixed = f"{self.pick(INTS)} += {self.number(2)}; {self.pick(LONGS)} ^= {self.wide(3)};"
        return f"try {{ {values} {mixed} }} catch (RuntimeException e) {{ a += 3; }}"

    def caught(self, variable: str) -> str:
        return f"catch (RuntimeException {variable}) {{ {NAME.format(variable)} }}"

    def number(self, depth: int) -> str:
        """An expression of type int."""
        if depth <= 0 or self.random.random() < 0.1:
            return self.pick(INTS if self.random.random() < 0.6 else INT_VALUES)
        below = depth - 1
        forms = (
            lambda: f"({self.number(below)} {self.pick('+-*&|^')} {self.number(below)})",
            lambda: f"({self.number(below)} {self.pick('+-*&|^')} {self.number(below)})",
            lambda: f"({self.number(below)} {self.pick(('<<', '>>', '>>>'))} {self.number(below)})",
            lambda: f"({self.number(below)} {self.pick('/%')} {self.number(below)})",
            lambda: f"(-({self.number(below)}))",
            lambda: f"((int) {self.wide(below)})",
            lambda: f"(({self.pick(('byte', 'short', 'char'))}) {self.number(below)})",
            lambda: f"ia[{self.number(below)} & {self.pick(('7', '15'))}]",
            lambda: f"({self.boolean(below)} ? {self.number(below)} : {self.number(below)})",
            lambda: f"f{self.random.randrange(3)}({self.number(below)}, {self.wide(below)})",
            lambda: f"(ba[{self.number(below)} & 7] + ca[{self.number(below)} & 7] + sa[a & 7])",
            lambda: f"o.get({self.number(below)})",
        )
        return self.pick(forms)()

    def wide(self, depth: int) -> str:
        """An expression of type long."""
        if depth <= 0 or self.random.random() < 0.1:
            return self.pick(LONGS if self.random.random() < 0.6 else LONG_VALUES)
        below = depth - 1
        forms = (
            lambda: f"({self.wide(below)} {self.pick('+-*&|^')} {self.wide(below)})",
            lambda: f"({self.wide(below)} {self.pick('+-*&|^')} {self.wide(below)})",
            lambda: f"({self.wide(below)} {self.pick(('<<', '>>', '>>>'))} {self.number(below)})",
            lambda: f"({self.wide(below)} {self.pick('/%')} {self.wide(below)})",
            lambda: f"(-({self.wide(below)}))",
            lambda: f"((long) {self.number(below)})",
            lambda: f"({self.number(below)} & 0xffffffffL)",
            lambda: f"la[{self.number(below)} & 7]",
            lambda: f"(o.l += {self.wide(below)})",
        )
        return self.pick(forms)()

    def boolean(self, depth: int) -> str:
        """An expression of type boolean."""
        below = depth - 1
        if depth > 0 and self.random.random() < 0.2:
            return f"({self.boolean(below)} {self.pick(('&&', '||'))} {self.boolean(below)})"
        forms = (
            lambda: f"({self.number(below)} {self.pick(COMPARISONS)} {self.number(below)})",
            lambda: f"({self.wide(below)} {self.pick(COMPARISONS)} {self.wide(below)})",
            lambda: f"(o {self.pick(('==', '!='))} p)",
        )
        return self.pick(forms)()

    def statement(self, depth: int) -> str:
        forms = [
            lambda: f"{self.pick(INTS)} = {self.number(3)};",
            lambda: f"{self.pick(LONGS)} = {self.wide(3)};",
            lambda: f"ia[{self.number(2)} & 15] {self.pick(('=', '+=', '^='))} {self.number(2)};",
            lambda: f"la[{self.number(2)} & 7] {self.pick(('=', '+=', '-='))} {self.wide(2)};",
            lambda: f"ba[{self.number(1)} & 7] = (byte) {self.number(2)}; ca[b & 7] += a;",
            lambda: f"sa[{self.number(1)} & 7] = (short) {self.number(2)};",
            lambda: f"o = {self.pick(('new A()', 'new B()', 'p', f'make({self.number(1)})'))};",
            lambda: f"shape = new {self.pick('BC')}(); b ^= shape.area({self.number(1)});",
            lambda: f"S += {self.number(1)}; T ^= {self.wide(1)}; c += o.n++; d -= --p.n;",
            lambda: f'System.out.println("" + {self.pick((self.wide, self.boolean))(2)});',
            lambda: f"a++; b--; {self.pick(INTS)} += {self.random.randrange(-300, 300)};",
        ]
        if depth > 0:
            forms += [lambda: self.nested(depth)] * 5
        return self.pick(forms)()

    def nested(self, depth: int) -> str:
        below = depth - 1
        kind = self.random.randrange(4)
        inner, other = self.statement(below), self.statement(below)
        if kind == 0:
            return f"if ({self.boolean(2)}) {{ {inner} }} else {{ {other} }}"
        if kind == 1:
            count = self.random.randrange(1, 6)
            i = f"i{depth}"
            return f"for (int {i} = 0; {i} < {count}; {i}++) {{ {inner} a += {i}; }}"
        if kind == 2:
            name = f"e{depth}"
            handler = f"catch ({self.pick(CAUGHT)} {name}) {{ {NAME.format(name)} {other} }}"
            return f"try {{ {inner} {self.statement(below)} }} {handler} finally {{ b += 3; }}"
        return self.switch(below)

    def switch(self, below: int) -> str:
        sparse = sorted(self.random.sample((-5, 0, 1, 2, 3, 4, 100, 1000, 70000), 4))
        keys = sparse if self.random.random() < 0.5 else range(4)
        ends = ("break;", "break;", "")
        cases = (f"case {key}: {self.statement(below)} {self.pick(ends)}" for key in keys)
        last = self.statement(below)
        return f"switch ({self.number(1)} & 7) {{ {' '.join(cases)} default: {last} }}"
