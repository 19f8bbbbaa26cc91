package survey

// Rules says what each way of listing does, over the cases that the tables
// count: with condition I alone, with condition II, and with condition II that
// counts only what the taker requires.
type Rules struct {
	Operations int `json:"operations"` // of all these cases
	SC         Sum `json:"sc"`
	DC         Sum `json:"dc"`
	Needed     Sum `json:"dc_needed"`
}

// Sum is what a way of listing does in all cases together.
type Sum struct {
	Seqs    int `json:"seqs"`
	Covered int `json:"covered"` // operations that appear in a seq
	// Fewer are the cases with fewer seqs than the way before it lists, and Less
	// those in which fewer operations appear.
	Fewer int `json:"cases_with_fewer_seqs"`
	Less  int `json:"cases_that_cover_less"`
}

func newRules(cases []Case) Rules {
	var r Rules
	for _, c := range cases {
		if !c.Examined() {
			continue
		}
		r.Operations += c.Operations
		r.SC.add(c.SC, c.SC)
		r.DC.add(c.DC, c.SC)
		r.Needed.add(c.Needed, c.DC)
	}
	return r
}

func (s *Sum) add(l, before Listing) {
	s.Seqs += l.Seqs
	s.Covered += l.Covered
	if l.Seqs < before.Seqs {
		s.Fewer++
	}
	if l.Covered < before.Covered {
		s.Less++
	}
}
