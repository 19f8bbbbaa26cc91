package probe

import (
	"slices"
	"testing"

	"sonde/assets/probe/sondeprobe"
	"sonde/runner/instrument/probedata"
)

// sizer is a service without a server of net/http.
const sizer = `
-- go.mod --
module example.com/sizer

go 1.24
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"os"
)

func size(n int) string {
	if n > 3 {
		return "large"
	}
	return "small"
}

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(size(len(lines.Text())))
	}
}
`

// If a service has no net/http server, it is not known which goroutines serve requests. What any goroutine covers is
// then recorded for UnknownRequest.
func TestByRequestWithoutServer(t *testing.T) {
	_, r := builtModule(t, sizer, Options{Net: true, ByRequest: true})
	w := watch(t, r)
	collector := probedata.NewCollector(w.manifest, w.memory)
	if covered, err := collector.Take(); covered != nil || err != nil {
		t.Fatalf("before the start: got %v, error %v", covered, err)
	}
	ask := w.talk()
	ask("a line")
	for _, c := range []struct {
		line string
		kind probedata.TargetKind
	}{{"four", probedata.BranchTrue}, {"one", probedata.BranchFalse}, {"five5", probedata.BranchTrue}} {
		if _, err := collector.Take(); err != nil { // takes what earlier lines have covered
			t.Fatal(err)
		}
		ask(c.line)
		covered, err := collector.Take()
		if err != nil {
			t.Fatal(err)
		}
		var kinds []probedata.TargetKind // kinds of the covered targets in the line of the condition
		set := covered[sondeprobe.UnknownRequest]
		for target := range set.All() {
			if at := w.manifest.Targets[target]; at.Line == 10 && at.Kind.IsBranch() {
				kinds = append(kinds, at.Kind)
			}
		}
		if !slices.Equal(kinds, []probedata.TargetKind{c.kind}) {
			t.Errorf("%q: covered %q, want %q", c.line, kinds, c.kind)
		}
	}
}
