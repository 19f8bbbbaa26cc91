package individual

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// AdoptTest returns an individual with the calls, links, stubs and rows of a test. Its genes have the test's
// values, except values that a gene cannot represent. Mutations may add and remove calls. The spec of
// the problem must have all operations of the test.
func (p *Problem) AdoptTest(r *rand.Rand, t model.Test) *Individual {
	ind := &Individual{free: true, afterRedirect: t.AfterRedirect}
	for _, c := range t.Calls {
		own := p.operations.byID[c.Op].sample(r)
		own.user = c.User
		own.adopt(c)
		ind.calls = append(ind.calls, own)
	}
	for _, l := range t.Links {
		ind.link(l, l.From, l.To)
	}
	for _, s := range t.Stubs {
		ind.stubs = append(ind.stubs, p.hosts.model.AdoptStub(s))
	}
	for _, from := range t.Rows {
		ind.rows = append(ind.rows, adoptRow(from, p.sizes))
	}
	return ind
}

// adopt sets the genes of c to the values of a call of a test. A gene that cannot represent its value does not
// change. adopt reads a body only if it is JSON or a file.
func (c *call) adopt(from model.Call) {
	for _, a := range from.Args {
		if a.In == model.InHeader && strings.EqualFold(a.Name, "Accept") {
			c.accept = a.Value
		}
	}
	for i, p := range c.op.Params {
		j := slices.IndexFunc(from.Args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name })
		if j < 0 {
			gene.OmitValue(c.genes[i])
		} else {
			gene.AssignText(c.genes[i], from.Args[j].PlainValue())
		}
	}
	switch {
	case c.payload == nil:
	case from.Body == nil:
		gene.OmitValue(c.payload)
	case c.kind == asFile:
		for _, f := range c.files[""].files {
			if f.Data == from.Body.Data {
				gene.AssignText(c.payload, f.Name)
			}
		}
	case isJSON(from.Body.Media):
		gene.AssignValue(c.payload, decode(from.Body.Data))
	}
}
