package unittests

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/unitdata"
)

// shop copies the service shop into a new folder, and returns it with its recording.
func shop(t *testing.T) (dir string, m *unitdata.Manifest, r unitdata.Recording) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it runs the go command on a copied module")
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../instrument/probe/testdata/units/shop")); err != nil {
		t.Fatal(err)
	}
	m, r, err := unitdata.Open("testdata/shop")
	if err != nil || r.Broken > 0 {
		t.Fatalf("%d broken lines, %v", r.Broken, err)
	}
	return dir, m, r
}

func generated(t *testing.T, dir string, m *unitdata.Manifest, r unitdata.Recording, runs int) (*Result, string) {
	t.Helper()
	result, err := Generate(t.Context(), m, r, Options{Dir: dir, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "order", TestsFile))
	if err != nil {
		t.Fatal(err)
	}
	return result, string(text)
}

// The tests of a recording mimic, are clean for go vet and gofmt, and are the same when they are generated again.
func TestGenerate(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	t.Parallel()
	dir, m, r := shop(t)
	result, text := generated(t, dir, m, r, 3)
	var names []string
	for _, test := range result.Tests {
		names = append(names, test.Name)
		if !test.Mimics || test.Output+test.Parameters+test.Calls == 0 || test.Lines > 60 {
			t.Errorf("got %+v", test)
		}
	}
	if want := []string{
		"TestShop_Pay", "TestShop_Pay_Refused", "TestShop_Pay_NotFound", "TestShop_Pay_error", "TestTotal", "TestShop_Pay_NotFound_2",
		"TestShop_MustPay_panics", "TestShop_Watch",
	}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if len(result.Omitted) != 1 || result.Omitted[0].Why != "a mutex is locked" {
		t.Errorf("got %+v", result.Omitted)
	}
	for _, args := range [][]string{{"go", "vet", "./..."}, {"gofmt", "-l", "."}} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	if _, again := generated(t, dir, m, r, 2); again != text {
		t.Errorf("the second time: got\n%s\nwant\n%s", again, text)
	}
}

// The tests compile in a module with the oldest language version whose functions are recorded.
func TestOldLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	t.Parallel()
	dir, m, r := shop(t)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/shop\n\ngo 1.18\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if result, _ := generated(t, dir, m, r, 1); len(result.Tests) != 8 {
		t.Errorf("got %d tests, omitted %+v", len(result.Tests), result.Omitted)
	}
}

// Declarations that a person has changed or added stay, with the imports that they use.
func TestHandWrittenCodeIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	t.Parallel()
	dir, m, r := shop(t)
	_, text := generated(t, dir, m, r, 0)
	file := filepath.Join(dir, "order", TestsFile)
	changed := strings.Replace(text, `got, err := s.Pay(ctx, "c", true)`, `got, err := s.Pay(ctx, "c", false)`, 1)
	changed = strings.Replace(changed, "\nimport (\n", "\nimport (\n\t\"strings\"\n", 1)
	changed += "\nfunc TestByHand(t *testing.T) { t.Log(strings.ToUpper(\"by hand\")) }\n"
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	result, again := generated(t, dir, m, r, 2)
	for _, want := range []string{`s.Pay(ctx, "c", false)`, "TestByHand", `"strings"`} {
		if !strings.Contains(again, want) {
			t.Errorf("%q is missing in:\n%s", want, again)
		}
	}
	if n := strings.Count(again, "func TestShop_Pay_NotFound("); n != 1 || len(result.Tests) != 8 {
		t.Errorf("%d declarations, %d tests", n, len(result.Tests))
	}
}

// A recording comes from outside. What it says never becomes code, and broken values give no test.
func TestHostileRecording(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	t.Parallel()
	dir, m, r := shop(t)
	const code = `0); panic("code"); _ = (0`
	for i := range r.Invocations {
		inv := &r.Invocations[i]
		for j := range inv.Before.Args {
			if inv.Before.Args[j].Kind == sondevalue.Scalar {
				inv.Before.Args[j].Text = code
			}
		}
		for j := range inv.Results {
			inv.Results[j].Type = code
			if inv.Results[j].Kind == sondevalue.Error && len(inv.Results[j].Elems) > 0 {
				inv.Results[j].Elems[0].Text = "example.com/shop/order." + code
			}
		}
		for j := range inv.Calls {
			inv.Calls[j].Args = append(inv.Calls[j].Args, sondevalue.Value{Kind: sondevalue.Scalar, Type: "int", Text: code})
			inv.Calls[j].Within = j + 5
		}
	}
	result, err := Generate(t.Context(), m, r, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range result.Tests {
		t.Errorf("a test is written: %s", test.Name)
	}
	r.Invocations = r.Invocations[:1]
	m.Module = "example.com/other"
	if _, err := Generate(t.Context(), m, r, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "name it by --dir") {
		t.Errorf("another module: got %v", err)
	}
}

// A check whose value differs from run to run is left out, and a test that fails each time in the same way is not written. The
// answer that a mocked function may have written is not checked either.
func TestLearn(t *testing.T) {
	g := packageGenerator{loosened: map[*sondevalue.Invocation]map[string]bool{}, dropped: map[*sondevalue.Invocation]string{}}
	of := map[string]*sondevalue.Invocation{}
	for _, name := range []string{"TestRandom", "TestConstant", "TestCalls", "TestSilent", "TestAnswer", "TestCallback"} {
		of[name] = &sondevalue.Invocation{}
		test := &unitTest{GeneratedTest: GeneratedTest{Name: name}, invocation: of[name], mocksFunction: name == "TestCallback"}
		g.tests = append(g.tests, test)
	}
	g.learn(map[string][]outcome{
		"TestRandom":   {{"result 1": "got 1"}, {"result 1": "got 2"}},
		"TestConstant": {{"result 1": "got 1"}, {"result 1": "got 1"}},
		"TestCalls":    {{"calls": "got a"}, {"calls": "got b"}},
		"TestSilent":   {{}},
		"TestAnswer":   {{"status": "got 200"}, {"status": "got 200"}},
		"TestCallback": {{"status": "got 200"}, {"status": "got 200"}},
	})
	if !g.loosened[of["TestRandom"]]["result 1"] || !g.loosened[of["TestCallback"]]["status"] || len(g.loosened) != 2 {
		t.Errorf("loosened: %v", g.loosened)
	}
	if len(g.dropped) != 4 || g.dropped[of["TestRandom"]] != "" || !strings.Contains(g.dropped[of["TestConstant"]], "result 1 got 1") {
		t.Errorf("dropped: %v", g.dropped)
	}
}
