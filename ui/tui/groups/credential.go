package groups

import (
	"slices"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// maxCredentialEnds is the maximum number of takers of a credential that the figure shows. All operations
// of an API may take a credential, and their arrows would hide other arrows.
const maxCredentialEnds = 8

// credentials returns the credentials that log-ins among the operations return. The operations that take
// them may be in other groups. Credentials are shown as exchanged values, although they form no groups.
func credentials(grants []match.LoginGrant, ops []*model.Operation) []exchange {
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
			out[i].Emitters = append(out[i].Emitters, from)
		default:
			at[g.ID] = len(out)
			out = append(out, exchange{
				ValueFlow: valuegroup.ValueFlow{Names: []string{g.ID}, Emitters: []int{from}, Takers: takers},
				outside:   len(g.To) - len(takers),
			})
		}
	}
	return out
}

func indexOf(ops []*model.Operation, id model.OpID) int {
	return slices.IndexFunc(ops, func(op *model.Operation) bool { return op.ID == id })
}

// figureCredentials returns the credentials that operations of the group take and that fit into the figure.
func figureCredentials(credentials []exchange) []valuegroup.ValueFlow {
	var out []valuegroup.ValueFlow
	for _, x := range credentials {
		if n := len(x.Takers); n > 0 && n <= maxCredentialEnds {
			out = append(out, x.ValueFlow)
		}
	}
	return out
}

// credentialEvidence returns the operations of a group that grant a credential, and all
// operations that take it.
func credentialEvidence(grants []match.LoginGrant, ops []*model.Operation, id string) []evidence {
	var emit, take []evidence
	for _, g := range grants {
		if g.ID != id || indexOf(ops, g.From) < 0 {
			continue
		}
		emit = append(emit, evidence{
			op:    g.From,
			emits: true,
			place: draw.Clean("answer " + g.Token),
			why:   draw.Clean(g.Why),
		})
		for _, op := range g.To {
			e := evidence{op: op, place: draw.Clean("security " + g.Scheme), why: "the document secures it"}
			if !slices.Contains(take, e) {
				take = append(take, e)
			}
		}
	}
	return append(emit, take...)
}
