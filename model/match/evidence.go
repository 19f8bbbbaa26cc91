package match

import "fmt"

// Evidence grades how strongly the document says which value a use is of. A higher grade is stronger.
type Evidence int8

// The grades.
const (
	// EvidenceGuess is a description in prose, the form of a text, or that only one entity has such an attribute.
	EvidenceGuess Evidence = iota + 1
	// EvidenceName is the name of the use or of its type. For example, customerId names a customer. Values that are matched
	// by name have this grade.
	EvidenceName
	// EvidencePlace is the place of the use: it is in a path, in a header such as Location, or in an object that a
	// component or the resource of the operation describes.
	EvidencePlace
	// EvidenceDeclared is a link of the document, a correction that says which value it is, or traffic.
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

// Weight restricts uses of values by their kind and by their evidence. The zero value restricts nothing.
type Weight struct {
	// Links leaves out attributes, see [Kind.Links].
	Links bool
	// Evidence is the lowest grade of uses that are not left out.
	Evidence Evidence
}

// IsZero reports whether the weight restricts nothing.
func (w Weight) IsZero() bool { return w == Weight{} }

// allows reports whether a use is not left out.
func (w Weight) allows(u *ValueUse) bool {
	return u.Evidence >= w.Evidence && (!w.Links || u.Kind.Links())
}
