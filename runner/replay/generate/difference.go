package generate

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"sonde/model"
)

// Difference is a line of the file that SONDE_DIFFERENCES names. An exported test writes a line
// when it begins, and a line for each difference from the recording.
type Difference struct {
	Test   string           `json:"test"` // name of the Go function
	ID     string           `json:"id"`   // ID of the test
	Begin  bool             `json:"begin,omitempty"`
	Oracle model.MockOracle `json:"oracle,omitempty"`
	Wanted int              `json:"wanted,omitempty"` // index of the expected outward call, -1 for the answer
	In     model.Location   `json:"in,omitempty"`
	Name   string           `json:"name,omitempty"`
	Want   json.RawMessage  `json:"want,omitempty"`
	Got    json.RawMessage  `json:"got,omitempty"`
	What   string           `json:"what,omitempty"`
}

// SetUpOracle is the oracle of differences in calls before the call under test.
const SetUpOracle model.MockOracle = "setup"

// maxLine is the maximum length of a line of differences, in bytes.
const maxLine = 32 << 20

// ReadDifferences reads lines of differences. Lines that cannot be decoded, such as a truncated last line,
// are left out.
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
	// Passed has, for each function that ran, whether it passed.
	Passed      map[string]bool
	Differences []Difference
}

// testIDs returns the IDs of the tests by their functions.
func (r ReplayRun) testIDs() map[string]string {
	all := map[string]string{}
	for _, d := range r.Differences {
		all[d.Test] = d.ID
	}
	return all
}

// oracleOf returns the oracle of a function by its name, "" if the function has all oracles.
func oracleOf(function string) model.MockOracle {
	for _, o := range model.MockOracles {
		if strings.HasSuffix(function, "_"+strings.ToUpper(string(o))) {
			return o
		}
	}
	return ""
}
