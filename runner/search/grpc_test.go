package search_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// A search makes up what a gRPC host answers: messages with fields, enums, streams and statuses. Without these
// answers, a search reached 0.35 of the statements of the service.
func TestGRPCHostsAreInvented(t *testing.T) {
	t.Parallel()
	p := moduleServicePlan(t, "grpc", "parcels")
	p.Limits.Calls = 600
	got := start(t, p, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	for _, pkg := range got.Summary.Code.Packages {
		if !strings.HasSuffix(pkg.Package, "/parcels") {
			continue
		}
		t.Logf("%d of %d statements", pkg.Statements.Covered, pkg.Statements.All)
		if share := float64(pkg.Statements.Covered) / float64(pkg.Statements.All); share < 0.75 {
			t.Errorf("reached %.2f of the statements", share)
		}
	}
	labels := map[string]bool{}
	for _, kept := range got.Tests {
		for _, s := range kept.Stubs {
			for _, a := range s.Answers {
				labels[a.Label(s.Protocol)+" of "+s.Match.Path] = true
			}
		}
	}
	const carrier = " of /carrier.v2.Carrier/"
	for _, want := range []string{"200" + carrier + "Track", "grpc 5" + carrier + "Track", "200" + carrier + "Events"} {
		if !labels[want] {
			t.Errorf("no kept stub answers %s: %v", want, labels)
		}
	}
	// On a loaded machine the service's own time-out may pass although the host answers. Such a fault is not
	// reproducible.
	wrong := slices.DeleteFunc(slices.Clone(got.Faults), func(f model.Fault) bool {
		return f.Oracle != "server-error" || !strings.Contains(f.Text, "does not answer") || f.Verdict != model.VerdictReproducible
	})
	if len(wrong) > 0 {
		t.Errorf("an answer of 503 while the host is away is a fault: %+v", wrong)
	}
}

// A search makes up messages of Protocol Buffers that hosts send by HTTP and UDP. Without these messages, a search
// reached 0.79 of the statements of the service.
func TestProtobufIsInvented(t *testing.T) {
	t.Parallel()
	p := moduleServicePlan(t, "grpc", "archive")
	p.Limits.Calls = 600
	got := start(t, p, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	code := got.Summary.Code.Packages
	i := slices.IndexFunc(code, func(c model.PackageCoverage) bool { return strings.HasSuffix(c.Package, "/archive") })
	t.Logf("%d of %d statements", code[i].Statements.Covered, code[i].Statements.All)
	if share := float64(code[i].Statements.Covered) / float64(code[i].Statements.All); share < 0.84 {
		t.Errorf("reached %.2f of the statements", share)
	}
}
