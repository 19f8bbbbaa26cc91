package probedata

// plan has the parts of a Target that are needed to read its score, in compact form. Up to
// 100,000 plans are read after each test.
type plan struct {
	hit, near  int32
	from, upTo int32 // the range of the target's terms: the index of the first one, and of the one after the last
	slot       int32 // index of the slot of the target's only term, if this term does not scale the score; otherwise -1
}

// term is a ScoreTerm in compact form.
type term struct {
	slot        int32
	base, scale float64
}

// newPlans returns the plans and terms of a manifest's targets.
func newPlans(m *Manifest) (plans []plan, terms []term) {
	for _, t := range m.Targets {
		p := plan{hit: int32(t.Hit), near: int32(t.Near), from: int32(len(terms)), slot: -1}
		if len(t.Terms) == 1 && t.Terms[0].Base == 0 && t.Terms[0].Scale == 1 {
			p.slot = int32(t.Terms[0].SlotIndex())
		}
		for _, of := range t.Terms {
			terms = append(terms, term{slot: int32(of.SlotIndex()), base: of.Base, scale: of.Scale})
		}
		p.upTo = int32(len(terms))
		plans = append(plans, p)
	}
	return plans, terms
}

// stretch is a series of successive targets of the source, with the parts of the memory that have
// their scores. Targets that are near each other use bytes that are near each other.
type stretch struct {
	from, upTo int // the range of the targets: the index of the first one, and of the one after the last
	hits       span
	slots      span
}

// span is the part [from:upTo] of a slice.
type span struct{ from, upTo int32 }

// with returns the smallest span that contains s and n.
func (s span) with(n int32) span {
	if s.from == s.upTo {
		return span{from: n, upTo: n + 1}
	}
	return span{from: min(s.from, n), upTo: max(s.upTo, n+1)}
}

// stretchLength is the number of targets in a stretch. The last stretch may have fewer.
const stretchLength = 32

func newStretches(plans []plan, terms []term) []stretch {
	var all []stretch
	for from := 0; from < len(plans); from += stretchLength {
		s := stretch{from: from, upTo: min(from+stretchLength, len(plans))}
		for _, p := range plans[s.from:s.upTo] {
			for _, hit := range []int32{p.hit, p.near} {
				if hit != 0 {
					s.hits = s.hits.with(hit)
				}
			}
			for _, t := range terms[p.from:p.upTo] {
				s.slots = s.slots.with(t.slot)
			}
		}
		all = append(all, s)
	}
	return all
}
