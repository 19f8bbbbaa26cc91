package probe

import (
	"os"
	"testing"

	"sonde/runner/instrument/probedata"
)

// ladder has, for each kind of predicate, a series of values that come nearer to making it true. The
// last value makes it true.
var ladder = []struct {
	kind  string
	path  []string
	at    string               // a text on the target's line; "" means the kind
	which probedata.TargetKind // kind of the target; "" means BranchTrue
}{
	{kind: "int==", path: []string{"-9000000000000000000", "1000000", "1000", "50", "43", "42"}},
	{kind: "int!=", path: []string{"42", "41"}},
	{kind: "int<", path: []string{"100", "11", "10", "9"}},
	{kind: "int<=", path: []string{"100", "12", "11", "10"}},
	{kind: "int>", path: []string{"0", "9", "10", "11"}},
	{kind: "int>=", path: []string{"0", "8", "9", "10"}},
	{kind: "unix==", path: []string{"-1", "0", "1", "2", "1699999998", "1699999999", "1700000000"}},
	{kind: "int8==", path: []string{"127", "0", "-127", "-128"}},
	{kind: "uint64==", path: []string{"0", "18446744073709551000", "18446744073709551614", "18446744073709551615"}},
	{kind: "float64==", path: []string{"10", "1", "0.75", "0.5"}},
	{kind: "float32==", path: []string{"10", "0.2", "0.1"}},
	{kind: "float64<", path: []string{"5", "0.5", "0", "-1"}},
	{kind: "param>=", path: []string{"-10", "0", "6", "7"}, at: "func most"},
	{kind: "paramtext", path: []string{"", "r", "zed", "rec", "red"}, at: "func same"},
	{kind: "int16<", path: []string{"32767", "0", "-29999", "-30000", "-30001"}},
	{kind: "int32>=", path: []string{"-2000000000", "0", "1999999998", "1999999999", "2000000000"}},
	{kind: "int64<=", path: []string{"9000000000000000000", "0", "-4611686018427380000", "-4611686018427387904"}},
	{kind: "uint8==", path: []string{"0", "97", "121", "122"}},
	{kind: "uint16>", path: []string{"0", "65533", "65534", "65535"}},
	{kind: "uint32<", path: []string{"4000000000", "2", "1", "0"}},
	{kind: "uint!=", path: []string{"7", "8"}},
	{kind: "uintptr>=", path: []string{"0", "8", "9"}},
	{kind: "float32>", path: []string{"-3e38", "0", "9e9", "1e10", "2e10"}},
	{kind: "float64<=", path: []string{"1e300", "1", "0", "-0.125", "-0.25"}},
	{kind: "duration", path: []string{"0", "1699999000", "1699999940", "1699999941"}},
	{kind: "paramint<", path: []string{"9", "4", "3", "2"}, at: "func before"},
	{kind: "paramtext<", path: []string{"zoo", "bzz", "bay", "bax"}, at: "func before"},
	{kind: "string>=", path: []string{"a", "bax", "bay"}},
	{kind: "string<=", path: []string{"zoo", "bzz", "baz", "bay"}},
	{kind: "string!=", path: []string{"on", "off"}},
	{kind: "lenbytes", path: []string{"", "a", "abc", "abcd"}},
	{kind: "bytestext", path: []string{"", "zzz", "rax", "raw"}},
	{kind: "byteslast", path: []string{"", "%", "a%", "%%"}},
	{kind: "byteswith", path: []string{"", "zzzzz", "a kez", "a key"}},
	{kind: "bytesfold", path: []string{"", "yet", "yES"}},
	{kind: "list", path: []string{"", "kiwi", "peas", "pear"}},
	{kind: "numbers", path: []string{"-500", "500", "800", "8", "7"}},
	{kind: "role", path: []string{"", "zzzzz", "guest", "admit", "admin"}},
	{kind: "closed", path: []string{"60", "40", "32", "31"}},
	{kind: "notnil", path: []string{"none", "closed"}},
	{kind: "parse", path: []string{"x", "true"}},
	{kind: "len", path: []string{"", "abc", "abcde", "abcdef"}},
	{kind: "string==", path: []string{"", "s", "zzzzzz", "secres", "secret"}},
	{kind: "colour==", path: []string{"", "rad", "rec", "red"}},
	{kind: "string<", path: []string{"zoo", "cat", "bzz", "baz", "bay", "bax"}},
	{kind: "string>", path: []string{"a", "bax", "bay", "baz"}},
	{kind: "prefix", path: []string{"", "zz", "ab", "ab+", "ab-x"}},
	{kind: "cutprefix", path: []string{"", "zz", "ab", "ab+", "ab-x"}},
	{kind: "cutsuffix", path: []string{"", "x", "o", "go", "-go", "a.go"}},
	{kind: "cut", path: []string{"", "zzzzz", "a kez", "a key"}},
	{kind: "day", path: []string{"", "zzz", "2006-01", "2006-01-0x", "2031-12-30"}},
	{kind: "moment", path: []string{"", "zzz", "2006-01-02T15:04:05", "2031-12-30T23:59:59+02:00"}},
	{kind: "prefixed", path: []string{"", "9", "0.0.0", "0.0.0.0/x", "10.0.0.0/8"}},
	{kind: "private", path: []string{"203.0.113.1", "11.0.0.1", "10.9.9.9"}},
	{kind: "loopback", path: []string{"203.0.113.1", "126.0.0.1", "127.0.0.9"}},
	{kind: "suffix", path: []string{"", "x", "o", "go", "-go", "a.go"}},
	{kind: "contains", path: []string{"", "k", "zzzzz", "a kez", "my key"}},
	{kind: "fold", path: []string{"", "no", "yet", "yES"}},
	{kind: "bytes==", path: []string{"", "r", "zzz", "rax", "raw"}},
	{kind: "bytesfirst", path: []string{"", "x", "%", "%Q", "%P1"}},
	{kind: "before", path: []string{"1800000000", "1700000001", "1700000000", "1699999999"}},
	{kind: "after", path: []string{"0", "1699999999", "1700000000", "1700000001"}},
	{kind: "timeequal", path: []string{"0", "1699999999", "1699999999.5", "1700000000"}},
	{kind: "key", path: []string{"", "kiwi", "peas", "pear"}},
	{kind: "code", path: []string{"1", "499", "500"}},
	{kind: "is", path: []string{"none", "closed", "stock"}},
	{kind: "nil", path: []string{"closed", "none"}},
	{kind: "regexp", path: []string{"x", "ab"}},
	{kind: "atoi", path: []string{"zzzz", "z", "8x", "12"}},
	{kind: "integer", path: []string{"zzzz", "z", "8x", "0x12"}},
	{kind: "unsigned", path: []string{"zzzz", "z", "x0", "ff"}},
	{kind: "decimal", path: []string{"zzzz", "z", "0.x", "1e3"}},
	{kind: "json", path: []string{"{", "1"}},
	{kind: "and", path: []string{"", "k", "abc", "jbc", "kbc", "kbx", "key"}},
	{kind: "or", path: []string{"0", "90", "-99", "100"}},
	{kind: "not", path: []string{"0", "8", "9"}},
	{kind: "deep", path: []string{"-5", "0", "1", "2", "3", "1699999999", "1700000000"}},
	{kind: "index>=", path: []string{"", "k", "a kez", "a key"}},
	{kind: "index!=", path: []string{"", "k", "a kez", "a key"}},
	{kind: "index-1", path: []string{"a key", "kez"}},
	{kind: "index0", path: []string{"", "k", "kez", "key"}},
	{kind: "index<", path: []string{"a key", "kez"}},
	{kind: "index>", path: []string{"", "a key", "  a key"}},
	{kind: "compare0", path: []string{"", "rad", "rec", "red"}},
	{kind: "compare<", path: []string{"zoo", "cat", "bay", "bax"}},
	{kind: "otherwise", path: []string{"0", "90", "99", "101", "100"}, at: "		default:", which: probedata.SwitchCase},
	{kind: "element", path: []string{"0", "5", "9", "10"}, at: `"element":`, which: probedata.Panics},
	{kind: "byte", path: []string{"0", "5", "9", "10"}, at: `"byte":`, which: probedata.Panics},
	{kind: "array", path: []string{"0", "5", "6", "7"}, at: `"array":`, which: probedata.Panics},
	{kind: "first", path: []string{"abcdef", "abcd", "abc", "ab"}, at: `"first":`, which: probedata.Panics},
	{kind: "part", path: []string{"a,b,c,d", "a,b,c", "a,b"}, at: `"part":`, which: probedata.Panics},
	{kind: "head", path: []string{"0", "9", "10", "11"}, at: `"head":`, which: probedata.Panics},
	{kind: "tail", path: []string{"0", "9", "10", "11"}, at: `"tail":`, which: probedata.Panics},
	{kind: "upto", path: []string{"0", "2", "3", "4"}, at: `"upto":`, which: probedata.Panics},
	{kind: "quotient", path: []string{"-900", "50", "8", "7"}, at: `"quotient":`, which: probedata.Panics},
	{kind: "remainder", path: []string{"18446744073709551615", "50", "1", "0"}, at: `"remainder":`, which: probedata.Panics},
	{kind: "pointer", path: []string{"high", "low"}, at: `"pointer":`, which: probedata.Panics},
	{kind: "type", path: []string{"text", "none"}, at: `"type":`, which: probedata.Panics},
	{kind: "inside", path: []string{"9000000000", "-500", "99", "-1", "9"}, at: `"inside":`, which: probedata.NoPanic},
	{kind: "behind", path: []string{"9000000000", "-500", "13", "12", "10"}, at: `"behind":`, which: probedata.NoPanic},
	{kind: "text", path: []string{"none", "number", "text"}, at: `"text":`, which: probedata.NoPanic},
	{kind: "switch", path: []string{"0", "40", "61", "60"}, at: "case 50", which: probedata.SwitchCase},
	{kind: "words", path: []string{"", "gray", "zzzzz", "greem", "green"}, at: `case "green"`, which: probedata.SwitchCase},
}

