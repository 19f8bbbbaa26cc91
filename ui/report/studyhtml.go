package report

import (
	"io"

	"sonde/assets/templates"
	"sonde/runner/lab/study"
)

var studyPage = newPage(templates.StudyPage)

// WriteStudyHTML writes a study's tables as an HTML page, with a plot for each row.
func WriteStudyHTML(w io.Writer, t study.Tables) error {
	title, lead := studied(t)
	var plots []curvePlot
	for _, r := range t.Rows {
		if len(t.Lists) > 0 {
			break // the lists are compared by their totals
		}
		plots = append(plots, newCurvePlot(r, t.Smart))
	}
	return studyPage.ExecuteTemplate(w, "page", struct {
		Title, Lead string
		Sheets      []sheet
		Plots       []curvePlot
	}{Title: title, Lead: lead, Sheets: sheets(t), Plots: plots})
}
