package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
)

// shopSpec is the OpenAPI document that the runner of Arazzo workflows needs. %q is the URL of the service.
const shopSpec = `{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": %q}], "paths": {
	"/products": {"post": {"operationId": "createProduct", "responses": {"201": {"description": "it"}}}},
	"/orders": {"post": {"operationId": "createOrder", "responses": {"201": {"description": "it"}}}},
	"/orders/{id}/pay": {"post": {
		"operationId": "pay",
		"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
		"responses": {"204": {"description": "paid"}}
	}},
	"/old": {"get": {"operationId": "old", "responses": {"301": {"description": "elsewhere"}}}}}}`

func TestArazzoRuns(t *testing.T) {
	s := export.NewService(t)
	suite := export.Served()
	suite.Spec = "openapi.json"
	dir, made := written(t, "arazzo", suite)
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), fmt.Appendf(nil, shopSpec, s.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	if left := strings.Join(made.Omissions, "\n"); !strings.Contains(
		left, "CreateProductThenGetProductThenGetPrice_404, because a workflow can only take a complete header",
	) {
		t.Errorf("it lacks %q, want the end of a header among that", left)
	}
	output, err := outcome(
		t, dir, nil, "arazzo-runner", "execute-workflow", "--workflow-id",
		"CreateProductAndOrderThenPayOrderTwice_500", "--inputs", `{"SHOP_ANN": "Bearer ann-demo"}`,
		"sonde.arazzo.json",
	)
	if err != nil || !strings.Contains(output, "workflow_complete") {
		t.Errorf("%v, want the workflow to pass:\n%s\n%s", err, output, readFile(t, dir, "sonde.arazzo.json"))
	}
}
