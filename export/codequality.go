package export

import (
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"sonde/model"
)

// The members of a code quality report of GitLab, which is a part of the format of Code Climate.
type (
	qualityIssue struct {
		Description string          `json:"description"`
		Check       string          `json:"check_name"`
		Fingerprint string          `json:"fingerprint"`
		Severity    string          `json:"severity"` // info, minor, major, critical or blocker
		Location    qualityLocation `json:"location"`
	}
	qualityLocation struct {
		Path  string       `json:"path"`
		Lines qualityLines `json:"lines"`
	}
	qualityLines struct {
		Begin int `json:"begin"`
	}
)

// WriteCodeQuality writes a run as a code quality report of GitLab, with the faults that WriteSARIF has, too. GitLab
// compares the fingerprints with those of the target branch, so known faults are in the report.
func WriteCodeQuality(w io.Writer, r Report, spec SpecFile) error {
	issues, prints := []qualityIssue{}, fingerprinter{map[model.FaultKey]int{}}
	path := cmp.Or(pathOfURI(spec.URI), "openapi") // GitLab needs a path
	for _, f := range r.sarifFaults() {
		issues = append(issues, qualityIssue{
			Description: printableLine(remark(faultText(f), maxAnnotation)),
			Check:       ruleID(f.Oracle),
			Fingerprint: prints.of(f)["primaryLocationLineHash"],
			Severity:    qualitySeverity(f.Severity),
			Location:    qualityLocation{Path: path, Lines: qualityLines{Begin: max(spec.Lines[f.Op], 1)}},
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(issues)
}

func qualitySeverity(s model.Severity) string {
	if s == model.SeverityError {
		return "critical"
	}
	return "major"
}

// pathOfURI returns the path that a relative URI is written for, or an absolute URI itself.
func pathOfURI(uri string) string {
	if strings.Contains(uri, "://") {
		return uri
	}
	path, err := url.PathUnescape(strings.TrimPrefix(uri, "./"))
	if err != nil {
		return uri
	}
	return path
}
