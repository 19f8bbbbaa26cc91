package individual

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sonde/model"
)

func words(s string) model.Operand { return model.Operand{Text: s} }

func whole64(n int64) model.Operand { return model.Operand{Kind: model.IntOperand, Int: n} }

func fraction(f float64) model.Operand { return model.Operand{Kind: model.RealOperand, Real: f} }

func moment(s string) model.Operand {
	t, _ := time.Parse(time.RFC3339, s)
	return model.Operand{Kind: model.TimeOperand, Time: t}
}

// tried returns the set of values that hints set in place of text.
func tried(text string, c model.ComparedOperands) map[string]bool {
	all, r := map[string]bool{}, chance(1)
	for _, h := range hintsOf([]string{text}, make([]leaf, 1), c) {
		for range 60 {
			if v, ok := h.view.put(r, text, h.op, h.with); ok {
				all[v] = true
			}
		}
	}
	return all
}

// A hint changes a value so that the two operands of a comparison become equal, or nearly equal. The first operand is
// the value, or was computed from it: for example, its length or a part of it.
func TestViews(t *testing.T) {
	for _, c := range []struct {
		text string
		a    model.Operand
		op   model.Relation
		b    model.Operand
		want []string
	}{
		{"blue", words("blue"), model.Equal, words("red"), []string{"red"}},
		{"blue", words("red"), model.Equal, words("blue"), []string{"red"}},
		{" Blue", words("blue"), model.Equal, words("red"), nil},
		{"Blue", words("blue"), model.EqualFold, words("red"), []string{"red"}},
		{"x=blue;", words("blue"), model.Equal, words("red"), []string{"x=red;"}},
		{"blue", words("/a/blue.png"), model.Equal, words("/a/red.png"), []string{"red"}},
		{"blue", words("blue"), model.HasPrefix, words("IN-"), []string{"IN-blue", "IN-e", "IN-"}},
		{"blue", words("blue"), model.HasSuffix, words(".go"), []string{"blue.go", "b.go", ".go"}},
		{"blue", words("blue"), model.ContainsText, words("key"), []string{"bluekey", "blkeyue", "key"}},
		{"b", words("b"), model.Greater, words("x"), []string{"x", "y"}},
		{"7", whole64(7), model.Equal, whole64(42), []string{"42"}},
		{"7", whole64(7), model.Greater, whole64(42), []string{"41", "42", "43"}},
		{"7", whole64(42), model.LessOrEqual, whole64(7), []string{"41", "42", "43"}},
		{"7.5", fraction(7.5), model.Less, fraction(2), []string{"2", "1.9", "2.001"}},
		{"7", fraction(7), model.Equal, fraction(0.5), []string{"0.5"}},
		{"abc", whole64(3), model.Equal, whole64(5), []string{"abcaa"}},
		{"abcdef", whole64(6), model.Equal, whole64(3), []string{"abc", "def"}},
		{"kez", whole64('z'), model.Equal, whole64('y'), []string{"key"}},
		{"2020-05-17", moment("2020-05-17T00:00:00Z"), model.Greater, moment("2031-03-01T00:00:00Z"), []string{"2031-03-02", "2031-02-28"}},
		{
			"2020-05-17T01:02:03Z", moment("2020-05-17T01:02:03Z"), model.Equal, moment("2031-03-01T04:05:06Z"),
			[]string{"2031-03-01T04:05:06Z"},
		},
		{"2001-09-09T01:46:40Z", whole64(1_000_000_000), model.Equal, whole64(1_700_000_000), []string{"2023-11-14T22:13:20Z"}},
		{"2021-05-31", whole64(5), model.Equal, whole64(2), []string{"2021-02-28"}},
		{"2021-02-28", whole64(28), model.Equal, whole64(29), []string{"2024-02-29"}},
		{"2021-05-31", whole64(1), model.Equal, whole64(6), []string{"2021-06-05"}}, // a Monday
		{"100", whole64(110), model.Equal, whole64(77), []string{"67", "133"}},      // 110 may be the sum of 100 and another number
		{"blue", words("blue"), model.Matches, words("^gr[ae]y$"), []string{"gray", "grey"}},
		{"blue", words("other"), model.Equal, words("red"), nil},
		{"blue", words("blue"), model.Equal, words("blue"), nil},
	} {
		got := tried(c.text, model.ComparedOperands{Op: c.op, A: c.a, B: c.b})
		for _, w := range c.want {
			if !got[w] {
				t.Errorf("%q, where %v %s %v: %q is never tried, %v are", c.text, c.a, c.op, c.b, w, got)
			}
		}
		if len(c.want) == 0 && len(got) > 0 && c.text != " Blue" {
			t.Errorf("%q, where %v %s %v: got %v", c.text, c.a, c.op, c.b, got)
		}
	}
}

