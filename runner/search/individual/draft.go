package individual

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/gene"
)

// DraftTest returns a test of the first user that follows a template, from which a user starts to write requests. Its
// required parameters, its bodies and the values that links replace are those of gene.Draft. Other optional parameters
// are left out.
func (p *Problem) DraftTest(t model.Template) model.Test {
	ind := p.calls.follow(draftRandom(), t, p.users.first())
	for n, c := range ind.calls {
		c.draft(func(i int) bool { return ind.links.sets(n, c.op.Params[i].In, c.op.Params[i].Name) })
		ind.calls[n] = c
	}
	return ind.Test()
}

// DraftBodies returns a body for each media type that an operation declares, in the order of the document. It leaves
// out a media type for which no body can be written.
func DraftBodies(op *model.Operation) (all []model.Payload) {
	if op.Body == nil {
		return nil
	}
	for _, content := range op.Body.Contents {
		own, body := *op, *op.Body
		body.Contents, own.Body, own.Params = []model.Content{content}, &body, nil
		c := newChromosome(&own, false, model.Sizes{}).sample(draftRandom())
		c.draft(nil)
		if m := c.message(); m != nil {
			all = append(all, *m)
		}
	}
	return all
}

// DraftArgs returns arguments for all parameters of an operation, including those that DraftTest leaves out.
func DraftArgs(op *model.Operation) []model.Arg {
	own := *op
	own.Body = nil
	c := newChromosome(&own, false, model.Sizes{}).sample(draftRandom())
	for i, g := range c.genes {
		c.genes[i] = gene.Draft(g)
	}
	return c.args()
}

// draftRandom returns the source of chance of all drafts. It is the same for each draft, so that drafts are equal.
func draftRandom() *rand.Rand { return rand.New(rand.NewPCG(0, 0)) }

// draft gives a call the values of a draft. linked reports whether a link sets the parameter with an index.
func (c *call) draft(linked func(param int) bool) {
	for i, p := range c.op.Params {
		g := gene.UnlockValue(c.genes[i])
		switch {
		case linked(i):
			c.genes[i] = gene.LockValue(gene.Draft(g))
		case p.Required || p.In == model.InPath:
			c.genes[i] = gene.Draft(g)
		default:
			c.genes[i] = gene.Simplest(g)
		}
	}
	if c.payload != nil {
		c.payload = gene.Draft(c.payload)
	}
}
