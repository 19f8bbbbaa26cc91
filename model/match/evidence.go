package match

import "fmt"

// Evidence is a grade: it says how strong the evidence is that a use belongs to its value. A higher grade is stronger.
type Evidence int8

// The grades.
const (
	// EvidenceGuess is the grade of weak evidence, such as a description in prose, the form of a text, or the fact that
	// only one entity has such an attribute.
	EvidenceGuess Evidence = iota + 1
	// EvidenceName is the grade if the name of the use or of its type is the evidence. For example, customerId names a
	// customer. Values that are matched by name have this grade.
	EvidenceName
	// EvidencePlace is the grade if the place of the use is the evidence: a path, a header such as Location, or an
	// object that a component or the resource of the operation describes.
	EvidencePlace
	// EvidenceDeclared is the grade if the evidence is a link in the document, a correction, or traffic.
	EvidenceDeclared
)

// evidenceNames has the names of the grades, from EvidenceGuess on.
var evidenceNames = [...]string{"guess", "name", "place", "declared"}

// String returns the name of the grade.
func (e Evidence) String() string {
	if e < EvidenceGuess || e > EvidenceDeclared {
		return ""
	}
	return evidenceNames[e-1]
}

// ParseEvidence returns the grade called name.
func ParseEvidence(name string) (Evidence, error) {
	for i, n := range evidenceNames {
		if n == name {
			return EvidenceGuess + Evidence(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not a grade of evidence; use guess, name, place or declared", name)
}

// Weight selects uses of values by their kind and by their evidence. The zero value selects all uses.
type Weight struct {
	// Links leaves out values that do not link operations, see [Kind.Links].
	Links bool
	// Evidence is the lowest grade of the selected uses.
	Evidence Evidence
}

// IsZero reports whether the weight selects all uses.
func (w Weight) IsZero() bool { return w == Weight{} }

// allows reports whether the weight selects a use.
func (w Weight) allows(u *ValueUse) bool {
	return u.Evidence >= w.Evidence && (!w.Links || u.Kind.Links())
}
