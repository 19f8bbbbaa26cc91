package cluster

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// A cluster whose only common noun is the name of another cluster gets this noun with "(other)". It is not
// named after the nouns of a few of its operations.
func TestNameOfTheRest(t *testing.T) {
	var ops []*model.Operation
	add := func(paths ...string) *member {
		m := &member{}
		for _, path := range paths {
			m.ops = append(m.ops, len(ops))
			m.parts = append(m.parts, &member{ops: []int{len(ops)}})
			ops = append(ops, &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path})
		}
		return m
	}
	rest := add(
		"/repos", "/repos/{id}", "/repos/{id}/activity", "/repos/{id}/forks", "/repos/{id}/languages", "/repos/{id}/license",
		"/repos/{id}/readme", "/repos/{id}/tags", "/repos/{id}/topics", "/repos/{id}/traffic", "/repos/{id}/watchers",
	)
	branches := add("/repos/{id}/branches", "/repos/{id}/branches/{name}", "/repos/{id}/branches/{name}/rules")
	users := add("/users", "/users/{id}", "/users/{id}/keys")
	m := match.New(ops, match.DefaultMode)
	tree := newResourceTree(m, ops)
	n := namer{newCandidates(ops, tree, tree.areas(ops)), map[*member]string{}, map[string]bool{}}
	repos := joined(rest, branches)
	n.nameAll([]*member{repos, users}, "")
	got := []string{n.names[repos], n.names[rest], n.names[branches], n.names[users]}
	if want := []string{"repos", "repos (other)", "branches", "users"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
