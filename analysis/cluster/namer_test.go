package cluster

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// memberAt adds a GET operation for each path to ops. It returns a member that has one part for each of these
// operations.
func memberAt(ops *[]*model.Operation, paths []string) *member {
	m := &member{}
	for _, path := range paths {
		m.ops = append(m.ops, len(*ops))
		m.parts = append(m.parts, &member{ops: []int{len(*ops)}})
		*ops = append(*ops, &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path})
	}
	return m
}

func namerOf(ops []*model.Operation) *namer {
	tree := newResourceTree(match.New(ops, match.DefaultMode), ops)
	return &namer{newCandidates(ops, tree, tree.areas(ops)), map[*member]string{}, map[string]bool{}}
}

// If a name is the noun of a scope, whose elements have many different parts, the names of the largest parts are
// appended.
func TestNameOfAScope(t *testing.T) {
	for parts, want := range map[int]string{12: "users, packages, projects", 5: "users"} {
		var ops []*model.Operation
		add := func(paths ...string) *member { return memberAt(&ops, paths) }
		packages := add("/users/{id}/packages", "/users/{id}/packages/{name}", "/users/{id}/packages/{name}/versions")
		projects := add("/users/{id}/projects", "/users/{id}/projects/{number}", "/users/{id}/projects/{number}/items")
		paths := []string{"/users", "/users/{id}"}
		for i := range parts - 2 {
			paths = append(paths, "/users/{id}/part"+string(rune('a'+i)))
		}
		users := joined(add(paths...), joined(packages, projects))
		users.parts = []*member{users.parts[0], packages, projects}
		carts := add("/carts", "/carts/{id}", "/carts/{id}/items")
		n := namerOf(ops)
		if n.nameAll([]*member{users, carts}, ""); n.names[users] != want {
			t.Errorf("%d parts: got %q, want %q", parts, n.names[users], want)
		}
	}
}

// If the only common noun of a cluster's operations is the name of another cluster, the cluster gets this noun with
// "(other)". It is not named after nouns that only a few of its operations have.
func TestNameOfTheRest(t *testing.T) {
	var ops []*model.Operation
	add := func(paths ...string) *member { return memberAt(&ops, paths) }
	rest := add(
		"/repos", "/repos/{id}", "/repos/{id}/activity", "/repos/{id}/forks", "/repos/{id}/languages", "/repos/{id}/license",
		"/repos/{id}/readme", "/repos/{id}/tags", "/repos/{id}/topics", "/repos/{id}/traffic", "/repos/{id}/watchers",
	)
	branches := add("/repos/{id}/branches", "/repos/{id}/branches/{name}", "/repos/{id}/branches/{name}/rules")
	users := add("/users", "/users/{id}", "/users/{id}/keys")
	n := namerOf(ops)
	repos := joined(rest, branches)
	n.nameAll([]*member{repos, users}, "")
	got := []string{n.names[repos], n.names[rest], n.names[branches], n.names[users]}
	if want := []string{"repos", "repos (other)", "branches", "users"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
