package mutate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"sonde/runner/instrument/probe"
)

// TestMutantsCompile type-checks mutants of whole services.
func TestMutantsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("loads and type-checks whole services")
	}
	for _, tt := range []struct {
		options probe.Options
		each    int // n: each n-th mutant is checked
	}{
		{probe.Options{Dir: "testdata/shop", Package: "."}, 1},
		{probe.Options{Dir: "../../..", Package: "./runner/testdata/fanout"}, 5},
		{probe.Options{Dir: "../../..", Package: "./assets/demo/server"}, 50},
	} {
		t.Run(filepath.Base(tt.options.Package), func(t *testing.T) {
			b, err := probe.NewVariantBuilder(t.Context(), tt.options)
			if err != nil {
				t.Fatal(err)
			}
			all, err := FindMutants(b, Operators)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) == 0 {
				t.Error("there are none")
			}
			for i := 0; i < len(all); i += tt.each {
				if err := checks(b, all[i]); err != nil {
					t.Errorf("%s %s: %s => %s: %v", all[i].Position(), all[i].Operator, all[i].Before, all[i].After, err)
				}
			}
		})
	}
}

// checks type-checks the package of a mutant.
func checks(b *probe.VariantBuilder, m Mutant) error {
	for _, s := range b.Sources {
		var files []*ast.File
		found := false
		for _, file := range s.Files {
			name := b.Fset.PositionFor(file.Package, false).Filename
			if name == m.source {
				found = true
				src, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				file, err = parser.ParseFile(b.Fset, name, apply(src, m.edits), 0)
				if err != nil {
					return err
				}
			}
			files = append(files, file)
		}
		if found {
			c := types.Config{Importer: known(s.Package.Imports())}
			_, err := c.Check(s.Path, b.Fset, files, nil)
			return err
		}
	}
	return fmt.Errorf("%s is in no package", m.source)
}

// known is a types.Importer that finds packages in a list of packages that are already type-checked.
type known []*types.Package

func (k known) Import(path string) (*types.Package, error) {
	for _, p := range k {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s is not imported", path)
}
