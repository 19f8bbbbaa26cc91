package record

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/google/go-cmp/cmp"
)

// servedRequest returns a request with a status and with outward calls to hosts.
func servedRequest(id string, op model.OpID, status int, hosts ...string) model.ServedRequest {
	x := model.ServedRequest{ID: id}
	x.Request.Op, x.Reply.Status = op, status
	for _, h := range hosts {
		call := model.OutwardCall{Host: h, Protocol: model.HTTP}
		call.Request.Method, call.Request.URL, call.Reply.Status = "GET", "/items/"+id+"?q=1", 200
		x.OutwardCalls = append(x.OutwardCalls, call)
	}
	return x
}

func storeOf(all ...model.ServedRequest) store {
	s := newStore()
	s.order(&screen.AnalyzedSpec{Spec: &model.Spec{Operations: []*model.Operation{{ID: "GET /b"}, {ID: "GET /a"}}}})
	s.take(model.Recording{Served: all})
	return s
}

// Operations are in the order of the document. Exchanges without an operation come last.
func TestStoreOrder(t *testing.T) {
	s := storeOf(
		servedRequest("1", "GET /unknown", 200),
		servedRequest("2", "GET /a", 200),
		servedRequest("3", "GET /b", 200),
		servedRequest("4", "GET /a", 404),
	)
	var got []string
	for _, g := range s.groups {
		got = append(got, string(g.op))
	}
	if diff := cmp.Diff([]string{"GET /b", "GET /a", ""}, got); diff != "" {
		t.Error(diff)
	}
	if g := s.groups[1]; len(g.all) != 2 || g.shapes != 2 {
		t.Errorf("GET /a has %d exchanges and %d shapes, want 2 and 2", len(g.all), g.shapes)
	}
}

// Exchanges that differ only in values and in the order of outward calls have the same shape.
func TestShapes(t *testing.T) {
	first := servedRequest("1", "GET /a", 200, "a.example", "b.example")
	tests := []struct {
		name string
		x    model.ServedRequest
		same bool
	}{
		{"other values and order", servedRequest("22", "GET /a", 200, "b.example", "a.example"), true},
		{"another status", servedRequest("3", "GET /a", 500, "a.example", "b.example"), false},
		{"another host", servedRequest("4", "GET /a", 200, "a.example", "c.example"), false},
		{"fewer calls", servedRequest("5", "GET /a", 200, "a.example"), false},
	}
	for _, tt := range tests {
		s := storeOf(first, tt.x)
		g := s.groups[0]
		if same := g.shapes == 1; same != tt.same {
			t.Errorf("%s: the same shape is %t, want %t", tt.name, same, tt.same)
		}
		if tt.same && (g.all[0].alike != 2 || g.all[1].first) {
			t.Errorf("%s: %d are alike, and the second is a first one", tt.name, g.all[0].alike)
		}
	}
}

func TestPicksOfAStore(t *testing.T) {
	s := storeOf(servedRequest("1", "GET /a", 200), servedRequest("2", "GET /b", 200))
	all := slices.Concat(s.groups[0].all, s.groups[1].all)
	s.togglePicks(all[1])
	s.togglePicks(all...) // picks all, because one is not picked
	if diff := cmp.Diff([]string{"2", "1"}, s.picks()); diff != "" {
		t.Error(diff)
	}
	more := []model.ServedRequest{servedRequest("2", "GET /b", 200), servedRequest("3", "GET /b", 200)}
	if !s.take(model.Recording{Served: more}) || s.take(model.Recording{Served: more}) {
		t.Error("a newer state is not the only one with new exchanges")
	}
	if diff := cmp.Diff([]string{"2"}, s.picks()); diff != "" {
		t.Error(diff)
	}
	s.togglePicks(s.groups[0].all[0])
	if got := s.picks(); len(got) != 0 {
		t.Errorf("picked are %v, want none", got)
	}
}

func TestRoutes(t *testing.T) {
	got, err := parseRoutes("127.0.0.1:80=http://a:8080, :9=tcp://b:1")
	want := []usecase.ProxyRoute{{Addr: "127.0.0.1:80", URL: "http://a:8080"}, {Addr: ":9", URL: "tcp://b:1"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	again, err := parseRoutes(routesText(got))
	if diff := cmp.Diff(want, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, text := range []string{"x", "a=http://b", "a:1=b", "a:1"} {
		if _, err := parseRoutes(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestParseFirst(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{{"", 0}, {"all", 0}, {" 3 ", 3}} {
		settings := usecase.RecordSettings{First: 9}
		if err := parseFirst(&settings, c.text); err != nil || settings.First != c.want {
			t.Errorf("%q: got %d, error %v, want %d", c.text, settings.First, err, c.want)
		}
	}
	for _, text := range []string{"0", "-1", "none", "1.5"} {
		settings := usecase.RecordSettings{First: 9}
		if err := parseFirst(&settings, text); err == nil || settings.First != 9 {
			t.Errorf("%q: got %d, error %v, want an error", text, settings.First, err)
		}
	}
}

func TestFilterRow(t *testing.T) {
	x := servedRequest("1", "GET /a", 404, "a.example")
	x.Request.Method, x.Request.URL = "GET", "/a?q=1"
	row := (&entry{ServedRequest: &x, op: "GET /a"}).filterRow()
	if diff := cmp.Diff([]model.OpID{"GET /a"}, row.Operations); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"404"}, row.Statuses); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.example", "", "GET /a?q=1"}, row.Words); diff != "" {
		t.Error(diff)
	}
}
