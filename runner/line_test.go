package runner

import (
	"strings"
	"testing"
)

// What is reported of a panic tells where it happened, not where it was noticed.
func TestPanicOfAJobTellsWhere(t *testing.T) {
	var l line
	l.open(t.Context(), []*caller{{}})
	l.add(&job{cancel: func() {}})
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "(*caller).play") {
			t.Errorf("got %q, want the stack of who played", text)
		}
	}()
	l.next() // the caller has no service
	t.Error("it went well")
}
