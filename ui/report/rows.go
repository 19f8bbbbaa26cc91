package report

import (
	"fmt"
	"math"

	"sonde/analysis/survey"
	"sonde/ui/words"
)

// row is a line of the distiller paper's Table 1.
type row struct {
	Heading     string // heading of this and the following lines, up to the next heading
	Label       string
	Here, Paper int
}

// table1 returns the lines of the distiller paper's Table 1, in the words of the paper.
func table1(here, paper survey.Tables) []row {
	return []row{
		{Heading: "", Label: "examined cases", Here: here.Cases.Examined, Paper: paper.Cases.Examined},
		{Heading: "seqs listed, n_s", Label: "increased by DC", Here: here.Seqs.Increased, Paper: paper.Seqs.Increased},
		{Heading: "", Label: "equivalent", Here: here.Seqs.Equivalent, Paper: paper.Seqs.Equivalent},
		{Heading: "", Label: "decreased by DC", Here: here.Seqs.Decreased, Paper: paper.Seqs.Decreased},
		{Heading: "groups per seq, n_g (mean)", Label: "increased by DC", Here: here.Groups.Increased, Paper: paper.Groups.Increased},
		{Heading: "", Label: "equivalent (both are 1)", Here: here.Groups.Equivalent, Paper: paper.Groups.Equivalent},
		{Heading: "", Label: "decreased to 1 by DC", Here: here.Groups.Decreased, Paper: paper.Groups.Decreased},
		{Heading: "", Label: "other; no mean value", Here: here.Groups.Other, Paper: paper.Groups.Other},
		{Heading: "API coverage", Label: "increased by DC", Here: here.Coverage.Increased, Paper: paper.Coverage.Increased},
		{Heading: "", Label: "equivalent", Here: here.Coverage.Equivalent, Paper: paper.Coverage.Equivalent},
		{Heading: "", Label: "  (both are 100%)", Here: here.Coverage.Full, Paper: paper.Coverage.Full},
		{Heading: "", Label: "  (both are < 100%)", Here: here.Coverage.Partial, Paper: paper.Coverage.Partial},
		{Heading: "", Label: "decreased by DC", Here: here.Coverage.Decreased, Paper: paper.Coverage.Decreased},
		{Heading: "", Label: "other; no seqs listed", Here: here.Coverage.Other, Paper: paper.Coverage.Other},
	}
}

// relation is the content of Table 2 or 3 of the distiller paper.
type relation struct {
	Title       string
	Columns     [2]string
	Here, Paper survey.ContingencyTable
}

// relationRows are the names of the rows of Tables 2 and 3.
var relationRows = [2]string{"n_s not decreased", "n_s decreased"}

func relations(here, paper survey.Tables) []relation {
	return []relation{
		{Title: "Table 2. Relation of n_g and n_s", Columns: [2]string{"n_g to 1", "otherwise"}, Here: here.Reason, Paper: paper.Reason},
		{
			Title:   "Table 3. Relation of the number of groups and n_s",
			Columns: [2]string{"several", "one group"},
			Here:    here.Sign,
			Paper:   paper.Sign,
		},
	}
}

// chance describes the result of a chi-square test, or returns "not defined".
func chance(s survey.ContingencyTable) string {
	x2, p, ok := s.ChiSquareTest()
	switch {
	case !ok:
		return "not defined"
	case p == 0:
		return fmt.Sprintf("%.1f, p < 1e-300", x2)
	default:
		return fmt.Sprintf("%.1f, p = %.2g", x2, p)
	}
}

// ruleRow is a row of the table that compares the rules.
type ruleRow struct {
	Name, Means string
	survey.RuleSummary
	First bool // there is no previous row to compare with
}

func ruleRows(r survey.RuleSummaries) []ruleRow {
	return []ruleRow{
		{Name: "SC", Means: "condition I alone", RuleSummary: r.SC, First: true},
		{Name: "DC", Means: "and condition II", RuleSummary: r.DC, First: false},
		{Name: "DC --min-share", Means: "II counts only what the next operation requires", RuleSummary: r.Needed, First: false},
	}
}

