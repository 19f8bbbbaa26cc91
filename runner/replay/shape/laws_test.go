package shape

import (
	"encoding/json"
	"fmt"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// anyJSON draws a JSON value of at most depth levels, with integers as numbers.
func anyJSON(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "flag")
	case 2:
		return rapid.Int32().Draw(t, "number")
	case 3:
		return rapid.String().Draw(t, "text")
	case 4:
		all := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			all = append(all, anyJSON(t, depth-1))
		}
		return all
	}
	all := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		all[rapid.StringN(0, 4, 8).Draw(t, "name")] = anyJSON(t, depth-1)
	}
	return all
}

// A shape does not depend on values.
func TestShapeLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := encode(t, anyJSON(t, 3))
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		other := encode(t, varied(v, func() int { return rapid.Int().Draw(t, "other") }))
		a, b := ProfileOf(nil, exchange("/a?b=1", text, 200, text), nil), ProfileOf(nil, exchange("/a?b=2", other, 200, other), nil)
		if a.String() != b.String() {
			t.Fatalf("%s and %s have the shapes %q and %q", text, other, a, b)
		}
	})
}

// Refusals that differ only in numbers, IDs and quotations have the same trait.
func TestRefusalLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		says := func() []string {
			n, id := rapid.Uint32().Draw(t, "number"), rapid.StringMatching(
				`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}`,
			).Draw(t, "id")
			name := rapid.StringMatching(`[A-Za-z ]{0,20}`).Draw(t, "name")
			told := encode(
				t,
				map[string]any{"error": fmt.Sprintf("cart %q: at most %d of %s", name, n, id), "trace": id, "after": n},
			)
			return ProfileOf(nil, exchange("/a", "", 422, told), nil).Traits
		}
		if a, b := says(), says(); len(a) != 1 || len(b) != 1 || a[0] != b[0] {
			t.Fatalf("got %q and %q", a, b)
		}
	})
}

// If all answers differ, WantsProfile wants a limited number of exchanges. Otherwise it wants n exchanges of each
// shape and of each trait.
func TestProfileCounterLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b ProfileCounter
		n, span := rapid.IntRange(1, 3).Draw(t, "n"), rapid.IntRange(1, 3*MaxDistinct).Draw(t, "range")
		some := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(1, span).Draw(t, "some")) })
		taken, shapes, met := 0, map[string]int{}, map[string]int{}
		for range rapid.IntRange(1, 400).Draw(t, "exchanges") {
			p := Profile{Kind: "GET /a 400", Shape: some.Draw(t, "shape"), Traits: []string{some.Draw(t, "trait")}}
			met[p.Shape]++
			if wants, over := b.WantsProfile(p, n); wants {
				b.CountProfile(p)
				taken++
				shapes[p.Shape]++
			} else if !over && (shapes[p.Shape] < n) {
				t.Fatalf("%v is not wanted, though it was taken %d times", p, shapes[p.Shape])
			}
		}
		if taken > 2*n*MaxDistinct {
			t.Fatalf("%d were taken", taken)
		}
		for shape, times := range met {
			if len(met) <= MaxDistinct && shapes[shape] < min(n, times) {
				t.Fatalf("shape %s was met %d times, and taken %d times", shape, times, shapes[shape])
			}
		}
	})
}

// Any exchange has a profile, and the same profile each time.
func FuzzProfileOf(f *testing.F) {
	f.Add("/products?limit=1", `{"productName":"Rope"}`, `{"error":"category: is required"}`, 400)
	f.Add("/products?limit=%zz", `[[[[`, "\xff\xfe", 200)
	f.Add("?", `{"a":{"a":{"a":null}}}`, `"text"`, 99)
	op := operation(f, "POST /products")
	f.Fuzz(func(t *testing.T, target, asked, told string, status int) {
		for _, of := range []*model.Operation{nil, op} {
			x := exchange(target, asked, status, told)
			a, b := ProfileOf(of, x, nil), ProfileOf(of, x, nil)
			if fmt.Sprint(a) != fmt.Sprint(b) || a.String() != b.String() || len(a.Traits) > 3*maxTraits {
				t.Fatalf("got %q and %q", a, b)
			}
		}
	})
}
