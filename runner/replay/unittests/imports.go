package unittests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// imports are the imports of a generated file.
type imports struct {
	own   *types.Package
	names map[string]string // local names by import path
	taken map[string]bool   // names that a package must not have
}

func newImports(own *types.Package, taken map[string]bool) *imports {
	return &imports{own: own, names: map[string]string{}, taken: maps.Clone(taken)}
}

// use imports a package and returns its local name. name is the name of its package clause.
func (m *imports) use(importPath, name string) string {
	if local := m.names[importPath]; local != "" {
		return local
	}
	local := name
	for i := 2; m.taken[local]; i++ {
		local = fmt.Sprintf("%s%d", name, i)
	}
	m.taken[local] = true
	m.names[importPath] = local
	return local
}

// std imports a package of the standard library.
func (m *imports) std(importPath string) string { return m.use(importPath, path.Base(importPath)) }

// qualify returns the prefix of a name in a package.
func (m *imports) qualify(p *types.Package) string {
	if p == m.own {
		return ""
	}
	return m.use(p.Path(), p.Name()) + "."
}

// typeName returns a type as the file writes it.
func (m *imports) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return strings.TrimSuffix(m.qualify(p), ".") })
}

// text returns the import declaration of a file with the given declarations. It leaves out packages that they do not use.
func (m *imports) text(decls string) (string, error) {
	used, err := qualifiers(decls)
	if err != nil {
		return "", err
	}
	var std, other []string
	for _, p := range slices.Sorted(maps.Keys(m.names)) {
		if !used[m.names[p]] {
			continue
		}
		line := fmt.Sprintf("\t%q\n", p)
		if m.names[p] != path.Base(p) {
			line = fmt.Sprintf("\t%s %q\n", m.names[p], p)
		}
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") || strings.HasPrefix(p, m.own.Path()) {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	text := strings.Join(std, "")
	if len(std) > 0 && len(other) > 0 {
		text += "\n"
	}
	return "import (\n" + text + strings.Join(other, "") + ")\n", nil
}

// qualifiers returns the names before a dot in declarations.
func qualifiers(decls string) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+decls, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			if id, is := s.X.(*ast.Ident); is {
				names[id.Name] = true
			}
		}
		return true
	})
	return names, nil
}
