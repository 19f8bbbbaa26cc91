package depend

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// shared is the directory with real specs.
var shared = filepath.Join("..", "..", "..", "shared", "specs")

func load(t *testing.T, path string) *model.Spec {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the real specs are not beside the repository: %v", err)
	}
	spec, err := openapi.Parse(context.Background(), path, data, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestTemplatesOfRealSpecs(t *testing.T) {
	tests := []struct {
		spec, of string
		want     []string
	}{
		{"features-service.json", "DELETE /products/{productName}/configurations/{configurationName}", []string{
			"POST /products/{productName}; " +
				"POST /products/{productName}/configurations/{configurationName} [productName=0.productName]; " +
				"DELETE /products/{productName}/configurations/{configurationName} " +
				"[productName=0.productName] [configurationName=1.configurationName]",
		}},
		{"scout-api.json", "DELETE /v1/categories/{id}", []string{ // Figure 5 of the EvoMaster paper
			"0.8: POST /v1/categories; DELETE /v1/categories/{id} [id<0]",
			"0.2: PUT /v1/categories/{id}; DELETE /v1/categories/{id} [id=0.id]",
		}},
		{"scout-api.json", "GET /v2/activities/{id}/rating", []string{
			"POST /v2/activities; POST /v2/activities/{id}/rating x1-3 [id<0]; GET /v2/activities/{id}/rating [id<0]",
		}},
		{"proxyprint.json", "DELETE /printshops/{printShopID}/employees/{employeeID}", []string{
			"POST /printshops/{printShopID}/employees; " +
				"DELETE /printshops/{printShopID}/employees/{employeeID} [printShopID=0.printShopID] [employeeID<0]",
			"GET /printshops; POST /printshops/{printShopID}/employees [printShopID<0]; " +
				"DELETE /printshops/{printShopID}/employees/{employeeID} [printShopID<0] [employeeID<1]",
		}},
		{"realworld-app.json", "DELETE /articles/{slug}/comments/{id}", []string{
			"POST /articles; POST /articles/{slug}/comments [slug<0]; DELETE /articles/{slug}/comments/{id} [slug<0] [id<1]",
		}},
		{"spacex-api.json", "PATCH /launches/{id}", []string{"POST /launches; PATCH /launches/{id} x1-2 [id<0]"}},
		{"session-service.json", "GET /api/sessions/{source}/{type}/{id}", []string{
			"POST /api/sessions/{source}/{type}; GET /api/sessions/{source}/{type}/{id} [source=0.source] [type=0.type] [id<0]",
		}},
		{"bibliothek.json", "GET /v2/projects/{project}", []string{
			"GET /v2/projects/{project}", "GET /v2/projects; GET /v2/projects/{project} [project<0]",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.spec+" "+tt.of, func(t *testing.T) {
			spec := load(t, filepath.Join(shared, "emb", tt.spec))
			checkTemplates(t, spec.Operations, tt.of, tt.want)
		})
	}
}

// TestRealSpecs checks the results for the services of a benchmark of test generators.
func TestRealSpecs(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared, "emb", "*"))
	if err != nil || len(paths) == 0 {
		t.Skip("the real specs are not beside the repository")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			spec := load(t, path)
			for _, template := range plannerOf(spec).Templates() {
				checkTemplate(t, spec, template)
			}
			g := NewGraph(match.NewValuesTable(spec.Operations, match.Mode{Values: match.ShallowReading, Match: match.MatchByName}))
			in := 0
			for _, c := range g.Components() {
				in += len(c)
			}
			if in != len(spec.Operations) {
				t.Errorf("%d operations in components, want %d", in, len(spec.Operations))
			}
		})
	}
}
