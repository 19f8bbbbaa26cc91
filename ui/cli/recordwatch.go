package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/record"
	"sonde/runner/sut"
	"sonde/ui/words"
)

// watched is what goes on while something is recorded.
type watched struct {
	*record.Monitor
	rec *codec.Recorder
	ops []*model.Operation // that are recorded
}

// watch records until it is interrupted or the service ends.
func (f *recordFlags) watch(ctx context.Context, s streams, w watched, in []string) error {
	defer w.Close()
	defer f.network.close()
	env, err := f.standAsProxy(w)
	if err != nil {
		return err
	}
	svc, err := f.started(ctx, w.Monitor, env)
	if err != nil {
		return err
	}
	if svc != nil {
		defer svc.Stop()
	}
	if err := f.standBefore(w.Monitor, svc, in); err != nil {
		return err
	}
	if err := f.addresses(s, w.Monitor); err != nil {
		return err
	}
	ended := follow(s, func() string { return waited(ctx, svc) }, func() string { return counts(w.Monitor) })
	w.Close()
	f.network.flush()
	if ended != "" {
		tell(s.err, "%s", ended)
	}
	return f.closed(s, w)
}

// closed reports what was recorded, as it is on disk now.
func (f *recordFlags) closed(s streams, w watched) error {
	if err := errors.Join(w.Err(), w.rec.Close()); err != nil {
		return fmt.Errorf("not all could be written to %q: %w", f.folder, err)
	}
	rec, err := codec.OpenRecording(f.folder)
	if err != nil {
		return err
	}
	rows, strays := w.Seen(w.ops)
	for _, warning := range rec.Warnings {
		tell(s.err, "%s", warning)
	}
	if err := f.reported(s, newRecordReport(f.folder, rows, strays, rec), counts(w.Monitor)); err != nil {
		return err
	}
	return f.verdict(s, rows)
}

// standAsProxy returns what the service needs in its environment for that.
func (f *recordFlags) standAsProxy(w watched) ([]string, error) {
	if f.proxy == "" {
		return nil, nil
	}
	env, err := w.StandAsProxy(f.proxy, f.folder)
	if err != nil {
		return nil, fmt.Errorf("--proxy: %w", err)
	}
	return env, nil
}

// standBefore stands before the service, whose port is known now.
func (f *recordFlags) standBefore(m *record.Monitor, svc sut.Service, in []string) error {
	port := ""
	if svc != nil {
		at, err := url.Parse(svc.Client().Base())
		if err != nil {
			return err
		}
		port = at.Port()
	}
	for _, text := range in {
		text = strings.ReplaceAll(text, model.PortHere, port)
		ways, err := parsed("--in", []string{text}, "http", "https")
		if err != nil {
			return err
		}
		if err := m.StandBefore(ways[0]); err != nil {
			return fmt.Errorf("--in: %w", err)
		}
	}
	return nil
}

// addresses says where the monitor stands.
func (f *recordFlags) addresses(s streams, m *record.Monitor) error {
	w := s.out
	if f.json {
		w = s.err
	}
	t := newTable(w)
	for _, l := range m.Listening() {
		switch {
		case l.Inward:
			t.row("in", "http://"+l.Addr, "before", l.To)
		case l.To == nil:
			t.row("proxy", "http://"+l.Addr, "authority", filepath.Join(f.folder, record.AuthorityFile))
		default:
			t.row("out", l.Addr, "for", l.To)
		}
	}
	return t.flush()
}

// waited waits for the end, and says why the service ended if it did.
func waited(ctx context.Context, svc sut.Service) string {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-tick.C:
			if svc != nil && svc.Died() != nil {
				return "the command has ended: " + svc.Died().Text
			}
		}
	}
}

// counts is the line that tells how the recording goes on.
func counts(m *record.Monitor) string {
	served, sent, strays := m.Count()
	line := words.Plural(served, "request") + " in, " + words.Plural(sent+strays, "call") + " out"
	if strays > 0 {
		line += fmt.Sprintf(" (%d of unknown cause)", strays)
	}
	return line
}

