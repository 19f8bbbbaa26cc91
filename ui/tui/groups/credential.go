package groups

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// mostCredentialEnds is how many operations may take a credential for the figure to
// show it: all of an API's operations may, and their arrows would hide all others.
const mostCredentialEnds = 8

// credentials returns what log-ins among the operations give to others, which may be of
// other groups. It is shown as an exchanged value, though it does not make the group one.
func credentials(grants []match.Grant, ops []*model.Operation) []exchange {
	var out []exchange
	at := map[string]int{}
	for _, g := range grants {
		from := indexOf(ops, g.From)
		if from < 0 {
			continue
		}
		var takers []int
		for _, op := range g.To {
			if i := indexOf(ops, op); i >= 0 {
				takers = append(takers, i)
			}
		}
		i, ok := at[g.ID]
		switch {
		case ok:
			out[i].emitters = append(out[i].emitters, from)
		default:
			at[g.ID] = len(out)
			x := exchange{names: []string{g.ID}, emitters: []int{from}, takers: takers, outside: len(g.To) - len(takers)}
			out = append(out, x)
		}
	}
	return out
}

func indexOf(ops []*model.Operation, id model.OpID) int {
	return slices.IndexFunc(ops, func(op *model.Operation) bool { return op.ID == id })
}

// drawn are the credentials that others of the group take and the figure has room for.
func drawn(credentials []exchange) []exchange {
	return slices.DeleteFunc(slices.Clone(credentials), func(x exchange) bool {
		return len(x.takers) == 0 || len(x.takers) > mostCredentialEnds
	})
}

// credentialProof returns which of a group's operations give a credential, and which
// operations take it.
func credentialProof(grants []match.Grant, ops []*model.Operation, id string) []evidence {
	var emit, take []evidence
	for _, g := range grants {
		if g.ID != id || indexOf(ops, g.From) < 0 {
			continue
		}
		emit = append(emit, evidence{op: g.From, emits: true, place: draw.Clean("answer " + g.Token), why: draw.Clean(g.Why)})
		for _, op := range g.To {
			e := evidence{op: op, place: draw.Clean("security " + g.Scheme), why: "the document secures it"}
			if !slices.Contains(take, e) {
				take = append(take, e)
			}
		}
	}
	return append(emit, take...)
}
