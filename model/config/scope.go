package config

import (
	"path"
	"slices"
	"strings"

	"sonde/model"
)

// OperationScope selects the operations that Sonde calls. These are the operations that match a rule of Include and
// no rule of Exclude. An empty Include matches all operations.
type OperationScope struct{ Include, Exclude []ScopeRule }

// ScopeRule matches an operation if one of its Paths, one of its Tags and one of its Methods match. An empty list
// matches all operations.
type ScopeRule struct {
	// Paths are patterns for path templates. * matches any text within a segment, and /** at the end
	// matches the path before it and all paths below.
	Paths   []string
	Tags    []string
	Methods []string // in upper case
}

// Apply returns the spec with only the operations in scope.
func (s OperationScope) Apply(spec *model.Spec) *model.Spec {
	if len(s.Include)+len(s.Exclude) == 0 {
		return spec
	}
	less := *spec
	less.Operations = nil
	for _, op := range spec.Operations {
		fits := func(r ScopeRule) bool { return r.fits(op) }
		if (len(s.Include) == 0 || slices.ContainsFunc(s.Include, fits)) && !slices.ContainsFunc(s.Exclude, fits) {
			less.Operations = append(less.Operations, op)
		}
	}
	return &less
}

func (r ScopeRule) fits(op *model.Operation) bool {
	return (len(r.Paths) == 0 || slices.ContainsFunc(r.Paths, func(p string) bool { return matches(p, op.Path) })) &&
		(len(r.Tags) == 0 || slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(op.CaseTags(), t) })) &&
		(len(r.Methods) == 0 || slices.Contains(r.Methods, op.Method))
}

func matches(pattern, template string) bool {
	if below, ok := strings.CutSuffix(pattern, "/**"); ok {
		n := strings.Count(below, "/")
		parts := strings.Split(template, "/")
		if len(parts) <= n {
			return false
		}
		pattern, template = below, strings.Join(parts[:n+1], "/")
	}
	ok, err := path.Match(literal(pattern), template)
	return err == nil && ok
}

// literal escapes the characters that are special in a pattern of path.Match, except "*".
func literal(pattern string) string {
	return strings.NewReplacer(`\`, `\\`, `?`, `\?`, `[`, `\[`).Replace(pattern)
}

// rules decodes one rule or a list of rules.
func (r *searchDecoder) rules(to *[]ScopeRule) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			rule := ScopeRule{}
			r.decoder.object(kid, "a rule", r.rule(&rule))
			r.checkRule(kid, &rule)
			*to = append(*to, rule)
		})
	}
}

// rule returns the keys of a rule, with their decoders.
func (r *searchDecoder) rule(to *ScopeRule) fields {
	return fields{
		"path":   r.decoder.texts(&to.Paths),
		"tag":    r.decoder.texts(&to.Tags),
		"method": r.decoder.texts(&to.Methods),
	}
}

// checkRule converts the methods of a rule to upper case. It fails if the rule is empty.
func (r *searchDecoder) checkRule(at *value, rule *ScopeRule) {
	for i, m := range rule.Methods {
		rule.Methods[i] = strings.ToUpper(m)
	}
	if len(rule.Paths)+len(rule.Tags)+len(rule.Methods) == 0 {
		r.decoder.fail(at, "a rule names a path, a tag or a method")
	}
}

// RestrictedScope selects operations by a rule. Only the named users may call these operations.
type RestrictedScope struct {
	ScopeRule
	Users []string
}

// RestrictedIn returns, for each scope, the operations of a spec that only some users may call, with these users.
func RestrictedIn(spec *model.Spec, all []RestrictedScope) (found []model.RestrictedOperations) {
	for _, r := range all {
		o := model.RestrictedOperations{Users: r.Users}
		for _, op := range spec.Operations {
			if r.fits(op) {
				o.Operations = append(o.Operations, op.ID)
			}
		}
		found = append(found, o)
	}
	return found
}

// restricted decodes a list of rules with users.
func (r *searchDecoder) restricted(to *[]RestrictedScope) decodeFunc {
	return func(v *value) {
		r.decoder.each(v, func(kid *value) {
			var s RestrictedScope
			all := r.rule(&s.ScopeRule)
			all["users"] = r.decoder.texts(&s.Users)
			r.decoder.object(kid, "restricted", all)
			r.checkRule(kid, &s.ScopeRule)
			if len(s.Users) == 0 {
				r.decoder.fail(kid, "users names those who may call the operations")
			}
			*to = append(*to, s)
		})
	}
}
