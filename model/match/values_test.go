package match_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/match"
)

var (
	text    = &model.Schema{Type: "string"}
	whole   = &model.Schema{Type: "integer"}
	product = object(must("id", whole), may("name", text), may("maker", object(may("city", text))))
)

func must(name string, s *model.Schema) model.Property {
	return model.Property{Name: name, Required: true, Schema: s}
}

func may(name string, s *model.Schema) model.Property { return model.Property{Name: name, Schema: s} }

func object(properties ...model.Property) *model.Schema {
	return &model.Schema{Type: "object", Properties: properties}
}

func list(items *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: items} }

func allOf(parts ...*model.Schema) *model.Schema { return &model.Schema{AllOf: parts} }

// looped returns a schema that contains itself, a list of itself, and another property.
func looped() *model.Schema {
	s := &model.Schema{}
	s.AllOf = []*model.Schema{s, object(may("own", text)), list(s)}
	return s
}

func operation(body *model.RequestBody, responses ...model.Response) *model.Operation {
	return &model.Operation{Body: body, Responses: responses}
}

func body(media string, required bool, s *model.Schema) *model.RequestBody {
	return &model.RequestBody{Name: "payload", Required: required, Contents: []model.Content{{Media: media, Schema: s}}}
}

func answer(status string, s *model.Schema) model.Response {
	return model.Response{Status: status, Contents: []model.Content{{Media: "application/json", Schema: s}}}
}

// named has the fields of a ValueUse that tests compare.
type named struct {
	name     string
	required bool
	in       model.Location
	pointer  string
}

// uses returns the values that an operation takes or emits.
func uses(op *model.Operation, r match.Reading, out bool) []named {
	var all []named
	for _, u := range match.New([]*model.Operation{op}, modeOf(r)).UsesOf(op) {
		if u.Out == out {
			all = append(all, named{name: u.Name, required: u.Required, in: u.In, pointer: u.Pointer})
		}
	}
	return all
}

func modeOf(r match.Reading) match.Mode { return match.Mode{Values: r, Match: match.MatchByName} }

var takenTests = []struct {
	name           string
	op             *model.Operation
	paper, shallow []named
}{
	{name: "nothing", op: operation(nil)},
	{
		name:  "an object in the body",
		op:    operation(body("application/json", true, product)),
		paper: []named{{name: "payload", required: true, in: model.InBody, pointer: ""}},
		shallow: []named{
			{name: "id", required: true, in: model.InBody, pointer: "/id"},
			{name: "name", required: false, in: model.InBody, pointer: "/name"},
			{name: "maker", required: false, in: model.InBody, pointer: "/maker"},
		},
	},
	{
		name:    "a list of lists of objects, in a body that may be left out",
		op:      operation(body("application/json", false, list(list(object(must("id", whole)))))),
		paper:   []named{{name: "id", required: false, in: model.InBody, pointer: "/0/0/id"}},
		shallow: []named{{name: "id", required: false, in: model.InBody, pointer: "/0/0/id"}},
	},
	{
		name:    "a list of texts names nothing",
		op:      operation(body("application/json", true, list(text))),
		paper:   []named{{name: "payload", required: true, in: model.InBody, pointer: ""}},
		shallow: []named{{name: "payload", required: true, in: model.InBody, pointer: ""}},
	},
	{
		name:    "a list whose items are no schema",
		op:      operation(body("application/json", true, list(nil))),
		paper:   []named{{name: "payload", required: true, in: model.InBody, pointer: ""}},
		shallow: []named{{name: "payload", required: true, in: model.InBody, pointer: ""}},
	},
	{
		name:    "a body without a schema",
		op:      operation(&model.RequestBody{Name: "payload"}),
		paper:   []named{{name: "payload", required: false, in: model.InBody, pointer: ""}},
		shallow: []named{{name: "payload", required: false, in: model.InBody, pointer: ""}},
	},
	{
		name: "the fields of a form are parameters",
		op:   operation(body("multipart/form-data", true, object(must("file", text), may("a/b~c", text)))),
		paper: []named{
			{name: "file", required: true, in: model.InBody, pointer: "/file"},
			{name: "a/b~c", required: false, in: model.InBody, pointer: "/a~1b~0c"},
		},
		shallow: []named{
			{name: "file", required: true, in: model.InBody, pointer: "/file"},
			{name: "a/b~c", required: false, in: model.InBody, pointer: "/a~1b~0c"},
		},
	},
	{
		name:  "merged parts, in each of which required speaks for itself",
		op:    operation(body("application/json", true, allOf(object(may("id", whole)), object(may("name", text), must("id", whole))))),
		paper: []named{{name: "payload", required: true, in: model.InBody, pointer: ""}},
		shallow: []named{
			{name: "id", required: false, in: model.InBody, pointer: "/id"},
			{name: "name", required: false, in: model.InBody, pointer: "/name"},
			{name: "id", required: true, in: model.InBody, pointer: "/id"},
		},
	},
	{
		name: "parameters, a name twice",
		op: &model.Operation{Params: []model.Parameter{
			{Name: "id", In: model.InQuery, Schema: text},
			{Name: "X", In: model.InHeader, Schema: text},
			{Name: "id", In: model.InPath, Schema: whole},
		}},
		paper: []named{
			{name: "id", required: false, in: model.InQuery, pointer: ""},
			{name: "X", required: false, in: model.InHeader, pointer: ""},
			{name: "id", required: true, in: model.InPath, pointer: ""},
		},
		shallow: []named{
			{name: "id", required: false, in: model.InQuery, pointer: ""},
			{name: "X", required: false, in: model.InHeader, pointer: ""},
			{name: "id", required: true, in: model.InPath, pointer: ""},
		},
	},
}

