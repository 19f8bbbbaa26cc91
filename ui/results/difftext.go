package results

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// The limits of the text. The flag --all turns them off.
const (
	textOperations = 40 // operations of one status
	textChanges    = 5  // changes of an operation
	textLines      = 15 // lines of any other section
)

// diffMarks has a mark for each status, so that no meaning depends on colour.
var diffMarks = map[specdiff.Status]string{
	specdiff.StatusAdded: "+", specdiff.StatusRemoved: "-",
	specdiff.StatusRenamed: "~", specdiff.StatusMoved: "~", specdiff.StatusChanged: "~",
}

// diffPrinter writes a diff as text.
type diffPrinter struct {
	w   io.Writer
	all bool
}

// PrintDiff writes a diff as text. Breaking changes come first. The parameter all turns the limits off.
func PrintDiff(w io.Writer, r DiffReport, all bool) error {
	p := diffPrinter{w: w, all: all}
	p.summary(r)
	p.operations("Removed", r.Operations, func(o diffOperationReport) bool { return o.Status == specdiff.StatusRemoved })
	p.operations("Breaking", r.Operations, func(o diffOperationReport) bool {
		return o.Breaking && o.Status != specdiff.StatusRemoved
	})
	p.operations("Added", r.Operations, func(o diffOperationReport) bool { return o.Status == specdiff.StatusAdded })
	p.operations("Changed without breaking clients", r.Operations, func(o diffOperationReport) bool {
		return !o.Breaking && o.Status != specdiff.StatusAdded
	})
	p.feeders(r.Feeders)
	p.values(r.Values)
	p.sets("Value-sharing groups", r.Groups)
	p.sets("Areas", r.Clusters)
	p.tests(r.Tests)
	return nil
}

func (p diffPrinter) summary(r DiffReport) {
	counts := map[specdiff.Status]int{}
	breaking := 0
	for _, o := range r.Operations {
		counts[o.Status]++
		if o.Breaking {
			breaking++
		}
	}
	fmt.Fprintln(p.w, versionNames(r.Old, r.New))
	if len(r.Operations) == 0 {
		fmt.Fprintf(p.w, "No operation changed; %s\n", words.Plural(r.Unchanged, "operation"))
	} else {
		fmt.Fprintf(p.w, "%s: ", words.Plural(len(r.Operations)+r.Unchanged, "operation"))
		for _, s := range specdiff.Statuses {
			fmt.Fprintf(p.w, "%s %s, ", words.Count(counts[s]), s)
		}
		fmt.Fprintf(p.w, "%s the same; %s breaking\n", words.Count(r.Unchanged), words.Count(breaking))
	}
	if n := r.Old.Problems + r.New.Problems; n > 0 {
		fmt.Fprintf(
			p.w, "%s of the specs could not be read and %s not compared: sonde check lists them\n",
			words.Plural(n, "part"), isOrAre(n),
		)
	}
}

// versionNames names both versions. If both versions have the same title and version number, it also names their
// documents.
func versionNames(older, newer versionReport) string {
	if older.name() == newer.name() {
		return fmt.Sprintf("%s: %s → %s", older.name(), draw.Clean(older.Source), draw.Clean(newer.Source))
	}
	return older.name() + " → " + newer.name()
}

// name returns the title with the version.
func (v versionReport) name() string { return draw.Clean(v.Title) + " " + draw.Clean(v.Version) }

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func (p diffPrinter) operations(title string, all []diffOperationReport, has func(diffOperationReport) bool) {
	var list []diffOperationReport
	for _, o := range all {
		if has(o) {
			list = append(list, o)
		}
	}
	p.section(title, len(list), textOperations, func(i int) {
		o := list[i]
		name := o.New
		if name == "" {
			name = o.Old
		}
		fmt.Fprintf(p.w, "%s %s\n", diffMarks[o.Status], draw.Clean(string(name)))
		shown := o.Changes
		if !p.all {
			shown = shown[:min(len(shown), textChanges)]
		}
		for _, c := range shown {
			mark := " "
			if c.Breaking {
				mark = "!"
			}
			fmt.Fprintf(p.w, "  %s %s: %s\n", mark, c.Part, draw.Clean(c.Text))
		}
		if more := len(o.Changes) - len(shown); more > 0 {
			fmt.Fprintf(p.w, "    and %s\n", words.Plural(more, "more change"))
		}
	})
}

// section writes a title and n entries. Unless p.all is set, it writes only the first entries, at most limit.
func (p diffPrinter) section(title string, n, limit int, entry func(int)) {
	if n == 0 {
		return
	}
	fmt.Fprintf(p.w, "\n%s (%s)\n", title, words.Count(n))
	shown := n
	if !p.all {
		shown = min(n, limit)
	}
	for i := range shown {
		entry(i)
	}
	if n > shown {
		fmt.Fprintf(p.w, "  and %s more; --all lists them\n", words.Count(n-shown))
	}
}