// recordReport is the JSON of record.
type recordReport struct {
	Folder     string           `json:"folder"`
	Kept       int              `json:"kept"`
	Operations []recordedRow    `json:"operations"`
	Strays     []record.Outward `json:"strays"`
	Warnings   []string         `json:"warnings"`
}

// recordedRow is an operation with how often it is in the recording, and in how many
// shapes.
type recordedRow struct {
	record.Row
	Kept   int `json:"kept"`
	Shapes int `json:"shapes"`
}

func newRecordReport(folder string, rows []record.Row, strays []record.Outward, rec model.Recording) recordReport {
	r := recordReport{Folder: folder, Kept: len(rec.Served), Strays: append([]record.Outward{}, strays...), Warnings: append([]string{}, rec.Warnings...)}
	kept, shapes := map[model.OpID]int{}, record.Shapes(rec.Served)
	for _, served := range rec.Served {
		kept[served.Request.Op]++
	}
	for _, row := range rows {
		r.Operations = append(r.Operations, recordedRow{Row: row, Kept: kept[row.Op], Shapes: shapes[row.Op]})
	}
	return r
}

// reported prints what was recorded.
func (f *recordFlags) reported(s streams, r recordReport, counts string) error {
	if f.json {
		return printJSON(s.out, r)
	}
	t := newTable(s.out)
	t.row("operation", "seen", "kept", "shapes", "answers", "outward calls", "causes known by")
	for _, row := range r.Operations {
		t.recorded(row)
	}
	for _, o := range r.Strays {
		t.row("(cause not known)", "", "", "", "", strconv.Itoa(o.Seen)+" "+o.Call)
	}
	if err := t.flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.out, "%s; %d kept in %s\n", counts, r.Kept, f.folder)
	return err
}

// recorded shows an operation, a line for each kind of call that it caused.
func (t table) recorded(r recordedRow) {
	name := string(r.Op)
	if name == "" {
		name = "(no operation)"
	}
	cells := []any{name, r.Seen, r.Kept, r.Shapes, statuses(r.Statuses)}
	for _, o := range r.Outward {
		t.row(append(cells, strconv.Itoa(o.Seen)+" "+o.Call, causes(o.How))...)
		cells = []any{"", "", "", "", ""}
	}
	if len(r.Outward) == 0 {
		t.row(cells...)
	}
}

// statuses lists how often what was answered: "200 ×3, none ×1".
func statuses(all map[int]int) string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(all)) {
		name := strconv.Itoa(status)
		if status == 0 {
			name = "none"
		}
		parts = append(parts, fmt.Sprintf("%s ×%d", name, all[status]))
	}
	return strings.Join(parts, ", ")
}

// causes lists in which ways causes are known: those by time are uncertain.
func causes(how map[model.Cause]int) string {
	var parts []string
	for _, by := range []model.Cause{model.ByTrace, model.ByContext, model.BySerial, model.ByTime} {
		if n := how[by]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s ×%d", by, n))
		}
	}
	if how[model.ByTime] > 0 {
		parts = append(parts, "uncertain")
	}
	return strings.Join(parts, ", ")
}

// verdict is the exit code: a recording in which nothing went well is none.
func (f *recordFlags) verdict(s streams, rows []record.Row) error {
	served, well := 0, 0
	for _, r := range rows {
		served += r.Seen
		for status, n := range r.Statuses {
			if status >= 200 && status < 300 {
				well += n
			}
		}
	}
	switch {
	case served == 0:
		tell(s.err, "nothing came: send requests to the address of --in")
	case well == 0:
		tell(s.err, "not one request of %d was answered 2xx: is a log-in missing?", served)
	default:
		return nil
	}
	return verdict(exitUnreachable)
}
