package correct

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// The names of the scopes. The box offers collection only for paths that end in a parameter. It offers asWritten only
// for corrections that the user wrote into the configuration file by hand.
const (
	collection = "this collection and below"
	inPath     = "this path and below"
	inField    = "this field, at this path and below"
	everywhere = "everywhere"
	asWritten  = "as in the configuration"
)

// scope is a set of operations and fields in which a correction applies.
type scope struct {
	name      string
	in, field string // see model.ValueCorrection
	// base is the value as it would be without a correction in this scope.
	base match.ValueUse
	// now is the current correction of the value in the scope, nil if there is none.
	now *model.ValueCorrection
}

// scopesOf returns the scopes in which a value can be corrected. The user may have written corrections with other
// scopes into the file. The scope of the last one of these that applies is then the last scope of the result.
func scopesOf(s Subject, applied []match.AppliedCorrection) []scope {
	var all []scope
	if at := strings.LastIndex(s.Op.Path, "/{"); at > 0 && strings.HasSuffix(s.Op.Path, "}") {
		all = append(all, scope{name: collection, in: s.Op.Path[:at]})
	}
	all = append(
		all,
		scope{name: inPath, in: s.Op.Path},
		scope{name: inField, in: s.Op.Path, field: s.Use.Name},
		scope{name: everywhere},
	)
	for i := range all {
		all[i].find(s.Use, applied)
	}
	for i, a := range slices.Backward(applied) {
		if !slices.ContainsFunc(all, func(sc scope) bool { return sc.now != nil && a.HasScopeOf(*sc.now) }) {
			return append(all, scope{name: asWritten, in: a.In, field: a.Field, base: a.Before, now: &applied[i].ValueCorrection})
		}
	}
	return all
}

// find sets s.now to the correction that has exactly the scope s, and s.base to the value without this correction.
// Corrections with narrower scopes do not count for s.base, because they apply only in a part of s.
func (s *scope) find(u match.ValueUse, applied []match.AppliedCorrection) {
	s.base = u
	for i, a := range applied {
		c := s.correction()
		c.Value = a.Value
		switch {
		case a.HasScopeOf(c):
			s.base, s.now = a.Before, &applied[i].ValueCorrection
			return
		case s.contains(a.ValueCorrection):
			s.base = a.Before
			return
		}
	}
}

// contains reports whether a correction applies only within the scope.
func (s *scope) contains(c model.ValueCorrection) bool {
	return (s.field == "" || s.field == c.Field) && s.correction().IsAbout(&model.Operation{Path: c.In})
}

// correction returns an empty correction with the scope.
func (s *scope) correction() model.ValueCorrection {
	return model.ValueCorrection{Value: s.base.ID, In: s.in, Field: s.field}
}

// isAbout reports whether a correction in the scope applies to a value of an operation.
func (s *scope) isAbout(m *match.Matcher, op *model.Operation, u match.ValueUse) bool {
	switch c := s.correction(); {
	case !c.IsAbout(op) || s.field != "" && s.field != u.Name && s.field != u.Pointer:
		return false
	case u.ID == s.base.ID:
		return true
	}
	if s.now == nil {
		return false
	}
	for _, a := range m.CorrectionsOf(op, u) {
		if a.ValueCorrection == *s.now {
			return true
		}
	}
	return false
}

// place describes the scope.
func (s *scope) place() string {
	text := "in all operations"
	if s.in != "" {
		text = "at " + s.in + " and below"
	}
	if s.field != "" {
		text = s.field + " " + text
	}
	return draw.Clean(text)
}
