package gene

import (
	"strings"
	"testing"

	"sonde/model"
)

func TestOptionalComesAndGoes(t *testing.T) {
	r, g := source(1), Gene(NewOptional(New(&model.Schema{Type: "integer", Min: new(1.0)})))
	present := 0
	for range 1000 {
		g.Sample(r)
		if IsPresent(g) {
			present++
		}
		if IsPresent(g) != (Text(g) != "") || IsPresent(g) != (JSON(g) != nil) {
			t.Fatalf("present %v, text %q, JSON %s", IsPresent(g), Text(g), JSON(g))
		}
	}
	if present < 400 || present > 600 {
		t.Errorf("present in %d of 1000 samples", present)
	}
	turns, was := 0, IsPresent(g)
	for range 1000 {
		Mutate(r, []Gene{g}, Pace{})
		if IsPresent(g) != was {
			turns++
		}
		was = IsPresent(g)
	}
	if turns < 50 || turns > 500 {
		t.Errorf("presence changed in %d of 1000 mutations", turns)
	}
}

func TestOptionalRemembers(t *testing.T) {
	r := source(1)
	g := NewOptional(New(&model.Schema{Type: "integer"}))
	g.SetValue(1234.0)
	g.MutateValue(r, Pace{})
	c := g.Clone()
	if IsPresent(c) {
		t.Fatal("still present")
	}
	c.MutateValue(r, Pace{})
	if Text(c) != "1234" {
		t.Errorf("came back as %s", Text(c))
	}
}

func TestNullable(t *testing.T) {
	s := &model.Schema{Type: "integer", Nullable: true}
	got := values(s, 2000)
	if n := got["null"]; n < 40 || n > 200 {
		t.Errorf("null in %d of 2000 samples", n)
	}
	g := New(s)
	if !g.SetValue(nil) || string(JSON(g)) != "null" || !IsPresent(g) {
		t.Errorf("set to null gives %s", JSON(g))
	}
	if !g.SetValue(5.0) || string(JSON(g)) != "5" {
		t.Errorf("set to 5 gives %s", JSON(g))
	}
}

func TestChoice(t *testing.T) {
	s := &model.Schema{OneOf: []*model.Schema{
		{Type: "boolean"},
		{Type: "integer", Min: new(7.0), Max: new(7.0)},
		{Type: "string", Enum: []any{"x"}},
	}}
	r, g := source(1), sampled(s, source(1))
	seen := map[string]bool{}
	for range 300 {
		seen[Text(g)] = true
		Mutate(r, []Gene{g}, Pace{})
	}
	if len(seen) != 4 {
		t.Errorf("mutation reached %v", seen)
	}
	if !g.SetValue(true) || Text(g) != "true" || !g.SetValue("x") || Text(g) != "x" || g.SetValue("y") {
		t.Errorf("set to alternatives gives %s", JSON(g))
	}
}

func TestEnum(t *testing.T) {
	s := &model.Schema{Enum: []any{"a<b", 1.0, nil, "a<b", []any{1.0, "x"}}}
	r, g := source(1), sampled(s, source(1))
	want := map[string]string{`"a<b"`: "a<b", `1`: "1", `null`: "null", `[1,"x"]`: `[1,"x"]`}
	seen := map[string]bool{}
	for range 100 {
		before := Text(g)
		if !g.MutateValue(r, Pace{}) || Text(g) == before {
			t.Fatalf("%s did not change", before)
		}
		text, ok := want[string(JSON(g))]
		if !ok || text != Text(g) {
			t.Fatalf("JSON %s, text %s", JSON(g), Text(g))
		}
		seen[text] = true
	}
	if len(seen) != 4 {
		t.Errorf("saw %v", seen)
	}
	if New(&model.Schema{Const: "k"}).MutateValue(r, Pace{}) {
		t.Error("a constant changed")
	}
}

func TestDisruptive(t *testing.T) {
	r := source(1)
	for _, p := range []float64{0, 0.2, 1} {
		g := NewDisruptive(New(&model.Schema{Type: "boolean"}), p)
		n := 0
		for range 1000 {
			if Mutate(r, []Gene{g}, Pace{}) {
				n++
			}
		}
		if got, slack := float64(n)/1000, 0.08*p; got < p-slack-0.15*p || got > min(1, 2*p) {
			t.Errorf("with probability %v mutated in %v of the cases", p, got)
		}
	}
}

func TestLock(t *testing.T) {
	r := source(1)
	locked := LockValue(sampled(product(), r))
	free := sampled(product(), r)
	before := string(JSON(locked))
	if ActiveCount(locked) != 0 {
		t.Errorf("a locked tree counts %d genes", ActiveCount(locked))
	}
	for range 100 {
		Mutate(r, []Gene{locked, free}, Pace{})
	}
	if got := string(JSON(locked.Clone())); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
	value := map[string]any{"name": "x", "sku": "ABC-12", "price": 1.0}
	if !locked.SetValue(value) || !strings.Contains(string(JSON(locked)), `"name":"x"`) {
		t.Errorf("set gives %s", JSON(locked))
	}
}

// All optional and nullable parts are present after FillOptional, at every level.
func TestFill(t *testing.T) {
	inner := &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "b", Schema: &model.Schema{Type: "integer", Nullable: true}}},
		Nullable:   true,
	}
	g := New(&model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "a", Schema: inner}, {Name: "c", Schema: &model.Schema{Type: "boolean"}}},
	})
	r := source(1)
	for range 200 {
		g.Sample(r)
		FillOptional(r, g)
		if text := string(JSON(g)); strings.Contains(text, "null") || !IsPresent(LookupField(g, []string{"a", "b"})) ||
			!IsPresent(LookupField(g, []string{"c"})) {
			t.Fatalf("got %s", text)
		}
	}
}
