package unittests

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A composite literal that tests have several times, or that is very long, becomes a function that returns it. Each call
// returns a new value, so that tests that change it do not disturb each other.
const (
	minSharedLines = 6
	maxLocalLines  = 30
)

// compositeLiteral is a composite literal in a declaration, or a pointer to one.
type compositeLiteral struct {
	declaration int
	node        ast.Node
	of          string // the type of the value
	key         string // equal for equal values
	text        string // the value as an expression of its own
	lines       int
}

// sharedValues replaces literals of declarations by calls.
type sharedValues struct {
	free      func(name string) string // returns a top-level name that is not taken
	decls     []string                 // the declarations, and the functions after them
	functions int                      // how many of decls are functions
}

// shareValues returns the declarations with calls of functions in place of repeated literals, and the functions.
func shareValues(decls []string, free func(string) string) (changed, functions []string, err error) {
	s := sharedValues{free: free, decls: decls}
	for {
		more, err := s.round()
		if err != nil {
			return nil, nil, err
		}
		if !more {
			n := len(s.decls) - s.functions
			return s.decls[:n], s.decls[n:], nil
		}
	}
}

// round replaces the outermost literals that are repeated. What they contain is found in the next round, if it is repeated
// still.
func (s *sharedValues) round() (more bool, err error) {
	var all []compositeLiteral
	parsed := make([]*parsedDeclaration, len(s.decls))
	for i, text := range s.decls {
		if parsed[i], err = parseDeclaration(text); err != nil {
			return false, err
		}
		all = append(all, literalsOf(parsed[i], i)...)
	}
	counts := map[string]int{}
	for _, l := range all {
		counts[l.key]++
	}
	names := map[string]string{}
	edits := make([][]edit, len(s.decls))
	var functions []string
	var last *compositeLiteral // the last one that was replaced; its parts follow it
	for i := range all {
		l := &all[i]
		if l.lines < minSharedLines || counts[l.key] < 2 && l.lines <= maxLocalLines || last != nil && within(l, last) {
			continue
		}
		name := names[l.key]
		if name == "" {
			name = s.free(sharedName(l))
			names[l.key] = name
			doc := "// " + name + " returns a recorded value.\n"
			functions = append(functions, fmt.Sprintf("%sfunc %s() %s {\n\treturn %s\n}\n", doc, name, l.of, l.text))
		}
		from, to := parsed[l.declaration].span(l.node)
		edits[l.declaration] = append(edits[l.declaration], edit{from, to, name + "()"})
		last = l
	}
	for i, e := range edits {
		s.decls[i] = edited(s.decls[i], e)
	}
	s.decls = append(s.decls, functions...)
	s.functions += len(functions)
	return len(functions) > 0, nil
}

func within(inner, outer *compositeLiteral) bool {
	return inner.declaration == outer.declaration && inner.node.Pos() >= outer.node.Pos() && inner.node.End() <= outer.node.End()
}

// literalsOf returns the literals that can be written elsewhere, in the order of the source, the outermost first. The one
// that a function returns is left out.
func literalsOf(p *parsedDeclaration, declaration int) (all []compositeLiteral) {
	local := localNames(p.decl)
	types := map[*ast.CompositeLit]string{} // of the literals whose types are left out
	returned := returnedValue(p.decl)
	ast.Inspect(p.decl, func(n ast.Node) bool {
		lit, _ := n.(*ast.CompositeLit)
		pointer := ""
		if u, is := n.(*ast.UnaryExpr); is && u.Op == token.AND {
			lit, _ = u.X.(*ast.CompositeLit)
			pointer = "*"
		}
		if lit == nil {
			return true
		}
		of := types[lit]
		if lit.Type != nil {
			of = pointer + p.source(lit.Type)
		}
		if of == "" || strings.HasPrefix(strings.TrimLeft(of, "*[]"), "struct") {
			return true
		}
		elementTypes(p, lit, strings.TrimPrefix(of, "*"), types)
		if n == returned || mentions(n, local) {
			return true
		}
		text := p.source(n)
		if lit.Type == nil {
			text = strings.Replace(of, "*", "&", 1) + text
		}
		all = append(all, compositeLiteral{
			declaration: declaration, node: n, of: of, key: of + " " + tokensOf(text), text: text, lines: strings.Count(text, "\n") + 1,
		})
		return true
	})
	return all
}

// elementTypes notes the types of the elements of a list or a map, which may be left out.
func elementTypes(p *parsedDeclaration, lit *ast.CompositeLit, of string, types map[*ast.CompositeLit]string) {
	element, isList := strings.CutPrefix(of, "[]")
	if m, is := lit.Type.(*ast.MapType); is {
		element = p.source(m.Value)
	} else if !isList {
		return
	}
	for _, e := range lit.Elts {
		if kv, is := e.(*ast.KeyValueExpr); is {
			e = kv.Value
		}
		if inner, is := e.(*ast.CompositeLit); is && inner.Type == nil {
			types[inner] = element
		}
	}
}

// returnedValue returns what a function with one statement returns.
func returnedValue(d ast.Decl) ast.Node {
	f, is := d.(*ast.FuncDecl)
	if !is || f.Body == nil || len(f.Body.List) != 1 {
		return nil
	}
	r, is := f.Body.List[0].(*ast.ReturnStmt)
	if !is || len(r.Results) != 1 {
		return nil
	}
	return r.Results[0]
}

// mentions reports whether a node has one of the names, or a function literal.
func mentions(n ast.Node, names map[string]bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.SelectorExpr:
			found = found || mentions(n.X, names)
			return false
		case *ast.Ident:
			found = found || names[n.Name]
		}
		return !found
	})
	return found
}

// tokensOf returns the tokens of an expression, so that blank space and commas at the ends of lists make no difference.
func tokensOf(text string) string {
	var b strings.Builder
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), nil, 0)
	comma := false
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.SEMICOLON {
			continue
		}
		if comma && tok != token.RBRACE && tok != token.RPAREN {
			b.WriteString(", ")
		}
		if comma = tok == token.COMMA; comma {
			continue
		}
		if literal == "" {
			literal = tok.String()
		}
		b.WriteString(literal + " ")
	}
}

var word = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{1,14}$`)

// sharedName returns a name for the function of a literal: its type, and a text in it that could be a name, such as
// unitUserAlice.
func sharedName(l *compositeLiteral) string {
	name := l.of[strings.LastIndexAny(l.of, ".*]")+1:]
	if name == "" || !token.IsIdentifier(name) {
		name = "value"
	}
	name = "unit" + upper(name)
	switch {
	case strings.HasPrefix(l.of, "[]"):
		return name + "s"
	case strings.HasPrefix(l.of, "map["):
		return name + "Map"
	}
	found := ""
	ast.Inspect(l.node, func(n ast.Node) bool {
		if b, is := n.(*ast.BasicLit); is && b.Kind == token.STRING && found == "" {
			if text, err := strconv.Unquote(b.Value); err == nil && word.MatchString(text) {
				found = upper(text)
			}
		}
		return found == ""
	})
	return name + found
}

func upper(name string) string {
	r := []rune(name)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}
