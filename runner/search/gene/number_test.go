package gene

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestIntegerRanges(t *testing.T) {
	cases := []struct {
		name   string
		schema model.Schema
		want   []string // all possible values
	}{
		{"bounds", model.Schema{Min: new(1.0), Max: new(3.0)}, []string{"1", "2", "3"}},
		{"exclusive bounds", model.Schema{Min: new(1.0), Max: new(4.0), ExclusiveMin: true, ExclusiveMax: true}, []string{"2", "3"}},
		{"fractional bounds", model.Schema{Min: new(0.5), Max: new(2.5), ExclusiveMin: true, ExclusiveMax: true}, []string{"1", "2"}},
		{"multiples", model.Schema{Min: new(-7.0), Max: new(7.0), MultipleOf: new(5.0)}, []string{"-5", "0", "5"}},
		{"fractional step", model.Schema{Min: new(1.0), Max: new(11.0), MultipleOf: new(2.5)}, []string{"5", "10"}},
		{"one value", model.Schema{Min: new(7.0), Max: new(7.0)}, []string{"7"}},
		{"bounds the wrong way round", model.Schema{Min: new(3.0), Max: new(2.0)}, []string{"2", "3"}},
		{"nothing between", model.Schema{Min: new(1.0), Max: new(2.0), ExclusiveMin: true, ExclusiveMax: true}, []string{"1", "2"}},
		{"no multiple between", model.Schema{Min: new(1.0), Max: new(2.0), MultipleOf: new(5.0)}, []string{"1", "2"}},
		{"beyond its format", model.Schema{Format: "int8", Min: new(1000.0), Max: new(1001.0)}, []string{"1000", "1001"}},
		{"below its format", model.Schema{Format: "uint8", Max: new(-5.0), Min: new(-5.0)}, []string{"-5"}},
		{"wholly below its format", model.Schema{Format: "uint8", Max: new(-5.5)}, []string{"-6"}},
		{"largest", model.Schema{Format: "int64", Min: new(1e300)}, []string{"9223372036854775807"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.schema.Type = "integer"
			got := values(&c.schema, 400)
			for _, v := range c.want {
				if got[v] == 0 {
					t.Errorf("%s never came", v)
				}
				delete(got, v)
			}
			if len(got) > 0 {
				t.Errorf("unexpected values %v", got)
			}
		})
	}
}

func TestIntegerOrLong(t *testing.T) {
	cases := []struct {
		name   string
		schema model.Schema
		long   bool
	}{
		{"no format", model.Schema{}, false},
		{"int32", model.Schema{Format: "int32"}, false},
		{"int64", model.Schema{Format: "int64"}, true},
		{"uint32", model.Schema{Format: "uint32"}, true},
		{"large bound", model.Schema{Max: new(1e12)}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.schema.Type = "integer"
			r, g := source(1), New(&c.schema)
			if _, long := g.(*Long); long != c.long {
				t.Fatalf("got %T", g)
			}
			if _, same := g.Clone().(*Long); same != c.long {
				t.Fatalf("clone is %T", g.Clone())
			}
			beyond := false
			for range 200 {
				g.Sample(r)
				n, _ := whole(decode(t, g))
				beyond = beyond || n > math.MaxInt32 || n < math.MinInt32
			}
			if beyond != c.long {
				t.Errorf("values beyond 32 bits: %v, want %v", beyond, c.long)
			}
		})
	}
}

func TestIntegerMovesByPowersOfTwo(t *testing.T) {
	cases := []struct {
		name string
		pace Pace
		most int64
	}{
		{"at the start", Pace{}, 1 << 30},
		{"at the start, again", NewPace(0, model.Sizes{}), 1 << 30},
		{"in the middle", NewPace(0.5, model.Sizes{}), 1 << 20},
		{"in the focused phase", NewPace(1, model.Sizes{}), 1 << 10},
		{"with other exponents, in the middle", NewPace(0.5, model.Sizes{FirstExponent: 8, LastExponent: 4}), 1 << 6},
		{"with other exponents, in the focused phase", NewPace(1, model.Sizes{FirstExponent: 8, LastExponent: 4}), 1 << 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := source(1)
			g := New(&model.Schema{Type: "integer", Format: "int64"})
			var top int64
			for range 1000 {
				g.SetValue(0.0)
				if !g.MutateValue(r, c.pace) {
					t.Fatal("nothing changed")
				}
				n := g.(*Long).value()
				n = max(n, -n)
				if n == 0 || n&(n-1) != 0 {
					t.Fatalf("moved by %d", n)
				}
				top = max(top, n)
			}
			if top != c.most {
				t.Errorf("largest move %d, want %d", top, c.most)
			}
		})
	}
}

func TestMutatedIntegerStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Int64().Draw(t, "lo")
		hi := rapid.Int64Min(lo).Draw(t, "hi")
		g := newInteger(&span{lo: lo, hi: hi, step: 1})
		g.at = rapid.Int64Range(lo, hi).Draw(t, "at")
		r := source(rapid.Uint64().Draw(t, "seed"))
		for range 20 {
			before := g.at
			changed := g.MutateValue(r, Pace{})
			if g.at < lo || g.at > hi {
				t.Fatalf("%d from %d is not in [%d,%d]", g.at, before, lo, hi)
			}
			if changed != (g.at != before) || changed != (lo < hi) {
				t.Fatalf("%d from %d, changed is %v", g.at, before, changed)
			}
		}
	})
}

