package report

import (
	"html/template"
	"io"

	"sonde/assets/templates"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

var compareTemplates = template.Must(newPage(templates.ComparePage).New("run parts").Parse(templates.RunParts))

// comparePage is the data of the page of a comparison.
type comparePage struct {
	shell
	Good                 bool
	Verdict              string
	Differences, Unknown []string
	Old, New             compareRun
	Figures              []shownFigure
	Sections             []compareSection
	Gained, Lost         []shownOp
	Targets              []shownTargets
	Files                []shownFile
	FilesAlike           int
	HasFiles             bool
}

// compareRun names one of the runs.
type compareRun struct{ Name, Lead string }

// shownFigure is a figure with the class of its change.
type shownFigure struct {
	Figure
	Class string
}

// compareSection is a list of faults.
type compareSection struct {
	ID, Title, About, None string
	section
}

// shownTargets are the statuses of an operation that one of the runs reached.
type shownTargets struct {
	Op           shownOp
	Gained, Lost []shownStatus
}

// shownFile is the coverage of a file by both runs.
type shownFile struct{ Name, Old, New, Change, Class string }

// WriteComparisonHTML writes a comparison as a self-contained page, as WriteRunHTML does for a run.
func WriteComparisonHTML(w io.Writer, c Comparison) error {
	p, err := newComparePage(c)
	if err != nil {
		return err
	}
	return compareTemplates.ExecuteTemplate(w, "page", p)
}

func newComparePage(c Comparison) (comparePage, error) {
	p := comparePage{
		shell: newShell(titleOf(c.New), "What is different between two runs"), Differences: c.Differences, Unknown: c.Unknown,
		Old: compareRun{draw.Clean(c.Old.Name), runLead(c.Old)}, New: compareRun{draw.Clean(c.New.Name), runLead(c.New)},
		FilesAlike: c.FilesAlike, HasFiles: c.Old.Files != nil && c.New.Files != nil,
	}
	p.Good, p.Verdict = comparisonVerdict(c)
	for _, f := range c.Figures {
		p.Figures = append(p.Figures, shownFigure{f, changeClass(f.sign * f.Better)})
	}
	for _, op := range c.Gained {
		p.Gained = append(p.Gained, newShownOp(op))
	}
	for _, op := range c.Lost {
		p.Lost = append(p.Lost, newShownOp(op))
	}
	for _, t := range c.Targets {
		p.Targets = append(p.Targets, shownTargets{Op: newShownOp(t.Op), Gained: shownStatuses(t.Gained), Lost: shownStatuses(t.Lost)})
	}
	for _, f := range c.Files {
		change := shareChange(f.Old, f.New)
		p.Files = append(p.Files, shownFile{draw.Clean(f.File), share(f.Old), share(f.New), change, changeClass(signOf(change))})
	}
	return p, p.addFaults(c)
}

// addFaults adds the sections of faults.
func (p *comparePage) addFaults(c Comparison) error {
	for _, s := range []struct {
		id, title, about, none, prefix string
		run                            Run
		faults                         []model.Fault
	}{
		{"new", "New faults", "The new run has them, the old one does not.", "No fault is new.", "new-", c.New, c.NewFaults},
		{
			"gone", "Faults that are gone", "The old run has them. They are mended, or the new run did not find them again.",
			"No fault is gone.", "gone-", c.Old, c.GoneFaults,
		},
		{"both", "Faults in both runs", "As the new run has them.", "No fault is in both runs.", "both-", c.New, c.RemainingFaults},
	} {
		elements, err := comparedFaults(s.run, s.faults, s.prefix)
		if err != nil {
			return err
		}
		p.Sections = append(p.Sections, compareSection{ID: s.id, Title: s.title, About: s.about, None: s.none, section: elements})
	}
	return nil
}

// comparedFaults returns faults as elements. Their IDs begin with a prefix, because both runs have a fault f1.
func comparedFaults(r Run, faults []model.Fault, prefix string) (section, error) {
	used := map[string]bool{}
	var all []shownFault
	for i, f := range faults {
		s := newShownFault(r, f)
		s.anchor = newAnchor(used, "fault", f.ID, i)
		s.Anchor = prefix + s.Anchor
		s.CurlID = "curl--" + s.Anchor
		all = append(all, s)
	}
	return faultElements(all)
}

// comparisonVerdict says in a line what is new. good is true if no fault that counts is new.
func comparisonVerdict(c Comparison) (good bool, text string) {
	counted := model.TallyFaults(c.NewFaults).Counted()
	if counted == 0 {
		return true, "No new fault counts"
	}
	return false, words.Plural(counted, "new fault") + ", errors and warnings"
}

func changeClass(sign int) string {
	switch {
	case sign > 0:
		return "up"
	case sign < 0:
		return "down"
	}
	return ""
}

func shownStatuses(statuses []int) (all []shownStatus) {
	for _, status := range statuses {
		all = append(all, newShownStatus(status))
	}
	return all
}