// The score of each predicate rises with each step, and is 1 only at the last.
func TestLadder(t *testing.T) {
	source, err := os.ReadFile("testdata/ladder/main.go")
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, builtLadder(t))
	ask := w.talk()
	for _, c := range ladder {
		at, which := `"`+c.kind+`":`, probedata.BranchTrue
		if c.at != "" {
			at = c.at
		}
		if c.which != "" {
			which = c.which
		}
		id, was := w.find(which, string(source), at).ID, 0.0
		for i, step := range c.path {
			w.Reset()
			answer := ask(c.kind + " " + step)
			h, last := near(w.AppendScores(nil), id), i == len(c.path)-1
			if h <= was || last != (h == 1) || (answer == "true") != last {
				t.Errorf("%s %q (%s): h = %v after %v, answer %s", c.kind, step, id, h, was, answer)
			}
			was = h
		}
	}
}

// The other outcome of each predicate is covered by all steps except the last.
func TestLadderFalse(t *testing.T) {
	source, err := os.ReadFile("testdata/ladder/main.go")
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, builtLadder(t))
	ask := w.talk()
	for _, c := range ladder {
		if c.at != "" {
			continue
		}
		id := w.find(probedata.BranchFalse, string(source), `"`+c.kind+`":`).ID
		for i, step := range c.path {
			w.Reset()
			ask(c.kind + " " + step)
			if h, last := near(w.AppendScores(nil), id), i == len(c.path)-1; last == (h == 1) || h == 0 {
				t.Errorf("%s %q (%s): h = %v of being false", c.kind, step, id, h)
			}
		}
	}
}
