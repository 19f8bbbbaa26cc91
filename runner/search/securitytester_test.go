package search_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/search"
	"sonde/runner/search/oracle"

	"github.com/google/go-cmp/cmp"
)

// insecure returns the plan of a search of the insecure service. The search calls only operations below the given
// paths.
func insecure(t *testing.T, calls int, paths ...string) model.Plan {
	t.Helper()
	c, err := config.Load(filepath.Join("..", "testdata", "insecure", config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil || len(spec.Problems) > 0 {
		t.Fatalf("error %v, problems %+v", err, spec.Problems)
	}
	spec.Operations = slices.DeleteFunc(spec.Operations, func(o *model.Operation) bool {
		return !slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(o.Path, p) })
	})
	c.Service.Command[0], c.Service.Build = program(t, "sonde/runner/testdata/insecure"), nil
	c.Service.Log = filepath.Join(t.TempDir(), "log")
	return model.Plan{
		Spec: spec, Templates: analysis.Analyze(spec, analysis.Options{}).Templates(), Service: c.Service, Reset: c.Reset,
		Users: c.Users, Seed: 1, Tuning: model.DefaultTuning(), Sampling: model.DefaultSampling(),
		Limits: model.Limits{Calls: calls}, Security: true, Restricted: config.RestrictedIn(spec, c.Restricted),
	}
}

