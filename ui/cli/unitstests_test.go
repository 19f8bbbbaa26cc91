package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/replay/unittests"
	"sonde/ui/results"
)

// till is a service in Go whose orders are paid at a bank. The store and the bank are injected.
const till = `
-- go.mod --
module example.com/till

go 1.24
-- sonde.yaml --
spec: openapi.yaml
sut: {build: ., run: ["{binary}", "127.0.0.1:{port}"], ready: /health}
-- openapi.yaml --
openapi: 3.0.3
info: {title: Till, version: "1"}
paths:
  /orders/{id}/payment:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: paid}, "402": {description: refused}, "404": {description: no such order}}
-- order/order.go --
// Package order pays orders.
package order

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
)

var (
	ErrNotFound = errors.New("no such order")
	ErrRefused  = errors.New("refused")
)

type Order struct {
	ID, Token string
	Cents     int64
	notes     []string
}

type Store interface {
	Find(ctx context.Context, id string) (*Order, error)
	Save(ctx context.Context, o *Order) error
}

type Bank interface {
	Charge(token string, cents int64) (receipt string, err error)
}

type Till struct {
	store Store
	bank  Bank
	mu    sync.Mutex
	paid  map[string]int64
}

func NewTill(s Store, b Bank) *Till { return &Till{store: s, bank: b, paid: map[string]int64{}} }

func (t *Till) Pay(ctx context.Context, id string) (string, error) {
	o, err := t.store.Find(ctx, id)
	if err != nil {
		return "", fmt.Errorf("pay %s: %w", id, err)
	}
	receipt, err := t.bank.Charge(o.Token, o.Cents)
	if err != nil {
		return "", err
	}
	o.notes = append(o.notes, receipt)
	if err := t.store.Save(ctx, o); err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.paid[id] += o.Cents
	return receipt, nil
}

func (t *Till) Handle(w http.ResponseWriter, r *http.Request) {
	receipt, err := t.Pay(r.Context(), r.PathValue("id"))
	switch {
	case errors.Is(err, ErrNotFound):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		w.WriteHeader(http.StatusPaymentRequired)
	default:
		fmt.Fprint(w, receipt)
	}
}
-- main.go --
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/till/order"
)

type shelf map[string]order.Order

func (s shelf) Find(_ context.Context, id string) (*order.Order, error) {
	if o, ok := s[id]; ok {
		return &o, nil
	}
	return nil, order.ErrNotFound
}

func (s shelf) Save(_ context.Context, o *order.Order) error {
	s[o.ID] = *o
	return nil
}

type bank struct{}

func (bank) Charge(token string, cents int64) (string, error) {
	if cents > 1000 {
		return "", order.ErrRefused
	}
	return fmt.Sprintf("receipt for %d", cents), nil
}

func main() {
	till := order.NewTill(shelf{"a": {ID: "a", Token: "tok-4f9c2a77e1b0d35586", Cents: 300}, "b": {ID: "b", Cents: 5000}}, bank{})
	http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /orders/{id}/payment", till.Handle)
	fmt.Println(http.ListenAndServe(os.Args[1], nil))
}
`

