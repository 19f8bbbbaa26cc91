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
)

// token is a token of a statement.
type token struct {
	kind   kind
	text   string // without the quotes
	number int    // for a parameter, the index of its argument; or -1
}

// is reports whether a token is the given sign, or the given keyword in upper case.
func (t token) is(what string) bool {
	return t.kind == sign && t.text == what || t.kind == word && upper(t.text) == what
}

// scanner splits a statement into tokens.
type scanner struct {
	rest       string
	parameters []string // the names of the parameters so far, by the index of their argument; "" without a name
	tokens     []token
}

// maxStatement is the maximum length of a statement in bytes.
const maxStatement = 16384

// scan returns the tokens of a statement, without comments. It returns false if the statement is too
// long or has an unterminated quote.
func scan(statement string) ([]token, bool) {
	if len(statement) > maxStatement {
		return nil, false
	}
	s := &scanner{rest: statement}
	for s.skip(); s.rest != ""; s.skip() {
		if !s.next() {
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
		case begins(s.rest, "--"):
			s.rest = s.rest[lengthUpTo(s.rest, "\n"):]
		case begins(s.rest, "/*"):
			s.rest = s.rest[min(lengthUpTo(s.rest, "*/")+2, len(s.rest)):]
		default:
			return
		}
	}
}

func begins(s, with string) bool { return len(s) >= len(with) && s[:len(with)] == with }

// lengthUpTo returns the length of the part of s before end, or the length of s if it does not
// contain end.
func lengthUpTo(s, end string) int {
	for i := range len(s) {
		if begins(s[i:], end) {
			return i
		}
	}
	return len(s)
}

func (s *scanner) next() bool {
	switch c := s.rest[0]; {
	case c == '\'':
		return s.between(text, '\'')
	case c == '"' || c == '`':
		return s.between(quoted, c)
	case c == '[':
		return s.between(quoted, ']')
	case digit(c) || c == '.' && len(s.rest) > 1 && digit(s.rest[1]):
		s.take(number, s.length(1, numeric))
	case c == '?':
		s.numbered(s.length(1, digit))
	case (c == ':' || c == '@' || c == '$') && len(s.rest) > 1 && letter(s.rest[1]):
		s.named(s.length(1, letter))
	case letter(c):
		s.take(word, s.length(1, letter))
	default:
		s.take(sign, s.signLength())
	}
	return true
}

// take makes the first n bytes a token.
func (s *scanner) take(k kind, n int) {
	s.tokens = append(s.tokens, token{kind: k, text: s.rest[:n]})
	s.rest = s.rest[n:]
}

// length returns the index of the first byte, from index n on, that is not of a class.
func (s *scanner) length(n int, of func(byte) bool) int {
	for n < len(s.rest) && of(s.rest[n]) {
		n++
	}
	return n
}

// between takes a text in quotes. Two quotes in it mean one.
func (s *scanner) between(k kind, end byte) bool {
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

// numbered takes a parameter such as ? or ?3, which has n bytes. Without a number, its number
// follows the highest so far.
func (s *scanner) numbered(n int) {
	at := len(s.parameters)
	if n > 1 {
		at = -1
		if v, ok := parseInt(s.rest[1:n]); ok && v >= 1 && v <= maxStatement {
			at = int(v) - 1
		}
	}
	for len(s.parameters) <= at {
		s.parameters = append(s.parameters, "")
	}
	s.tokens = append(s.tokens, token{kind: parameter, number: at})
	s.rest = s.rest[n:]
}

// named takes a parameter such as :name, @name or $1, which has n bytes. SQLite numbers names in the
// order of their first use.
func (s *scanner) named(n int) {
	name, at := s.rest[:n], -1
	for i, known := range s.parameters {
		if known == name {
			at = i
		}
	}
	if at < 0 {
		at = len(s.parameters)
		s.parameters = append(s.parameters, name)
	}
	s.tokens = append(s.tokens, token{kind: parameter, text: name[1:], number: at})
	s.rest = s.rest[n:]
}

func (s *scanner) signLength() int {
	for _, two := range [...]string{"==", "<=", ">=", "<>", "!=", "||"} {
		if begins(s.rest, two) {
			return 2
		}
	}
	return 1
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func numeric(c byte) bool { return digit(c) || c == '.' }

func letter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || digit(c) || c == '_' || c >= 0x80
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
