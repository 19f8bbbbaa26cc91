package survey

// PaperTables returns the tables that are printed in the paper. Its authors used a directory of specs of 2019 that is
// no longer available. The numbers in its Tables 2 and 3 contradict each other slightly.
func PaperTables() Tables {
	return Tables{
		Counts: Counts{
			Services: ExaminedCount{Examined: 410, GaveUp: 32},
			Cases:    ExaminedCount{Examined: 2157, GaveUp: 125},
		},
		Seqs:     SeqComparison{Equivalent: 651, Decreased: 1506},
		Groups:   GroupComparison{Equivalent: 623, Decreased: 1498, Other: 36},
		Coverage: CoverageComparison{Equivalent: 2154, Full: 2033, Partial: 121, Decreased: 1, Other: 2},
		Reason:   ContingencyTable{{0, 651}, {1498, 8}},
		Sign:     ContingencyTable{{39, 612}, {1435, 71}},
	}
}
