package probedata

import (
	"os"
	"slices"
	"testing"
	"time"
)

// Each call of Clean increments the number of resets. A problem that the service reports several times is one problem.
func TestCleanAsksTheService(t *testing.T) {
	b := rowBox(t)
	if got := b.Problems(); got != nil {
		t.Errorf("problems at first: %q", got)
	}
	for _, want := range []string{"1", "2"} {
		if err := b.Clean(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(b.path("resets")); err != nil || string(got) != want {
			t.Errorf("%s resets, want %s, error %v", got, want, err)
		}
	}
	b.write(t, "problems", "\"locked\"\n\"table a is too large\"\n\"locked\"\n")
	if got := b.Problems(); !slices.Equal(got, []string{"locked", "table a is too large"}) {
		t.Errorf("problems: %q", got)
	}
}

// Settle waits until the service has done everything, but not long for a service that has ended. It does nothing if
// nothing is to be done.
func TestSettle(t *testing.T) {
	b := rowBox(t)
	settle := func() time.Duration {
		start := time.Now()
		if err := b.Settle(); err != nil {
			t.Fatal(err)
		}
		return time.Since(start)
	}
	if took := settle(); took >= maxUnseen {
		t.Errorf("without resets and rows it takes %v", took)
	}
	if err := b.Clean(); err != nil {
		t.Fatal(err)
	}
	if took := settle(); took < maxUnseen || took > maxSettled {
		t.Errorf("without a service it takes %v", took)
	}
	go func() {
		for os.Remove(b.path("now")) != nil {
			time.Sleep(time.Millisecond)
		}
		os.WriteFile(b.path("settled"), nil, 0o600)
	}()
	settle()
	if got, err := os.ReadFile(b.path("resets")); err != nil || string(got) != "3" {
		t.Errorf("%s resets, error %v", got, err)
	}
	if _, err := os.Stat(b.path("settled")); err != nil {
		t.Error("Settle did not wait for the service")
	}
}
