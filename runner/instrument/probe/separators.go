package probe

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// separatorsOf returns the separators at which packages split strings.
func separatorsOf(pkgs []*packages.Package) *probedata.Separators {
	var all separatorSet
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					all.collect(p.TypesInfo, c)
				}
				return true
			})
		}
	}
	slices.Sort(all.Words)
	slices.Sort(all.Parts)
	all.Words, all.Parts = slices.Compact(all.Words), slices.Compact(all.Parts)
	return (*probedata.Separators)(&all)
}

// separatorSet collects separators.
type separatorSet probedata.Separators

// splitters maps functions that split text at fixed separators to one of these separators.
var splitters = map[string]string{
	"strings.Fields":         " ",
	"strings.FieldsSeq":      " ",
	"bytes.Fields":           " ",
	"bytes.FieldsSeq":        " ",
	"encoding/csv.NewReader": ",",
	"fmt.Sscan":              " ",
	"fmt.Fscan":              " ",
}

// collect adds the separator of a call, if that is a constant.
func (s *separatorSet) collect(info *types.Info, c *ast.CallExpr) {
	fn, ok := info.Uses[calleeName(c)].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	if own := splitters[fn.FullName()]; own != "" {
		s.Words = append(s.Words, own)
	}
	if pkg := fn.Pkg().Path(); len(c.Args) < 2 || pkg != "strings" && pkg != "bytes" || fn.Signature().Recv() != nil {
		return
	}
	switch text := textOf(info, c.Args[1]); {
	case text == "":
	case strings.HasPrefix(fn.Name(), "Split"):
		s.Words = append(s.Words, text)
	case fn.Name() == "Cut", strings.HasPrefix(fn.Name(), "Index"), strings.HasPrefix(fn.Name(), "LastIndex"):
		s.Parts = append(s.Parts, text)
	}
}
