package templates

import _ "embed"

// The pages of reports, for html/template. The pages are self-contained: they include their style, script and
// drawings.
var (
	// ReportStyle is the style of all pages, as the template "style".
	//
	//go:embed page/style.html
	ReportStyle string
	// SurveyPage is the page of a survey.
	//
	//go:embed page/survey.html
	SurveyPage string
	// StudyPage is the page of a study.
	//
	//go:embed page/study.html
	StudyPage string
	// EvaluationPage is the page of tests of recordings.
	//
	//go:embed page/evaluation.html
	EvaluationPage string
)
