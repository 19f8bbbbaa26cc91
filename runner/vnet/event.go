package vnet

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
)

// event is a line that the service writes.
type event struct {
	kind   string
	fields []string // what stands behind, unescaped
}

// parseEvent reads a line; one that says nothing has no kind.
func parseEvent(line string) event {
	words := strings.Split(strings.TrimSuffix(line, "\r"), " ")
	for i, w := range words {
		words[i] = unescape(w)
	}
	return event{words[0], words[1:]}
}

// field is the i-th field, "" where there is none.
func (e event) field(i int) string {
	if i < len(e.fields) {
		return e.fields[i]
	}
	return ""
}

func (e event) number(i int) uint64 {
	n, _ := strconv.ParseUint(e.field(i), 10, 64)
	return n
}

// place is an address with its port; not valid where there is none.
func (e event) place(i int) netip.AddrPort {
	at, _ := netip.ParseAddrPort(e.field(i))
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// bytes are those that a field has in hexadecimal digits.
func (e event) bytes(i int) []byte {
	b, _ := hex.DecodeString(e.field(i))
	return b
}

// addresses are those of a field that are divided by commas.
func (e event) addresses(i int) []netip.Addr {
	var all []netip.Addr
	for _, text := range strings.Split(e.field(i), ",") {
		if addr, err := netip.ParseAddr(text); err == nil {
			all = append(all, addr.Unmap())
		}
	}
	return all
}
