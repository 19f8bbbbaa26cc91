package results

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// PathsReport is the JSON of sonde paths.
type PathsReport struct {
	Operation model.OpID   `json:"operation"`
	Paths     []pathReport `json:"paths"`
	// Chosen are the required values that the client chooses.
	Chosen   []chosenReport `json:"chosen"`
	Optional []optionReport `json:"optional"`
	// LogIns are the operations that return the credentials of the first path.
	LogIns []logInReport `json:"log_ins"`
}

type pathReport struct {
	Seq model.Seq `json:"seq"`
	// summary says what must exist before the path is called. difference says which steps the path adds to the previous
	// path in the report, or leaves out.
	summary, difference string
	Passes              []passReport    `json:"passes"`
	Outside             []outsideReport `json:"outside"`
}

// passReport is a value that one step of a path passes to another. Steps are indices into the seq.
type passReport struct {
	From    int    `json:"from"`
	To      int    `json:"to"`
	Value   string `json:"value"`
	Emitted string `json:"emitted"`
	Taken   string `json:"taken"`
	// Existing is true if step From only finds or mentions an element that exists already, instead of creating one.
	Existing bool `json:"existing,omitempty"`
}

type outsideReport struct {
	To    int    `json:"to"`
	Value string `json:"value"`
	Taken string `json:"taken"`
	// Why is the reason why no step provides the value.
	Why string `json:"why"`
}

type chosenReport struct {
	Value string         `json:"value"`
	Taken string         `json:"taken"`
	In    model.Location `json:"in"`
	Type  string         `json:"type,omitempty"`
	// Example is an example from the document, nil if there is none.
	Example any `json:"example,omitempty"`
}

type optionReport struct {
	Value string     `json:"value"`
	Taken string     `json:"taken"`
	From  model.OpID `json:"from"`
}

type logInReport struct {
	From   model.OpID `json:"from"`
	Scheme string     `json:"scheme"`
}

// NewPathsReport returns the report of at most limit paths to an operation.
func NewPathsReport(p *depend.Planner, grants []match.LoginGrant, op model.OpID, limit int) PathsReport {
	r := PathsReport{Operation: op, Paths: []pathReport{}, Chosen: []chosenReport{}, Optional: []optionReport{}, LogIns: []logInReport{}}
	paths := p.Paths(op, limit)
	for i, path := range paths {
		one := pathReport{Seq: path.Seq, summary: path.Summary(), Passes: []passReport{}, Outside: []outsideReport{}}
		if i > 0 {
			one.difference = differenceText(paths[i-1], path)
		}
		for _, s := range path.Passes {
			one.Passes = append(one.Passes, passReport{
				From: s.From, To: s.To, Value: s.Taken.ID, Emitted: s.Emitted.Name, Taken: s.Taken.Name, Existing: s.Existing,
			})
		}
		for _, o := range path.Outside {
			one.Outside = append(one.Outside, outsideReport{To: o.To, Value: o.Taken.ID, Taken: o.Taken.Name, Why: o.Why()})
		}
		r.Paths = append(r.Paths, one)
	}
	for _, u := range p.ChosenValues(op) {
		r.Chosen = append(r.Chosen, chosenReport{Value: u.ID, Taken: u.Name, In: u.In, Type: u.Type, Example: u.Example()})
	}
	for _, o := range p.OptionalValues(op) {
		r.Optional = append(r.Optional, optionReport{Value: o.Taken.ID, Taken: o.Taken.Name, From: o.From})
	}
	if len(paths) > 0 {
		for _, g := range paths[0].LogIns(grants) {
			r.LogIns = append(r.LogIns, logInReport{From: g.From, Scheme: g.Scheme})
		}
	}
	return r
}

// differenceText lists the steps that a path has in addition to the previous path or, if there are none, the steps that
// it lacks. It returns "" if the paths have the same steps.
func differenceText(before, p depend.Path) string {
	word, steps := p.Difference(before)
	if len(steps) == 0 {
		return ""
	}
	text := word + " " + string(steps[0])
	if more := len(steps) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + "; "
}

// textOptions is the maximum number of optional values in the text.
const textOptions = 12

// PrintPaths writes the paths to an operation as text.
func PrintPaths(w io.Writer, r PathsReport) error {
	fmt.Fprintf(w, "%s to call %s\n", words.Plural(len(r.Paths), "way"), draw.Clean(string(r.Operation)))
	for _, l := range r.LogIns {
		fmt.Fprintf(w, "As a user of %s: %s logs in\n", draw.Clean(l.Scheme), draw.Clean(string(l.From)))
	}
	for i, p := range r.Paths {
		fmt.Fprintf(w, "\n%d. %s\n", i+1, draw.Clean(p.difference+p.summary))
		t := console.NewTable(w)
		for k, op := range p.Seq {
			t.Row(fmt.Sprintf("   %d", k+1), draw.Clean(string(op)), p.takes(k))
		}
		t.Flush()
		seen := map[string]bool{}
		for _, o := range p.Outside {
			if !seen[o.Value] {
				seen[o.Value] = true
				fmt.Fprintf(w, "   %s must exist: %s\n", draw.Clean(o.Value), draw.Clean(o.Why))
			}
		}
	}
	printChosen(w, r.Chosen)
	printOptions(w, r.Optional)
	return nil
}

// takes lists the values that a step takes from earlier steps: "cartId from 2".
func (p pathReport) takes(step int) string {
	var list []string
	for _, s := range p.Passes {
		if s.To != step {
			continue
		}
		text := fmt.Sprintf("%s from %d", draw.Clean(s.Taken), s.From+1)
		if s.Existing {
			text += " (one must exist)"
		}
		list = append(list, text)
	}
	for _, o := range p.Outside {
		if o.To == step {
			list = append(list, draw.Clean(o.Taken)+" from outside")
		}
	}
	return strings.Join(list, ", ")
}

// printChosen writes the values that the client chooses.
func printChosen(w io.Writer, all []chosenReport) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w, "\nYou choose")
	t := console.NewTable(w)
	for _, c := range all {
		text := cmp.Or(c.Type, "any value")
		if c.Example != nil {
			text += ", such as " + words.Literal(c.Example)
		}
		t.Row("   "+draw.Clean(c.Taken), draw.Clean(string(c.In)), draw.Clean(text))
	}
	t.Flush()
}

// printOptions writes the optional values of an operation.
func printOptions(w io.Writer, all []optionReport) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w, "\nOptional")
	t := console.NewTable(w)
	shown := min(len(all), textOptions)
	for _, o := range all[:shown] {
		t.Row("   "+draw.Clean(o.Taken), draw.Clean(o.Value), "from "+draw.Clean(string(o.From)))
	}
	t.Flush()
	if more := len(all) - shown; more > 0 {
		fmt.Fprintf(w, "   and %d more\n", more)
	}
}
