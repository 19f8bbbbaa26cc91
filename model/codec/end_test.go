package codec_test

import (
	"os"
	"path/filepath"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
)

func TestOpenEnd(t *testing.T) {
	started, covered := model.Started{Targets: 3}, model.Covered{Call: 7, Target: "GET /a 200"}
	found := model.Found{Fault: model.Fault{Op: "GET /a", At: 9}}
	stopped := model.Stopped{Summary: model.Summary{Calls: 20, Covered: 1}}
	for name, c := range map[string]struct {
		events []model.Event
		rest   string
		want   codec.End
	}{
		"nothing yet":      {},
		"killed":           {events: []model.Event{started, covered, found}, want: codec.End{Calls: 9}},
		"killed in a line": {events: []model.Event{started, covered}, rest: `{"event":"stopped","data":{"summ`, want: codec.End{Calls: 7}},
		"ended":            {events: []model.Event{started, covered, stopped}, want: codec.End{Summary: &stopped.Summary, Calls: 20}},
		"ended early": {events: []model.Event{started, model.Note{Call: 8, Text: "gone"}, stopped},
			want: codec.End{Summary: &stopped.Summary, Calls: 20, Notes: []string{"gone"}}},
		"taken up again": {events: []model.Event{started, model.Note{Call: 8, Text: "gone"}, stopped, model.Resumed{Call: 20}, found}, want: codec.End{Calls: 20}},
		"garbage":        {rest: "\x00\n[1]\n{\"event\":3}\n{\"event\":\"stopped\",\"data\":{}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := create(t, dir)
			for _, e := range c.events {
				if err := w.Event(e); err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.OpenFile(filepath.Join(dir, "events.ndjson"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.WriteString(c.rest)
			f.Close()
			got, err := codec.OpenEnd(dir)
			if d := cmp.Diff(c.want, got); err != nil || d != "" {
				t.Errorf("error %v, -want +got:\n%s", err, d)
			}
		})
	}
}
