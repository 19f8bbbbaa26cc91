package templates

import _ "embed"

// The pages of reports, for html/template. They need nothing from elsewhere:
// style, script and drawings are in them.
var (
	// ReportStyle is what they have in common, as the template "style".
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
)