func (p diffPrinter) feeders(all []feederChangeReport) {
	for _, lost := range []bool{true, false} {
		list := slices.DeleteFunc(slices.Clone(all), func(f feederChangeReport) bool { return f.Lost != lost })
		title, mark, verb := "Inputs that no operation feeds any more", "-", "came from"
		if !lost {
			title, mark, verb = "Inputs that an operation feeds now", "+", "comes from"
		}
		p.section(title, len(list), textLines, func(i int) {
			f := list[i]
			fmt.Fprintf(
				p.w, "%s %s  %s in the %s%s %s %s\n", mark, draw.Clean(string(f.Operation)), draw.Clean(f.At), f.In,
				optionalMark(f.Required), verb, p.some(f.Feeders),
			)
		})
	}
}

// some names the first operation, followed by the number of the other operations.
func (p diffPrinter) some(ops []model.OpID) string {
	first := draw.Clean(string(ops[0]))
	if len(ops) == 1 {
		return first
	}
	return fmt.Sprintf("%s and %s", first, words.Plural(len(ops)-1, "other"))
}

func (p diffPrinter) values(all []valueChangeReport) {
	p.section("Values that pass between other operations than before", len(all), textLines, func(i int) {
		v := all[i]
		mark, name := "~", v.New
		switch {
		case v.Old == "":
			mark = "+"
		case v.New == "":
			mark, name = "-", v.Old
		case v.Old != v.New:
			name = v.Old + " → " + v.New
		}
		var parts []string
		for _, c := range []struct {
			ops        []model.OpID
			sign, what string
		}{
			{v.EmittersAdded, "+", "emits"},
			{v.EmittersRemoved, "-", "emits"},
			{v.TakersAdded, "+", "takes"},
			{v.TakersRemoved, "-", "takes"},
		} {
			if len(c.ops) > 0 {
				parts = append(parts, fmt.Sprintf("%s %s: %s", c.sign, c.what, p.some(c.ops)))
			}
		}
		fmt.Fprintf(p.w, "%s %s  %s\n", mark, draw.Clean(name), strings.Join(parts, "; "))
	})
}

func (p diffPrinter) sets(title string, all []setChangeReport) {
	p.section(title, len(all), textLines, func(i int) {
		c := all[i]
		line := fmt.Sprintf("%s: ", c.Status)
		switch {
		case len(c.Old) == 0:
			line += setNames(c.New)
		case len(c.New) == 0 || slices.Equal(c.Old, c.New):
			line += setNames(c.Old)
		default:
			line += setNames(c.Old) + " → " + setNames(c.New)
		}
		if len(c.Added) > 0 {
			line += fmt.Sprintf("  +%s: %s", words.Count(len(c.Added)), p.some(c.Added))
		}
		if len(c.Removed) > 0 {
			line += fmt.Sprintf("  -%s: %s", words.Count(len(c.Removed)), p.some(c.Removed))
		}
		fmt.Fprintln(p.w, line)
	})
}

func setNames(names []string) string { return strings.Join(CleanTexts(names), ", ") }

func (p diffPrinter) tests(r *affectedTestsReport) {
	if r == nil {
		return
	}
	fmt.Fprintf(p.w, "\n%s of %s affected\n", words.Count(len(r.Affected)), words.Plural(r.Total, "kept test"))
	t := console.NewTable(p.w)
	for i, a := range r.Affected {
		if i == textOperations && !p.all {
			break
		}
		for _, part := range []struct {
			ops  []model.OpID
			what string
		}{{a.Removed, "removed"}, {a.Moved, "moved"}, {a.Broken, "changed"}, {a.Unknown, "not in the old spec"}} {
			for _, op := range part.ops {
				t.Row("  "+draw.Clean(a.File), draw.Clean(a.Name), draw.Clean(string(op)), part.what)
			}
		}
	}
	t.Flush()
	if more := len(r.Affected) - textOperations; more > 0 && !p.all {
		fmt.Fprintf(p.w, "  and %s more; --all lists them\n", words.Count(more))
	}
	if r.Unmatched > 0 {
		fmt.Fprintf(p.w, "  %s no operation of the old spec\n", words.Plural(r.Unmatched, "call")+" match"+esIfOne(r.Unmatched))
	}
	p.section("Files of tests that were not read", len(r.Unread), textLines, func(i int) {
		fmt.Fprintf(p.w, "  %s: %s\n", draw.Clean(r.Unread[i].File), draw.Clean(r.Unread[i].Why))
	})
}

func esIfOne(n int) string {
	if n == 1 {
		return "es"
	}
	return ""
}
