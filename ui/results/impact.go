package results

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// ImpactReport is the JSON of sonde impact.
type ImpactReport struct {
	Operation model.OpID    `json:"operation"`
	Effect    depend.Effect `json:"effect"`
	Entity    string        `json:"entity,omitempty"`
	Values    []string      `json:"values"`
	Levels    []levelReport `json:"levels"`
	summary   string
}

type levelReport struct {
	// Below is the path of a deleted element, if the operations are at or below one of the element's paths.
	Below string `json:"below,omitempty"`
	// Unlinked distinguishes the two kinds of levels with Below. If it is true, the elements also exist elsewhere,
	// and are only no longer linked to the deleted element. If it is false, they are deleted with it.
	Unlinked bool `json:"unlinked,omitempty"`
	// SharedField is the name of a field, "" in most cases. If it is set, the operations of the level could name the
	// deleted element only by this field. Most kinds of elements below the deleted element also have this field, so
	// the operations are probably not affected.
	SharedField string   `json:"shared_field,omitempty"`
	Entities    []string `json:"entities"`
	// Operations is the number of operations of the level. Required is the number of operations that require an
	// element of the level. The other operations only allow such an element.
	Operations int                 `json:"operations"`
	Required   int                 `json:"required"`
	Groups     []impactGroupReport `json:"groups"`
	// Resources lists the operations of a level by the kind of element that they use. Only levels with Below have it.
	Resources []impactResourceReport `json:"resources,omitempty"`
}

type impactResourceReport struct {
	Entity     string           `json:"entity"`
	Path       string           `json:"path"`
	Operations []impactedReport `json:"operations"`
}

type impactGroupReport struct {
	Path       string           `json:"path"`
	Operations []impactedReport `json:"operations"`
}

type impactedReport struct {
	Operation model.OpID `json:"operation"`
	Takes     []string   `json:"takes"`
	Required  bool       `json:"required"`
}

// NewImpactReport returns the report of an operation's impact.
func NewImpactReport(p *depend.Planner, op model.OpID) ImpactReport {
	i, _ := p.Impact(op)
	r := ImpactReport{
		Operation: op, Effect: i.Effect, Entity: i.Entity, Values: emptyIfNil(i.Values), Levels: []levelReport{}, summary: i.Summary(),
	}
	for _, l := range i.Levels {
		level := levelReport{
			Below: l.Below, Unlinked: l.Unlinked, SharedField: l.SharedField,
			Entities: emptyIfNil(l.Entities), Groups: []impactGroupReport{},
		}
		level.Operations, level.Required = l.Count()
		for _, g := range l.Groups {
			level.Groups = append(level.Groups, impactGroupReport{Path: g.Path, Operations: newImpactedReports(g.Operations)})
		}
		for _, e := range l.Resources {
			level.Resources = append(level.Resources, impactResourceReport{
				Entity: e.Entity, Path: e.Path, Operations: newImpactedReports(e.Operations),
			})
		}
		r.Levels = append(r.Levels, level)
	}
	return r
}

func newImpactedReports(all []depend.ImpactedOperation) (list []impactedReport) {
	for _, u := range all {
		list = append(list, impactedReport{Operation: u.Op, Takes: emptyIfNil(u.Takes), Required: u.Required})
	}
	return list
}

func emptyIfNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// textGroups is the maximum number of groups of a level in the text.
const textGroups = 15

// PrintImpact writes the impact of an operation as text. If all is set, it lists every operation. Otherwise it
// writes, for each level, at most textGroups groups with their numbers of operations.
func PrintImpact(w io.Writer, r ImpactReport, all bool) error {
	fmt.Fprintf(w, "%s %s\n", draw.Clean(string(r.Operation)), draw.Clean(r.summary))
	for i, l := range r.Levels {
		fmt.Fprintf(w, "\n%s\n", levelTitle(r.Levels[:i], l))
		t := console.NewTable(w)
		lines := l.lines()
		t.Row(l.heading()...)
		for k, line := range lines {
			if k == textGroups && !all {
				break
			}
			t.Row(line.cells...)
			if all {
				for _, u := range line.operations {
					t.Row("    "+draw.Clean(string(u.Operation)), "", strings.Join(CleanTexts(u.Takes), ", ")+optionalMark(u.Required))
				}
			}
		}
		t.Flush()
		if more := len(lines) - textGroups; more > 0 && !all {
			fmt.Fprintf(w, "  and %s; --all lists them\n", words.Plural(more, "more resource"))
		}
	}
	return nil
}

// heading returns the headings of the columns of lines.
func (l levelReport) heading() []any {
	if l.Resources != nil {
		return []any{"  resource", "operations", "path"}
	}
	return []any{"  path", "operations"}
}

// impactLine is a line in the table of a level: a kind of element or a group, with its operations.
type impactLine struct {
	cells      []any
	operations []impactedReport
}

// lines returns the lines of a level: the kinds of elements at and below the path of a deleted element, or
// the groups.
func (l levelReport) lines() (list []impactLine) {
	for _, r := range l.Resources {
		name := cmp.Or(draw.Clean(r.Entity), "other parts of it")
		list = append(list, impactLine{[]any{"  " + name, len(r.Operations), draw.Clean(r.Path)}, r.Operations})
	}
	if list != nil {
		return list
	}
	for _, g := range l.Groups {
		list = append(list, impactLine{[]any{"  " + draw.Clean(g.Path), len(g.Operations)}, g.Operations})
	}
	return list
}

func optionalMark(required bool) string {
	if required {
		return ""
	}
	return " (optional)"
}

// levelTitle returns the title of a level. The parameter before has the earlier levels.
func levelTitle(before []levelReport, l levelReport) string {
	count := words.Plural(l.Operations, "operation")
	if optional := l.Operations - l.Required; optional > 0 {
		count += fmt.Sprintf(", %s of them only optionally", words.Count(optional))
	}
	switch {
	case l.Unlinked:
		kinds := words.Plural(len(l.Resources), "resource")
		return fmt.Sprintf("No longer linked to it, and also at paths of their own: %s, %s", kinds, count)
	case l.Below != "":
		return fmt.Sprintf("Deleted with it, at and below %s or another path of it: %s, %s",
			draw.Clean(l.Below), words.Plural(len(l.Resources), "resource"), count)
	case l.SharedField != "":
		return fmt.Sprintf("Probably not affected: %s that could name it only in %s, a field that most of what is deleted has, too",
			words.Plural(l.Operations, "operation"), draw.Clean(pointer.Dotted(l.SharedField)))
	case len(before) > 0 && before[len(before)-1].Below != "":
		return fmt.Sprintf("Elsewhere, by %s: %s", depend.ListEntities(l.Entities), count)
	case len(l.Entities) == 0:
		return "At and below the path: " + count
	case len(before) == 0:
		return fmt.Sprintf("Directly, by %s: %s", depend.ListEntities(l.Entities), count)
	}
	return fmt.Sprintf("Indirectly, through what only these create (%s): %s", depend.ListEntities(l.Entities), count)
}
