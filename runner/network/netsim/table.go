package netsim

import (
	"fmt"
	"strings"
)

// table builds the text that configures the network inside a service: lines of fields. The
// format is in assets/probe/_net/net/table.go.
type table struct{ strings.Builder }

func (t *table) line(fields ...string) {
	for i, f := range fields {
		if i > 0 {
			t.WriteByte(' ')
		}
		t.WriteString(escape(f))
	}
	t.WriteByte('\n')
}

// escape encodes a field, so that it contains no space and is not empty.
func escape(field string) string {
	if field == "" {
		return "-"
	}
	var b strings.Builder
	for i := range len(field) {
		if c := field[i]; c <= ' ' || c == '%' || c == 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescape decodes a field. Malformed escapes remain unchanged.
func unescape(field string) string {
	var b strings.Builder
	for i := 0; i < len(field); i++ {
		if hi, lo := hexDigit(field, i+1), hexDigit(field, i+2); field[i] == '%' && hi >= 0 && lo >= 0 {
			b.WriteByte(byte(hi<<4 | lo))
			i += 2
		} else {
			b.WriteByte(field[i])
		}
	}
	return b.String()
}

// hexDigit returns the value of the hexadecimal digit at an index, -1 if there is none.
func hexDigit(s string, at int) int {
	if at >= len(s) {
		return -1
	}
	return strings.IndexByte("0123456789ABCDEF", strings.ToUpper(s[at : at+1])[0])
}