// A recording of units becomes unit tests that pass, that fail if the code changes, that contain no secret, and that
// keep what people change.
func TestUnitTests(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds a service that records its functions")
	}
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, till)
	r := recording(t, "--config", filepath.Join(dir, "sonde.yaml"), "--net", "--units")
	for path, status := range map[string]int{"/orders/a/payment": 200, "/orders/b/payment": 402, "/orders/c/payment": 404} {
		request(t, "POST", r.in+path, "", status)
	}
	r.ended(t, 0)

	report := unitTests(t, r.folder, dir)
	if report.Invoked != 2 || report.Total.Tested != 2 || report.Total.Tests != 6 || report.Written != 6 || len(report.Omitted) != 0 {
		t.Fatalf("got %+v", report.Result)
	}
	file := filepath.Join(dir, "order", unittests.TestsFile)
	for _, text := range []string{
		"func TestTill_Pay_NotFound(t *testing.T)", `unitError(t, "result 2", err, "pay c: no such order", ErrNotFound)`,
		`unitEqual(t, "t2.paid", t2.paid, map[string]int64{"a": 300})`, `unitEqual(t, "status", w.Code, 402)`,
		`unitEqual(t, "body", w.Body.String(), "receipt for 300")`,
	} {
		if !strings.Contains(content(t, file), text) {
			t.Errorf("%q is missing in:\n%s", text, content(t, file))
		}
	}
	if strings.Contains(content(t, file)+content(t, filepath.Join(r.folder, "units.ndjson")), "tok-4f9c2a77e1b0d35586") {
		t.Error("a secret is in the recording or in the tests")
	}
	if out, err := goTest(dir, "./order"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	testUnitMutants(t, r.folder, dir)

	// A test that is changed by hand is kept.
	head := "func TestTill_Pay_NotFound(t *testing.T) {"
	edited := strings.Replace(content(t, file), head, head+"\n\tt.Log(\"by hand\")", 1)
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	unitTests(t, r.folder, dir)
	if again := content(t, file); !strings.Contains(again, "by hand") || strings.Count(again, "func TestTill_Pay(") != 1 {
		t.Errorf("got:\n%s", again)
	}
	if out, err := goTest(dir, "./order"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	// Each oracle notices a change.
	source := filepath.Join(dir, "order", "order.go")
	was := content(t, source)
	for _, change := range [][2]string{
		{"return receipt, nil", `return receipt + "!", nil`},
		{"t.bank.Charge(o.Token, o.Cents)", "t.bank.Charge(o.Token, o.Cents+1)"},
		{"t.paid[id] += o.Cents", "t.paid[id] -= o.Cents"},
		{"if err := t.store.Save(ctx, o); err != nil {", "t.store.Save(ctx, o)\n\tif err := t.store.Save(ctx, o); err != nil {"},
	} {
		if err := os.WriteFile(source, []byte(strings.Replace(was, change[0], change[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := goTest(dir, "./order"); err == nil {
			t.Errorf("with %q: the tests pass: %s", change[1], out)
		}
	}
}

// testUnitMutants checks that unit tests notice mutants by each oracle, and compares them with other tests.
func testUnitMutants(t *testing.T, rec, dir string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mutants.ndjson")
	mutants := []string{"mutate", "--units", rec, "--dir", dir, "--operator", "arithmetic,removed,doubled,return,relational"}
	c := bounded(t, program(t), append(mutants, "--json", "-o", file)...)
	out, err := c.Output()
	var report results.MutateReport
	if e := json.Unmarshal(out, &report); e != nil || c.ProcessState.ExitCode() > 1 {
		t.Fatalf("%v, %v: %s", err, e, out)
	}
	if report.All.Dead < 5 || report.All.By[model.OutputOracle] == 0 || report.All.By[model.CallOracle] == 0 {
		t.Errorf("got %+v", report.All)
	}
	c = bounded(t, program(t), append(mutants, "--compare", file)...)
	out, _ = c.CombinedOutput() // the exit code says whether a mutant survived
	both := fmt.Sprintf("%d killed at both, 0 only by unit tests, 0 only by the other tests", report.All.Dead)
	if !strings.Contains(string(out), both) {
		t.Errorf("%q is missing in:\n%s", both, out)
	}
	for _, args := range [][]string{{"--outward"}, {"--tests", "x"}, {"--compare", "none.ndjson"}} {
		c := bounded(t, program(t), append(mutants, args...)...)
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), args[0]) {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
}

// unitTests generates unit tests, and returns the report.
func unitTests(t *testing.T, rec, dir string) (report results.UnitTestsReport) {
	t.Helper()
	c := bounded(t, program(t), "generate", "--units", rec, "--dir", dir, "--runs", "2", "--json")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return report
}

func goTest(dir, pkg string) (string, error) {
	c := exec.Command("go", "test", "-count=1", pkg)
	c.Dir = dir
	out, err := c.CombinedOutput()
	return string(out), err
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
