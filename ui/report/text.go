package report

import (
	"fmt"
	"io"
	"strings"

	"sonde/analysis/survey"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/lipgloss"
)

const (
	narrowest = 60 // minimum width of a line in cells
	// beside is the minimum width for two parts side by side. gap is the space between them.
	beside = 120
	gap    = 4
	// readable is the maximum width of paragraphs.
	readable = 100
)

// writeText writes the tables and figures, with the numbers of the distiller paper for comparison.
func writeText(w io.Writer, r Report, width int) error {
	width = max(narrowest, width)
	s, paper := r.Survey, survey.PaperTables()
	half := width
	if width >= beside {
		half = (width - gap) / 2
	}
	parts := []string{textHead(r, width), textTable1(s.Tables, paper, width)}
	if s.Tables.Cases.Examined > 0 { // otherwise there is nothing to draw
		parts = append(parts, together(width, textRelations(s.Tables, paper, half)...)...)
		parts = append(parts, together(width, textBars(s.Figures.Groups, half), textScatter(s.Figures.Points, half))...)
		parts = append(parts, textBoxes(s.Figures, width), textRules(s.Rules, width))
	}
	if len(r.Problems) > 0 {
		parts = append(parts, textProblems(r.Problems))
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n\n")+"\n")
	return err
}

// together puts two parts side by side if the width allows it.
func together(width int, parts ...string) []string {
	if width < beside {
		return parts
	}
	left := lipgloss.NewStyle().Width((width-gap)/2 + gap).Render(parts[0])
	return []string{trimmed(lipgloss.JoinHorizontal(lipgloss.Top, left, parts[1]))}
}

// trimmed removes the blanks at the ends of lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

func textHead(r Report, width int) string {
	lines := words.Wrap(lot(r), min(width, readable))
	return theme.Strong.Render(subject(r)) + "\n" + strings.Join(lines, "\n")
}

func textTable1(here, paper survey.Tables, width int) string {
	g := grid{title: "Table 1. The numbers of cases", headers: []string{"", "here", "paper"}, dim: 2}
	indent := ""
	for _, r := range table1(here, paper) {
		if r.Heading != "" {
			indent = "  "
			g.rows = append(g.rows, []string{r.Heading, "", ""})
		}
		g.rows = append(g.rows, []string{indent + r.Label, words.Count(r.Here), words.Count(r.Paper)})
	}
	return g.render(width)
}

func textRelations(here, paper survey.Tables, width int) []string {
	var out []string
	for _, r := range relations(here, paper) {
		g := grid{title: r.Title, headers: []string{"", "here", "", "paper", ""}, dim: 3}
		g.rows = [][]string{{"", r.Columns[0], r.Columns[1], r.Columns[0], r.Columns[1]}}
		for i, label := range relationRows {
			g.rows = append(g.rows, []string{
				label, words.Count(r.Here[i][0]), words.Count(r.Here[i][1]), words.Count(r.Paper[i][0]), words.Count(r.Paper[i][1]),
			})
		}
		tests := "χ² " + chance(r.Here) + "\n" + theme.Dim.Render("χ² "+chance(r.Paper)+" with the paper's numbers")
		out = append(out, g.render(width)+"\n"+tests)
	}
	return out
}

func textRules(r survey.RuleSummaries, width int) string {
	g := grid{title: "What --min-share does", headers: []string{"", "seqs", "covered", "fewer seqs", "covers less"}, dim: 5}
	var legend []string
	for _, w := range ruleRows(r) {
		fewer, less := words.Count(w.Fewer), words.Count(w.Less)
		if w.First {
			fewer, less = "", ""
		}
		g.rows = append(g.rows, []string{w.Name, words.Count(w.Seqs), words.Count(w.Covered), fewer, less})
		legend = append(legend, w.Name+": "+w.Means)
	}
	text := fmt.Sprintf("%s. Covered: of %s operations. Fewer and less: in how many cases than in the row above.",
		strings.Join(legend, "; "), words.Count(r.Operations))
	return g.render(width) + "\n" + strings.Join(words.Wrap(text, min(width, readable)), "\n")
}

// textProblems lists the specs that could not be read. The messages are not truncated, because their ends
// are important.
func textProblems(problems []Problem) string {
	lines := []string{theme.Strong.Render(words.Plural(len(problems), "spec") + " that could not be read")}
	for _, p := range problems {
		lines = append(lines, theme.Bad.Render(theme.Failed)+" "+draw.Clean(p.Text))
	}
	return strings.Join(lines, "\n")
}