func TestTaken(t *testing.T) {
	for _, test := range takenTests {
		t.Run(test.name, func(t *testing.T) {
			for r, want := range map[match.Reading][]named{match.PaperReading: test.paper, match.ShallowReading: test.shallow} {
				got := uses(test.op, r, false)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(named{})); diff != "" {
					t.Errorf("%s: want and got (-+):\n%s", r, diff)
				}
			}
		})
	}
}

func TestEmitted(t *testing.T) {
	tests := []struct {
		name           string
		op             *model.Operation
		paper, shallow []string
	}{
		{name: "nothing", op: operation(nil)},
		{name: "an object", op: operation(nil, answer("200", product)), shallow: []string{"id", "name", "maker"}},
		{
			name:    "a list",
			op:      operation(nil, answer("200", list(product))),
			paper:   []string{"id", "name", "maker"},
			shallow: []string{"id", "name", "maker"},
		},
		{
			name: "every 2xx, and no other",
			op: operation(nil, answer("200", list(object(may("a", text)))), answer("2XX", list(object(may("b", text)))),
				answer("404", list(object(may("c", text)))), answer("default", list(object(may("d", text))))),
			paper: []string{"a", "b"}, shallow: []string{"a", "b"},
		},
		{
			name:  "default where there is no 2xx",
			op:    operation(nil, answer("404", list(object(may("c", text)))), answer("default", list(object(may("d", text))))),
			paper: []string{"d"}, shallow: []string{"d"},
		},
		{
			name: "no default beside a 2xx without a schema",
			op:   operation(nil, model.Response{Status: "204"}, answer("default", list(object(may("d", text))))),
		},
		{
			name:  "items count whatever the type says",
			op:    operation(nil, answer("200", &model.Schema{Type: "object", Items: object(may("a", text))})),
			paper: []string{"a"}, shallow: []string{"a"},
		},
		{name: "further properties", op: operation(nil, answer("200", &model.Schema{Type: "object", Additional: product}))},
		{name: "a cycle", op: operation(nil, answer("200", looped())), paper: []string{"own"}, shallow: []string{"own"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for r, want := range map[match.Reading][]string{match.PaperReading: test.paper, match.ShallowReading: test.shallow} {
				var got []string
				for _, u := range uses(test.op, r, true) {
					got = append(got, u.name)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: want and got (-+):\n%s", r, diff)
				}
			}
		})
	}
}

func TestTable(t *testing.T) {
	ops := []*model.Operation{
		{Params: []model.Parameter{{Name: "a", In: model.InPath, Schema: text}, {Name: "b", In: model.InQuery, Schema: text}}},
		operation(body("application/json", true, product), answer("200", object(may("a", text), may("id", whole), may("out", text)))),
	}
	got := match.NewValuesTable(ops, modeOf(match.ShallowReading))
	want := &match.ValuesTable{
		Ops:   ops,
		Names: []string{"a", "b", "id", "name", "maker", "out"},
		In:    [][]int{{0, 1}, {2, 3, 4}},
		Need:  [][]int{{0}, {2}},
		Out:   [][]int{nil, {0, 2, 5}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
	if diff := cmp.Diff([]bool{true, false, true, false, false, false}, got.Exchanged()); diff != "" {
		t.Errorf("exchanged: want and got (-+):\n%s", diff)
	}
}

// A value that only a single operation emits and takes is not passed between operations.
func TestBetween(t *testing.T) {
	table := &match.ValuesTable{
		Names: []string{"own", "passed", "shared", "emitted", "taken"},
		In:    [][]int{{0, 2}, {1, 4}, nil},
		Out:   [][]int{{0, 1, 2}, {3}, {2}},
	}
	if diff := cmp.Diff([]bool{false, true, true, false, false}, table.PassedBetween()); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
	if diff := cmp.Diff([]bool{true, true, true, false, false}, table.Exchanged()); diff != "" {
		t.Errorf("exchanged: want and got (-+):\n%s", diff)
	}
}

func TestParseReading(t *testing.T) {
	for _, name := range []string{"paper", "shallow"} {
		if r, err := match.ParseReading(name); err != nil || string(r) != name {
			t.Errorf("%q: got %q and error %v", name, r, err)
		}
	}
	const want = `"wide" is not a reading of values; use paper, shallow or deep`
	if _, err := match.ParseReading("wide"); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// "hour" starts with a vowel sound, "house" does not.
func TestArticle(t *testing.T) {
	for thing, want := range map[string]string{"hour": "zone of an hour", "house": "zone of a house"} {
		op := operation(nil, answer("200", object(may("id", text), may("zone", text))))
		op.ID, op.Method, op.Path = model.OpID("GET /"+thing+"s"), "GET", "/"+thing+"s"
		op.Params = []model.Parameter{{Name: "zone", In: model.InQuery, Schema: text}}
		if got := match.New([]*model.Operation{op}, match.DefaultMode).UsesOf(op)[0].Why; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
