package model

import "strings"

// ValueCorrection corrects the identity or the kind that the matcher assigns to a value. It comes from the
// user or from traffic.
type ValueCorrection struct {
	// Value is the identity that the matcher assigns, such as "team.slug".
	Value string
	// In is the beginning of the paths of the operations to which the correction applies, in whole segments, such as
	// "/orgs/{org}/teams". It is "" for all operations.
	In string
	// Field is the name or the JSON pointer of the value in these operations. It is "" for all fields with the value.
	Field string
	// Kind is the correct kind, "" if the kind is not corrected.
	Kind ValueKind
	// Is is the correct identity, "" if the identity is not corrected.
	Is string
	// Evidence describes the evidence from traffic in a few words. It is "" if the user made the
	// correction.
	Evidence string
}

// IsAbout reports whether the correction applies to values of an operation.
func (c ValueCorrection) IsAbout(op *Operation) bool {
	below, ok := strings.CutPrefix(op.Path, strings.TrimSuffix(c.In, "/"))
	return ok && (below == "" || below[0] == '/' || below[0] == ':')
}

// HasScopeOf reports whether two corrections apply to the same value in the same operations and fields.
func (c ValueCorrection) HasScopeOf(other ValueCorrection) bool {
	return c.Value == other.Value && c.Field == other.Field && strings.TrimSuffix(c.In, "/") == strings.TrimSuffix(other.In, "/")
}
