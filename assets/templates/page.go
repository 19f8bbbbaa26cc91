package templates

import _ "embed"

// The pages of reports, for html/template. They need nothing from elsewhere:
// style, script and drawings are in them.
var (
	// Style is what they have in common, as the template "style".
	//
	//go:embed page/style.html
	Style string
	// Survey is the page of a survey.
	//
	//go:embed page/survey.html
	Survey string
	// Study is the page of a study.
	//
	//go:embed page/study.html
	Study string
)
