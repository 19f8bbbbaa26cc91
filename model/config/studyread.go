package config

import (
	"cmp"
	"math"
	"slices"

	"sonde/model"
)

// entries reads the services.
func (r *reader) entries(to *[]StudiedService, shapes *[]shape) take {
	return func(v *value) {
		r.each(v, func(kid *value) {
			s, own := StudiedService{}, shape{}
			known := r.shape(&own)
			known["name"], known["demo"], known["config"] = r.text(&s.Name), r.flag(&s.Demo), r.text(&s.Config)
			r.object(kid, "a service", known)
			switch {
			case s.Name == "":
				r.fail(kid, "a service needs a name")
			case slices.ContainsFunc(*to, func(o StudiedService) bool { return o.Name == s.Name }):
				r.fail(kid, "there are two services %.60q: names are unique", s.Name)
			case s.Demo == (s.Config != ""):
				r.fail(kid, "service %.60q takes one of config, the path of its sonde.yaml, and demo: true", s.Name)
			case len(*to) == mostServices:
				r.fail(kid, "there are more than %d services", mostServices)
			}
			*to, *shapes = append(*to, s), append(*shapes, own)
		})
	}
}

// probabilities reads numbers from 0 to 1.
func (r *reader) probabilities(to *[]float64) take {
	return func(v *value) {
		r.each(v, func(kid *value) {
			p := 0.0
			r.share(&p)(kid)
			if slices.Contains(*to, p) {
				r.fail(kid, "%v stands here twice", p)
			}
			*to = append(*to, p)
		})
		slices.Sort(*to)
	}
}

// sights reads whether searches see into the service: one of them, or both.
func (r *reader) sights(to *[]bool) take {
	return func(v *value) {
		r.each(v, func(kid *value) {
			white := false
			r.flag(&white)(kid)
			if slices.Contains(*to, white) {
				r.fail(kid, "%t stands here twice", white)
			}
			*to = append(*to, white)
		})
		if len(*to) == 2 {
			*to = []bool{false, true}
		}
	}
}

// sampling reads what is to be other than usual, or that all is to be as in the
// paper.
func (r *reader) sampling(to *model.Sampling) take {
	return func(v *value) {
		if v.kind == isText && v.text == "paper" {
			*to = model.Sampling{}
			return
		}
		r.object(v, "sampling", fields{
			"invalid": r.share(&to.Invalid), "sequel": r.share(&to.Sequel), "edge": r.share(&to.Edge), "echo": r.share(&to.Echo),
			"pool": r.share(&to.Pool), "sweep": r.share(&to.Sweep), "constants": r.share(&to.Constants),
			"operands": r.share(&to.Operands), "distilled": r.share(&to.Distilled),
		})
	}
}

// series reads budgets: numbers of calls, or such with seeds of their own.
func (r *reader) series(to *[]Budget) take {
	return func(v *value) {
		r.each(v, func(kid *value) {
			s := Budget{}
			calls := r.count(&s.Calls, math.MaxInt32)
			if kid.kind == isObject {
				r.object(kid, "a budget", fields{"calls": calls, "seeds": r.seeds(&s.Seeds)})
			} else {
				calls(kid)
			}
			switch {
			case s.Calls == 0:
				r.fail(kid, "a budget is at least 1 call")
			case slices.ContainsFunc(*to, func(o Budget) bool { return o.Calls == s.Calls }):
				r.fail(kid, "the budget of %d stands here twice", s.Calls)
			}
			*to = append(*to, s)
		})
		slices.SortFunc(*to, func(a, b Budget) int { return cmp.Compare(a.Calls, b.Calls) })
	}
}

// seeds reads how many there are, or which.
func (r *reader) seeds(to *[]uint64) take {
	return func(v *value) {
		if v.kind != isList {
			n := 0
			r.count(&n, mostSeeds)(v)
			if n == 0 {
				r.fail(v, "seeds is how many there are, at least 1, or a list of them")
			}
			*to = upTo(n)
			return
		}
		for _, kid := range v.kids {
			var seed *uint64
			r.seed(&seed)(kid)
			if r.err != nil {
				return
			}
			if slices.Contains(*to, *seed) {
				r.fail(kid, "the seed %d stands here twice", *seed)
			}
			*to = append(*to, *seed)
		}
		if len(*to) > mostSeeds {
			r.fail(v, "there are more than %d seeds", mostSeeds)
		}
	}
}

// upTo are the seeds from 1 to n.
func upTo(n int) []uint64 {
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i) + 1
	}
	return seeds
}
