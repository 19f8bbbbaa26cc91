package generate

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"sonde/model"
)

// Difference is a difference from the recording, as an exported test writes it to the file that
// SONDE_DIFFERENCES names; or the record that a test began.
type Difference struct {
	Test   string           `json:"test"` // the function
	ID     string           `json:"id"`   // the test's
	Begin  bool             `json:"begin,omitempty"`
	Oracle model.MockOracle `json:"oracle,omitempty"`
	Wanted int              `json:"wanted,omitempty"` // which outward call, -1 for the answer
	In     model.Location   `json:"in,omitempty"`
	Name   string           `json:"name,omitempty"`
	Want   json.RawMessage  `json:"want,omitempty"`
	Got    json.RawMessage  `json:"got,omitempty"`
	What   string           `json:"what,omitempty"`
}

// SetUpOracle is the oracle of a difference before the call under test.
const SetUpOracle model.MockOracle = "setup"

// maxLine bounds a line of differences.
const maxLine = 32 << 20

// ReadDifferences reads lines of differences. It leaves out a truncated last line.
func ReadDifferences(r io.Reader) ([]Difference, error) {
	var all []Difference
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var d Difference
		if json.Unmarshal(lines.Bytes(), &d) == nil && d.Test != "" {
			all = append(all, d)
		}
	}
	return all, lines.Err()
}

// ReplayRun is the result of running the exported tests once.
type ReplayRun struct {
	// Passed has each function that ran, and whether it passed.
	Passed      map[string]bool
	Differences []Difference
}

// ids are the tests' IDs by their functions.
func (r ReplayRun) ids() map[string]string {
	all := map[string]string{}
	for _, d := range r.Differences {
		all[d.Test] = d.ID
	}
	return all
}

// oracleOf returns the oracle of a function, "" for all.
func oracleOf(function string) model.MockOracle {
	for _, o := range model.MockOracles {
		if strings.HasSuffix(function, "_"+strings.ToUpper(string(o))) {
			return o
		}
	}
	return ""
}
