package depend

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// workflowHost returns operations like those of a code host with workflows. No operation creates runs, a PUT creates
// an environment, and two operations list repositories.
func workflowHost() []*model.Operation {
	named := func(name string, s *model.Schema) *model.Schema {
		s.Name = name
		return s
	}
	repo := func() *model.Schema { return named("repository", with(object("id", "name"), "owner", codeHostUser())) }
	run := func() *model.Schema { return named("workflow-run", object("id", "status")) }
	rule := func() *model.Schema { return named("rule", object("id", "type")) }
	environment := func() *model.Schema {
		return named("environment", with(object("id", "name"), "rules", list(rule())))
	}
	return append(codeHost(),
		op("GET /repositories", answer("200", list(repo()))),
		op("GET /user/repos", answer("200", list(repo()))),
		op("GET /repos/{owner}/{repo}/runs", answer("200", list(run()))),
		op("GET /repos/{owner}/{repo}/runs/{run_id}", answer("200", run())),
		op("POST /repos/{owner}/{repo}/runs/{run_id}/rerun"),
		op("GET /repos/{owner}/{repo}/environments/{environment_name}", answer("200", environment())),
		op("PUT /repos/{owner}/{repo}/environments/{environment_name}", answer("200", environment())),
		op("GET /repos/{owner}/{repo}/environments/{environment_name}/rules/{rule_id}", answer("200", rule())),
		op("POST /repos/{owner}/{repo}/runs/{run_id}/approvals", body(object("environment_id")), bodyRequired),
		op("GET /repos/{owner}/{repo}/approvers", answer("200", list(object("user_login")))),
	)
}

// If a path needs an element that must exist already, it does not create the elements that contain it, but finds them.
// To find them, it reads the collections in which a client creates these elements.
func TestPathsToWhatExists(t *testing.T) {
	p := plannerOf(&model.Spec{Operations: workflowHost()})
	for target, want := range map[string][]string{
		"POST /repos/{owner}/{repo}/issues": {
			"POST /user/repos; POST /repos/{owner}/{repo}/issues owner<0 repo<0",
			"GET /user/repos; POST /repos/{owner}/{repo}/issues owner<0? repo<0?",
		},
		"POST /repos/{owner}/{repo}/runs/{run_id}/rerun": {
			"GET /user/repos; GET /repos/{owner}/{repo}/runs owner<0? repo<0?; " +
				"POST /repos/{owner}/{repo}/runs/{run_id}/rerun owner<0? repo<0? run_id<1?",
			"GET /user/repos; POST /repos/{owner}/{repo}/runs/{run_id}/rerun owner<0? repo<0? run_id!",
		},
		"POST /repos/{owner}/{repo}/runs/{run_id}/approvals": {
			"GET /user/repos; PUT /repos/{owner}/{repo}/environments/{environment_name} owner<0? repo<0?; " +
				"GET /repos/{owner}/{repo}/runs owner<0? repo<0?; " +
				"POST /repos/{owner}/{repo}/runs/{run_id}/approvals owner<0? repo<0? run_id<2? environment_id<1",
		},
	} {
		var got []string
		for _, path := range p.Paths(model.OpID(target), len(want)) {
			got = append(got, showPath(path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", target, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A PUT creates the element that its answer describes. It does not create an element that is inside the described
// element.
func TestImpactOfAPut(t *testing.T) {
	p := plannerOf(&model.Spec{Operations: workflowHost()})
	got, _ := p.Impact("PUT /repos/{owner}/{repo}/environments/{environment_name}")
	want := "creates environment\n" +
		"GET /repos/{owner}/{repo}/environments/{environment_name}, " +
		"GET /repos/{owner}/{repo}/environments/{environment_name}/rules/{rule_id}, " +
		"POST /repos/{owner}/{repo}/runs/{run_id}/approvals"
	if showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
}

// An operation without an element of its own may emit values that other operations take.
func TestImpactOfMentions(t *testing.T) {
	p := plannerOf(&model.Spec{Operations: workflowHost()})
	for target, want := range map[string]string{
		"GET /repos/{owner}/{repo}/approvers":            "has no element of its own, but mentions others: other operations take user",
		"POST /repos/{owner}/{repo}/runs/{run_id}/rerun": "changes workflow-run: ",
	} {
		got, _ := p.Impact(model.OpID(target))
		if !strings.HasPrefix(got.Summary(), want) {
			t.Errorf("%s: got %q, want %q", target, got.Summary(), want)
		}
	}
}

// PUT attaches an existing element to a resource, and DELETE detaches it, in two of the cases of feeders.connects:
//   - Elements of the kind are created and read only at other paths, as the repositories of a team are.
//   - Other paths have the name of the kind before the id, as in /repos/{repo}, and this one has not: /user/starred/{repo}.
//
// An abbreviation, such as repos for repositories, counts as the name.
func TestEffectOfConnections(t *testing.T) {
	all := append(codeHost(),
		op("PUT /teams/{slug}/permissions/repositories/{repository_id}"),
		op("DELETE /teams/{slug}/permissions/repositories/{repository_id}"),
		op("PUT /user/starred/{owner}/{repo}"), op("DELETE /user/starred/{owner}/{repo}"),
	)
	f := plannerOf(&model.Spec{Operations: all}).feeders()
	for _, o := range all {
		want := map[model.OpID]Effect{
			"DELETE /repos/{owner}/{repo}":                                  EffectDeletes,
			"PUT /teams/{slug}/permissions/repositories/{repository_id}":    EffectAttaches,
			"DELETE /teams/{slug}/permissions/repositories/{repository_id}": EffectDetaches,
			"PUT /user/starred/{owner}/{repo}":                              EffectAttaches,
			"DELETE /user/starred/{owner}/{repo}":                           EffectDetaches,
		}[o.ID]
		if got := f.effect(o); want != "" && got != want {
			t.Errorf("%s: got %s, want %s", o.ID, got, want)
		}
	}
}

// Members of a deleted element still exist. Operations that use a member at the member's own path are not affected.
func TestImpactOnMembers(t *testing.T) {
	runner := func() *model.Schema {
		s := object("id", "os")
		s.Name = "runner"
		return s
	}
	all := []*model.Operation{
		op("POST /groups", answer("201", object("id", "title"))),
		op("GET /groups/{group_id}", answer("200", object("id", "title"))),
		op("DELETE /groups/{group_id}"),
		op("GET /groups/{group_id}/runners", answer("200", list(runner()))),
		op("PUT /groups/{group_id}/runners/{runner_id}"),
		op("POST /runners", body(object("group_id")), bodyRequired, answer("201", runner())),
		op("GET /runners/{runner_id}", answer("200", runner())),
		op("GET /runners/{runner_id}/logs"),
	}
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /groups/{group_id}")
	want := "deletes group\nbelow: GET /groups/{group_id}\n" +
		"unlinked: GET /groups/{group_id}/runners, PUT /groups/{group_id}/runners/{runner_id}\nPOST /runners"
	if showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
}
