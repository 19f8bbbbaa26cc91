package sondequery

// kind is the kind of a token.
type kind uint8

const (
	word   kind = iota // a name or a keyword
	quoted             // a name in quotes, never a keyword
	text
	number
	parameter
	sign
	column // a column of a table, in an operand
)

// token is a token of a statement.
type token struct {
	kind   kind
	text   string // the text of the token, without quotes
	number int    // for a parameter, the index of its argument, or -1; for a column, its index in Table.Columns
	table  int    // for a column, the index of its table
}

// matches reports whether a token is the given sign, or the given keyword in upper case.
func (t token) matches(want string) bool {
	return t.kind == sign && t.text == want || t.kind == word && upper(t.text) == want
}

// scanner splits a statement into tokens.
type scanner struct {
	dialect    Dialect
	rest       string
	parameters []string // the names of the parameters so far, by the index of their argument; "" without a name
	tokens     []token
}

// maxStatement is the maximum length of a statement in bytes.
const maxStatement = 16384

// scan returns the tokens of a statement, without comments. It returns false if the statement is too
// long, has an unterminated quote, or has a text of PostgreSQL with another kind of quotes, such as E'a\'b' or $$a$$.
func scan(d Dialect, statement string) ([]token, bool) {
	if len(statement) > maxStatement {
		return nil, false
	}
	s := &scanner{dialect: d, rest: statement}
	for s.skip(); s.rest != ""; s.skip() {
		if !s.scanToken() {
			return nil, false
		}
	}
	return s.tokens, true
}

// skip skips blanks and comments.
func (s *scanner) skip() {
	for s.rest != "" {
		switch {
		case s.rest[0] <= ' ':
			s.rest = s.rest[1:]
		case hasPrefix(s.rest, "--"):
			s.rest = s.rest[lengthUpTo(s.rest, "\n"):]
		case hasPrefix(s.rest, "/*"):
			s.rest = s.rest[min(lengthUpTo(s.rest, "*/")+2, len(s.rest)):]
		default:
			return
		}
	}
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// lengthUpTo returns the length of the part of s before end, or the length of s if it does not
// contain end.
func lengthUpTo(s, end string) int {
	for i := range len(s) {
		if hasPrefix(s[i:], end) {
			return i
		}
	}
	return len(s)
}

func (s *scanner) scanToken() bool {
	switch c := s.rest[0]; {
	case c == '\'':
		return s.quotedText(text, '\'')
	case c == '"':
		return s.quotedText(quoted, c)
	case isDigit(c) || c == '.' && len(s.rest) > 1 && isDigit(s.rest[1]):
		s.addToken(number, s.lengthOf(1, isNumeric))
	case s.dialect == PostgreSQL && c == '$':
		return s.dollar()
	case s.dialect == PostgreSQL && isLetter(c):
		return s.foldedWord(s.lengthOf(1, isLetter))
	case isLetter(c):
		s.addToken(word, s.lengthOf(1, isLetter))
	case s.dialect == PostgreSQL:
		s.addToken(sign, s.signLength())
	case c == '`':
		return s.quotedText(quoted, c)
	case c == '[':
		return s.quotedText(quoted, ']')
	case c == '?':
		s.numberedParameter(s.lengthOf(1, isDigit))
	case (c == ':' || c == '@' || c == '$') && len(s.rest) > 1 && isLetter(s.rest[1]):
		s.namedParameter(s.lengthOf(1, isLetter))
	default:
		s.addToken(sign, s.signLength())
	}
	return true
}

// foldedWord takes a word of n bytes. PostgreSQL folds words without quotes to lower case. foldedWord returns false
// before a text in which a backslash escapes a quote.
func (s *scanner) foldedWord(n int) bool {
	if n == 1 && (s.rest[0] == 'e' || s.rest[0] == 'E') && hasPrefix(s.rest[1:], "'") {
		return false
	}
	var b []byte
	for _, c := range []byte(s.rest[:n]) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	s.tokens = append(s.tokens, token{kind: word, text: string(b)})
	s.rest = s.rest[n:]
	return true
}

// dollar takes a parameter of PostgreSQL, such as $3. It returns false for the beginning of a text such as $$a$$.
func (s *scanner) dollar() bool {
	n := s.lengthOf(1, isDigit)
	if n == 1 {
		return false
	}
	s.numberedParameter(n)
	return true
}

// addToken adds a token with the next n bytes of the statement.
func (s *scanner) addToken(k kind, n int) {
	s.tokens = append(s.tokens, token{kind: k, text: s.rest[:n]})
	s.rest = s.rest[n:]
}

// lengthOf returns the index of the first byte that is not in a class. It begins at index n.
func (s *scanner) lengthOf(n int, isInClass func(byte) bool) int {
	for n < len(s.rest) && isInClass(s.rest[n]) {
		n++
	}
	return n
}

// quotedText takes a text in quotes, or a name in brackets. Two quotes in a row in the text mean one quote. It returns
// false if the end of the text is missing.
func (s *scanner) quotedText(k kind, end byte) bool {
	var b []byte
	for i := 1; i < len(s.rest); i++ {
		c := s.rest[i]
		if c == end {
			if i+1 == len(s.rest) || s.rest[i+1] != end || end == ']' {
				s.tokens = append(s.tokens, token{kind: k, text: string(b)})
				s.rest = s.rest[i+1:]
				return true
			}
			i++
		}
		b = append(b, c)
	}
	return false
}

// numberedParameter takes a parameter such as ?, ?3 or $3, which has n bytes. A parameter without a number gets the
// number after the highest so far.
func (s *scanner) numberedParameter(n int) {
	index := len(s.parameters)
	if n > 1 {
		index = -1
		if v, ok := parseInt(s.rest[1:n]); ok && v >= 1 && v <= maxStatement {
			index = int(v) - 1
		}
	}
	for len(s.parameters) <= index {
		s.parameters = append(s.parameters, "")
	}
	s.tokens = append(s.tokens, token{kind: parameter, number: index})
	s.rest = s.rest[n:]
}

// namedParameter takes a parameter such as :name, @name or $1, which has n bytes. SQLite numbers names in the
// order of their first use.
func (s *scanner) namedParameter(n int) {
	name, index := s.rest[:n], -1
	for i, known := range s.parameters {
		if known == name {
			index = i
		}
	}
	if index < 0 {
		index = len(s.parameters)
		s.parameters = append(s.parameters, name)
	}
	s.tokens = append(s.tokens, token{kind: parameter, text: name[1:], number: index})
	s.rest = s.rest[n:]
}

func (s *scanner) signLength() int {
	for _, two := range [...]string{"==", "<=", ">=", "<>", "!=", "||", "::"} {
		if hasPrefix(s.rest, two) {
			return 2
		}
	}
	return 1
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNumeric(c byte) bool { return isDigit(c) || c == '.' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c >= 0x80
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
