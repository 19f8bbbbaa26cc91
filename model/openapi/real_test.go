package openapi_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"

	"sonde/model"
	"sonde/model/openapi"
)

const specs = "../../../shared/specs"

// realSpecs returns the paths of all specs in a folder. It skips the test if there are none.
func realSpecs(t testing.TB, folder string) []string {
	t.Helper()
	root := filepath.Join(specs, folder)
	if _, err := os.Stat(root); err != nil {
		t.Skip("the folder with real specs is not beside the repository")
	}
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sample returns all files. With -short or with the race detector it returns every tenth file.
func sample(files []string) []string {
	if !testing.Short() && !raceEnabled {
		return files
	}
	var some []string
	for i := 0; i < len(files); i += 10 {
		some = append(some, files[i])
	}
	return some
}

// TestRealSpecs loads each real spec and checks that no operation is missing.
func TestRealSpecs(t *testing.T) {
	for folder, most := range map[string]int{"oas2": 251, "emb": 23} {
		t.Run(folder, func(t *testing.T) {
			files := realSpecs(t, folder)
			if len(files) < most {
				t.Errorf("got %d files, want %d", len(files), most)
			}
			for _, file := range sample(files) {
				spec, err := openapi.Load(context.Background(), file, openapi.Options{})
				if err != nil {
					t.Error(err)
					continue
				}
				if want := operations(t, file); len(spec.Operations) != want {
					t.Errorf("%s: got %d operations, want %d", file, len(spec.Operations), want)
				}
			}
		})
	}
}

// operations counts the operations in a file without using the code under test.
func operations(t *testing.T, file string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]any `yaml:"paths"`
	}
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	n := 0
	methods := []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}
	for _, item := range doc.Paths {
		for key := range item {
			if slices.Contains(methods, key) {
				n++
			}
		}
	}
	return n
}

// TestKnownBad reads the four real specs that kin-openapi refuses. Their errors are listed as problems with their
// places.
func TestKnownBad(t *testing.T) {
	tests := []struct {
		file     string
		problems int // 0: not counted
		want     model.Problem
	}{
		{"oas2/slack.com/1.0.1/swagger.yaml", 4, model.Problem{
			Pointer: "/definitions/objs_conversation/items", Line: 11394,
			Text: "a schema must be an object, not a list; left out",
		}},
		{"emb/proxyprint.json", 0, model.Problem{
			Pointer: "/paths/~1consumer~1{id}~1notify/post/parameters/2", Line: 1579,
			Text: `a second body "principal"; left out`,
		}},
		{"emb/ocvn-rest.json", 8, model.Problem{
			Pointer: "/paths/~1api~1ocds~1organization~1all/get/parameters/0/schema", Line: 19792,
			Text: `$ref "#/definitions/TextSearchRequest": there is nothing at "/definitions/TextSearchRequest"; left out`,
		}},
		{"emb/cwa-verification.json", 1, model.Problem{
			Pointer: "/components/schemas/RegistrationTokenRequest/properties/keyDob/required", Line: 322,
			Text: "a list of names belongs here, not false; left out",
		}},
	}
	realSpecs(t, "emb")
	for _, test := range tests {
		t.Run(filepath.Base(filepath.Dir(test.file))+"/"+filepath.Base(test.file), func(t *testing.T) {
			spec, err := openapi.Load(context.Background(), filepath.Join(specs, test.file), openapi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(spec.Problems, test.want) {
				t.Errorf("want %+v among %d problems", test.want, len(spec.Problems))
			}
			if test.problems > 0 && len(spec.Problems) != test.problems {
				t.Errorf("got %d problems, want %d", len(spec.Problems), test.problems)
			}
		})
	}
}
