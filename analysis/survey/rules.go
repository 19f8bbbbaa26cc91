package survey

// RuleSummaries says what each way of listing does, over the cases that the tables
// count: with condition I alone, with condition II, and with condition II that
// counts only what the taker requires.
type RuleSummaries struct {
	Operations int         `json:"operations"` // of all these cases
	SC         RuleSummary `json:"sc"`
	DC         RuleSummary `json:"dc"`
	Needed     RuleSummary `json:"dc_needed"`
}

// RuleSummary is what a way of listing does in all cases together.
type RuleSummary struct {
	Seqs    int `json:"seqs"`
	Covered int `json:"covered"` // operations that appear in a seq
	// Fewer are the cases with fewer seqs than the way before it lists, and Less
	// those in which fewer operations appear.
	Fewer int `json:"cases_with_fewer_seqs"`
	Less  int `json:"cases_that_cover_less"`
}

func newRules(cases []Case) RuleSummaries {
	var r RuleSummaries
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

func (s *RuleSummary) add(l, before Listing) {
	s.Seqs += l.Seqs
	s.Covered += l.Covered
	if l.Seqs < before.Seqs {
		s.Fewer++
	}
	if l.Covered < before.Covered {
		s.Less++
	}
}
