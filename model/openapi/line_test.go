package openapi_test

import (
	"context"
	"path/filepath"
	"testing"

	"sonde/model"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
)

func TestOperationLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[model.OpID]int
	}{
		"YAML": {
			"openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    # a comment\n    get:\n      responses: {}\n" +
				"    post: {responses: {}}\n",
			map[model.OpID]int{"GET /a": 6, "POST /a": 8},
		},
		"JSON": {
			"{\"swagger\": \"2.0\", \"info\": {\"title\": \"A\", \"version\": \"1\"},\n" +
				"\"paths\": {\"/a\": {\n\n\"put\":\n{\"responses\": {}}}}}",
			map[model.OpID]int{"PUT /a": 4},
		},
		"an operation in another file": {
			"openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    $ref: item.yaml\n  /b:\n    get: {responses: {}}\n",
			map[model.OpID]int{"GET /a": 0, "GET /b": 7},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "item.yaml"), "get:\n  responses: {}\n")
			write(t, filepath.Join(dir, "spec"), c.text)
			spec, err := openapi.Load(context.Background(), filepath.Join(dir, "spec"), openapi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[model.OpID]int{}
			for _, op := range spec.Operations {
				got[op.ID] = op.Line
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
		})
	}
}
