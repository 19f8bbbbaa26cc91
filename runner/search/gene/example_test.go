package gene_test

import (
	"fmt"
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/gene"
)

// A prototype is built once. For each call it is cloned and sampled, and then mutated together with
// the other genes of a test.
func Example() {
	size := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "unit", Required: true, Schema: &model.Schema{Enum: []any{"cm", "inch"}}},
		{Name: "width", Required: true, Schema: &model.Schema{Type: "integer", Min: new(0.0)}},
	}}
	proto := gene.New(size)

	r := rand.New(rand.NewPCG(1, 2))
	body := proto.Clone()
	body.Sample(r)
	fmt.Printf("%s, %d genes\n", gene.JSON(body), gene.ActiveCount(body))

	gene.Mutate(r, []gene.Gene{body}, gene.Pace{})
	fmt.Printf("%s\n", gene.JSON(body))
	// Output:
	// {"unit":"cm","width":79}, 3 genes
	// {"unit":"inch","width":8113}
}
