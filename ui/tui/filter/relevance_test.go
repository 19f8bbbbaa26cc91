package filter

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// pods are operations as in the API of Kubernetes.
func pods() *model.Spec {
	var spec model.Spec
	add := func(method, path, name, summary string, tags ...string) {
		op := &model.Operation{ID: model.OpID(method + " " + path), Method: method, Path: path, Name: name, Summary: summary, Tags: tags}
		spec.Operations = append(spec.Operations, op)
	}
	add("GET", "/preview/{ode}/systems", "readPreviewOdeSystems", "")
	add("GET", "/nodes", "listNode", "", "pods")
	add("GET", "/nodes/{name}/tripods", "listTripod", "")
	add("POST", "/nodes", "createNode", "for pods")
	add("PUT", "/nodes/{name}", "replaceNode", "Now for pods.")
	add("GET", "/podspecs", "listSpec", "")
	add("POST", "/pods/{name}/eviction", "createPodEviction", "")
	add("GET", "/pods/{name}", "readPod", "")
	add("POST", "/pods", "createPod", "")
	add("GET", "/pods", "listPod", "")
	return &spec
}

// A name with all words as whole words comes before names with parts of them. Among such names, the one
// with the fewest other words comes first.
func TestRelevanceOfAllWords(t *testing.T) {
	var spec model.Spec
	for _, line := range []string{
		"DELETE /installations/{id}/repositories/{repository_id}: remove: Remove a repository from the installation",
		"DELETE /repos/{owner}/{repo}/subscription: delete-subscription: Delete a repository subscription",
		"DELETE /repos/{owner}/{repo}/labels/{name}: delete-label: Delete a label from all repositorys",
		"PATCH /repos/{owner}/{repo}: update: Update a repository so that users can delete it",
		"DELETE /repos/{owner}/{repo}/keys/{key}: keys/delete-repo-key: Delete a key",
		"DELETE /repos/{owner}/{repo}: repos/delete: Delete a repository.",
	} {
		parts := strings.Split(line, ": ")
		method, path, _ := strings.Cut(parts[0], " ")
		spec.Operations = append(spec.Operations, &model.Operation{
			ID: model.OpID(parts[0]), Method: method, Path: path, Name: parts[1], Summary: parts[2],
		})
	}
	index := NewIndex(&spec)
	for text, want := range map[string]string{
		"delete repository":              "repos/delete, delete-subscription, remove, update, delete-label",
		"repository delete":              "repos/delete, delete-subscription, remove, update, delete-label",
		"delete repo":                    "repos/delete, keys/delete-repo-key, delete-subscription, delete-label, update, remove",
		"delete subscription repository": "delete-subscription",
	} {
		f := Parse(text, index)
		ops := slices.DeleteFunc(slices.Clone(spec.Operations), func(op *model.Operation) bool {
			return f.Match(Row{Operations: []model.OpID{op.ID}}) != NameMatch
		})
		slices.SortStableFunc(ops, func(a, b *model.Operation) int { return cmp.Compare(f.Relevance(b.ID), f.Relevance(a.ID)) })
		var got []string
		for _, op := range ops {
			got = append(got, op.Name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %s", text, got, want)
		}
	}
}

// If the operationIds match equally well, the path decides. A word at the beginning of a segment comes before a word
// inside a segment, and a whole segment comes before a part.
func TestRelevanceOfSegments(t *testing.T) {
	var spec model.Spec
	for _, line := range []string{
		"PUT /v1/clusterrolebindings/{name} replaceV1ClusterRoleBinding",
		"PUT /v1/cluster-rolebindings/{name} replaceV1OtherRoleBinding",
		"PUT /v1/rolebindings-of/{rolebinding} replaceV1SimilarRoleBinding",
		"PUT /v1/{namespace}/rolebindings/{name} replaceV1NamespacedRoleBinding",
	} {
		parts := strings.Fields(line)
		spec.Operations = append(spec.Operations, &model.Operation{
			ID: model.OpID(parts[0] + " " + parts[1]), Method: parts[0], Path: parts[1], Name: parts[2],
		})
	}
	for _, filter := range []string{"rolebinding", "replace rolebinding", "put /rolebinding"} {
		f := Parse(filter, NewIndex(&spec))
		var last Relevance
		for _, op := range spec.Operations {
			r := f.Relevance(op.ID)
			if r <= last {
				t.Errorf("%s: the relevance of %s is %d, the one before has %d", filter, op.ID, r, last)
			}
			last = r
		}
	}
}

// The best matching operations have the highest relevance.
func TestRelevance(t *testing.T) {
	spec := pods()
	index := NewIndex(spec)
	for text, want := range map[string][]string{
		"pods": {
			"createPod listPod", "readPod", "createPodEviction", "createNode", "replaceNode", "listSpec", "listTripod", "listNode",
		},
		"/PODS":                      {"createPod listPod", "readPod", "createPodEviction", "listSpec", "readPreviewOdeSystems"},
		"GET /pods":                  {"listPod", "readPod", "listSpec", "readPreviewOdeSystems"},
		"get  /pods":                 {"listPod", "readPod", "listSpec", "readPreviewOdeSystems"},
		"/pods get":                  {"listPod", "readPod", "listSpec", "readPreviewOdeSystems"},
		`"POST /pods"`:               {"createPod", "createPodEviction"},
		"POST /pods/{name}/eviction": {"createPodEviction"},
		"readPod":                    {"readPod", "readPreviewOdeSystems"},
		"createpod":                  {"createPod", "createPodEviction"},
		"create pod":                 {"createPod", "createPodEviction", "createNode"},
		"podes":                      {"listSpec readPreviewOdeSystems"},
		"create a pod":               {"createPod", "createPodEviction", "createNode"},
		"eviction of the pod":        {"createPodEviction"},
		`"for" pods`:                 {"createNode", "replaceNode"},
		"of":                         nil,
		"now for pods":               {"replaceNode"},
		"tag:pods":                   {"listNode"},
		"!pods get":                  {"readPreviewOdeSystems"},
	} {
		f := Parse(text, index)
		found := map[Relevance][]string{}
		for _, op := range spec.Operations {
			if f.Match(Row{Operations: []model.OpID{op.ID}}) == NameMatch {
				r := f.Relevance(op.ID)
				found[r] = append(found[r], op.Name)
			}
		}
		var got []string
		for _, r := range slices.SortedFunc(maps.Keys(found), func(a, b Relevance) int { return cmp.Compare(b, a) }) {
			slices.Sort(found[r])
			got = append(got, strings.Join(found[r], " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	if got := Parse("pods", index).Relevance("GET /elsewhere"); got != relevance(inLetters, 0) {
		t.Errorf("an unknown operation has relevance %d", got)
	}
}
