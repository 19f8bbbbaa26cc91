package demo

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"
)

// TestRandomCalls calls operations with values that are valid or nearly valid. A healthy shop must give only
// declared answers and never 500. In a shop with faults each 500 must be a fault of the called operation.
func TestRandomCalls(t *testing.T) {
	operationOf := map[string]string{}
	for _, f := range BuiltInFaults() {
		operationOf[f.ID] = f.Operation
	}
	for _, healthy := range []bool{true, false} {
		t.Run(fmt.Sprintf("healthy %v", healthy), func(t *testing.T) {
			v := visit(t, Config{Healthy: healthy, Reveal: true})
			names := slices.Sorted(maps.Keys(v.ops))
			items := document(t).Paths
			rapid.Check(t, func(rt *rapid.T) {
				v.follow(busy[:rapid.IntRange(0, len(busy)).Draw(rt, "steps before")])
				for range rapid.IntRange(1, 12).Draw(rt, "calls") {
					name := rapid.SampledFrom(names).Draw(rt, "operation")
					_, path, _ := strings.Cut(name, " ")
					as, op, body := v.random(rt, name, items.Value(path).Parameters)
					got := v.judge(name, v.send(as, op, body))
					fault := got.header.Get("X-Fault")
					if broken := got.status == http.StatusInternalServerError; broken && (healthy || operationOf[fault] != name) {
						rt.Fatalf("%s %s: got %d with fault %q", op, body, got.status, fault)
					}
				}
			})
		})
	}
}

// busy are steps after which a shop has a resource of each kind.
var busy = on(paidFor,
	step{as: "alice", op: "POST /products/1/reviews", body: `{"rating":4,"title":"Stays dry"}`, want: 201},
	step{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg"}`, want: 201},
	step{as: "admin", op: "PUT /coupons/HIKE24", body: twoTiers, want: 201},
	step{as: "", op: "POST /carts", body: strings.Replace(inCart, "false", "true", 1), want: 201})

// random draws a user, the request line and the body of a call.
func (v *visitor) random(t *rapid.T, name string, shared openapi3.Parameters) (as, op, body string) {
	spec := v.ops[name]
	op = name
	query := url.Values{}
	for _, p := range append(slices.Clone(shared), spec.Parameters...) {
		text := fmt.Sprint(v.value(t, p.Value.Name, p.Value.Schema.Value))
		switch {
		case p.Value.In == "path":
			op = strings.Replace(op, "{"+p.Value.Name+"}", url.PathEscape(text), 1)
		case p.Value.Required || rapid.Bool().Draw(t, "has "+p.Value.Name):
			query.Set(p.Value.Name, text)
		}
	}
	if len(query) > 0 {
		op += "?" + query.Encode()
	}
	if spec.RequestBody != nil {
		value := v.value(t, "body", spec.RequestBody.Value.Content["application/json"].Schema.Value)
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		body = string(text)
	}
	return rapid.SampledFrom([]string{"", "alice", "bob", "admin", "admin", "admin"}).Draw(t, "user"), op, body
}

// value draws a value of the schema, or sometimes an invalid value.
func (v *visitor) value(t *rapid.T, name string, s *openapi3.Schema) any {
	if s.Format == "uuid" && v.cart != "" {
		return v.cart
	}
	if s.Example != nil && rapid.IntRange(0, 3).Draw(t, "example of "+name) > 0 {
		return s.Example
	}
	switch {
	case s.Enum != nil:
		return rapid.SampledFrom(s.Enum).Draw(t, name)
	case s.Type.Is("object"):
		return v.object(t, s)
	case s.Type.Is("array"):
		n := rapid.IntRange(0, 3).Draw(t, name+" length")
		list := make([]any, n)
		for i := range list {
			list[i] = v.value(t, name, s.Items.Value)
		}
		return list
	case s.Type.Is("boolean"):
		return rapid.Bool().Draw(t, name)
	case s.Type.Is("integer"):
		return integer(t, name, s)
	case s.Format == "date":
		return fmt.Sprintf(
			"20%02d-%02d-%02d", rapid.IntRange(20, 27).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"),
			rapid.IntRange(1, 31).Draw(t, "day"),
		)
	case s.Format == "email":
		return rapid.StringMatching(`[a-z]{1,9}@[a-z]{1,9}\.org`).Draw(t, name)
	case s.Pattern != "":
		return rapid.StringMatching(s.Pattern).Draw(t, name)
	default:
		return rapid.StringN(max(int(s.MinLength), 1), 90, -1).Draw(t, name)
	}
}

func (v *visitor) object(t *rapid.T, s *openapi3.Schema) map[string]any {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || rapid.Bool().Draw(t, "has "+name) {
			object[name] = v.value(t, name, s.Properties[name].Value)
		}
	}
	if s.AdditionalProperties.Schema != nil {
		object["colour"] = "red"
	}
	return object
}

// integer draws a number. Small numbers and the limits of the schema are more frequent, and some numbers
// exceed the limits.
func integer(t *rapid.T, name string, s *openapi3.Schema) int {
	low, high := 0, 10
	if s.Min != nil {
		low = int(*s.Min)
	}
	if s.Max != nil {
		high = int(*s.Max)
	}
	if rapid.IntRange(0, 40).Draw(t, "beyond "+name) == 0 {
		return rapid.SampledFrom([]int{low - 1, high + 1, 1 << 40}).Draw(t, name)
	}
	return rapid.IntRange(low, max(low, high)).Draw(t, name)
}
