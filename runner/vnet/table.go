package vnet

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"
)

// way is a virtual address of TCP or UDP.
type way struct {
	network string // tcp or udp
	to      netip.AddrPort
}

func (w way) String() string { return w.network + " " + w.to.String() }

func compareWays(a, b way) int {
	return cmp.Or(cmp.Compare(a.network, b.network), a.to.Compare(b.to))
}

// table is what the service is told of its network: lines of fields.
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

// escape writes a field of a line so that it holds no space and is not empty.
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

// unescape reads a field of a line. What is no escape stays as it is.
func unescape(field string) string {
	var b strings.Builder
	for i := 0; i < len(field); i++ {
		if hi, lo := nibble(field, i+1), nibble(field, i+2); field[i] == '%' && hi >= 0 && lo >= 0 {
			b.WriteByte(byte(hi<<4 | lo))
			i += 2
		} else {
			b.WriteByte(field[i])
		}
	}
	return b.String()
}

// nibble is the value of a hexadecimal digit, -1 where there is none.
func nibble(s string, at int) int {
	if at >= len(s) {
		return -1
	}
	return strings.IndexByte("0123456789ABCDEF", strings.ToUpper(s[at : at+1])[0])
}
