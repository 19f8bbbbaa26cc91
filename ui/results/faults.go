package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/command"
	"sonde/ui/app/suite"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// AddFaults adds a tally, a row for each error, a row for each warning, and the number of notes.
func (t FaultTable) AddFaults(faults []model.Fault) {
	t.Row("faults", TallyText(model.TallyFaults(faults)))
	notes := map[string]int{}
	for _, severity := range []model.Severity{model.SeverityError, model.SeverityWarning} {
		for _, f := range faults {
			if f.Severity == severity {
				t.fault(f)
			}
		}
	}
	n := 0
	for _, f := range faults {
		if f.Severity == model.SeverityNote {
			notes[f.Oracle]++
			n++
		}
	}
	if n > 0 {
		t.Row("notes", fmt.Sprintf("%d: %s; --json lists them", n, counted(notes)))
	}
}

// TallyText describes the numbers of errors and warnings, and of the faults that are not counted: flaky faults and
// notes.
func TallyText(t model.FaultTally) string {
	text := "none"
	if t.Counted() > 0 {
		text = fmt.Sprintf("%s: %s, %s", words.Count(t.Counted()), words.Plural(t.Errors, "error"), words.Plural(t.Warnings, "warning"))
	}
	if t.Uncounted() > 0 {
		text += fmt.Sprintf("; not counted: %s flaky, %s", words.Count(t.Flaky), words.Plural(t.Notes, "note"))
	}
	return text
}

func counted(notes map[string]int) string {
	names := slices.SortedFunc(maps.Keys(notes), func(a, b string) int { return cmp.Or(notes[b]-notes[a], strings.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", notes[name], name)
	}
	return strings.Join(names, ", ")
}

func (t FaultTable) fault(f model.Fault) {
	t.Row("fault", f.ID+" "+faultLine(f))
	t.Row("", fmt.Sprintf("  %s %s, %s, seen %s; expected %s", f.Severity, f.Oracle, f.Repeated(), times(f.Count), f.Expected))
	if text := f.Input.String(); text != "" {
		t.Row("", "  input "+text)
	}
	if f.Merged > 0 {
		t.Row("", fmt.Sprintf("  and %s with other messages, which are counted as one", times(f.Merged)))
	}
	if f.Test != nil && len(f.Test.Calls) > 1 {
		var calls []string
		for _, c := range f.Test.Calls {
			calls = append(calls, string(c.Op))
		}
		t.Row("", "  by "+strings.Join(calls, ", "))
	}
	t.shown(f)
}

// shown adds the last call of a fault: its request, its response and a curl command.
func (t FaultTable) shown(f model.Fault) {
	if f.Test == nil || len(f.Exchanges) == 0 {
		return
	}
	last := len(f.Exchanges) - 1
	method, _, _ := strings.Cut(string(f.Op), " ")
	t.Row("", "  request: "+method+" "+t.base+f.Exchanges[last].URL)
	if body := f.Test.Calls[min(last, len(f.Test.Calls)-1)].Body; body != nil {
		t.Row("", "  body:    "+model.Excerpt([]byte(body.Describe())))
	}
	if s := f.Exchanges[last]; s.Status > 0 {
		t.Row("", fmt.Sprintf("  answer:  %d %s", s.Status, model.Excerpt([]byte(s.Body))))
	} else {
		t.Row("", "  answer:  none: "+s.Err)
	}
	if t.reproduce == nil {
		return
	}
	if curl := t.reproduce(f); strings.Contains(curl, "\n") {
		t.Row("", "  curl:    a script of "+words.Plural(f.Calls, "call")+": sonde faults "+command.Quote(t.run)+" "+f.ID+" --format curl")
	} else if curl != "" {
		t.Row("", "  curl:    "+curl)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return words.Count(n) + " times"
}

// faultLine returns a fault in one line.
func faultLine(f model.Fault) string {
	return fmt.Sprintf("%s %s after %s: %s", f.Op, f.Label(), words.Plural(f.Calls, "call"), f.Text)
}

// PrintFaults writes faults as text. If there are no faults, it writes a note to standard error.
func PrintFaults(s console.Streams, r export.Report, faults []model.Fault) error {
	if len(faults) == 0 {
		console.PrintNote(s.Err, "the run found no fault")
	}
	for i, f := range faults {
		between := ""
		if i > 0 {
			between = "\n"
		}
		text := between + string(f.Op) + "\n" + export.FaultDescription(f, r)
		if _, err := fmt.Fprint(s.Out, draw.CleanLines(text)); err != nil {
			return err
		}
	}
	return nil
}

// PrintCurl writes the commands that repeat faults. For a fault that cannot be repeated, it writes a note
// to standard error; if this is the only fault, it returns an error.
func PrintCurl(s console.Streams, h codec.RunHeader, faults []model.Fault) error {
	for _, f := range faults {
		curl, err := format.CurlScript(suite.FromRun(h, nil, ""), f)
		switch {
		case err != nil && len(faults) == 1:
			return err
		case err != nil:
			console.PrintNote(s.Err, "%s", console.OneLine(err))
			continue
		}
		if len(faults) > 1 {
			curl = fmt.Sprintf("# %s: %s\n%s\n", f.ID, model.Printable(faultLine(f), 200), curl)
		}
		if console.IsTerminal(s.Out) {
			curl = draw.CleanLines(curl)
		}
		if _, err := fmt.Fprintln(s.Out, curl); err != nil {
			return err
		}
	}
	return nil
}

// FaultTable is a table of the faults of a run.
type FaultTable struct {
	console.Table
	run       string // the run's folder
	base      string // the URL of the service, "" if its port was chosen for the run
	reproduce func(model.Fault) string
}

// NewFaultTable returns a table of the faults of the run in a folder. If the run cannot be read, URLs and
// curl commands are left out.
func NewFaultTable(t console.Table, folder string) FaultTable {
	all := FaultTable{Table: t, run: folder}
	if run, err := codec.OpenRun(folder); err == nil {
		all.reproduce = suite.Reproducer(run.RunHeader)
		if !strings.Contains(run.BaseURL, model.PortPlaceholder) {
			all.base = strings.TrimRight(run.BaseURL, "/")
		}
	}
	return all
}
