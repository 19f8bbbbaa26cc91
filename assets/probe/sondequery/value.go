package sondequery

// Type is the type of a Value.
type Type uint8

// The types of values. A blob, and any value of PostgreSQL that is neither a number nor a Boolean, is a Text. A Boolean
// is 1 or 0. An Unknown value is not equal to any value.
const (
	Unknown Type = iota
	Null
	Integer
	Real
	Text
)

// Value is the value of a column, literal or argument.
type Value struct {
	Type Type
	Int  int64
	Real float64
	Text string
}

// real returns a number as a floating-point number.
func (v Value) real() float64 {
	if v.Type == Integer {
		return float64(v.Int)
	}
	return v.Real
}

func (v Value) isNumber() bool { return v.Type == Integer || v.Type == Real }

// asNumber converts a text that is a number, as SQLite does for a column with numeric affinity. It returns an Unknown
// value for other texts.
func (v Value) asNumber() Value {
	if v.Type == Text {
		return numberOf(v.Text)
	}
	return v
}

// asText converts an integer to a text, as SQLite does for a column with text affinity. It returns an Unknown value for
// other numbers.
func (v Value) asText() Value {
	switch v.Type {
	case Integer:
		return Value{Type: Text, Text: formatInt(v.Int)}
	case Real:
		return Value{}
	}
	return v
}

func formatInt(v int64) string {
	var digits [20]byte
	i, rest := len(digits), uint64(v)
	if v < 0 {
		rest = -rest
	}
	for {
		i--
		digits[i] = '0' + byte(rest%10)
		if rest /= 10; rest == 0 {
			break
		}
	}
	if v < 0 {
		i--
		digits[i] = '-'
	}
	return string(digits[i:])
}

// numberOf parses a decimal number of at most 18 digits without an exponent. It returns an Unknown value for other
// texts.
func numberOf(s string) Value {
	if i, ok := parseInt(s); ok {
		return Value{Type: Integer, Int: i}
	}
	point := lengthUpTo(s, ".")
	if point == len(s) {
		return Value{}
	}
	digits, ok := parseInt(s[:point] + s[point+1:])
	if !ok || hasPrefix(s[point+1:], "-") {
		return Value{}
	}
	v, unit := float64(digits), 1.0
	for range s[point+1:] {
		unit *= 10
	}
	return Value{Type: Real, Real: v / unit}
}

// parseInt parses an integer of at most 18 digits, which fits into an int64.
func parseInt(s string) (v int64, ok bool) {
	sign := int64(1)
	if hasPrefix(s, "-") {
		s, sign = s[1:], -1
	}
	if s == "" || len(s) > 18 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if !isDigit(c) {
			return 0, false
		}
		v = 10*v + int64(c-'0')
	}
	return sign * v, true
}
