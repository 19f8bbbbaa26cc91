package model_test

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestTimeLeft(t *testing.T) {
	tests := []struct {
		name    string
		used    float64
		elapsed time.Duration
		want    time.Duration
	}{
		{"not started", 0, time.Minute, 0},
		{"first seconds", 0.5, 2 * time.Second, 0},
		{"a quarter", 0.25, 10 * time.Second, 30 * time.Second},
		{"all", 1, time.Minute, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := model.Snapshot{Used: tt.used, Summary: model.Summary{Elapsed: tt.elapsed}}
			if got := s.TimeLeft(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCoverage(t *testing.T) {
	c := model.Coverage{Packages: []model.PackageCoverage{
		{Package: "a", Statements: model.CoverageCount{Covered: 1, All: 2}, Branches: model.CoverageCount{Covered: 0, All: 4}},
		{Package: "b", Statements: model.CoverageCount{Covered: 2, All: 4}},
	}}
	statements, branches := c.Totals()
	if want := (model.CoverageCount{Covered: 3, All: 6}); statements != want {
		t.Errorf("got the statements %v, want %v", statements, want)
	}
	if want := (model.CoverageCount{Covered: 0, All: 4}); branches != want {
		t.Errorf("got the branches %v, want %v", branches, want)
	}
	for count, want := range map[model.CoverageCount]float64{
		{Covered: 3, All: 6}: 0.5, {Covered: 0, All: 4}: 0, {}: 1,
	} {
		if got := count.Fraction(); got != want {
			t.Errorf("%v: got %v, want %v", count, got, want)
		}
	}
}

// A journal returns the latest events in order, with the right number of earlier events. Its results do not
// change when events are added.
func TestJournalKeepsTheLatest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var j model.Journal
		n := rapid.IntRange(0, 3*model.MaxJournalEntries).Draw(rt, "events")
		var early []model.LogEntry
		for i := range n {
			j.Add(model.LogEntry{Call: i})
			if i == n/2 {
				early, _ = j.Entries()
			}
		}
		all, before := j.Entries()
		if len(all) > model.MaxJournalEntries || len(all)+before != n {
			rt.Fatalf("got %d events and %d before them of %d", len(all), before, n)
		}
		for i, l := range all {
			if l.Call != before+i {
				rt.Fatalf("event %d is number %d, want %d", i, l.Call, before+i)
			}
		}
		for i := 1; i < len(early); i++ {
			if early[i].Call != early[i-1].Call+1 {
				rt.Fatalf("events that were returned have changed: %d after %d", early[i].Call, early[i-1].Call)
			}
		}
	})
}

func TestNotable(t *testing.T) {
	for _, e := range []model.Event{model.Progress{}, model.CodeCovered{}} {
		if (model.LogEntry{Event: e}).Notable() {
			t.Errorf("%T is notable", e)
		}
	}
	for _, e := range []model.Event{
		model.RunStarted{},
		model.TargetCovered{},
		model.FaultFound{},
		model.FaultChecked{},
		model.RunResumed{},
		model.SuiteReplayed{},
		model.AppliedCommand{},
		model.Note{},
		model.RunStopped{},
		model.PauseBegan{},
		model.PauseEnded{},
		model.ServiceRestarted{},
	} {
		if !(model.LogEntry{Event: e}).Notable() {
			t.Errorf("%T is not notable", e)
		}
	}
}

func TestFaultTexts(t *testing.T) {
	faults := []model.Fault{
		{Verdict: model.VerdictFlaky, Unrepeated: "no budget"},
		{ID: "f9", Unrepeated: "no budget"},
		{},
	}
	model.NumberFaults(faults)
	for i, want := range []struct{ id, repeated string }{
		{"f1", "flaky"}, {"f9", "not repeated: no budget"}, {"f3", "not repeated"},
	} {
		if got := faults[i]; got.ID != want.id || got.Repeated() != want.repeated {
			t.Errorf("fault %d: got %q, %q, want %q, %q", i, got.ID, got.Repeated(), want.id, want.repeated)
		}
	}
}

func TestClassOf(t *testing.T) {
	tests := []struct {
		name    string
		answers map[int]int
		want    model.OpClass
	}{
		{"a success and a server error", map[int]int{200: 1, 404: 7, 500: 2}, model.ClassBroken},
		{"a success among refusals", map[int]int{200: 1, 302: 1, 404: 7}, model.ClassSucceeded},
		{"a server error that never came", map[int]int{200: 1, 500: 0}, model.ClassSucceeded},
		{"no answer", nil, model.ClassUncalled},
		{"no success", map[int]int{404: 7, 503: 2}, model.ClassBroken},
		{"only client errors", map[int]int{404: 7, 302: 1}, model.ClassRefused},
		{"a success that never came", map[int]int{200: 0, 404: 1}, model.ClassRefused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := model.ClassOf(tt.answers); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// Tests and faults of earlier versions must still be readable. The names in their JSON must therefore not change,
// even if a field is renamed.
func TestStoredNames(t *testing.T) {
	test := model.Test{
		ID:     "t1",
		Name:   "pays",
		Origin: model.OriginRecorded,
		Calls: []model.Call{{
			Op:        "POST /a/{id}",
			Args:      []model.Arg{{In: model.InPath, Name: "id", Value: ";id=1", Escaped: true}},
			Body:      &model.Payload{Media: "text/plain", Data: "x"},
			User:      "ann",
			Status:    201,
			AnyStatus: true,
		}},
		Links:        []model.Link{{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id", Optional: true}},
		Checks:       []model.Check{{Call: 0, Pointer: "/id", Equals: json.RawMessage("1")}},
		Covers:       []string{"POST /a/{id} 201"},
		Code:         3,
		Flaky:        "500",
		EarlierState: "why",
		Lineage:      &model.TestLineage{Call: 1, Rule: model.FromSweep, Parent: "p", First: []string{"a"}, Code: 2},
		Mock: &model.MockTest{
			About:         "about",
			Exchange:      "e",
			Call:          1,
			ExpectedCalls: []model.ExpectedCall{{Stub: 0, Phase: 1}},
			Uncertain:     true,
		},
		Stubs: []model.Stub{{
			Host:     "a:1",
			Protocol: model.HTTP,
			Match:    model.StubMatch{Method: "GET", Path: "/x", Nth: 1},
			Answers:  []model.Answer{{Status: 200, Fault: model.NetSlow, Latency: 5}},
		}},
	}
	const want = `{"id":"t1","name":"pays","origin":"recorded",` +
		`"calls":[{"op":"POST /a/{id}","args":[{"in":"path","name":"id","value":";id=1","escaped":true}],` +
		`"body":{"media":"text/plain","data":"x"},"user":"ann","status":201,"any_status":true}],` +
		`"links":[{"from":0,"to":1,"header":"Location","in":"path","name":"id","loose":true}],` +
		`"checks":[{"call":0,"pointer":"/id","equals":1}],` +
		`"stubs":[{"host":"a:1","protocol":"http","match":{"method":"GET","path":"/x","nth":1},` +
		`"answers":[{"status":200,"fault":"slow","latency":5}]}],` +
		`"covers":["POST /a/{id} 201"],"code":3,"flaky":"500","depends_on_earlier_state":"why",` +
		`"birth":{"call":1,"rule":"sweep","parent":"p","first":["a"],"code":2},` +
		`"mimic":{"about":"about","exchange":"e","call":1,"wanted":[{"stub":0,"phase":1}],"uncertain":true}}`
	got, err := json.Marshal(test)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
