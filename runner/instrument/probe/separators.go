package probe

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// separatorsOf returns the separators at which packages split strings, and the beginnings and ends for which
// they check strings.
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
	for _, list := range []*[]string{&all.Words, &all.Parts, &all.Prefixes, &all.Suffixes} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
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

// collect adds the separator, the beginning or the end that is an argument of a call, if it is a constant. It leaves
// out beginnings and ends that are longer than maxConstantSize.
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
	case len(text) > maxConstantSize:
	case strings.HasSuffix(fn.Name(), "Prefix"):
		s.Prefixes = append(s.Prefixes, text)
	case strings.HasSuffix(fn.Name(), "Suffix"):
		s.Suffixes = append(s.Suffixes, text)
	}
}
