package results

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/match"
)

// Log-ins that give access to operations are in a separate section. Their credentials are not listed as
// values that no operation takes. Log-ins for operations outside the graph, such as those of another tag,
// are left out.
func TestDataflowHasLogins(t *testing.T) {
	login := match.LoginGrant{
		ID: "credential bearer", From: "POST /things", Token: "thingId", Value: "thing.id", Why: "its path is a log-in",
		To: []model.OpID{"GET /ping", "GET /elsewhere"},
	}
	other := login
	other.From = "POST /elsewhere"
	none := login
	none.To = login.To[1:]
	all := []match.LoginGrant{login, other, none}
	x := dataflow(things(t))
	x.AddGrants(all)
	if want := []model.OpID{"GET /ping", "GET /elsewhere"}; !slices.Equal(all[0].To, want) {
		t.Errorf("the caller's operations are now %q, want %q", all[0].To, want)
	}
	var out, data bytes.Buffer
	if err := x.Print(&out); err != nil {
		t.Fatal(err)
	}
	if want := "\nLog-ins\n  POST /things  credential bearer  1 operation  its path is a log-in\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in\n%s", want, out.String())
	}
	if err := x.WriteJSON(&data); err != nil {
		t.Fatal(err)
	}
	var r graphReport
	if err := json.Unmarshal(data.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Credentials) != 1 || r.Credentials[0].From != "POST /things" || !slices.Equal(r.Credentials[0].To, []model.OpID{"GET /ping"}) {
		t.Errorf("got the credentials %+v, want that of POST /things", r.Credentials)
	}
}

// If arrows are left out, a note lists the flags that would show more.
func TestLeftOutNamesFlags(t *testing.T) {
	x := dataflow(shop(t))
	whole, err := x.sketch(PictureLimits{Nodes: DotNodes, Edges: DotEdges})
	if err != nil {
		t.Fatal(err)
	}
	const tag, resources, reduce = "--tag shows a part", "--of resources shows the whole in short", "--reduce shows fewer arrows"
	for want, view := range map[string]DataflowView{
		"values; " + tag + ", " + resources + ", " + reduce: {},
		"values; " + resources:                              {HasTag: true, Reduce: true},
		"values":                                            {HasTag: true, Reduce: true, Resources: true},
	} {
		x.DataflowView = view
		part := whole
		part.OmittedFlows = 3
		got := x.leftOut(part)
		if !strings.HasPrefix(got, "Not shown: 3 arrows of the most common values") || !strings.HasSuffix(got, want) {
			t.Errorf("%+v: got %q, want %q at its end", view, got, want)
		}
		if got := x.leftOut(whole); got != "" {
			t.Errorf("%+v: got %q of the whole, want nothing", view, got)
		}
	}
}

func dataflow(a *analysis.Analysis) *Dataflow { return NewDataflow(a, a.DependencyGraph()) }
