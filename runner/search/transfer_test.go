package search_test

import (
	"net/http"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// If a service ends its answers early, or declares text as gzip, it gets a fault for this defect and no other fault.
func TestTransferDefects(t *testing.T) {
	for want, answer := range map[string]http.HandlerFunc{
		"answer-cut-short": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "100")
			w.Write([]byte(`{"id":1`))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"wrong-encoding": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte(`{"id":1}`))
		},
	} {
		got := start(t, hostile(alongside(t, answer), 200), search.Sink{}).Wait()
		if found := strings.Join(noticed(got, "GET /nasty"), " "); got.Err != nil || found != want {
			t.Errorf("error %v, noticed %q, want %q", got.Err, found, want)
		}
		for _, f := range got.Faults {
			if f.Oracle == want && (f.Op != "GET /nasty" || f.Verdict != model.VerdictReproducible) {
				t.Errorf("%s of %s is %s", f.Oracle, f.Op, f.Verdict)
			}
		}
	}
}
