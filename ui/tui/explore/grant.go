package explore

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// admitted are the credentials that the operation takes from log-ins, one for each
// scheme.
func (n neighbours) admitted(op *model.Operation) (all []flow) {
	for _, g := range n.study.Grants {
		if !slices.Contains(g.To, op.ID) {
			continue
		}
		p := peer{g.From, g.Token}
		if i := slices.IndexFunc(all, func(f flow) bool { return f.use.ID == g.ID }); i >= 0 {
			all[i].peers = append(all[i].peers, p)
			continue
		}
		all = append(all, granted(g, op.Secured, p))
	}
	return all
}

// admits adds to what the operation emits the credentials that it gives as a log-in,
// to the value in its answer that holds it, if that is known.
func (n neighbours) admits(all []flow) []flow {
	for _, g := range n.study.Grants {
		if g.From != n.op {
			continue
		}
		var peers []peer
		for _, to := range g.To {
			peers = append(peers, peer{op: to})
		}
		if i := slices.IndexFunc(all, func(f flow) bool { return f.use.ID == g.Value }); i >= 0 {
			all[i].peers = append(all[i].peers, peers...)
			all[i].why += "; " + g.ID + ", as " + g.Why
			continue
		}
		f := granted(g, false, peers...)
		f.use.Out, f.use.In = true, model.InResponse
		all = append(all, f)
	}
	return all
}

func granted(g match.LoginGrant, required bool, peers ...peer) flow {
	use := match.ValueUse{ID: g.ID}
	use.Name, use.In, use.Required = g.Scheme, model.InHeader, required
	return flow{use: use, why: g.Why, kind: "credential", peers: peers}
}
