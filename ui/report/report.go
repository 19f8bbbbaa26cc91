// Package report writes a survey of many specs and a study of many runs: as text for a terminal, as CSV
// or JSON, and as an HTML page with plots. It does not measure anything.
package report

import (
	"fmt"
	"io"

	"sonde/analysis/survey"
)

// Report is a survey with the numbers of files that it is based on.
type Report struct {
	survey.Options
	Survey       survey.Survey
	Specs        int // number of specs that were read
	SkippedFiles int // number of files without a spec
	// Problems are the specs that could not be read, in order.
	Problems []Problem
}

// Problem is a spec that could not be read.
type Problem struct {
	Service string `json:"service"`
	Text    string `json:"text"`
}

// Format is a format of reports.
type Format string

// The formats.
const (
	TextFormat Format = "text"
	CSVFormat  Format = "csv"
	JSONFormat Format = "json"
	HTMLFormat Format = "html"
)

// ParseFormat returns the format with this name, or an error that lists the formats.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case TextFormat, CSVFormat, JSONFormat, HTMLFormat:
		return f, nil
	default:
		return "", fmt.Errorf("%q is not a format; use %s, %s, %s or %s", name, TextFormat, CSVFormat, JSONFormat, HTMLFormat)
	}
}

// WriteReport writes a report. width is the width of lines in the text format; other formats ignore it. The
// error is from w.
func WriteReport(w io.Writer, f Format, r Report, width int) error {
	switch f {
	case CSVFormat:
		return writeCSV(w, r.Survey.Cases)
	case JSONFormat:
		return writeJSON(w, r)
	case HTMLFormat:
		return writeHTML(w, r)
	default:
		return writeText(w, r, width)
	}
}
