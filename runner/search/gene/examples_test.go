package gene_test

import (
	"math/rand/v2"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"
)

// All examples of a body are used together, also those of optional and of nested properties.
func TestSetExamples(t *testing.T) {
	text := func(examples ...any) *model.Schema { return &model.Schema{Type: "string", Examples: examples} }
	key := &model.Schema{
		Type: "object", Properties: []model.Property{{Name: "kty", Schema: text("RSA", "EC")}, {Name: "use", Schema: text()}},
	}
	s := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "alg", Schema: text("RS256", "ES256")},
		{Name: "key", Schema: key},
		{Name: "kid", Schema: text("one")},
		{Name: "note", Schema: text()},
	}}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := gene.New(s)
		g.Sample(r)
		gene.OmitOptional(g)
		for n, want := range []string{
			`{"alg":"RS256","key":{"kty":"RSA"},"kid":"one"}`, `{"alg":"ES256","key":{"kty":"EC"},"kid":"one"}`,
		} {
			c := g.Clone()
			if !gene.SetExamples(r, c, n) {
				t.Fatal("there are examples, but none was set")
			}
			gene.EachProperty(c, func(name string, p gene.Gene) {
				if name == "use" { // became present with the object around it, by chance
					gene.SetPresent(r, p, false)
				}
			})
			if got := string(gene.JSON(c)); got != want {
				t.Errorf("seed %d: %s, want %s", seed, got, want)
			}
		}
	}
	plain := gene.New(&model.Schema{Type: "object", Properties: []model.Property{{Name: "note", Schema: text()}}})
	plain.Sample(rand.New(rand.NewPCG(1, 1)))
	before := string(gene.JSON(plain))
	if gene.SetExamples(rand.New(rand.NewPCG(1, 1)), plain, 0) || string(gene.JSON(plain)) != before {
		t.Errorf("a body without examples became %s", gene.JSON(plain))
	}
}
