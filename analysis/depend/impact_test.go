package depend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// showImpact returns an impact as lines. The first line has the effect and the entity. Each level has a line with its
// operations. "?" marks an operation that does not require the element.
func showImpact(i Impact) string {
	lines := []string{fmt.Sprint(i.Effect, " ", i.Entity)}
	for _, l := range i.Levels {
		var ids []string
		for _, g := range l.Groups {
			for _, op := range g.Operations {
				ids = append(ids, string(op.Op)+map[bool]string{false: "?"}[op.Required])
			}
		}
		text := strings.Join(ids, ", ")
		switch {
		case l.Unlinked:
			text = "unlinked: " + text
		case l.Below != "":
			text = "below: " + text
		case l.SharedField != "":
			text = l.SharedField + ": " + text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

func TestImpact(t *testing.T) {
	tests := []struct{ target, want string }{
		{
			"DELETE /repos/{owner}/{repo}", "deletes repository\n" +
				"below: POST /repos/{owner}/{repo}/issues, GET /repos/{owner}/{repo}/issues/{number}, GET /repos/{owner}/{repo}\n" +
				"PUT /teams/{slug}/repos/{owner}/{repo}, DELETE /teams/{slug}/repos/{owner}/{repo}",
		},
		{
			"POST /repos/{owner}/{repo}/issues", "creates issue\nGET /repos/{owner}/{repo}/issues/{number}",
		},
		{"DELETE /teams/{slug}/repos/{owner}/{repo}", "detaches repository"},
		{"PUT /teams/{slug}/repos/{owner}/{repo}", "attaches repository\nDELETE /teams/{slug}/repos/{owner}/{repo}"},
	}
	p := plannerOf(&model.Spec{Operations: codeHost()})
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			got, ok := p.Impact(model.OpID(tt.target))
			if !ok || showImpact(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", showImpact(got), tt.want)
			}
		})
	}
	if _, ok := p.Impact("GET /nowhere"); ok {
		t.Error("an unknown operation has an impact")
	}
}

// If all operations that create an element stop working, operations that use such an element are affected, too.
func TestImpactLevels(t *testing.T) {
	all := []*model.Operation{
		op("POST /products", answer("201", object("id", "title"))),
		op("DELETE /products/{id}"),
		op("POST /carts", body(object("productId")), bodyRequired, answer("201", object("id", "total"))),
		op("GET /carts/{id}", answer("200", object("id", "total"))),
	}
	p := plannerOf(&model.Spec{Operations: all})
	got, _ := p.Impact("DELETE /products/{id}")
	if want := "deletes product\nPOST /carts\nGET /carts/{id}"; showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
	if !strings.Contains(got.Summary(), "deletes product: 2 operations") {
		t.Errorf("summary %q", got.Summary())
	}
}

// Elements below another path of a deleted element are deleted, too. An operation whose path ends in the deleted
// element only refers to it.
func TestImpactOfOtherPaths(t *testing.T) {
	all := []*model.Operation{
		op("POST /spaces", body(object("name")), answer("201", object("id", "name"))),
		op("DELETE /spaces/{id}"),
		op("GET /apps/v1/spaces/{id}/jobs", answer("200", list(object("title")))),
		op("PUT /favourites/spaces/{id}"),
	}
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /spaces/{id}")
	if want := "deletes space\nbelow: GET /apps/v1/spaces/{id}/jobs\nPUT /favourites/spaces/{id}"; showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
}

// showResources returns a line for each resource of a level: kind, number of operations, path.
func showResources(l ImpactLevel) []string {
	var lines []string
	for _, r := range l.Resources {
		lines = append(lines, fmt.Sprintf("%s %d %s", r.Entity, len(r.Operations), r.Path))
	}
	return lines
}

// The resources that are deleted with an element are named by their kind, whatever their paths are. A resource
// without an identifier is a part of the deleted element. A user is not deleted with a repository.
func TestImpactResources(t *testing.T) {
	all := append(codeHost(),
		op("DELETE /repos/{owner}/{repo}/issues/{number}"),
		op("PUT /repos/{owner}/{repo}/issues/{number}/lock"),
		op("GET /repos/{owner}/{repo}/topics", answer("200", object("names"))),
		op("PUT /repos/{owner}/{repo}/collaborators/{login}"),
		op("GET /repos/{owner}/{repo}/watchers", answer("200", list(codeHostUser()))),
	)
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /repos/{owner}/{repo}")
	want := []string{"issue 4 /repos/{owner}/{repo}/issues/{number}", "repository 1 /repos/{owner}/{repo}", " 1 /repos/{owner}/{repo}"}
	if lines := showResources(got.Levels[0]); !slices.Equal(lines, want) {
		t.Errorf("deleted: got %q, want %q", lines, want)
	}
	want = []string{"user 1 /repos/{owner}/{repo}/collaborators/{login}", "user 1 /repos/{owner}/{repo}/watchers"}
	if lines := showResources(got.Levels[1]); !got.Levels[1].Unlinked || !slices.Equal(lines, want) {
		t.Errorf("unlinked: got %q, want %q", lines, want)
	}
}

