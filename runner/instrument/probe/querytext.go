package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
)

// This file finds the text of a query in the source: its constant parts.

var (
	// isQuery matches the beginning of a query that may return rows.
	isQuery = regexp.MustCompile(`(?i)^(\s+|--[^\n]*\n|/\*([^*]|\*[^*/])*\*+/)*(SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE|MERGE|VALUES)\s`)
	// formatVerb matches a verb of fmt, or an escaped percent sign.
	formatVerb = regexp.MustCompile(`%(%|[-+# 0]*[\d*]*(\.[\d*]+)?(\[\d+\])?[a-zA-Z])`)
)

// maxTextSteps is the maximum number of variables that the method text follows.
const maxTextSteps = 6

// text returns the constant parts of a text. Between two parts, the text is not known. If nothing is known, the
// parts are "" and "".
func (s *resultScope) text(e ast.Expr, steps int) []string {
	e = ast.Unparen(e)
	if v := s.info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return []string{constant.StringVal(v)}
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return joinParts(s.text(e.X, steps), s.text(e.Y, steps))
		}
	case *ast.CallExpr:
		if fn, ok := s.info.Uses[calleeName(e)].(*types.Func); ok && fn.FullName() == "fmt.Sprintf" {
			return formatParts(s.text(e.Args[0], steps))
		}
	case *ast.Ident:
		if v, ok := s.info.Uses[e].(*types.Var); ok && steps < maxTextSteps {
			return s.variable(v, steps+1)
		}
	case *ast.SelectorExpr:
		if v, ok := s.info.Uses[e.Sel].(*types.Var); ok && steps < maxTextSteps && !v.IsField() {
			return s.variable(v, steps+1)
		}
	}
	return []string{"", ""}
}

// joinParts returns the parts of the text that begins with the text of a and ends with that of b.
func joinParts(a, b []string) []string {
	all := slices.Clone(a)
	all[len(all)-1] += b[0]
	return append(all, b[1:]...)
}

// formatParts returns the constant parts of a text that is made by a format of fmt. format has the constant
// parts of the format itself. The texts in place of verbs are not known.
func formatParts(format []string) (all []string) {
	for _, part := range format {
		text, at := "", 0
		for _, verb := range formatVerb.FindAllStringIndex(part, -1) {
			text += part[at:verb[0]]
			at = verb[1]
			if part[verb[0]:at] == "%%" {
				text += "%"
				continue
			}
			all = append(all, text)
			text = ""
		}
		all = append(all, text+part[at:])
	}
	return all
}

// variable returns the constant parts of the text in a variable. If several values are assigned to the
// variable, the text is taken to begin with the first value, and to end with something unknown.
func (s *resultScope) variable(v *types.Var, steps int) []string {
	if g, ok := s.vars[v]; ok {
		other := &resultScope{resultFinder: s.resultFinder, info: g.info, body: &ast.BlockStmt{}}
		return other.text(g.value, steps)
	}
	values := valuesOf(s.info, s.body, v)
	switch len(values) {
	case 0:
		return []string{"", ""}
	case 1:
		return s.text(values[0], steps)
	}
	return joinParts(s.text(values[0], steps), []string{"", ""})
}
