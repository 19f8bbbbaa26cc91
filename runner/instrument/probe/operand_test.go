package probe

import (
	"fmt"
	"os"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// text returns an operand as text.
func text(o model.Operand) string {
	switch o.Kind {
	case model.IntOperand:
		return fmt.Sprint(o.Int)
	case model.RealOperand:
		return fmt.Sprint(o.Real)
	case model.TimeOperand:
		return o.Time.Format("15:04:05.0")
	}
	return o.Text
}

// If an outcome of a predicate did not occur and its target is wanted, the operands of the predicate can be read.
func TestCompared(t *testing.T) {
	source, err := os.ReadFile("testdata/ladder/main.go")
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, builtLadder(t))
	ask := w.talk()
	said := func(line string, target probedata.Target) string {
		w.Reset()
		ask(line)
		for _, c := range w.AppendOperands(nil) {
			for _, term := range target.Terms {
				if term.SlotIndex() == c.Slot {
					return fmt.Sprint(text(c.A), " ", c.Op, " ", text(c.B))
				}
			}
		}
		return ""
	}
	first := w.find(probedata.BranchTrue, string(source), `"int==":`)
	if got := said("int== 7", first); got != "" {
		t.Errorf("%q though operands are not wanted", got)
	}
	w.WatchOperands(true)
	for _, c := range []struct{ kind, value, want string }{
		{"int==", "7", "7 == 42"},
		{"int==", "42", ""},
		{"int>=", "7", "7 >= 10"},
		{"int8==", "5", "5 == -128"},
		{"uint64==", "9", "9 == 1.8446744073709552e+19"},
		{"uint32<", "5", "5 < 1"},
		{"float64==", "2.5", "2.5 == 0.5"},
		{"float64<", "3", "3 < 0"},
		{"string==", "abc", "abc == secret"},
		{"string<", "zoo", "zoo < bay"},
		{"colour==", "blue", "blue == red"},
		{"prefix", "xyz", "xyz begins ab-"},
		{"suffix", "x", "x ends .go"},
		{"contains", "what", "what has key"},
		{"cutprefix", "xyz", "xyz begins ab-"},
		{"atoi", "what", "what == 7"},
		{"atoi", "12", ""},
		{"fold", "no", "no == in any case YES"},
		{"bytes==", "r", "r == raw"},
		{"before", "1700000001.5", "22:13:21.5 < 22:13:20.0"},
		{"key", "peas", "peas == pear"},
		{"code", "7", "7 == 500"},
		{"list", "peas", "peas == pear"},
		{"numbers", "8", "8 == 7"},
		{"role", "admit", "admit == admin"},
		{"len", "abc", "3 > 5"},
		{"and", "kex", "120 == 121"},
		{"regexp", "x", "x matches ^a+b$"},
		{"index>=", "what", "what has key"},
		{"index0", "x", "x begins key"},
		{"compare0", "blue", "blue == red"},
	} {
		if got := said(c.kind+" "+c.value, w.find(probedata.BranchTrue, string(source), `"`+c.kind+`":`)); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.kind, c.value, got, c.want)
		}
	}
	for _, c := range []struct{ kind, value, want string }{
		{"element", "3", "3 < 10"},
		{"byte", "3", "3 < 10"},
		{"first", "abcd", "2 < 4"},
		{"part", "a,b,c,d", ""},
		{"head", "3", "3 < 11"},
		{"upto", "2", "2 < 4"},
		{"quotient", "9", "2 != 0"},
		{"remainder", "9", "9 != 0"},
		{"pointer", "high", ""},
	} {
		if got := said(c.kind+" "+c.value, w.find(probedata.Panics, string(source), `"`+c.kind+`":`)); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.kind, c.value, got, c.want)
		}
	}
	if got := said("switch 51", w.find(probedata.SwitchCase, string(source), "case 50")); got != "51 == 50" {
		t.Errorf("switch: got %q", got)
	}
	if got := said("words x", w.find(probedata.SwitchCase, string(source), `case "green"`)); got != "x == green" {
		t.Errorf("words: got %q", got)
	}
	w.SelectTargets(func(int) bool { return false })
	w.Reset()
	ask("int== 7")
	if len(w.AppendOperands(nil)) != 0 {
		t.Error("operands were recorded though no target is wanted")
	}
}
