package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probe"

	"golang.org/x/tools/txtar"
)

// till is a module with generated unit tests in one of two packages. One test fails.
const till = `
-- go.mod --
module example.com/till

go 1.24
-- till.go --
package till

import "fmt"

type Bank interface {
	Charge(cents int) error
	Refund(cents int) error
}

type Till struct {
	bank Bank
	paid int
}

func (t *Till) Pay(cents int) (string, error) {
	if cents <= 0 {
		return "", fmt.Errorf("%d cents", cents)
	}
	if err := t.bank.Charge(cents + 1); err != nil {
		return "", err
	}
	t.paid += cents
	return "paid", nil
}

func (t *Till) Unreached() int { return 2 + 3 }

func untested(n int) int { return n + 1 }
-- till_sonde_test.go --
package till

import "testing"

type mockBank struct {
	Bank
	t       *testing.T
	charged int
}

func (m *mockBank) Charge(cents int) error {
	m.charged++
	if cents != 301 {
		m.t.Errorf("[call 1, argument 1 of bank.Charge] got %d", cents)
	}
	return nil
}

func TestTill_Pay(t *testing.T) {
	bank := &mockBank{t: t}
	s := &Till{bank: bank}
	got, err := s.Pay(300)
	if got != "paid" || err != nil {
		t.Errorf("[result 1] got %q, %v", got, err)
	}
	if s.paid != 300 || untested(1) != 2 {
		t.Errorf("[s.paid] got %d", s.paid)
	}
	if bank.charged != 1 {
		t.Errorf("[calls] charged %d times", bank.charged)
	}
}

func TestTill_Pay_error(t *testing.T) {
	if _, err := (&Till{}).Pay(0); err == nil {
		t.Error("[result 2] no error")
	}
}

func TestBroken(t *testing.T) { t.Error("[result 1] it fails always") }
-- plain/plain.go --
package plain

func F() int { return 1 }
`

func tillUnits(t *testing.T) (Plan, Units) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(till)).Files {
		path := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, f.Data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p := Plan{Service: probe.Options{Dir: dir, Package: "example.com/till"}, Operators: Operators, Jobs: 2, Dir: t.TempDir()}
	return p, Units{File: "till_sonde_test.go", Functions: map[string][]string{
		"example.com/till": {"(*Till).Pay", "(*Till).Unreached"}, "example.com/till/plain": {"F"},
	}}
}

// Mutants of functions under test are killed by the oracle of the check that fails. A panic is another output.
func TestUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles tests")
	}
	t.Parallel()
	p, u := tillUnits(t)
	p.Operators = []Operator{Relational, Arithmetic, Removed, Doubled, Extreme}
	a, err := PrepareUnits(t.Context(), p, u)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Broken, []string{"example.com/till.TestBroken"}) || a.Unreached == 0 {
		t.Errorf("broken %q, %d unreached", a.Broken, a.Unreached)
	}
	log, err := OpenLog("", a.Head)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Run(t.Context(), log); err != nil {
		t.Fatal(err)
	}
	got := map[string][]model.MockOracle{}
	for _, r := range a.Results(log) {
		if r.Func != "(*Till).Pay" {
			t.Errorf("a mutant in %s", r.Func)
		}
		got[string(r.Operator)+" "+r.After] = r.By
		if r.Status == Uncompiled {
			t.Errorf("%s: %s", r.After, r.Why)
		}
	}
	for after, want := range map[string]model.MockOracle{
		"arithmetic cents - 1": model.ParameterOracle, "relational cents < 0": model.OutputOracle,
	} {
		if by, tried := got[after]; !tried || !slices.Equal(by, []model.MockOracle{want}) {
			t.Errorf("%s: killed by %v, want %s, of %v", after, by, want, got)
		}
	}
	if n := NewTally(a.Results(log)).By[model.CallOracle]; n == 0 {
		t.Errorf("the call oracle kills nothing: %v", got)
	}
}

// A package without tests is left out, and there must be tests and mutants that they reach.
func TestNoUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles tests")
	}
	t.Parallel()
	p, u := tillUnits(t)
	u.File = "other_test.go"
	if _, err := PrepareUnits(t.Context(), p, u); !errors.Is(err, errNoUnits) {
		t.Errorf("got %v", err)
	}
	u.Functions = map[string][]string{"example.com/none": {"F"}}
	if _, err := PrepareUnits(t.Context(), p, u); err == nil {
		t.Error("a package that does not exist is read")
	}
}

// The oracle of a failed test is that of its checks. If a test ends the process, its name is known.
func TestFollowUnits(t *testing.T) {
	for name, c := range map[string]struct {
		output, last string
		by           []model.MockOracle
		timedOut     bool
	}{
		"checks": {
			output: "    u_test.go:1: [calls] x\n    u_test.go:2: [result 1] x\n    u_test.go:2: [result 2] x\n--- FAIL: TestA (0.00s)\n",
			by:     []model.MockOracle{model.CallOracle, model.OutputOracle},
		},
		"panic": {
			output: "--- FAIL: TestA (0.00s)\npanic: x [recovered]\n", last: "TestA", by: []model.MockOracle{model.OutputOracle},
		},
		"fatal error": {output: "fatal error: all goroutines are asleep\n", last: "TestA", by: []model.MockOracle{model.OutputOracle}},
		"unexpected method": {
			output: "--- FAIL: TestA (0.00s)\npanic: nil [recovered]\np.(*mockBank).Refund(0x1)\n\t<autogenerated>:1 +0x2\n",
			last:   "TestA", by: []model.MockOracle{model.CallOracle},
		},
		"timeout": {output: "panic: test timed out after 1s\n", timedOut: true},
	} {
		o := followUnits(strings.NewReader("=== RUN   TestA\n" + c.output))
		if o.last != c.last || !slices.Equal(o.oraclesOf["TestA"], c.by) || o.timedOut != c.timedOut || !o.started {
			t.Errorf("%s: got %+v", name, o)
		}
	}
}
