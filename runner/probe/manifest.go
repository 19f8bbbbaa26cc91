package probe

import (
	"encoding/json"
	"fmt"
	"os"

	"sonde/model"
)

// FormatVersion is the version of the manifest's form.
const FormatVersion = 3

// Manifest says what the probes of a binary mean. It lies beside the binary.
type Manifest struct {
	Version int    `json:"version"`
	Build   uint64 `json:"build,string"` // the probed source; the probe file must be of the same
	Go      string `json:"go"`
	Package string `json:"package"` // main's import path
	// Net tells that the binary has the virtual network.
	Net bool `json:"net,omitempty"`
	// Preds and Hits are the sizes of the probe file: predicates, each with two
	// slots, and bytes.
	Preds int `json:"predicates"`
	Hits  int `json:"hits"`
	// Address is where the probes' memory is in the binary: the file takes its place.
	Address uint64    `json:"address"`
	Files   []File    `json:"files"`
	Targets []Target  `json:"targets"`
	Skipped []Skipped `json:"skipped,omitempty"`
	// Constants are what the probed source compares with.
	Constants []model.Constant `json:"constants,omitempty"`
	// Shapes are of the JSON that the probed source reads.
	Shapes []Shape `json:"shapes,omitempty"`
	// Headers are the names of the HTTP headers that it reads.
	Headers []string `json:"headers,omitempty"`
	// Readable are texts that its parsers read.
	Readable []string `json:"readable,omitempty"`
	// Patterns are the regular expressions by which it looks for something in texts.
	Patterns []string `json:"patterns,omitempty"`
	// Lengths are those of texts by which it decides.
	Lengths []int `json:"lengths,omitempty"`
	// Separators are by what it takes texts apart.
	Separators *Separators `json:"separators,omitempty"`
}

// File is a source file with probes.
type File struct {
	Package string `json:"package"`
	Name    string `json:"name"` // import path and base name, as in Go's cover profiles
	Path    string `json:"path"` // on disk
	// Sum is the SHA-256 of what was built, in hex; older manifests have none.
	Sum string `json:"sum,omitempty"`
}

// Skipped is a file that was left plain, and why.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Kind is what a target is about.
type Kind string

// The kinds of targets.
const (
	Statement      Kind = "statement"       // a block of statements was reached
	Call           Kind = "call"            // a statement that calls was completed
	True           Kind = "true"            // a branch's outcome
	False          Kind = "false"           //
	ConditionTrue  Kind = "condition true"  // an operand's outcome in && and ||
	ConditionFalse Kind = "condition false" //
	Case           Kind = "case"            // a case of a switch
	TypeCase       Kind = "type case"       // of a type switch
	SelectCase     Kind = "select case"     // of a select
	Entered        Kind = "loop entered"
	Skip           Kind = "loop skipped"
	Rows           Kind = "rows"    // a query had rows
	NoRows         Kind = "no rows" // or none
)

// Kinds lists the kinds in the order of a report.
var Kinds = []Kind{Statement, Call, True, False, ConditionTrue, ConditionFalse, Case, TypeCase, SelectCase, Entered, Skip, Rows, NoRows}

// Target is something in the source that a test can cover.
type Target struct {
	// ID is the file's name, line, column and kind: the same for the same source.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	File int    `json:"file"` // index in Files
	Line int    `json:"line"`
	Col  int    `json:"col"`
	// EndLine, EndCol and Statements are a block's, as in Go's cover profiles.
	EndLine    int    `json:"end_line,omitempty"`
	EndCol     int    `json:"end_col,omitempty"`
	Statements int    `json:"statements,omitempty"`
	Label      string `json:"label,omitempty"` // the source, shortened
	// Hit is the byte that tells that the target is covered, Near the one that
	// tells that it was tried: from 1 on, 0 is none.
	Hit  int `json:"hit,omitempty"`
	Near int `json:"near,omitempty"`
	// Terms say how near the target is by slots; the nearest counts.
	Terms []Term `json:"terms,omitempty"`
}

// Term is a linear map of how near an outcome of a predicate is: to have a && b
// true, a is half the way, and b the other half.
type Term struct {
	Pred int `json:"pred"`
	// Outcome is 0 for true and 1 for false; of a switch, the case.
	Outcome int     `json:"outcome,omitempty"`
	Base    float64 `json:"base,omitempty"`
	Scale   float64 `json:"scale"`
	// Case is the constant of a switch's case that is no bool.
	Case string `json:"case,omitempty"`
}

// slot is where the outcome is in the probes' file.
func (t Term) slot() int { return 2*t.Pred + t.Outcome }

// Count returns the number of targets of each kind.
func (m *Manifest) Count() map[Kind]int {
	n := map[Kind]int{}
	for _, t := range m.Targets {
		n[t.Kind]++
	}
	return n
}

// ManifestPath is where the manifest of a binary is.
func ManifestPath(binary string) string { return binary + ".probes.json" }

// ReadManifest reads the manifest of a binary.
func ReadManifest(binary string) (*Manifest, error) {
	data, err := os.ReadFile(ManifestPath(binary))
	if err != nil {
		return nil, fmt.Errorf("%q has no probes: build it with sonde build: %w", binary, err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w: build it again", ManifestPath(binary), err)
	}
	if m.Version != FormatVersion {
		return nil, fmt.Errorf("%q is of version %d, this Sonde reads %d: build it again", ManifestPath(binary), m.Version, FormatVersion)
	}
	return &m, m.check()
}

// check makes sure that everything that the targets refer to is there.
func (m *Manifest) check() error {
	for _, t := range m.Targets {
		ok := t.File >= 0 && t.File < len(m.Files) && t.Hit >= 0 && t.Hit < m.Hits && t.Near >= 0 && t.Near < m.Hits
		for _, term := range t.Terms {
			ok = ok && term.Pred >= 0 && term.Pred < m.Preds && term.Outcome >= 0 && term.slot() < 2*m.Preds
		}
		if !ok {
			return fmt.Errorf("the manifest's target %q refers to what is not there: build it again", t.ID)
		}
	}
	return nil
}
