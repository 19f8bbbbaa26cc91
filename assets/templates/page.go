package templates

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
)

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
	// RunPage is the page of a run, ComparePage that of two runs, and RunParts has the templates of both.
	//
	//go:embed page/run.html
	RunPage string
	//go:embed page/compare.html
	ComparePage string
	//go:embed page/runparts.html
	RunParts string
	// RunScript is the script of both. LiveScript is that of a page that follows a running search; it comes after RunScript.
	//
	//go:embed page/run.js
	RunScript string
	//go:embed page/live.js
	LiveScript string
)

// ScriptHash returns the hash of a script for a Content-Security-Policy.
func ScriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
