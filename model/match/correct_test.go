package match_test

import (
	"testing"

	"sonde/model"
	"sonde/model/match"
)

func TestCorrections(t *testing.T) {
	spec := parse(t, repositories, repositorySchemas)
	wrong := model.ValueCorrection{Value: "user.nothing", Kind: "attribute"}
	m := match.New(spec.Operations, match.DefaultMode,
		model.ValueCorrection{Value: "user.login", In: "/repos", Field: "/owner/login", Kind: "attribute"},
		model.ValueCorrection{Value: "repository.forks", Kind: "reference", Is: "organization.login"},
		model.ValueCorrection{Value: "repository.id", Is: "code.number"},
		wrong,
	)
	got := map[string]match.ValueUse{}
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			got[string(op.ID)+" "+u.Pointer+map[bool]string{true: u.Name}[u.Pointer == ""]] = u
		}
	}
	const says = "the configuration says so"
	for at, want := range map[string]struct {
		id, entity, why string
		kind            match.Kind
		reference       bool
	}{
		"GET /repos/{owner}/{repo} /owner/login": {"user.login", "user", "", match.KindAttribute, false},
		"GET /repos/{owner}/{repo} owner":        {"user.login", "user", "a path has it", match.KindReference, true},
		"GET /repos/{owner}/{repo} /forks":       {"organization.login", "organization", says, match.KindReference, true},
		"GET /repos/{owner}/{repo} /id":          {"code.number", "code", says, match.KindIdentifier, false},
	} {
		u := got[at]
		if u.ID != want.id || u.Entity() != want.entity || u.Kind != want.kind || u.IsReference != want.reference ||
			u.KindWhy() != want.why {
			t.Errorf("%s: got %q of %q, %s (%s), reference %v", at, u.ID, u.Entity(), u.Kind, u.KindWhy(), u.IsReference)
		}
	}
	if list := m.UnfittingCorrections(); len(list) != 1 || list[0] != wrong {
		t.Errorf("corrections that fit nothing: got %v", list)
	}
}

// CorrectionsOf returns the corrections that changed a value, each with the value before the correction.
func TestCorrectionsOf(t *testing.T) {
	spec := parse(t, repositories, repositorySchemas)
	first := model.ValueCorrection{Value: "repository.id", Is: "code.number"}
	second := model.ValueCorrection{Value: "code.number", In: "/repos", Kind: model.KindAttribute}
	m := match.New(spec.Operations, match.DefaultMode, first, second)
	seen := 0
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			applied := m.CorrectionsOf(op, u)
			switch {
			case u.ID != "code.number" && len(applied) > 0:
				t.Errorf("%s: %s has %d corrections", op.ID, u.Name, len(applied))
			case u.ID != "code.number" || !second.IsAbout(op):
				continue
			case len(applied) != 2 || applied[0].ValueCorrection != first || applied[1].ValueCorrection != second:
				t.Errorf("%s: got %+v", op.ID, applied)
			default:
				seen++
				if a, b := applied[0].Before, applied[1].Before; a.ID != "repository.id" || b.ID != "code.number" || !b.Kind.Links() {
					t.Errorf("%s: it was %s before the first and %s (%s) before the second", op.ID, a.ID, b.ID, b.Kind)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no value was corrected twice")
	}
}
