package individual

import (
	"cmp"
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/gene"
)

// chromosome is what all calls of one operation have in common: the fixed parts, and prototypes of the genes. The
// EvoMaster paper calls it a chromosome template.
type chromosome struct {
	op     *model.Operation
	params []gene.Gene // genes in the order of op.Params
	body   gene.Gene   // nil if the operation has no body
	media  string      // media type of the body
	kind   kind
	schema *model.Schema // schema of the body; nil if the spec has none
	// files has the files of the body, by the names of its parts. The name is "" if the whole body is a file.
	files map[string]*fileChoice
	// uniform is the same chromosome with values that are drawn uniformly. It is nil if the sampling does not use
	// them.
	uniform *chromosome
}

// newChromosome returns the chromosome of an operation. If uniform is true, its values are drawn uniformly; see
// gene.NewUniform.
func newChromosome(op *model.Operation, uniform bool, sizes model.Sizes) *chromosome {
	c := &chromosome{op: op}
	newGene := func(name string, s *model.Schema) gene.Gene {
		if uniform {
			return gene.NewUniform(s, sizes)
		}
		return gene.NewNamed(name, s, sizes)
	}
	for _, p := range op.Params {
		g := newGene(p.Name, p.Schema)
		if !p.Required && p.In != model.InPath {
			g = gene.NewOptional(g)
		}
		c.params = append(c.params, g)
	}
	if op.Body == nil || len(op.Body.Contents) == 0 {
		return c
	}
	content := preferred(op.Body.Contents)
	c.media, c.kind, c.schema = concrete(content.Media), kindOf(content.Media), content.Schema
	sent := cmp.Or(content.Schema, &model.Schema{Type: "object"})
	if file := bodyFiles(op, content); file != nil {
		c.kind, c.files = asFile, map[string]*fileChoice{"": file}
		sent = file.schema()
	} else if c.kind == asParts {
		c.files = partFiles(op, content)
		sent = withFileNames(sent, c.files)
	}
	c.body = newGene("", sent)
	if !op.Body.Required && !isForm(content.Media) {
		c.body = gene.NewOptional(c.body)
	}
	return c
}

// preferred returns the content to send: the first JSON content, otherwise the first form, otherwise
// the first content of any type.
func preferred(contents []model.Content) model.Content {
	for _, c := range contents {
		if isJSON(c.Media) {
			return c
		}
	}
	for _, c := range contents {
		if isForm(c.Media) {
			return c
		}
	}
	return contents[0]
}

// sample returns a call with random values and without a user.
func (c *chromosome) sample(r *rand.Rand) call {
	out := call{chromosome: c, genes: make([]gene.Gene, len(c.params))}
	for i, p := range c.params {
		out.genes[i] = p.Clone()
		out.genes[i].Sample(r)
	}
	if c.body != nil {
		out.payload = c.body.Clone()
		out.payload.Sample(r)
		out.sampleFiles(r)
	}
	return out
}
