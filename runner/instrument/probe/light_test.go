package probe

import (
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

const hot = `-- go.mod --
module example.com/hot

go 1.22
-- main.go --
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type text string

func (s text) isDigit(i int) bool {
	return s[i] >= '0' &&
		s[i] <= '9'
}

func isLetter[T ~byte](c T) bool { return 'a' <= c && c <= 'z' }

func count(s text) (n int) {
	for i := 0; i < len(s); i++ {
		switch {
		case s.isDigit(i):
			n++
		case isLetter(s[i]):
			n += 2 // reached only after the predicate is no longer watched
		}
	}
	if n == 2 {
		n = 3 // reached even later
	}
	return n
}

func beyond(s text) (at int) {
	defer func() {
		recover()
		callers := make([]uintptr, 20)
		for frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)]); ; {
			f, more := frames.Next()
			if strings.HasSuffix(f.File, "main.go") {
				at = at*100 + f.Line
			}
			if !more {
				return
			}
		}
	}()
	for i := 0; i < 2; i++ {
		if s.isDigit(i) {
			at++
		}
	}
	return at
}

func main() {
	for range 400 {
		if count("12345678901234567890") != 20 {
			panic("wrong")
		}
	}
	fmt.Println(count("k"), beyond("7"))
}
`

// A program with hot loops has the same output as without probes, from the same lines. If a loop reaches a place only
// after its predicates are no longer watched, the place and the branch to it are covered nevertheless.
func TestHotLoop(t *testing.T) {
	needsBuild(t)
	dir := module(t, hot)
	run(t, dir, "go", "build", "-o", "plain", ".")
	w := watch(t, built(t, Options{Dir: dir}))
	out, err := w.command().CombinedOutput()
	if diff := cmp.Diff(run(t, dir, "./plain"), string(out)); err != nil || diff != "" {
		t.Fatalf("it says something else: %v\n%s", err, diff)
	}
	scores, source := w.AppendScores(nil), hot[len("-- go.mod --\nmodule example.com/hot\n\ngo 1.22\n-- main.go --\n"):]
	for _, c := range []struct {
		kind probedata.TargetKind
		at   string
	}{
		{probedata.Statement, "case isLetter"},
		{probedata.SwitchCase, "case isLetter"},
		{probedata.Statement, "if n == 2"},
		{probedata.BranchTrue, "if n == 2"},
		{probedata.BranchFalse, "if n == 2"},
		{probedata.ConditionTrue, "s[i] >= '0'"},
	} {
		if id := w.find(c.kind, source, c.at).ID; near(scores, id) != 1 {
			t.Errorf("%s: h = %v", id, near(scores, id))
		}
	}
	if id := w.find(probedata.BranchTrue, source, "!= 20").ID; near(scores, id) == 1 {
		t.Errorf("%s is covered", id)
	}
}