// securityFaults returns the faults of security tests with their verdicts.
func securityFaults(s model.Snapshot) (all []string) {
	for _, f := range s.Faults {
		if oracle.JudgesSecurity(f.Oracle) {
			text := fmt.Sprintf("%s %s", f.Op, f.Oracle)
			if f.Verdict != model.VerdictReproducible {
				text += fmt.Sprintf(" %s (%s)", f.Verdict, f.Unrepeated)
			}
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Security tests find each fault of the insecure service, and report none for its operations without a fault. Half of
// the searches have a reset, and half have none. With -campaigns, there are both searches for each fault.
func TestSecurityFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes many searches: left out by -short")
	}
	t.Parallel() // the test waits for delayed answers, longest in the first search
	for i, c := range []struct {
		paths []string
		want  []string
	}{
		{[]string{"/visits", "/find"}, []string{"GET /visits sql-injection"}},
		{[]string{"/letters", "/pastes"}, []string{"GET /letters other-users-resource"}},
		{[]string{"/accounts", "/wikis"}, []string{"GET /accounts/{id} other-users-resource"}},
		{[]string{"/boxes", "/drafts"}, []string{"GET /boxes/{id} method-override"}},
		{[]string{"/members", "/guests"}, []string{
			"GET /members leaked-secret", "GET /members/{id} leaked-secret", "GET /members/{id} mass-assignment",
			"POST /members leaked-secret", "PUT /members/{id} leaked-secret",
		}},
		{[]string{"/hello", "/greet"}, []string{"GET /hello reflected-script"}},
		{[]string{"/search", "/find", "/texts"}, []string{"GET /search sql-injection"}},
		{[]string{"/items", "/texts"}, []string{"GET /items sql-injection"}},
		{[]string{"/rows", "/find"}, []string{"GET /rows/{number} sql-injection"}},
		{[]string{"/notes", "/drafts"}, []string{"GET /notes/{id} other-users-resource"}},
		{[]string{"/files", "/documents"}, []string{"GET /files path-traversal"}},
		{[]string{"/stats", "/audits"}, []string{"GET /stats role-ignored"}},
		{[]string{"/crates", "/drafts"}, []string{"GET /crates/{id} method-override"}},
	} {
		for k, resets := range []bool{true, false} {
			if !*campaigns && i%2 != k {
				continue
			}
			t.Run(fmt.Sprintf("%s resets=%t", c.paths[0], resets), func(t *testing.T) {
				t.Parallel()
				p := insecure(t, 3000, c.paths...)
				if !resets {
					p.Reset = nil
				}
				got := start(t, p, search.Sink{}).Wait()
				if d := cmp.Diff(c.want, securityFaults(got)); d != "" || got.Err != nil {
					t.Errorf("error %v, faults (-want +got):\n%s", got.Err, d)
				}
				if s := got.Summary; s.Calls > 3000 || s.Checking > 600 {
					t.Errorf("%d of 3,000 calls, %d of them to check and to test security", s.Calls, s.Checking)
				}
			})
		}
	}
}

// If the service calls a host that only the request names, a search with a virtual network reports a fault.
func TestServerSideRequestsAreFound(t *testing.T) {
	t.Parallel()
	p := insecure(t, 1500, "/previews", "/imports")
	p.Net = &model.VirtualNetwork{Ground: model.GroundProxy}
	got := start(t, p, search.Sink{}).Wait()
	if d := cmp.Diff([]string{"POST /previews server-side-request"}, securityFaults(got)); d != "" || got.Err != nil {
		t.Errorf("error %v, faults (-want +got):\n%s", got.Err, d)
	}
}

// A run removes its marker file, and does not change a marker file that exists already.
func TestMarkerIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	other := filepath.Join(os.TempDir(), oracle.MarkerName(1))
	if err := os.WriteFile(other, []byte("of another run"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := start(t, insecure(t, 600, "/files"), search.Sink{}).Wait()
	if d := cmp.Diff([]string{"GET /files path-traversal"}, securityFaults(got)); d != "" || got.Err != nil {
		t.Errorf("error %v, faults (-want +got):\n%s", got.Err, d)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "sonde-marker-*"))
	if text, _ := os.ReadFile(other); err != nil || string(text) != "of another run" || len(left) != 1 {
		t.Errorf("error %v, %q are left, one has %q", err, left, text)
	}
}

// Without the setting, a search sends no probe and has no fault of a security oracle. With the setting, the run is
// the same until the security tests begin.
func TestNoSecurityTestsByDefault(t *testing.T) {
	probes := map[bool]int{}
	for _, security := range []bool{false, true} {
		service := &leaky{notes: map[string]string{}}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path, _ := url.PathUnescape(r.RequestURI)
			_, _, probe := oracle.SplitProbe(strings.TrimSuffix(path, "?"))
			if probe || slices.ContainsFunc(oracle.OverrideHeaders, func(h string) bool { return r.Header.Get(h) != "" }) {
				probes[security]++
			}
			service.ServeHTTP(w, r)
		}))
		p := leakyPlan(t, 600)
		p.BaseURL, p.Security = server.URL, security
		got := start(t, p, search.Sink{}).Wait()
		server.Close()
		if found := len(securityFaults(got)) > 0; got.Err != nil || !security && slices.ContainsFunc(securityFaults(got), isNotOwned) {
			t.Errorf("security %t: error %v, faults %q, found %t", security, got.Err, securityFaults(got), found)
		}
	}
	if probes[false] > 0 || probes[true] == 0 {
		t.Errorf("%d probes without the setting, %d with it", probes[false], probes[true])
	}
}

// The same seed makes the same security tests.
func TestSecurityTestsRepeat(t *testing.T) {
	search := func() model.Snapshot {
		p := leakyPlan(t, 600)
		p.Security, p.Owners = true, nil
		return start(t, p, search.Sink{}).Wait()
	}
	a, b := search(), search()
	if d := cmp.Diff(a.Faults, b.Faults); d != "" || a.Summary.Calls != b.Summary.Calls || a.Summary.Checking != b.Summary.Checking {
		t.Errorf("%+v and %+v, faults (-first +second):\n%s", a.Summary, b.Summary, d)
	}
}

// isNotOwned reports whether a fault is of another oracle than other-users-resource. The plan's Owners enable that
// oracle even without security tests.
func isNotOwned(fault string) bool { return !strings.HasSuffix(fault, " other-users-resource") }
