//! Boolean functions of cells, as Liberty writes them, and their truth tables.

/// Inputs that a cell's function may have.
pub const MOST_INPUTS: usize = 6;
/// Parentheses within one another, at most.
const DEEPEST: usize = 64;

/// The reason why a text is no function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It has more inputs than a truth table holds.
    TooManyInputs,
    /// It is written wrong, in these words.
    Written(&'static str),
}

/// A function of at most six inputs: bit `i` of `table` is its value where input `k` has bit `k` of `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The names of the inputs, in the order in which they are named first.
    pub inputs: Vec<String>,
    /// The truth table, the bits beyond it 0.
    pub table: u64,
}

/// The truth tables of the inputs themselves.
const COLUMNS: [u64; MOST_INPUTS] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl Function {
    /// A function from Liberty's text.
    ///
    /// # Errors
    /// States what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut parser = Parser { rest: text, inputs: vec![], depth: 0 };
        let table = parser.either()?;
        parser.rest = parser.rest.trim_start();
        if !parser.rest.is_empty() {
            return Err(Wrong::Written("something is left over behind it"));
        }
        let mask = mask(parser.inputs.len());
        Ok(Self { inputs: parser.inputs, table: table & mask })
    }

    /// The value for inputs that are bits of a word, the first input the lowest.
    #[must_use]
    pub fn value(&self, inputs: usize) -> bool {
        self.table >> inputs & 1 == 1
    }

    /// The truth table of its complement.
    #[must_use]
    pub fn complement(&self) -> u64 {
        !self.table & mask(self.inputs.len())
    }
}

/// The bits of a truth table of `inputs` inputs.
#[must_use]
pub fn mask(inputs: usize) -> u64 {
    if inputs >= MOST_INPUTS { u64::MAX } else { (1 << (1 << inputs)) - 1 }
}

struct Parser<'a> {
    rest: &'a str,
    inputs: Vec<String>,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self) {
        let mut rest = self.rest.chars();
        rest.next();
        self.rest = rest.as_str();
    }

    /// Operands of `+` or `|`, which bind weakest.
    fn either(&mut self) -> Result<u64, Wrong> {
        let mut value = self.both()?;
        while matches!(self.peek(), Some('+' | '|')) {
            self.take();
            value |= self.both()?;
        }
        Ok(value)
    }

    /// Operands of `*`, `&` or a space.
    fn both(&mut self) -> Result<u64, Wrong> {
        let mut value = self.differ()?;
        loop {
            match self.peek() {
                Some('*' | '&') => self.take(),
                Some(next) if next.is_alphanumeric() || "_!(\"".contains(next) => {}
                _ => return Ok(value),
            }
            value &= self.differ()?;
        }
    }

    /// Operands of `^`, which binds stronger than `*` in Liberty.
    fn differ(&mut self) -> Result<u64, Wrong> {
        let mut value = self.operand()?;
        while self.peek() == Some('^') {
            self.take();
            value ^= self.operand()?;
        }
        Ok(value)
    }

    fn operand(&mut self) -> Result<u64, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Wrong::Written("it is nested too deeply"));
        }
        let mut value = match self.peek() {
            Some('!') => {
                self.take();
                !self.operand()?
            }
            Some('(') => {
                self.take();
                let inside = self.either()?;
                if self.peek() != Some(')') {
                    return Err(Wrong::Written("a parenthesis is not closed"));
                }
                self.take();
                inside
            }
            _ => self.name()?,
        };
        while self.peek() == Some('\'') {
            self.take();
            value = !value;
        }
        self.depth -= 1;
        Ok(value)
    }

    fn name(&mut self) -> Result<u64, Wrong> {
        let is_inside = |letter: char| letter.is_alphanumeric() || "_[]".contains(letter);
        let length = self.rest.find(|letter| !is_inside(letter)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        match name {
            "" => Err(Wrong::Written("an operand is missing")),
            "0" => Ok(0),
            "1" => Ok(u64::MAX),
            _ => self.input(name),
        }
    }

    fn input(&mut self, name: &str) -> Result<u64, Wrong> {
        if let Some(index) = self.inputs.iter().position(|known| known == name) {
            return Ok(COLUMNS[index]);
        }
        let column = COLUMNS.get(self.inputs.len()).copied();
        self.inputs.push(name.to_owned());
        column.ok_or(Wrong::TooManyInputs)
    }
}

#[cfg(test)]
mod tests {
    use super::Function;

    /// Tables as written out by hand, the first-named input the lowest bit.
    #[test]
    fn functions_have_their_truth_tables() {
        for (text, table) in [
            ("(A B)", 0b1000),
            ("!(A+B)", 0b0001),
            ("A*B'", 0b0010),
            ("A^B", 0b0110),
            ("(!(A (B C)))", 0x7f),
            ("A | B & C", 0b1110_1010),
            ("(S A)+(S' B)", 0b1101_1000),
            ("1", 1),
            ("0", 0),
        ] {
            let found = Function::parse(text).unwrap();
            assert_eq!(found.table, table, "{text}: {:b}", found.table);
        }
    }

    #[test]
    fn what_is_no_function_is_refused() {
        for text in ["", "A+", "(A", "A)", "A B C D E F G", &"!(".repeat(100)] {
            assert!(Function::parse(text).is_err(), "{text}");
        }
    }
}