// subject describes which specs were surveyed, and how.
func subject(r Report) string {
	text := fmt.Sprintf(
		"%s, %s; values %s, match %s", words.Plural(r.Specs, "spec"), words.Plural(len(r.Survey.Cases), "case"),
		r.Mode.Values, r.Mode.Match,
	)
	for _, line := range printedLines(r) {
		text += ", " + line
	}
	return text
}

// printedLines returns a phrase for each line of the paper's pseudo-code that the listings follow literally, although
// the text of the paper says something else.
func printedLines(r Report) []string {
	var lines []string
	if r.Repeats {
		lines = append(lines, "line 40 as printed")
	}
	if r.FedOnly {
		lines = append(lines, "line 50 as printed")
	}
	return lines
}

// lot describes how many cases and services the tables count and leave out, here and in the paper. It also says how
// many files have no spec.
func lot(r Report) string {
	paper := survey.PaperTables()
	text := fmt.Sprintf(
		"%s The paper leaves out %s of %s and counts %s of %s.", omitted(r), words.Plural(paper.Cases.GaveUp, "case"),
		words.Plural(paper.Services.GaveUp, "service"), words.Count(paper.Cases.Examined), words.Count(paper.Services.Examined),
	)
	if r.SkippedFiles > 0 {
		text += fmt.Sprintf(" %s without a spec passed over.", words.Plural(r.SkippedFiles, "file"))
	}
	return text
}

// omitted describes how many cases the tables leave out because their listings gave up, and how many cases they would
// count with the other value of survey.Omission.
func omitted(r Report) string {
	byCase, byService := r.Survey.ByCase, r.Survey.ByService
	if byCase.Cases.GaveUp == 0 {
		return "Listing gave up no case."
	}
	text := fmt.Sprintf(
		"Listing gave up %s in %s.", words.Plural(byCase.Cases.GaveUp, "case"), words.Plural(byCase.Services.GaveUp, "service"),
	)
	if r.Omission == survey.OmitService {
		return text + fmt.Sprintf(
			" The tables leave out all %s of such services, as the paper's do, and count the other %s; by case they would count %s "+
				"(--gave-up %s).",
			words.Plural(byService.Cases.GaveUp, "case"), words.Count(byService.Cases.Examined), words.Count(byCase.Cases.Examined),
			survey.OmitCase,
		)
	}
	return text + fmt.Sprintf(
		" The tables count the other %s; without all cases of such services, as the paper counts, they would count %s of %s "+
			"(--gave-up %s).",
		words.Count(byCase.Cases.Examined), words.Count(byService.Cases.Examined), words.Plural(byService.Services.Examined, "service"),
		survey.OmitService,
	)
}

// leftOut names what the tables and figures leave out if the listing of a case gave up.
func leftOut(r Report) string {
	if r.Omission == survey.OmitService {
		return "all cases of its service"
	}
	return "such a case"
}

// bins returns the bins of Figure 2, with empty bins in the gaps, at most limit of them. If there are more bins, the
// last one includes all the remaining bins, and more is true.
func bins(all []survey.GroupBin, limit int) (out []survey.GroupBin, more bool) {
	for _, b := range all {
		at := min(b.Groups, limit)
		for len(out) < at {
			out = append(out, survey.GroupBin{Groups: len(out) + 1})
		}
		out[at-1].Cases += b.Cases
		more = more || b.Groups > limit
	}
	return out, more
}

// scale is a logarithmic scale of n + 1, for numbers from 0 to top.
type scale struct{ top int }

func newScale(points []survey.ScatterPoint) scale {
	s := scale{10}
	for _, p := range points {
		s.top = max(s.top, p.SC, p.DC)
	}
	return s
}

// at returns the position of n on the scale, from 0 to 1.
func (s scale) at(n int) float64 { return math.Log1p(float64(n)) / math.Log1p(float64(s.top)) }

// ticks returns 0, the powers of ten up to the top and, if it is not close to the last power, the top.
func (s scale) ticks() []int {
	ticks := []int{0}
	n := 1
	for ; n <= s.top; n *= 10 {
		ticks = append(ticks, n)
	}
	if s.at(s.top)-s.at(n/10) > 0.06 {
		ticks = append(ticks, s.top)
	}
	return ticks
}

// span returns the end of the axis of the box plot. The axis begins at 1.
func span(f survey.Figures) int {
	return max(2, int(math.Ceil(max(f.SC.Top, f.DC.Top))))
}
