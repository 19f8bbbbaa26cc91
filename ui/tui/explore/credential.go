package explore

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// takenCredentials returns the credentials that the operation needs from log-ins, one for each scheme.
func (n neighbours) takenCredentials(op *model.Operation) (all []flow) {
	for _, g := range n.analyzed.Grants {
		if !slices.Contains(g.To, op.ID) {
			continue
		}
		p := peer{op: g.From, token: g.Token}
		if i := slices.IndexFunc(all, func(f flow) bool { return f.use.ID == g.ID }); i >= 0 {
			all[i].peers = append(all[i].peers, p)
			continue
		}
		all = append(all, credentialFlow(g, op.Secured, p))
	}
	return all
}

// addGivenCredentials adds, to the values of an operation, the credentials that the operation returns as a log-in. If
// such a credential already is one of the values, the operations that take the credential become peers of that value.
func (n neighbours) addGivenCredentials(all []flow) []flow {
	for _, g := range n.analyzed.Grants {
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
		f := credentialFlow(g, false, peers...)
		f.use.Out, f.use.In = true, model.InResponse
		all = append(all, f)
	}
	return all
}

// credentialFlow returns the flow for the credential of a grant.
func credentialFlow(g match.LoginGrant, required bool, peers ...peer) flow {
	use := match.ValueUse{ID: g.ID}
	use.Name, use.In, use.Required = g.Scheme, model.InHeader, required
	return flow{use: use, why: g.Why, kind: "credential", peers: peers}
}