// No hint panics, whatever operands were compared, even if the value has changed since the comparison.
func TestViewsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "7", "-3.5", "2020-05-17", "2020-05-17T01:02:03Z", "é", "open"})
		operand := rapid.Custom(func(t *rapid.T) model.Operand {
			return model.Operand{
				Kind: model.OperandKind(rapid.IntRange(0, 3).Draw(t, "kind")),
				Text: rapid.OneOf(rapid.String(), text).Draw(t, "text"),
				Cut:  rapid.Bool().Draw(t, "cut"),
				Int:  rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1, 40)).Draw(t, "int"),
				Real: rapid.Float64().Draw(t, "real"),
				Time: time.Unix(rapid.Int64().Draw(t, "time"), 0).UTC(),
			}
		})
		ops := []model.Relation{
			model.Equal, model.Less, model.GreaterOrEqual, model.HasPrefix, model.HasSuffix, model.ContainsText,
			model.EqualFold, model.Matches,
		}
		c := model.ComparedOperands{Op: rapid.SampledFrom(ops).Draw(t, "op"), A: operand.Draw(t, "a"), B: operand.Draw(t, "b")}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for _, h := range hintsOf([]string{text.Draw(t, "value")}, make([]leaf, 1), c) {
			h.view.put(r, rapid.OneOf(rapid.String(), text).Draw(t, "changed"), h.op, h.with)
		}
	})
}

// Mutations set values to operands, even to long ones. Without hints, or with probability 0, they never do.
func TestOperands(t *testing.T) {
	long := "an operand that is longer than sixteen letters"
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a", Params: []model.Parameter{
		param(model.InQuery, "n", true, model.Schema{Type: "integer"}), param(model.InQuery, "word", true, model.Schema{Type: "string"}),
	}}
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Sampling: model.Sampling{Operands: 0.5}})
	ind := p.operations.byID["GET /a"].sample(chance(1))
	test := &Individual{free: true, calls: []call{ind}}
	sent := test.Test().Calls[0].Args[1].PlainValue()
	hints := p.MatchOperands(test, []model.ComparedOperands{{Slot: 4, Op: model.Equal, A: words(sent), B: words(long)}})
	if len(hints) != 1 || hints[0].Slot != 4 {
		t.Fatalf("got %v", hints)
	}
	came := func(hints []Hint) (n int) {
		r := chance(1)
		for range 200 {
			for _, c := range p.Mutate(r, test, 0, hints).Test().Calls {
				if slices.ContainsFunc(c.Args, func(a model.Arg) bool { return a.PlainValue() == long }) {
					n++
				}
			}
		}
		return n
	}
	if n := came(hints); n < 60 || came(nil) != 0 {
		t.Errorf("it came %d times of 200, want about 100, and %d times unknown", n, came(nil))
	}
	p.sampling.Operands = 0
	if came(hints) != 0 || p.MatchOperands(test, []model.ComparedOperands{{A: words(sent), B: words(long)}}) != nil {
		t.Error("it comes without being asked for")
	}
	p.sampling.Delay = 1
	if p.MatchOperands(test, []model.ComparedOperands{{Slot: 4, Op: model.Equal, A: words(sent), B: words(long)}}) == nil {
		t.Error("delays do not know the operands")
	}
}

// Reached tests are extended by one call, the least extended tests first.
func TestExtendReached(t *testing.T) {
	p := New(model.Plan{
		Spec:     &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}}},
		Sampling: model.Sampling{Extensions: 0.05},
	})
	if p.ExtendReached(chance(1)) != nil {
		t.Error("a test is extended although none was recorded")
	}
	for n := range 5 {
		p.RecordReached(p.Sample(rand.New(rand.NewPCG(uint64(n), 1)), 0))
	}
	r := chance(1)
	for range 100 {
		ind := p.ExtendReached(r)
		if n := ind.Len(); n < 2 || n > maxCalls {
			t.Fatalf("%d calls", n)
		}
	}
	for _, from := range p.extensions.reached.all {
		if from.used < 10 || from.used > 30 {
			t.Errorf("%d of 100 go on from one of five", from.used)
		}
	}
}
