package sondequery

// class is how PostgreSQL compares the values of a column. In SQLite, which compares values by their own types, all
// columns are unclassified.
type class uint8

const (
	unclassified class = iota
	whole              // an integer
	decimal            // numeric, real, or double precision
	money
	truth // boolean
	day   // date
	clock // timestamp without time zone
	moment
	identifier // uuid
	characters // text, an enumeration, and other types that are compared as texts
	bytes      // bytea
	opaque     // a type without an order, such as json, or whose values have a structure, such as an array
)

// classNames maps the beginnings of the names of types in PostgreSQL to classes.
var classNames = [...]struct {
	name  string
	class class
}{
	{"int2", whole}, {"int4", whole}, {"int8", whole},
	{"numeric", decimal}, {"real", decimal}, {"double precision", decimal}, {"money", money}, {"boolean", truth},
	{"date", day}, {"timestamp", moment}, // classNamed has the other timestamps
	{"uuid", identifier}, {"bytea", bytes}, {"json", opaque}, {"hstore", opaque}, {"xml", opaque}, {"tsvector", opaque},
	{"interval", opaque}, {"point", opaque},
}

// SetType sets the type of a column. name is the name of the type that the query of Dialect.Columns returns.
func (t *Table) SetType(column, name string) {
	for i, c := range t.Columns {
		if c != column {
			continue
		}
		for len(t.classes) < len(t.Columns) {
			t.classes = append(t.classes, unclassified)
		}
		t.classes[i] = classNamed(name)
	}
}

func classNamed(name string) class {
	if hasSuffix(name, "[]") || hasSuffix(name, "range") {
		return opaque
	}
	if hasPrefix(name, "timestamp") && hasSuffix(name, "without time zone") { // such as timestamp(3) without time zone
		return clock
	}
	for _, c := range classNames {
		if hasPrefix(name, c.name) {
			return c.class
		}
	}
	return characters
}

func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// classOf returns the class of the column with an index.
func (t *Table) classOf(column int) class {
	if column < len(t.classes) {
		return t.classes[column]
	}
	return unclassified
}

// classOf returns the class of an operand that is a column.
func (s *Statement) classOf(o operand) class {
	if !o.isColumn() {
		return unclassified
	}
	return s.Tables[o[0].table].classOf(o[0].number)
}

// postgresOperands returns the values of two operands as PostgreSQL converts them before it compares them: a parameter
// or a literal gets the type of the column with which it is compared.
func (s *Statement) postgresOperands(left, right operand, a, b Value) (Value, Value) {
	if a.Type == Null || b.Type == Null {
		return a, b
	}
	forA, forB := s.classOf(left), s.classOf(right)
	if forA == unclassified {
		forA = forB
	}
	if forB == unclassified {
		forB = forA
	}
	a, b = a.as(forA), b.as(forB)
	if forA == unclassified && a.isNumber() != b.isNumber() {
		a, b = a.asNumber(), b.asNumber()
	}
	return a, b
}

// as converts a value for a comparison with a column of a class. It returns an Unknown value if the value has no such
// form.
func (v Value) as(c class) Value {
	switch c {
	case whole, decimal, money:
		return v.asNumber()
	case truth:
		return v.asTruth()
	case day, clock, moment:
		return v.asTime(c)
	case identifier:
		return v.asIdentifier()
	case characters:
		return v.asText()
	case opaque:
		return Value{}
	}
	return v
}

// asTruth converts the spellings of a Boolean to 1 and 0. It returns an Unknown value for other texts.
func (v Value) asTruth() Value {
	if v.Type != Text {
		return v
	}
	switch upper(v.Text) {
	case "TRUE", "T", "YES", "Y", "ON", "1":
		return Value{Type: Integer, Int: 1}
	case "FALSE", "F", "NO", "N", "OFF", "0":
		return Value{Type: Integer}
	}
	return Value{}
}

// asIdentifier converts a UUID to its usual form, with lower-case letters and hyphens. It does not check the text.
func (v Value) asIdentifier() Value {
	if v.Type != Text {
		return Value{}
	}
	var b []byte
	for _, c := range []byte(v.Text) {
		switch {
		case c == '-' || c == '{' || c == '}':
			continue
		case len(b) == 8 || len(b) == 13 || len(b) == 18 || len(b) == 23:
			b = append(b, '-')
		}
		b = append(b, byte(lower(rune(c))))
	}
	return Value{Type: Text, Text: string(b)}
}

// asTime converts a text to the microseconds since 1970 or, for the class day, to those of the day's start. Times are
// compared by this number, and the distance of two times is computed from it.
func (v Value) asTime(c class) Value {
	if v.Type != Text {
		return Value{}
	}
	t, ok := parseInstant(v.Text, c == moment)
	if !ok {
		return Value{}
	}
	if c == day {
		t -= (t%microsPerDay + microsPerDay) % microsPerDay
	}
	return Value{Type: Integer, Int: t}
}

// shown returns a value in the form that requests use: a day as 2026-01-02, another time as 2026-01-02T10:30:00Z. It
// is for a value that is compared with a column of a class.
func (v Value) shown(c class) Value {
	if v.Type != Text || c != day && c != clock && c != moment {
		return v
	}
	t := v.asTime(c)
	if t.Type != Integer {
		return v
	}
	text := formatInstant(t.Int)
	if c == day {
		text = text[:len("2006-01-02")]
	}
	return Value{Type: Text, Text: text}
}
