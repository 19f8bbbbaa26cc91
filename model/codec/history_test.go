package codec_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOpenCourse(t *testing.T) {
	started, covered := model.RunStarted{Targets: 3}, model.TargetCovered{Call: 7, Target: "GET /a 200"}
	found := model.FaultFound{Fault: model.Fault{Op: "GET /a", At: 9}}
	now := model.Progress{Call: 8, SetUp: 2, Asked: 4, Used: 0.1, Checking: 1, NoAnswer: "GET /a: gone"}
	stopped := model.RunStopped{Summary: model.Summary{Calls: 20, SetUp: 5, Covered: 1, Asked: 6, Trouble: "gone"}}
	end := model.Progress{Call: 20, SetUp: 5, Asked: 6}
	at := func(call int) model.Progress { return model.Progress{Call: call} }
	for name, c := range map[string]struct {
		events []model.Event
		rest   string
		want   codec.RunHistory
	}{
		"nothing yet": {},
		"killed":      {events: []model.Event{started, covered, found}, want: codec.RunHistory{Last: at(9)}},
		"killed in a line": {
			events: []model.Event{started, covered},
			rest:   `{"event":"stopped","data":{"summ`,
			want:   codec.RunHistory{Last: at(7)},
		},
		"no power": {events: []model.Event{started, covered}, rest: strings.Repeat("\x00", 100), want: codec.RunHistory{Last: at(7)}},
		"progress": {events: []model.Event{started, covered, now}, want: codec.RunHistory{Last: now, Progress: []model.Progress{now}}},
		"a note after all": {events: []model.Event{now, model.Note{Call: 9, Text: "x"}}, want: codec.RunHistory{
			Last:     model.Progress{Call: 9, SetUp: 2, Asked: 4, Used: 0.1, Checking: 1, NoAnswer: "GET /a: gone"},
			Progress: []model.Progress{now},
		}},
		"ended": {events: []model.Event{started, covered, stopped}, want: codec.RunHistory{Summary: &stopped.Summary, Last: end}},
		"taken up again": {
			events: []model.Event{started, stopped, model.RunResumed{Call: 20}, found},
			want:   codec.RunHistory{Resumed: true, Last: end},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := codec.OpenHistory(happened(t, c.rest, c.events...))
			if d := cmp.Diff(
				c.want, got, cmpopts.IgnoreFields(codec.RunHistory{}, "Curve", "Log"),
				cmpopts.IgnoreFields(model.Progress{}, "Targets"),
			); err != nil || d != "" {
				t.Errorf("error %v, -want +got:\n%s", err, d)
			}
		})
	}
}

// Events keep their times. A target that a resumed run covers again counts once.
func TestHistoryKeepsTimes(t *testing.T) {
	dir := t.TempDir()
	w := create(t, dir)
	log := []model.LogEntry{
		{Event: model.RunStarted{Targets: 3}},
		{At: 2, Call: 7, Event: model.TargetCovered{Call: 7, Target: "GET /a 200"}},
		{At: 2, Call: 7, Event: model.TargetCovered{Call: 7, Target: "GET /a 404"}},
		{At: 3, Call: 9, Event: model.FaultFound{Fault: faults[0]}},
		{At: 4, Call: 9, Event: model.PauseBegan{Call: 9}},
		{At: 5, Call: 9, Event: model.RunResumed{Call: 9}},
		{At: 6, Call: 11, Event: model.TargetCovered{Call: 11, Target: "GET /a 404"}},
		{At: 7, Call: 12, Event: model.Note{Call: 12, Text: "x"}},
	}
	for _, l := range append(log, model.LogEntry{At: 8, Call: 12, Event: model.Progress{Call: 12, Elapsed: 8, Targets: 3}}) {
		if err := w.WriteEvent(l); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	got, err := codec.OpenHistory(dir)
	if d := cmp.Diff(log, got.Log); err != nil || d != "" {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
	curve := []model.CurvePoint{{Calls: 7, Covered: 2}, {Calls: 11, Covered: 2}}
	if d := cmp.Diff(curve, got.Curve); d != "" || got.Last.Targets != 3 || got.Last.Elapsed != 8 {
		t.Errorf("curve %s, %+v", d, got)
	}
}

// Lines of older versions have no time. Unknown events of newer versions are left out.
func TestHistoryOfOtherReleases(t *testing.T) {
	dir := happened(t, `{"event":"covered","data":{"call":4,"target":"GET /a 200"}}
{"event":"found","data":{"fault":{"op":"GET /a","at":6}}}
{"event":"dreamt","data":{"of":["sheep"]}}
`)
	got, err := codec.OpenHistory(dir)
	want := []model.LogEntry{
		{Call: 4, Event: model.TargetCovered{Call: 4, Target: "GET /a 200"}},
		{Call: 6, Event: model.FaultFound{Fault: model.Fault{Op: "GET /a", At: 6}}},
	}
	if d := cmp.Diff(want, got.Log); err != nil || d != "" {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
}

// A complete but invalid line is an error, because a killed run leaves at most an incomplete line.
func TestOpenHistoryRefuses(t *testing.T) {
	for name, line := range map[string]string{
		"no JSON":      "\x00\n",
		"no event":     "[1]\n",
		"no name":      `{"event":3}` + "\n",
		"no numbers":   `{"event":"progress","data":{"call":"x"}}` + "\n",
		"no summary":   `{"event":"stopped","data":{}}` + "\n",
		"in its midst": "{\n" + `{"event":"stopped","data":{"summary":{}}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := codec.OpenHistory(happened(t, line, model.RunStarted{Targets: 3}))
			if err == nil || !strings.Contains(err.Error(), "events.ndjson: line 2: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A run that was killed before its first event can be resumed.
func TestHistoryWithoutAFile(t *testing.T) {
	dir := happened(t, "")
	if err := os.Remove(filepath.Join(dir, "events.ndjson")); err != nil {
		t.Fatal(err)
	}
	got, err := codec.OpenHistory(dir)
	if d := cmp.Diff(codec.RunHistory{}, got); err != nil || d != "" {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
	w, err := codec.ResumeRun(dir, model.Limits{}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
}

// ResumeRun replaces the budget, the command and the arguments of a run.
func TestResumeRunReplacesTheCommand(t *testing.T) {
	dir := happened(t, "")
	args := []string{"--demo", "--calls", "10"}
	w, err := codec.ResumeRun(dir, model.Limits{Calls: 10}, "sonde search --demo --calls 10", args)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	got, err := codec.OpenRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.Limits.Calls != 10 || got.Command != "sonde search --demo --calls 10" || !slices.Equal(got.Args, args) {
		t.Errorf("got %d calls, command %q, arguments %q", got.Limits.Calls, got.Command, got.Args)
	}
}

// happened returns the folder of a run with the given events, followed by the lines in rest.
func happened(t *testing.T, rest string, events ...model.Event) string {
	t.Helper()
	dir := t.TempDir()
	w := create(t, dir)
	for _, e := range events {
		if err := w.WriteEvent(model.LogEntry{Event: e}); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	f, err := os.OpenFile(filepath.Join(dir, "events.ndjson"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(rest); err != nil {
		t.Fatal(err)
	}
	return dir
}
