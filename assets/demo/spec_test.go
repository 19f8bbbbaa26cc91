package demo

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestSpecIsValid(t *testing.T) {
	doc := document(t)
	if err := doc.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	if doc.Info.Version != version {
		t.Errorf("got version %q, the shop says %q", doc.Info.Version, version)
	}
	ids := map[string]string{}
	for name, op := range operations(doc) {
		if old := ids[op.OperationID]; old != "" || op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 {
			t.Errorf("%s: operationId %q (also of %q), summary %q, tags %q", name, op.OperationID, old, op.Summary, op.Tags)
		}
		ids[op.OperationID] = name
		if op.Responses.Value("500") != nil || op.Responses.Default() != nil {
			t.Errorf("%s declares a 500", name)
		}
	}
}

func TestSpecHasWhatIsServed(t *testing.T) {
	documented := operations(document(t))
	for _, e := range endpoints {
		op := documented[e.pattern]
		if op == nil {
			t.Errorf("%s is served but not documented", e.pattern)
			continue
		}
		if secured := op.Security != nil; secured != (e.access != everyone) {
			t.Errorf("%s: document says secured %v, shop says %v", e.pattern, secured, e.access != everyone)
		}
		delete(documented, e.pattern)
	}
	for name := range documented {
		t.Errorf("%s is documented but not served", name)
	}
}

func TestSpecIsServedAndCopied(t *testing.T) {
	Specification()[0] = 'x' // must not reach the shop
	v := visit(t, Config{})
	got := v.send("", "GET /openapi.json", "")
	if got.status != 200 || !bytes.Equal([]byte(got.body), Specification()) || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d, %s, %d bytes, want the spec", got.status, got.header.Get("Content-Type"), len(got.body))
	}
}

// TestValueSharingGroups checks that the operations of the shop form five groups: one of 20
// operations and the four in apart. The groups are the same whether or not the properties of nested
// objects count as values.
func TestValueSharingGroups(t *testing.T) {
	apart := [][]string{
		{"GET /coupons/{code}", "PUT /coupons/{code}"},
		{"GET /customers/{customerId}", "PATCH /customers/{customerId}", "POST /customers"},
		{"GET /health"},
		{"GET /stores", "GET /stores/{storeId}/hours"},
	}
	doc := document(t)
	for _, deep := range []bool{false, true} {
		var small [][]string
		largest := 0
		for _, group := range groups(doc, deep) {
			largest = max(largest, len(group))
			if len(group) < 10 {
				small = append(small, group)
			}
		}
		if !slices.EqualFunc(small, apart, slices.Equal) || largest != 20 {
			t.Errorf("deep %v: got a group of %d and %q, want one of 20 and %q", deep, largest, small, apart)
		}
	}
}

// groups returns the sorted groups of operations that share the name of a value. A name counts only if one
// operation takes a value of this name and one emits it. deep says whether the properties of nested objects
// count as values.
func groups(doc *openapi3.T, deep bool) [][]string {
	takes, emits := values(doc, deep)
	group := map[string]string{} // operation → a member that represents its group
	for name := range operations(doc) {
		group[name] = name
	}
	for value := range takes {
		for _, name := range append(takes[value], emits[value]...) {
			if old := group[name]; len(emits[value]) > 0 {
				rename(group, old, group[takes[value][0]])
			}
		}
	}
	members := map[string][]string{}
	for name, g := range group {
		members[g] = append(members[g], name)
	}
	var sorted [][]string
	for _, m := range members {
		slices.Sort(m)
		sorted = append(sorted, m)
	}
	slices.SortFunc(sorted, slices.Compare)
	return sorted
}

func rename(group map[string]string, old, name string) {
	for member, g := range group {
		if g == old {
			group[member] = name
		}
	}
}

// values returns two maps from the name of a value to operations: those that take the value, and those that
// emit it.
func values(doc *openapi3.T, deep bool) (takes, emits map[string][]string) {
	takes, emits = map[string][]string{}, map[string][]string{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			name := method + " " + path
			for _, p := range append(slices.Clone(item.Parameters), op.Parameters...) {
				takes[p.Value.Name] = append(takes[p.Value.Name], name)
			}
			if op.RequestBody != nil {
				properties(op.RequestBody.Value.Content, deep, func(value string) { takes[value] = append(takes[value], name) })
			}
			for status, r := range op.Responses.Map() {
				if status[0] == '2' {
					properties(r.Value.Content, deep, func(value string) { emits[value] = append(emits[value], name) })
				}
			}
		}
	}
	return takes, emits
}

// properties calls the function tell with the name of each property of a message. If deep is set, it also does this
// for the properties of nested objects.
func properties(content openapi3.Content, deep bool, tell func(string)) {
	var walk func(*openapi3.Schema, bool)
	walk = func(s *openapi3.Schema, into bool) {
		if s.Items != nil {
			walk(s.Items.Value, into)
		}
		for name, p := range s.Properties {
			if into {
				tell(name)
				walk(p.Value, deep)
			}
		}
	}
	if media := content["application/json"]; media != nil {
		walk(media.Schema.Value, true)
	}
}
