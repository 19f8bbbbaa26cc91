package graph

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/tui/screen"
)

// real has the paths of large specs in ../shared/specs.
var real = []string{"emb/ocvn-rest.json", "oas2/magento.com/2.1/swagger.yaml", "oas2/trello.com/1.0/swagger.yaml"}

// BenchmarkDraw measures a picture of the whole API: values, flows and layout.
func BenchmarkDraw(b *testing.B) {
	for _, path := range real {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "specs", path))
		if err != nil {
			b.Skipf("the real specs are not beside the repository: %v", err)
		}
		spec, err := openapi.Parse(context.Background(), path, data, openapi.Options{})
		if err != nil {
			b.Fatal(err)
		}
		s, err := screen.AnalyzeSpec(context.Background(), spec, match.DefaultMode)
		if err != nil {
			b.Fatal(err)
		}
		for z := dots; z <= facts; z++ {
			b.Run(fmt.Sprintf("%d/%s", len(spec.Operations), z), func(b *testing.B) {
				for b.Loop() {
					drawing(b, s, view{whole: true, zoom: z}, 120)
				}
			})
		}
	}
}
