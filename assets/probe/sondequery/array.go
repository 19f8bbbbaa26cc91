package sondequery

// arrayElements returns the elements of an array of PostgreSQL that is given as a text such as {1,"a b",NULL}. It
// returns false for another value, and for an array of arrays.
func arrayElements(v Value) (all []Value, ok bool) {
	s := v.Text
	if v.Type != Text || len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, false
	}
	for s = s[1 : len(s)-1]; s != ""; {
		var element Value
		element, s = takeElement(s)
		all = append(all, element)
		if element.Type == Unknown || s != "" && s[0] != ',' {
			return nil, false
		}
		s = s[min(1, len(s)):]
	}
	return all, true
}

// takeElement parses the first element in the text of an array. It returns the element and the rest of the text.
func takeElement(s string) (v Value, rest string) {
	if s[0] != '"' {
		n := lengthUpTo(s, ",")
		if s[0] == '{' {
			return Value{}, ""
		}
		if upper(s[:n]) == "NULL" {
			return Value{Type: Null}, s[n:]
		}
		return Value{Type: Text, Text: s[:n]}, s[n:]
	}
	var b []byte
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return Value{Type: Text, Text: string(b)}, s[i+1:]
		case '\\':
			if i++; i == len(s) {
				return Value{}, ""
			}
		}
		b = append(b, s[i])
	}
	return Value{}, ""
}

// firstElement returns the first element of an array, or an Unknown value.
func firstElement(v Value) Value {
	if all, _ := arrayElements(v); len(all) > 0 {
		return all[0]
	}
	return Value{}
}
