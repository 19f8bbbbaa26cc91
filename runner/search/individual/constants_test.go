package individual

import (
	"slices"
	"strconv"
	"testing"

	"sonde/model"
)

// Constants of the service appear in tests, mostly in the inputs with which the service compares them. Numbers next
// to a constant appear, too. If the service has no constants, their probability has no effect on the tests.
func TestConstants(t *testing.T) {
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a", Params: []model.Parameter{
		param(model.InQuery, "min_rating", true, model.Schema{Type: "integer"}),
		param(model.InQuery, "word", true, model.Schema{Type: "string"}),
	}}
	spec := &model.Spec{Operations: []*model.Operation{op}}
	known := []model.Constant{
		{Text: "4171", Number: true, Name: "MinRating"},
		{Text: "99173", Number: true, Name: "other"},
		{Text: "open sesame", Name: "magic"},
		{Text: "31557", Number: true, Name: "word"},
		{Text: "abracadabra", Name: "word"},
	}
	count := map[string]int{}
	sample := func(p *Problem, count map[string]int) (texts []string) {
		r := chance(1)
		ind := p.Sample(r, 0)
		for range 3000 {
			for _, c := range ind.Test().Calls {
				for _, a := range c.Args {
					texts = append(texts, a.PlainValue())
					count[a.Name+" "+a.PlainValue()]++
				}
			}
			ind = p.Mutate(r, ind, 0, nil)
			if r.IntN(5) == 0 {
				ind = p.Sample(r, 0)
			}
		}
		return texts
	}
	sample(New(model.Plan{Spec: spec, Constants: known, Sampling: model.Sampling{Constants: 0.5}}), count)
	for _, want := range []string{"min_rating 4170", "min_rating 4171", "min_rating 4172", "min_rating 99173", "word open sesame"} {
		if count[want] == 0 {
			t.Errorf("%q never comes", want)
		}
	}
	if count["min_rating 4171"] < 2*count["min_rating 99173"] || count["word 4171"] > count["word open sesame"]/3 {
		t.Errorf(
			"4171 comes %d times where it is compared, 99173 %d times, and %d times as a word",
			count["min_rating 4171"], count["min_rating 99173"], count["word 4171"],
		)
	}
	if count["word 31557"] > count["word abracadabra"]/5 {
		t.Errorf(
			"a word is a number %d times, and the text with which it is compared %d times", count["word 31557"],
			count["word abracadabra"],
		)
	}
	none := sample(New(model.Plan{Spec: spec, Sampling: model.Sampling{}}), map[string]int{})
	off := sample(New(model.Plan{Spec: spec, Constants: known}), map[string]int{})
	unknown := sample(New(model.Plan{Spec: spec, Sampling: model.Sampling{Constants: 0.5}}), map[string]int{})
	if !slices.Equal(none, unknown) || slices.Contains(off, "open sesame") {
		t.Error("what is not known or not asked for changes what comes")
	}
}

// An input gets a constant that the service compares with a variable of the same name, if there is one. If there are
// many constants, other inputs rarely get a constant.
func TestManyConstants(t *testing.T) {
	count := func(n int) (drawn int) {
		var all []model.Constant
		for i := range n {
			all = append(all, model.Constant{Text: strconv.Itoa(i), Name: "other"})
		}
		c, r := newConstants(append(all, model.Constant{Text: "open sesame", Name: "word"})), chance(1)
		for range 1000 {
			if c.draw(r, leaf{name: "nothing"}) != "" {
				drawn++
			}
			if c.draw(r, leaf{name: "word"}) == "" {
				t.Fatal("no constant for an input with the name of one")
			}
		}
		return drawn
	}
	if few, many := count(fewConstants-1), count(10*fewConstants); few != 1000 || many < 60 || many > 140 {
		t.Errorf("of few constants one is drawn %d times of 1000, of many %d times", few, many)
	}
}
