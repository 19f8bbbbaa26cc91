package unittest

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var errEmpty = errors.New("empty")

// The mocks of a test answer in order, write into arguments, and panic as they are told.
func TestCalls(t *testing.T) {
	calls := &unitCalls{t: t}
	calls.expect("store.Find", unitAny{}, "a").returns(7, nil)
	calls.expect("store.Read", []byte{0, 0}).writes(func(args []any) { args[0].([]byte)[0] = 5 }).returns(1)
	calls.expect("log").inAnyOrder()
	calls.expect("store.Close").panics()
	find := calls.call("store.Find", context.Background(), "a")
	unitEqual(t, "result 1", unitResult[int](find, 0), 7)
	unitEqual(t, "result 2", unitResult[error](find, 1), nil)
	p := make([]byte, 2)
	calls.call("store.Read", p)
	unitEqual(t, "p", p, []byte{5, 0})
	if unitPanics(func() { calls.call("store.Close") }) == nil {
		t.Error("store.Close does not panic")
	}
	calls.call("log")
	calls.check()
	made := 0
	for range 2 {
		unitMock(calls, "store", func() *int { made++; return new(int) })
	}
	if made != 1 {
		t.Errorf("an object has %d mocks", made)
	}
	late, ended := true, make(chan bool)
	go func() {
		defer close(ended)
		calls.call("log")
		late = false
	}()
	if <-ended; !late {
		t.Error("a late call returns")
	}
}

// What a test of a mimicking function expects is compared deeply, also in hidden fields, and times by their instant.
func TestComparisons(t *testing.T) {
	type order struct {
		lines []string
		paid  time.Time
		done  func()
		next  *order
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	here := at.In(time.FixedZone("", 3600))
	for name, pair := range map[string][2]any{
		"times":   {order{paid: at}, order{paid: here}},
		"pointer": {&order{next: &order{paid: at}}, &order{next: &order{paid: here}}},
		"list":    {[]order{{paid: at}}, []order{{paid: here}}},
		"map":     {map[string]order{"a": {paid: at}}, map[string]order{"a": {paid: here}}},
		"any":     {[]any{order{paid: at}}, []any{order{paid: here}}},
		"func":    {order{done: func() {}}, order{done: func() {}}},
	} {
		if !unitSame(pair[0], pair[1]) {
			t.Errorf("%s: not the same", name)
		}
	}
	for name, pair := range map[string][2]any{
		"times":   {order{paid: at}, order{paid: at.Add(1)}},
		"list":    {order{lines: []string{"a"}}, order{lines: []string{"b"}}},
		"nil":     {order{lines: []string{}}, order{}},
		"pointer": {&order{next: &order{}}, &order{}},
		"types":   {1, int64(1)},
		"map":     {map[string]int{"a": 0}, map[string]int{"b": 0}},
	} {
		if unitSame(pair[0], pair[1]) {
			t.Errorf("%s: the same", name)
		}
	}
	unitError(t, "error", errEmpty, "empty", errEmpty)
	unitEqual(t, "variable", *unitVar(3), 3)
	unitEqual(t, "text", unitFromText[netip.Addr]("::1"), netip.IPv6Loopback())
	unitEqual(t, "context", unitDone(context.Background()).Err(), context.Canceled)
}

// A test without its needless inputs has zero values instead of them, and a panic fails it.
func TestGuards(t *testing.T) {
	file := filepath.Join(t.TempDir(), "needless.json")
	if err := os.WriteFile(file, []byte(`{"TestGuards": ["r.Host", "s.count"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SONDE_NEEDLESS", file)
	if unitUse(t, "r.Host") || !unitUse(t, "r.Header") || unitKeep(t, "s.count", 5) != 0 || unitKeep(t, "s.name", "a") != "a" {
		t.Error("the wrong inputs are left out")
	}
	defer unitRecover(t)
}

func TestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Join("testdata", "units_sonde"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "units_sonde", "a.txt"), []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	unitEqual(t, "file", unitFile("a.txt"), "text\n")
	if unitPanics(func() { unitFile("b.txt") }) == nil {
		t.Error("a missing file is read")
	}
}
