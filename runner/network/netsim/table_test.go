package netsim

import (
	"strings"
	"testing"
)

// FuzzEvent parses any line without a panic, and escape and unescape are inverse.
func FuzzEvent(f *testing.F) {
	for _, line := range []string{
		"lookup host a%20b 198.18.1.1,fd00::1", "wait 1 read 127.0.0.1:1 198.18.0.1:80 18446744073709551615 0",
		"lost udp [::1]:9 zz", "%", "%4", "%zz%41", "", "  ",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		_ = parseEvent(line)
		field := escape(line)
		if strings.ContainsAny(field, " \n\r") || field == "" {
			t.Errorf("%q is no field", field)
		}
		if line != "" && unescape(field) != line {
			t.Errorf("%q became %q", line, unescape(field))
		}
		back, ok := parseEvent("lookup " + field + " x").(lookupEvent)
		if !ok || back.name != "x" || line != "" && back.kind != line {
			t.Errorf("%q became %+v", line, back)
		}
	})
}

// FuzzSniff checks that a verdict of yes or no does not change when more bytes come.
func FuzzSniff(f *testing.F) {
	for _, s := range []string{"GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\n", "HELO x\r\n", "\x16\x03\x01", "GET", "G", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, judge := range []func([]byte) verdict{isHTTP, isTLS} {
			before := more
			for i := range len(s) + 1 {
				now := judge([]byte(s[:i]))
				if before != more && now != before {
					t.Fatalf("%q was %d, %q is %d", s[:i-1], before, s[:i], now)
				}
				before = now
			}
		}
	})
}
