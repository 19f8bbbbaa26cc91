package model

import "strings"

// ValueCorrection is what the user says, or traffic shows, about a value that the matcher of values takes for another one,
// or for one of another kind.
type ValueCorrection struct {
	// Value is the identity that the matcher gives it, such as "team.slug".
	Value string
	// In is the beginning of the paths of the operations that it is about, in whole segments, such as "/orgs/{org}/teams". It
	// is "" for all operations.
	In string
	// Field is the name or the JSON pointer of the value in these operations, "" for all.
	Field string
	// Kind is the kind that the value has instead, "" for the same.
	Kind ValueKind
	// Is is the identity that the value has instead, "" for the same.
	Is string
	// Evidence is what traffic shows, in a few words, "" if the user says it.
	Evidence string
}

// IsAbout reports whether the correction is about values of an operation.
func (c ValueCorrection) IsAbout(op *Operation) bool {
	below, ok := strings.CutPrefix(op.Path, strings.TrimSuffix(c.In, "/"))
	return ok && (below == "" || below[0] == '/' || below[0] == ':')
}

// HasScopeOf reports whether two corrections are about the same value in the same operations and fields.
func (c ValueCorrection) HasScopeOf(other ValueCorrection) bool {
	return c.Value == other.Value && c.Field == other.Field && strings.TrimSuffix(c.In, "/") == strings.TrimSuffix(other.In, "/")
}
