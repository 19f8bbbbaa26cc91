package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/oracle"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// addOracles adds the flags that are about what must hold of answers.
func (f *searchFlags) addOracles(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.oracles, "oracle", nil, "switch what must hold off, as -NAME, or on, as NAME; in this order, and all stands for each")
	c.Flags().BoolVar(&f.list, "oracles", false, "list the oracles with their severities, and call nothing")
}

// listOracles prints what must hold of answers.
func (f *searchFlags) listOracles(s streams, args []string) error {
	if len(args) > 0 {
		return errors.New("--oracles only lists them: leave out SPEC")
	}
	on, err := oracle.Switch(f.oracles)
	if err != nil {
		return err
	}
	type row struct {
		oracle.Oracle
		On bool `json:"on"`
	}
	var rows []row
	for _, o := range oracle.All() {
		rows = append(rows, row{o, on[o.Name]})
	}
	if f.json {
		return printJSON(s.out, rows)
	}
	t := newTable(s.out)
	for _, r := range rows {
		t.row(r.Name, r.Severity, map[bool]string{true: "on", false: "off"}[r.On], r.About)
	}
	return t.flush()
}

// checkOracles says what is wrong with the flags.
func (f *searchFlags) checkOracles() error {
	_, err := oracle.Switch(f.switches())
	return err
}

// faults shows the faults that are errors or warnings, the worst first, and
// counts the notes.
func (t faultTable) faults(faults []model.Fault) {
	t.row("faults", tallied(model.TallyFaults(faults)))
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
		t.row("notes", fmt.Sprintf("%d: %s; --json lists them", n, counted(notes)))
	}
}

// tallied is the number of faults in words.
func tallied(t model.FaultTally) string {
	text := "none"
	if t.Count() > 0 {
		text = fmt.Sprintf("%s: %s, %s", words.Count(t.Count()), words.Plural(t.Errors, "error"), words.Plural(t.Warnings, "warning"))
	}
	if t.Others() > 0 {
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

func (t faultTable) fault(f model.Fault) {
	t.row("fault", f.ID+" "+faultLine(f))
	t.row("", fmt.Sprintf("  %s %s, %s, seen %s; expected %s", f.Severity, f.Oracle, f.Repeated(), times(f.Count), f.Expected))
	if f.Merged > 0 {
		t.row("", fmt.Sprintf("  and %s with further messages, which are not told apart", times(f.Merged)))
	}
	if f.Test != nil && len(f.Test.Calls) > 1 {
		var calls []string
		for _, c := range f.Test.Calls {
			calls = append(calls, string(c.Op))
		}
		t.row("", "  by "+strings.Join(calls, ", "))
	}
	t.shown(f)
}

// shown shows the last call of a fault: its request, its answer and a line of curl.
func (t faultTable) shown(f model.Fault) {
	if f.Test == nil || len(f.Seen) == 0 {
		return
	}
	last := len(f.Seen) - 1
	method, _, _ := strings.Cut(string(f.Op), " ")
	t.row("", "  request: "+method+" "+t.base+f.Seen[last].URL)
	if body := f.Test.Calls[min(last, len(f.Test.Calls)-1)].Body; body != nil {
		t.row("", "  body:    "+model.Excerpt([]byte(body.Data)))
	}
	if s := f.Seen[last]; s.Status > 0 {
		t.row("", fmt.Sprintf("  answer:  %d %s", s.Status, model.Excerpt([]byte(s.Body))))
	} else {
		t.row("", "  answer:  none: "+s.Err)
	}
	if t.reproduce == nil {
		return
	}
	if curl := t.reproduce(f); strings.Contains(curl, "\n") {
		t.row("", "  curl:    a script of "+words.Plural(f.Calls, "call")+": sonde faults "+quote(t.run)+" "+f.ID+" --format curl")
	} else if curl != "" {
		t.row("", "  curl:    "+curl)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return words.Count(n) + " times"
}

// faultLine is a fault in one line.
func faultLine(f model.Fault) string {
	return fmt.Sprintf("%s %s after %s: %s", f.Op, f.Label(), words.Plural(f.Calls, "call"), f.Text)
}
