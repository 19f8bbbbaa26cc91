package survey

// Tables are Tables 1 to 3 of the paper. They count the examined cases, see [Omission].
type Tables struct {
	Counts
	Seqs     SeqComparison      `json:"seqs"`     // Table 1, n_s
	Groups   GroupComparison    `json:"groups"`   // Table 1, n_g
	Coverage CoverageComparison `json:"coverage"` // Table 1
	// Reason is Table 2. The first column has the cases in which n_g decreased to 1 by DC.
	Reason ContingencyTable `json:"table2"`
	// Sign is Table 3. The first column has the cases with more than one group.
	Sign ContingencyTable `json:"table3"`
}

// Counts count the services and cases of the tables.
type Counts struct {
	// Services has the number of services with at least one examined case, and the number of services with at least
	// one case that was left out. With OmitCase, a service may count in both numbers.
	Services ExaminedCount `json:"services"`
	Cases    ExaminedCount `json:"cases"`
}

// ExaminedCount has the number of services or cases that were examined, and the number that were left out because a
// listing gave up.
type ExaminedCount struct {
	Examined int `json:"examined"`
	GaveUp   int `json:"gave_up"`
}

// newCounts returns the counts of services and cases. examined are the cases that the tables count, all the cases of
// the survey. Both lists are in order.
func newCounts(all, examined []Case) Counts {
	of := Counts{Cases: ExaminedCount{Examined: len(examined), GaveUp: len(all) - len(examined)}}
	kept, left := map[string]bool{}, map[string]int{}
	for _, c := range all {
		left[c.Service]++
	}
	for _, c := range examined {
		kept[c.Service] = true
		left[c.Service]--
	}
	of.Services.Examined = len(kept)
	for _, n := range left {
		if n > 0 {
			of.Services.GaveUp++
		}
	}
	return of
}

// SeqComparison compares the numbers of seqs that the rules list, n_s.
type SeqComparison struct {
	Increased  int `json:"increased_by_dc"`
	Equivalent int `json:"equivalent"`
	Decreased  int `json:"decreased_by_dc"`
}

// GroupComparison compares the mean numbers of groups that a seq touches, n_g.
type GroupComparison struct {
	Increased  int `json:"increased_by_dc"`
	Equivalent int `json:"equivalent"` // both means are 1
	// Decreased counts the cases in which the mean is 1 by DC and greater by SC.
	Decreased int `json:"decreased_by_dc"`
	// Other counts all other cases, including cases without a mean.
	Other int `json:"other"`
}

// CoverageComparison compares the numbers of operations that appear in a seq.
type CoverageComparison struct {
	Increased  int `json:"increased_by_dc"`
	Equivalent int `json:"equivalent"`
	Decreased  int `json:"decreased_by_dc"`
	// Full counts the equivalent cases in which each operation appears in a seq, and Partial counts all other
	// equivalent cases.
	Full    int `json:"both_100_percent"`
	Partial int `json:"both_less"`
	Other   int `json:"no_seqs_listed"`
}

func newTables(examined []Case, counts Counts) Tables {
	t := Tables{Counts: counts}
	for _, c := range examined {
		t.count(c)
	}
	return t
}

func (t *Tables) count(c Case) {
	fewer := t.Seqs.count(c)
	toOne := t.Groups.count(c)
	t.Coverage.count(c)
	t.Reason.count(fewer, toOne)
	t.Sign.count(fewer, c.Groups > 1)
}

// count adds a case to the comparison. It reports whether DC lists fewer seqs than SC.
func (s *SeqComparison) count(c Case) bool {
	switch {
	case c.DC.Seqs > c.SC.Seqs:
		s.Increased++
	case c.DC.Seqs == c.SC.Seqs:
		s.Equivalent++
	default:
		s.Decreased++
	}
	return c.DC.Seqs < c.SC.Seqs
}

// count adds a case to the comparison. It reports whether DC decreases the mean to 1.
func (g *GroupComparison) count(c Case) bool {
	dc, ok := c.DC.GroupsPerSeq()
	sc, too := c.SC.GroupsPerSeq()
	switch {
	case !ok || !too:
		g.Other++
	case dc > sc:
		g.Increased++
	case dc == 1 && sc == 1:
		g.Equivalent++
	case dc == 1:
		g.Decreased++
		return true
	default:
		g.Other++
	}
	return false
}

func (v *CoverageComparison) count(c Case) {
	switch dc, sc := c.DC.Covered, c.SC.Covered; {
	case c.DC.Seqs == 0 || c.SC.Seqs == 0:
		v.Other++
	case dc > sc:
		v.Increased++
	case dc < sc:
		v.Decreased++
	case dc == c.Operations:
		v.Equivalent++
		v.Full++
	default:
		v.Equivalent++
		v.Partial++
	}
}
