package probe_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sonde/assets/probe/sondeunits"
	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/unitdata"
)

// recordedUnits builds a program that records units, runs it, and returns its output and its recording.
func recordedUnits(t *testing.T, dir string, env ...string) (string, *unitdata.Manifest, unitdata.Recording) {
	t.Helper()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds programs")
	}
	binary := filepath.Join(t.TempDir(), "service")
	if _, err := probe.Build(t.Context(), probe.Options{Dir: dir, Package: ".", Out: binary, Units: true}); err != nil {
		t.Fatal(err)
	}
	m, err := unitdata.ReadManifest(unitdata.Path(binary))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "units")
	output := output(t, exec.Command(binary), append(env, sondeunits.FileEnv+"="+file))
	r, err := unitdata.ReadFile(file, m)
	if err != nil || r.Broken > 0 {
		t.Fatalf("%d broken lines, %v", r.Broken, err)
	}
	return output, m, r
}

// output runs a program and returns what it prints.
func output(t *testing.T, c *exec.Cmd, env []string) string {
	t.Helper()
	var errs bytes.Buffer
	c.Env, c.Stderr = append(os.Environ(), env...), &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return string(out) + errs.String()
}

// plainOutput returns what a program prints that is built without edits.
func plainOutput(t *testing.T, dir string) string {
	t.Helper()
	c := exec.Command("go", "run", ".")
	c.Dir = dir
	return output(t, c, nil)
}

// A program prints the same whether its units are recorded or not, and its invocations have inputs, results, changes and
// calls.
func TestUnits(t *testing.T) {
	t.Parallel()
	const dir = "testdata/units/shop"
	printed, m, r := recordedUnits(t, dir)
	if want := plainOutput(t, dir); printed != want {
		t.Errorf("got %s, want %s", printed, want)
	}
	if len(m.Functions) != 5 || len(m.Skipped) != 0 || len(r.Invocations) != 9 {
		t.Fatalf("got %d functions, %d invocations, skipped %v", len(m.Functions), len(r.Invocations), m.Skipped)
	}
	pay := r.Invocations[0]
	if f := m.Functions[pay.Function]; f.Name != "(*Shop).Pay" || !slices.Equal(f.Reads, []string{"Store", "bank", "mu", "now", "paid"}) {
		t.Errorf("got %+v", f)
	}
	var sites []string
	for _, c := range pay.Calls {
		s := m.Site(c.Site)
		sites = append(sites, s.Target+"."+s.Method)
	}
	if want := []string{"s.Store.Find", "s.bank.Charge", "s.now.", "s.Store.Save"}; !slices.Equal(sites, want) {
		t.Errorf("got %q, want %q", sites, want)
	}
	if save := pay.Calls[3]; len(save.Written) != 1 || save.Results[0].Kind != sondevalue.Zero || save.Instance != pay.Calls[0].Instance {
		t.Errorf("got %+v", save)
	}
	if got := pay.After.Objects[2].Entries; len(got) != 1 || got[0].Key.Text != "alice" || len(pay.Before.Objects[2].Entries) != 0 {
		t.Errorf("got %+v", got)
	}
	panicked := slices.IndexFunc(r.Invocations, func(i sondevalue.Invocation) bool { return i.Panicked })
	if panicked < 0 || m.Functions[r.Invocations[panicked].Function].Name != "(*Shop).MustPay" {
		t.Errorf("invocation %d panics", panicked)
	}
	if locked := r.Invocations[8]; locked.Why != "a mutex is locked" {
		t.Errorf("got %q", locked.Why)
	}
}

// What is odd is recorded, or left out for a reason, and changes nothing.
func TestOddUnits(t *testing.T) {
	t.Parallel()
	const dir = "testdata/units/odd"
	printed, m, r := recordedUnits(t, dir)
	if want := plainOutput(t, dir); printed != want {
		t.Errorf("got %s, want %s", printed, want)
	}
	whys, counts := map[string]string{}, map[string]int{}
	for _, i := range r.Invocations {
		name := m.Functions[i.Function].Name
		if _, known := whys[name]; !known {
			whys[name] = i.Why
		}
		counts[name]++
	}
	for name, why := range map[string]string{
		"Generic":           "",
		"(*Embedding).Run":  "",
		"MethodValue":       "",
		"Closure":           "",
		"Channel":           "",
		"NotANumber":        "",
		"Huge":              "its values are too large",
		"Deep":              "values are nested too deeply",
		"Recursive":         "",
		"Outlives":          "",
		"(*Guarded).Locked": "a mutex is locked",
		"Deferred":          "",
		"Recovers":          "",
		"Unsafe":            "",
		"Shifted":           "",
		"Spread":            "",
		"AtInit":            "",
	} {
		if got, ok := whys[name]; !ok || got != why {
			t.Errorf("%s: got %q (%t), want %q", name, got, ok, why)
		}
	}
	if counts["Recursive"] != 3 || counts["Loop"] > 4 {
		t.Errorf("got %v", counts)
	}
	var skipped []string
	for _, s := range m.Skipped {
		skipped = append(skipped, s.Function+" "+filepath.Base(s.Path)+": "+s.Why)
	}
	all := strings.Join(skipped, "\n")
	for _, want := range []string{
		"Shifted main.go: r in line", "the type of an argument depends on the parameter",
		"NoSplit main.go: it has a directive for the compiler",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in:\n%s", want, all)
		}
	}
}

// Goroutines that call functions under test at the same time are recorded apart, without races.
func TestUnitsRace(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" || os.Getenv("CGO_ENABLED") == "0" {
		t.Skip("it builds a program with the race detector")
	}
	t.Setenv("GOFLAGS", "-race")
	_, m, r := recordedUnits(t, "testdata/units/busy", "GORACE=halt_on_error=1")
	for _, i := range r.Invocations {
		if i.Why != "" {
			continue
		}
		if name := m.Functions[i.Function].Name; name != "Add" || len(i.Calls) != 2 || i.Calls[0].Args[0].Text != i.Calls[1].Args[0].Text {
			t.Fatalf("%s: got %+v", name, i.Calls)
		}
	}
	if len(r.Invocations) == 0 {
		t.Error("nothing is recorded")
	}
}
