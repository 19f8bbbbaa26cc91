package mimic

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"sonde/model"
)

// Difference is what came differently than it was recorded, as an exported test tells it
// in the file that SONDE_DIFFERENCES names; or that a test began.
type Difference struct {
	Test   string          `json:"test"` // the function
	ID     string          `json:"id"`   // the test's
	Begin  bool            `json:"begin,omitempty"`
	Oracle model.Oracle    `json:"oracle,omitempty"`
	Wanted int             `json:"wanted,omitempty"` // which outward call, -1 for the answer
	In     model.Place     `json:"in,omitempty"`
	Name   string          `json:"name,omitempty"`
	Want   json.RawMessage `json:"want,omitempty"`
	Got    json.RawMessage `json:"got,omitempty"`
	What   string          `json:"what,omitempty"`
}

// SetUp is the oracle of a difference that came before the call under test.
const SetUp model.Oracle = "setup"

// mostLine is how long a line of differences may be.
const mostLine = 32 << 20

// ReadDifferences reads the lines of differences. A last line that is cut short is left
// out.
func ReadDifferences(r io.Reader) ([]Difference, error) {
	var all []Difference
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostLine)
	for lines.Scan() {
		var d Difference
		if json.Unmarshal(lines.Bytes(), &d) == nil && d.Test != "" {
			all = append(all, d)
		}
	}
	return all, lines.Err()
}

// Run is what came of running the exported tests once.
type Run struct {
	// Passed tells of each function that ran whether it passed.
	Passed      map[string]bool
	Differences []Difference
}

// ids are the tests' IDs by their functions.
func (r Run) ids() map[string]string {
	all := map[string]string{}
	for _, d := range r.Differences {
		all[d.Test] = d.ID
	}
	return all
}

// oracleOf is the oracle that a function judges by, "" for all.
func oracleOf(function string) model.Oracle {
	for _, o := range model.MockOracles {
		if strings.HasSuffix(function, "_"+strings.ToUpper(string(o))) {
			return o
		}
	}
	return ""
}
