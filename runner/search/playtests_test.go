package search_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// Replayed tests get the same answers, each after a reset, and no other requests are sent.
func TestReplay(t *testing.T) {
	things, _ := serve(t)
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noted := &noting{ResponseWriter: w, status: http.StatusOK}
		things.ServeHTTP(noted, r)
		got = append(got, fmt.Sprint(noted.status))
		if r.URL.Path == "/reset" {
			got[len(got)-1] = "reset"
		}
	}))
	defer server.Close()
	p := plan(server.URL, 300)
	tests := start(t, p, search.Sink{}).Wait().Tests
	var want []string
	for _, test := range tests {
		want = append(want, "reset")
		for _, c := range test.Calls {
			want = append(want, fmt.Sprint(c.Status))
		}
	}
	got = nil
	if err := search.PlayTests(context.Background(), p, tests); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
		t.Errorf("kept and played (-+):\n%s", diff)
	}
}

// noting records the status of an answer.
type noting struct {
	http.ResponseWriter
	status int
}

func (n *noting) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}
