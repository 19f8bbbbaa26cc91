package match_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// oddNames are names that are allowed in a document, but do not occur in real documents.
var oddNames = []string{
	"", "-", "{}", "{", "}", "0", "/", "~", "\u202e", "İ", "\xff", " ", ".", "$/", "__", "s", "id", "ids", "list",
	"get", "byId",
}

// oddPaths are paths that contain the name.
func oddPaths(name string) []string {
	return []string{
		"", "/", "//", "/{}", name, "/{" + name + "}", "/" + name + "/{" + name + "}", "/{}.{format}", "/.json",
		"/create/{create}", "/get-/" + name,
	}
}

// oddOps returns operations that have the name in each place that can have a name.
func oddOps(name string) []*model.Operation {
	list := &model.Schema{Type: "array", Items: text}
	thing := object(
		must(name, text), may(name+"Id", text), may(name+"s", list), may("data", object(must(name, text))),
		may(name, object(may(name, text))),
	)
	thing.Name = name
	var ops []*model.Operation
	for _, path := range oddPaths(name) {
		for _, method := range []string{"GET", "POST", "PUT"} {
			op := operation(body("application/json", true, thing), answer("200", thing), answer("201", list))
			op.ID, op.Method, op.Path = model.OpID(method+" "+path+name), method, path
			for _, in := range []model.Location{model.InPath, model.InQuery, model.InHeader} {
				op.Params = append(
					op.Params, model.Parameter{Name: name, In: in, Schema: whole},
					model.Parameter{Name: name, In: in, Schema: thing},
				)
			}
			op.Responses[0].Headers = []model.Parameter{{Name: "Location", Schema: text}}
			op.Responses[0].Links = []model.ResponseLink{
				{Op: op.ID, Inputs: []model.LinkInput{{Name: name, From: "$response.body#/" + name}, {From: "$response.body#"}}},
			}
			ops = append(ops, op)
		}
	}
	return ops
}

// Whatever the names are, each value has an identity, and repeated matching gives the same identities.
func TestOddNames(t *testing.T) {
	var all []*model.Operation
	for _, name := range oddNames {
		ops := oddOps(name)
		all = append(all, ops...)
		checkRepeats(t, name, ops)
	}
	checkRepeats(t, "all together", all)
}

func checkRepeats(t *testing.T, name string, ops []*model.Operation) {
	t.Helper()
	first, again := match.New(ops, match.DefaultMode), match.New(ops, match.DefaultMode)
	for _, op := range ops {
		uses := first.UsesOf(op)
		if len(uses) == 0 {
			t.Errorf("%q: %q has no values", name, op.ID)
		}
		if !slices.EqualFunc(
			uses, again.UsesOf(op),
			func(a, b match.ValueUse) bool {
				return a.ID == b.ID && a.Why == b.Why && a.IsReference == b.IsReference
			},
		) {
			t.Errorf("%q: the values of %q have other identities the second time", name, op.ID)
		}
	}
}

// A short document can have very long names and paths. Without limits, matching each of these documents would take
// hours, or more memory than there is.
func TestLongNames(t *testing.T) {
	if testing.Short() {
		t.Skip("its spec is large: left out by -short")
	}
	const long = 4000
	word := strings.Repeat("GetItem", long)
	thing := object(must(word, whole), must(word+"Id", text))
	thing.Name = word
	deep := resourceOp("GET", strings.Repeat("/a", long), thing)
	var path strings.Builder
	many := resourceOp("PUT", "/x", thing)
	for i := range long / 4 {
		fmt.Fprintf(&path, "/{p%d}", i)
		many.Params = append(many.Params, model.Parameter{Name: fmt.Sprint("p", i), In: model.InPath, Required: true, Schema: whole})
	}
	many.Path = path.String()
	checkRepeats(t, "long", []*model.Operation{deep, many, resourceOp("POST", "/items", thing)})

	m := match.New([]*model.Operation{many}, match.DefaultMode)
	if got, want := len(m.UsesOf(many)), long/4+2+2; got != want {
		t.Errorf("got %d values, want %d", got, want)
	}
}

// If all operations refer to a very large schema, they share the limit of values. Each operation still has its own
// parameters.
func TestManyLargeOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("its spec is large: left out by -short")
	}
	thing := object()
	for k := range 2000 {
		thing.Properties = append(thing.Properties, may(fmt.Sprint("a", k), text))
	}
	var ops []*model.Operation
	for i := range 1000 {
		ops = append(ops, resourceOp("GET", fmt.Sprintf("/p%d/{id}", i), thing))
	}
	m, total := match.New(ops, match.Mode{Values: match.DeepReading, Match: match.MatchByName}), 0
	for _, op := range ops {
		uses := m.UsesOf(op)
		total += len(uses)
		if uses[0].Name != "id" {
			t.Fatalf("the first value of %s is %q, want its parameter", op.ID, uses[0].Name)
		}
	}
	if total != 1_000_000 {
		t.Errorf("got %d values, want one million of the two that there are", total)
	}
}
