//go:build unix

package net

// Lines of tables, commands and events consist of fields with spaces between them. Spaces, control characters and
// percent signs in a field are escaped as in a URL: %20. An empty field of an event is "-".

// sondeCut is strings.Cut for a separator of one byte.
func sondeCut(s string, at byte) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == at {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// sondeFields returns the fields of a line.
func sondeFields(line string) (all []string) {
	for line != "" {
		var f string
		if f, line, _ = sondeCut(line, ' '); f != "" {
			all = append(all, sondeUnescape(f))
		}
	}
	return all
}

func sondeUnescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, ok := xtoi2(s[i+1:i+3], 0); ok {
				b = append(b, n)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// sondeEscape appends an escaped field. An empty field becomes "-".
func sondeEscape(b []byte, s string) []byte {
	if s == "" {
		return append(b, '-')
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == '%' || c == 0x7f {
			b = append(b, '%', sondeHex[c>>4], sondeHex[c&15])
			continue
		}
		b = append(b, s[i])
	}
	return b
}

const sondeHex = "0123456789abcdef"

// sondeAppendUint appends a number.
func sondeAppendUint(b []byte, n uint64) []byte {
	if n >= 10 {
		b = sondeAppendUint(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

func sondeFormatUint(n uint64) string { return string(sondeAppendUint(nil, n)) }

// sondeInt parses a number. It returns -1 if s is not a number.
func sondeInt(s string) int {
	n, i, ok := dtoi(s)
	if !ok || i != len(s) {
		return -1
	}
	return n
}

// sondeName returns a host name as the tables spell it: in lower case, without a final dot.
func sondeName(s string) string {
	b := []byte(s)
	lowerASCIIBytes(b)
	if n := len(b); n > 1 && b[n-1] == '.' {
		b = b[:n-1]
	}
	return string(b)
}
