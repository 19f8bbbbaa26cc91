package templates

import _ "embed"

// Survey is the page of a survey, for html/template. It needs nothing from
// elsewhere: style, script and drawings are in it.
//
//go:embed survey/page.html
var Survey string
