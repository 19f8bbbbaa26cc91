package groups

import (
	"context"
	"slices"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// results has the data that were computed in the background for the sections of a spec.
type results struct {
	analyzed  *screen.AnalyzedSpec
	sections  *sections
	tallies   map[int]*tally
	drawings  map[int]*drawing
	counting  map[int]bool // sections whose count was started
	sketching map[int]bool // sections whose drawing was started
	allValues bool         // whether figures also have given and unused values
}

func newResults(analyzed *screen.AnalyzedSpec, s *sections) results {
	return results{
		analyzed:  analyzed,
		sections:  s,
		tallies:   map[int]*tally{},
		drawings:  map[int]*drawing{},
		counting:  map[int]bool{},
		sketching: map[int]bool{},
	}
}

// tally has the seqs of a section, or of the whole spec, by rule.
type tally [2]struct {
	distil.Listing
	// total is the number of seqs, including those that are not listed. isMore reports whether the count stopped at a
	// limit, so that there are more seqs than total. Neither is set for the whole spec.
	total  int
	isMore bool
	// mean is the mean number of groups that a seq touches. The best value is 1, which means that no seq
	// combines groups.
	mean float64
}

// wholeSpec is the number of the pseudo-section for the whole spec: all its seqs, and the figure of all groups.
const wholeSpec = -1

// counted is sent when the seqs of a section, or of wholeSpec, were counted.
type counted struct {
	analyzed *screen.AnalyzedSpec
	section  int
	tally    tally
}

// drawn is sent when the figure of a section, or of all groups, was drawn.
type drawn struct {
	analyzed *screen.AnalyzedSpec
	figureSettings
	section int
	drawing *drawing
}

// request starts to count the seqs of a section, of the visible sections, and of the whole spec. It also starts to draw
// the figure of the section, in at most wrap columns. If whole is true, it also starts to draw the figure of all
// groups. It skips what was requested before.
func (r *results) request(section int, inSight []int, whole bool, wrap int) tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range append([]int{section, wholeSpec}, inSight...) {
		if !r.counting[s] {
			r.counting[s] = true
			cmds = append(cmds, count(r.analyzed, s, r.operations(s)))
		}
	}
	cmds = append(cmds, r.sketch(section, wrap))
	if whole {
		cmds = append(cmds, r.sketch(wholeSpec, wrap))
	}
	return tea.Batch(cmds...)
}

// sketch starts to draw the figure of a section, or of wholeSpec, unless this was started before.
func (r *results) sketch(section, wrap int) tea.Cmd {
	if r.sketching[section] {
		return nil
	}
	r.sketching[section] = true
	analyzed, ops, settings := r.analyzed, r.operations(section), r.settings()
	names := analyzed.Names.In(settings.naming)
	return func() tea.Msg {
		msg := drawn{analyzed: analyzed, figureSettings: settings, section: section}
		if section == wholeSpec {
			msg.drawing = drawAll(analyzed, names, settings.allValues, wrap)
		} else {
			msg.drawing = drawGroup(analyzed, names, ops, settings.allValues, wrap)
		}
		return msg
	}
}

// settings returns the settings of the figures.
func (r *results) settings() figureSettings {
	return figureSettings{naming: r.analyzed.Names.Naming(), allValues: r.allValues}
}

// toggleValues shows or hides given and unused values in figures. The figures stay until they are drawn again.
func (r *results) toggleValues() {
	r.allValues = !r.allValues
	r.sketching = map[int]bool{}
}

// forgetDrawings drops the figures after the names of operations have changed.
func (r *results) forgetDrawings() {
	r.drawings, r.sketching = map[int]*drawing{}, map[int]bool{}
}

// addTally stores a tally, unless it is for another spec.
func (r *results) addTally(msg counted) {
	if msg.analyzed == r.analyzed && r.tallies != nil {
		r.tallies[msg.section] = &msg.tally
	}
}

// addDrawing stores a figure. It does not store a figure of another spec, or with other settings. It reports whether
// it stored the figure.
func (r *results) addDrawing(msg drawn) bool {
	if msg.analyzed != r.analyzed || r.drawings == nil || msg.figureSettings != r.settings() {
		return false
	}
	r.drawings[msg.section] = msg.drawing
	return true
}

// count counts and lists the seqs of a section in the background. ops are the operations of the section.
func count(analyzed *screen.AnalyzedSpec, section int, ops []*model.Operation) tea.Cmd {
	return func() tea.Msg {
		c := counted{analyzed: analyzed, section: section}
		part := analyzed.Analysis
		if section != wholeSpec {
			part = part.Subset(ops)
		}
		groups := valuegroup.NewGroupIndex(analyzed.Groups)
		for i, rule := range rules {
			// The calls below have limits of their own. They fail only if their context ends, and this context never
			// ends.
			t := &c.tally[i]
			t.Listing, _ = part.DistilSeqs(context.Background(), rule)
			t.mean = groupsPerSeq(groups, t.Seqs)
			if section != wholeSpec {
				t.total, t.isMore, _ = part.CountSeqs(context.Background(), rule)
			}
		}
		return c
	}
}

// operations returns the operations of a section, nil for wholeSpec.
func (r *results) operations(section int) []*model.Operation {
	if section == wholeSpec {
		return nil
	}
	return operationsOf(r.analyzed.Spec, r.sections.list[section].ops)
}

// operationsOf returns the operations with the given IDs, in the order of the document.
func operationsOf(spec *model.Spec, ids []model.OpID) []*model.Operation {
	in := map[model.OpID]bool{}
	for _, op := range ids {
		in[op] = true
	}
	return slices.DeleteFunc(slices.Clone(spec.Operations), func(op *model.Operation) bool { return !in[op.ID] })
}

// groupsPerSeq returns the mean number of groups that seqs touch, 0 if there are no seqs.
func groupsPerSeq(groups valuegroup.GroupIndex, all []model.Seq) float64 {
	sum := 0
	for _, seq := range all {
		sum += groups.CountTouched(seq)
	}
	return float64(sum) / float64(max(1, len(all)))
}
