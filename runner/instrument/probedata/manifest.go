package probedata

import (
	"encoding/json"
	"fmt"
	"os"

	"sonde/model"
)

// FormatVersion is the version of the manifest's format.
const FormatVersion = 4

// Manifest describes the probes of a binary: the size of their memory, and which parts of the
// memory have the scores of which targets. It is stored as a JSON file next to the binary.
type Manifest struct {
	Version int    `json:"version"`
	Build   uint64 `json:"build,string"` // digest of the probed source; the shared file has the same number
	Go      string `json:"go"`           // the Go release that compiled it
	Package string `json:"package"`      // import path of the main package
	// Net means that the binary contains the virtual network.
	Net bool `json:"net,omitempty"`
	// Preds is the number of predicates. The shared file has two slots for each, with the distances
	// of its outcomes. Hits is the number of bytes for hits, of which byte 0 is not used.
	Preds int `json:"predicates"`
	Hits  int `json:"hits"`
	// Address is the address of the probes' memory, over which the service maps the shared
	// file.
	Address uint64        `json:"address"`
	Files   []SourceFile  `json:"files"`
	Targets []Target      `json:"targets"`
	Skipped []SkippedFile `json:"skipped,omitempty"`
	// Constants are the constants with which the probed source compares values.
	Constants []model.Constant `json:"constants,omitempty"`
	// Documents are the documents that the probed source decodes, except those of requests to the service.
	Documents []Document `json:"documents,omitempty"`
	// Calls are the methods of gRPC for which the source, or a package that it imports, has a client. StatusCodes are the
	// codes of gRPC to which the probed source refers.
	Calls       []GRPCMethod `json:"calls,omitempty"`
	StatusCodes []int        `json:"status_codes,omitempty"`
	// Results describe what the probed source reads from the results of queries to databases.
	Results []QueryResult `json:"results,omitempty"`
	// Drivers are the names of the databases for which the service has a driver. Only those databases are
	// listed whose host speaks first on a connection, such as MySQL.
	Drivers []string `json:"drivers,omitempty"`
	// Headers are the names of the HTTP headers and of the gRPC metadata that the probed source reads.
	Headers []string `json:"headers,omitempty"`
	// Readable are examples of strings that parsers in the probed source accept.
	Readable []string `json:"readable,omitempty"`
	// Patterns are the constant regular expressions in the probed source.
	Patterns []string `json:"patterns,omitempty"`
	// Lengths are the constants with which the probed source compares the lengths of strings, and
	// of slices of bytes and runes.
	Lengths []int `json:"lengths,omitempty"`
	// Separators are the strings at which the probed source splits other strings, and the beginnings and ends for which
	// it checks strings.
	Separators *Separators `json:"separators,omitempty"`
}

// SourceFile is a source file with probes.
type SourceFile struct {
	Package string `json:"package"`
	Name    string `json:"name"` // import path and base name, as in Go's cover profiles
	Path    string `json:"path"` // on disk
	// Sum is the SHA-256 of the source that was built, in hex; older manifests have none.
	Sum string `json:"sum,omitempty"`
}

// SkippedFile is a source file or package without probes.
type SkippedFile struct {
	Path string `json:"path"`
	Why  string `json:"why"` // the reason
}

// TargetKind is the kind of a target.
type TargetKind string

// The kinds of targets. The targets of the EvoMaster paper (section 4.3) are
// statements, calls that return without an exception, and branches.
const (
	Statement      TargetKind = "statement"       // a block of statements was reached
	CallCompleted  TargetKind = "call"            // a statement with a call was completed
	BranchTrue     TargetKind = "true"            // a condition was true
	BranchFalse    TargetKind = "false"           // a condition was false
	ConditionTrue  TargetKind = "condition true"  // an operand of && or || was true
	ConditionFalse TargetKind = "condition false" // an operand of && or || was false
	SwitchCase     TargetKind = "case"            // a case of a switch was chosen
	TypeCase       TargetKind = "type case"       // a case of a type switch was chosen
	SelectCase     TargetKind = "select case"     // a case of a select was chosen
	LoopEntered    TargetKind = "loop entered"    // the body of a loop was run
	LoopSkipped    TargetKind = "loop skipped"    // the body of a loop was not run
	QueryRows      TargetKind = "rows"            // a query returned rows, or an UPDATE or DELETE changed some
	QueryNoRows    TargetKind = "no rows"         // there were no such rows
	Panics         TargetKind = "panics"          // an operation panicked because of its operands
	NoPanic        TargetKind = "no panic"        // an operation that panics for some operands did not
)