func TestRealValues(t *testing.T) {
	cases := []struct {
		name   string
		schema model.Schema
		want   []string
	}{
		{"one value", model.Schema{Min: new(1.5), Max: new(1.5)}, []string{"1.5"}},
		{"multiples", model.Schema{Min: new(0.3), Max: new(0.7), MultipleOf: new(0.1)}, []string{"0.3", "0.4", "0.5", "0.6", "0.7"}},
		{
			"exclusive multiples",
			model.Schema{Min: new(0.0), Max: new(1.5), ExclusiveMin: true, ExclusiveMax: true, MultipleOf: new(0.5)},
			[]string{"0.5", "1"},
		},
		{"float multiples", model.Schema{Format: "float", Min: new(0.0), Max: new(0.2), MultipleOf: new(0.1)}, []string{"0", "0.1", "0.2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.schema.Type = "number"
			got := values(&c.schema, 400)
			for _, v := range c.want {
				if got[v] == 0 {
					t.Errorf("%s never came", v)
				}
				delete(got, v)
			}
			if len(got) > 0 {
				t.Errorf("unexpected values %v", got)
			}
		})
	}
}

func TestRealImpossible(t *testing.T) {
	cases := []struct {
		name   string
		schema model.Schema
	}{
		{"bounds the wrong way round", model.Schema{Min: new(3.0), Max: new(2.0)}},
		{"open at its only value", model.Schema{Min: new(3.0), Max: new(3.0), ExclusiveMin: true}},
		{"no multiple", model.Schema{Min: new(1.0), Max: new(2.0), MultipleOf: new(5.0)}},
		{"huge step", model.Schema{MultipleOf: new(math.MaxFloat64)}},
		{"tiny step", model.Schema{MultipleOf: new(math.SmallestNonzeroFloat64)}},
		{"no step", model.Schema{MultipleOf: new(0.0)}},
		{"negative step", model.Schema{MultipleOf: new(-1.0)}},
		{"whole range", model.Schema{Min: new(-math.MaxFloat64), Max: new(math.MaxFloat64)}},
		{"float beyond its range", model.Schema{Format: "float", Min: new(1e300)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.schema.Type = "number"
			r, g := source(1), New(&c.schema)
			for range 300 {
				g.Sample(r)
				g.MutateValue(r, Pace{})
				f := decode(t, g).(float64)
				if math.IsInf(f, 0) || math.IsNaN(f) {
					t.Fatalf("%v is not finite", f)
				}
			}
		})
	}
}

func TestNumbersKeepConstraints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := numberSchema(t)
		r := source(rapid.Uint64().Draw(t, "seed"))
		g := New(s)
		for range 20 {
			g.Sample(r)
			if why := broken(s, decode(t, g)); why != "" {
				t.Fatalf("sample: %s", why)
			}
			before := string(JSON(g))
			changed := Mutate(r, []Gene{g}, NewPace(r.Float64(), model.Sizes{}))
			if why := broken(s, decode(t, g)); why != "" {
				t.Fatalf("mutant of %s: %s", before, why)
			}
			if changed != (string(JSON(g)) != before) {
				t.Fatalf("%s from %s, changed is %v", JSON(g), before, changed)
			}
		}
	})
}

// numberSchema draws a schema of numbers that at least one number satisfies.
func numberSchema(t *rapid.T) *model.Schema {
	s := &model.Schema{Type: rapid.SampledFrom([]string{"integer", "number"}).Draw(t, "type")}
	if s.Type == "number" {
		s.Format = rapid.SampledFrom([]string{"", "float", "double"}).Draw(t, "format")
	}
	step := 0.0
	if rapid.Bool().Draw(t, "stepped") {
		step = rapid.SampledFrom([]float64{1, 3, 10, 0.01, 0.5, 2.5}).Draw(t, "step")
		s.MultipleOf = &step
	}
	lo := float64(rapid.IntRange(-100000, 100000).Draw(t, "lo")) / 4
	width := 12*math.Ceil(step) + float64(rapid.IntRange(3, 5000).Draw(t, "width"))
	if rapid.Bool().Draw(t, "min") {
		s.Min, s.ExclusiveMin = &lo, rapid.Bool().Draw(t, "open min")
	}
	if rapid.Bool().Draw(t, "max") {
		s.Max, s.ExclusiveMax = new(lo+width), rapid.Bool().Draw(t, "open max")
	}
	return s
}

func TestSetNumber(t *testing.T) {
	whole := &model.Schema{Type: "integer", Min: new(0.0), Max: new(100.0), MultipleOf: new(5.0)}
	real := &model.Schema{Type: "number", Min: new(0.0), ExclusiveMin: true, Max: new(1.0)}
	cases := []struct {
		name   string
		schema *model.Schema
		value  any
		want   string // "" if the value does not fit
	}{
		{"whole", whole, 25.0, "25"},
		{"not whole", whole, 2.5, ""},
		{"no multiple", whole, 3.0, ""},
		{"above", whole, 105.0, ""},
		{"of another type", whole, "5", ""},
		{"real", real, 0.25, "0.25"},
		{"exact number", whole, json.Number("25"), "25"},
		{"number with an exponent", whole, json.Number("2.5e1"), "25"},
		{"no number", real, json.Number("1e999"), ""},
		{"nearer than samples come", real, 0.0001, "0.0001"},
		{"the open bound", real, 0.0, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := New(c.schema)
			before := Text(g)
			ok := g.SetValue(c.value)
			if ok != (c.want != "") {
				t.Fatalf("fits is %v", ok)
			}
			want := c.want
			if !ok {
				want = before
			}
			if Text(g) != want {
				t.Errorf("got %s, want %s", Text(g), want)
			}
		})
	}
}
