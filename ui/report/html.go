package report

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"sonde/analysis/survey"
	"sonde/assets/templates"
	"sonde/model/match"
	"sonde/ui/words"
)

// newPage parses the template of a page.
func newPage(text string) *template.Template {
	t := template.New("page").Funcs(template.FuncMap{
		"count":  words.Count,
		"plural": words.Plural,
		"mean":   mean,
		"px":     func(x float64) string { return fmt.Sprintf("%.1f", x) },
		// segments returns the parts of a path between which a line may break.
		"segments": func(path string) []string { return strings.SplitAfter(path, "/") },
	})
	return template.Must(template.Must(t.Parse(text)).New("parts").Parse(templates.ReportStyle))
}

var surveyPage = newPage(templates.SurveyPage)

// page is the data of surveyPage.
type page struct {
	Title, Lot string
	Mode       match.Mode
	Printed    []string
	Cards      []card
	Table1     []pageRow
	Relations  []pageRelation
	Rules      []ruleRow
	Operations int
	Bars       barPlot
	Scatter    scatterPlot
	Boxes      boxPlot
	Problems   []Problem
	Cases      []survey.Case
	LeftOut    string
}

// card is a highlighted number of the page.
type card struct{ Label, Value string }

// pageRow is a row of a table with a class that indents it.
type pageRow struct {
	row
	Class string
}

type pageRelation struct {
	relation
	Rows                []relationRow
	Chance, PaperChance string
}

type relationRow struct {
	Label       string
	Here, Paper [2]int
}

func writeHTML(w io.Writer, r Report) error {
	s, paper := r.Survey, survey.PaperTables()
	return surveyPage.ExecuteTemplate(w, "page", page{
		Title: words.Plural(r.Specs, "spec"), Lot: lot(r), Mode: r.Mode, Printed: printedLines(r), Cards: cards(r),
		Table1: pageTable1(s.Tables, paper), Relations: pageRelations(s.Tables, paper),
		Rules: ruleRows(s.Rules), Operations: s.Rules.Operations,
		Bars: newBarPlot(s.Figures.Groups), Scatter: newScatterPlot(s.Figures.Points), Boxes: newBoxPlot(s.Figures),
		Problems: r.Problems, Cases: s.Cases, LeftOut: leftOut(r),
	})
}

func cards(r Report) []card {
	rules := r.Survey.Rules
	all := []card{
		{"specs read", words.Count(r.Specs)},
		{"cases, a service and a tag each", words.Count(len(r.Survey.Cases))},
		{"seqs by SC", words.Count(rules.SC.Seqs)},
		{"seqs by DC", words.Count(rules.DC.Seqs)},
	}
	if rules.SC.Seqs > 0 {
		all = append(all, card{"fewer seqs by DC", percent(rules.SC.Seqs-rules.DC.Seqs, rules.SC.Seqs)})
	}
	if rules.SC.Covered > 0 {
		all = append(all, card{"of SC's coverage kept by DC", percent(rules.DC.Covered, rules.SC.Covered)})
	}
	return all
}

// percent returns part as a percentage of whole, rounded down, so that 100% means all.
func percent(part, whole int) string {
	tenths := part * 1000 / whole
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}

func pageTable1(here, paper survey.Tables) []pageRow {
	var rows []pageRow
	under := ""
	for _, r := range table1(here, paper) {
		if r.Heading != "" {
			under = "under"
		}
		class := under
		if strings.HasPrefix(r.Label, " ") {
			class = "deeper"
		}
		rows = append(rows, pageRow{r, class})
	}
	return rows
}

func pageRelations(here, paper survey.Tables) []pageRelation {
	var out []pageRelation
	for _, r := range relations(here, paper) {
		p := pageRelation{relation: r, Chance: chance(r.Here), PaperChance: chance(r.Paper)}
		for i, label := range relationRows {
			p.Rows = append(p.Rows, relationRow{Label: label, Here: r.Here[i], Paper: r.Paper[i]})
		}
		out = append(out, p)
	}
	return out
}