// Kinds lists the kinds in the order of a report.
var Kinds = []TargetKind{
	Statement, CallCompleted, BranchTrue, BranchFalse, ConditionTrue, ConditionFalse, SwitchCase, TypeCase, SelectCase,
	LoopEntered, LoopSkipped, QueryRows, QueryNoRows, Panics, NoPanic,
}

// IsBranch reports whether targets of the kind are outcomes of a branch. Operands
// of a condition, statements, calls and operations that may panic are not.
func (k TargetKind) IsBranch() bool {
	switch k {
	case BranchTrue, BranchFalse, SwitchCase, TypeCase, SelectCase, LoopEntered, LoopSkipped, QueryRows, QueryNoRows:
		return true
	}
	return false
}

// Target is a place or an outcome in the source that a test can cover.
type Target struct {
	// ID is made of the file's name, line, column and kind. The same source has the same IDs.
	ID   string     `json:"id"`
	Kind TargetKind `json:"kind"`
	File int        `json:"file"` // index in Files
	Line int        `json:"line"`
	Col  int        `json:"col"`
	// EndLine and EndCol are the end of a block, and Statements is the number of its
	// statements, as in Go's cover profiles. They are 0 for targets of other kinds.
	EndLine    int    `json:"end_line,omitempty"`
	EndCol     int    `json:"end_col,omitempty"`
	Statements int    `json:"statements,omitempty"`
	Label      string `json:"label,omitempty"` // the source, shortened
	// Hit is the index of the byte that is set when the target is covered. Near is the index
	// of the byte that is set when the target was reached but perhaps not completed. 0 means
	// that there is no such byte.
	Hit  int `json:"hit,omitempty"`
	Near int `json:"near,omitempty"`
	// Terms compute scores from slots. The score of the target is the highest of these scores. It is at least ½ if the
	// byte Near is set, and 1 if the byte Hit is set.
	Terms []ScoreTerm `json:"terms,omitempty"`
}

// ScoreTerm maps the score s of a predicate's outcome to the score of a target: Base + Scale·s. For example, if the
// target is the outcome true of a && b, the score of a is mapped to the lower half of the scores and that of b to the
// upper half; see Conjunction.
type ScoreTerm struct {
	Pred int `json:"pred"`
	// Outcome is 0 for true and 1 for false. For a switch it is the index of the case.
	Outcome int     `json:"outcome,omitempty"`
	Base    float64 `json:"base,omitempty"`
	Scale   float64 `json:"scale"`
	// Case is the constant of the case, if the predicate is the tag of a switch.
	Case string `json:"case,omitempty"`
}

// SlotIndex returns the index of the outcome's slot in the shared file.
func (t ScoreTerm) SlotIndex() int { return 2*t.Pred + t.Outcome }

// CountByKind returns the number of targets of each kind.
func (m *Manifest) CountByKind() map[TargetKind]int {
	n := map[TargetKind]int{}
	for _, t := range m.Targets {
		n[t.Kind]++
	}
	return n
}

// TargetSlots returns the indexes of the slots on which the score of a target depends. They are
// values of model.ComparedOperands.Slot.
func (m *Manifest) TargetSlots(target int) []int {
	var all []int
	for _, t := range m.Targets[target].Terms {
		all = append(all, t.SlotIndex())
	}
	return all
}

// ManifestPath returns the path of the manifest of a binary.
func ManifestPath(binary string) string { return binary + ".probes.json" }

// Write writes the manifest of a binary.
func (m *Manifest) Write(binary string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(ManifestPath(binary), data, 0o644)
}

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

// check returns an error if a target refers to a file, byte or slot that does not exist.
func (m *Manifest) check() error {
	for _, t := range m.Targets {
		ok := t.File >= 0 && t.File < len(m.Files) && t.Hit >= 0 && t.Hit < m.Hits && t.Near >= 0 && t.Near < m.Hits
		for _, term := range t.Terms {
			ok = ok && term.Pred >= 0 && term.Pred < m.Preds && term.Outcome >= 0 && term.SlotIndex() < 2*m.Preds
		}
		if !ok {
			return fmt.Errorf("the manifest's target %q refers to something that does not exist: build it again", t.ID)
		}
	}
	return nil
}
