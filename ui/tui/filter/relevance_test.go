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

// The nearest operations have the highest relevance.
func TestRelevance(t *testing.T) {
	spec := pods()
	index := NewIndex(spec)
	for text, want := range map[string][]string{
		"pods": {
			"createPod listPod", "createPodEviction readPod", "listSpec", "listTripod", "createNode replaceNode", "listNode",
		},
		"/PODS":                      {"createPod listPod", "createPodEviction readPod", "listSpec", "readPreviewOdeSystems"},
		"GET /pods":                  {"listPod", "readPod", "listSpec", "readPreviewOdeSystems"},
		"get  /pods":                 {"listPod", "readPod", "listSpec", "readPreviewOdeSystems"},
		"/pods get":                  {"listPod", "readPod", "listSpec", "readPreviewOdeSystems"},
		`"POST /pods"`:               {"createPod", "createPodEviction"},
		"POST /pods/{name}/eviction": {"createPodEviction"},
		"readPod":                    {"readPod", "readPreviewOdeSystems"},
		"createpod":                  {"createPod", "createPodEviction"},
		"create pod":                 {"createPod createPodEviction", "createNode"},
		"podes":                      {"listSpec readPreviewOdeSystems"},
		"For pods":                   {"createNode", "replaceNode"},
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
	if got := Parse("pods", index).Relevance("GET /elsewhere"); got != inLetters {
		t.Errorf("an unknown operation has relevance %d", got)
	}
}