// Members of a deleted element are not deleted with it. An element is a member if other operations identify it in a
// path without the deleted element, by the same value or by another one. Elements that are created inside the deleted
// element are deleted with it, even if elements of the same kind exist elsewhere.
func TestImpactOfMembers(t *testing.T) {
	hook := func() *model.Schema {
		s := object("id", "url")
		s.Name = "hook"
		return s
	}
	all := append(codeHost(),
		op("POST /orgs/{org}/runners", body(object("name")), answer("201", object("id", "name"))),
		op("GET /orgs/{org}/runners/{runner_id}", answer("200", object("id", "name"))),
		op("POST /orgs/{org}/groups", body(object("name")), answer("201", object("id", "name"))),
		op("DELETE /orgs/{org}/groups/{group_id}"),
		op("PUT /orgs/{org}/groups/{group_id}/runners/{runner_id}"),
		op("DELETE /orgs/{org}/groups/{group_id}/repositories/{repository_id}"),
		op("POST /orgs/{org}/groups/{group_id}/hooks", body(object("url")), answer("201", hook())),
		op("GET /orgs/{org}/groups/{group_id}/hooks/{hook_id}", answer("200", hook())),
		op("POST /orgs/{org}/hooks", body(object("url")), answer("201", hook())),
		op("GET /orgs/{org}/hooks/{hook_id}", answer("200", hook())),
	)
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /orgs/{org}/groups/{group_id}")
	want := "deletes group\n" +
		"below: POST /orgs/{org}/groups/{group_id}/hooks, GET /orgs/{org}/groups/{group_id}/hooks/{hook_id}\n" +
		"unlinked: DELETE /orgs/{org}/groups/{group_id}/repositories/{repository_id}, " +
		"PUT /orgs/{org}/groups/{group_id}/runners/{runner_id}"
	if showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
	want = "with 2 operations there; 2 operations there only link it to what remains; elsewhere, 0"
	if text := got.Summary(); !strings.Contains(text, want) {
		t.Errorf("summary %q", text)
	}
}

// /watch/pods/{id} and /pods/{id} identify the same element. The path with /watch does not mean that the element also
// exists elsewhere.
func TestImpactOfModes(t *testing.T) {
	all := []*model.Operation{
		op("POST /pods", answer("201", object("id"))), op("DELETE /pods/{id}"),
		op("POST /nodes", answer("201", object("id"))), op("GET /nodes/{id}"), op("GET /pods/{id}"),
		op("GET /watch/pods/{id}"), op("GET /watch/nodes/{id}"),
	}
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /pods/{id}")
	if want := "deletes pod\nbelow: GET /pods/{id}, GET /watch/pods/{id}"; showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
}

// An operation may use values of the kind that the deleted element's operations create, but in a path through another
// element. Such an operation is not affected: the version of a gist is not a commit of a repository.
func TestImpactOfOtherScopes(t *testing.T) {
	commit := func() *model.Schema {
		s := object("sha", "text")
		s.Name = "commit"
		return s
	}
	all := append(codeHost(),
		op("POST /repos/{owner}/{repo}/commits", body(object("text")), answer("201", commit())),
		op("GET /repos/{owner}/{repo}/commits/{commit_sha}", answer("200", commit())),
		op("GET /gists/{gist_id}", answer("200", object("id"))),
		op("GET /gists/{gist_id}/{commit_sha}", answer("200", commit())),
		op("POST /deployments", body(object("commit_sha")), bodyRequired),
	)
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /repos/{owner}/{repo}")
	if text := showImpact(got); strings.Contains(text, "/gists") || !strings.Contains(text, "POST /deployments") {
		t.Errorf("got\n%s", text)
	}
}

// If most kinds of elements below a deleted element have a field, this field is no evidence that other elements refer
// to the deleted element.
func TestImpactOfSharedField(t *testing.T) {
	meta := func(more ...string) *model.Schema {
		s := with(object(more...), "metadata", &model.Schema{Type: "object", Properties: []model.Property{
			{Name: "name", Schema: &model.Schema{Type: "string"}}, {Name: "space", Schema: &model.Schema{Type: "string"}},
		}})
		return s
	}
	all := []*model.Operation{
		op("POST /spaces", body(object("name")), answer("201", object("name"))),
		op("DELETE /spaces/{space}"),
		op("GET /spaces/{space}", answer("200", object("name"))),
		op("POST /spaces/{space}/jobs", body(meta("title")), bodyRequired),
		op("GET /spaces/{space}/jobs/{job}"),
		op("POST /spaces/{space}/pods", body(meta("image")), bodyRequired),
		op("GET /spaces/{space}/pods/{pod}"),
		op("POST /nodes", body(meta("address")), bodyRequired),
		op("POST /grants", body(object("space")), bodyRequired),
	}
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /spaces/{space}")
	want := "deletes space\nbelow: POST /spaces/{space}/jobs, GET /spaces/{space}/jobs/{job}, POST /spaces/{space}/pods, " +
		"GET /spaces/{space}/pods/{pod}, GET /spaces/{space}\nPOST /grants\n/metadata/space: POST /nodes?"
	if showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
	if text := got.Summary(); !strings.Contains(text, "elsewhere, 1 operation takes it") {
		t.Errorf("summary %q", text)
	}
}

// Elements of two collections are different even if they have the same name.
func TestImpactKeepsCollectionsApart(t *testing.T) {
	hook := func() *model.Schema {
		s := object("id", "url")
		s.Name = "hook"
		return s
	}
	all := []*model.Operation{
		op("POST /orgs/{org}/hooks", answer("201", hook())),
		op("GET /orgs/{org}/hooks/{hook_id}", answer("200", hook())),
		op("DELETE /orgs/{org}/hooks/{hook_id}"),
		op("POST /stores/{store}/hooks", answer("201", hook())),
		op("GET /stores/{store}/hooks/{hook_id}", answer("200", hook())),
	}
	got, _ := plannerOf(&model.Spec{Operations: all}).Impact("DELETE /orgs/{org}/hooks/{hook_id}")
	if want := "deletes hook\nbelow: GET /orgs/{org}/hooks/{hook_id}"; showImpact(got) != want {
		t.Errorf("got\n%s\nwant\n%s", showImpact(got), want)
	}
}
