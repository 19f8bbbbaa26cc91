package probe

import (
	"go/ast"
	"go/token"
	"slices"

	"sonde/runner/instrument/probedata"
)

// block probes the statements between braces and returns the byte of the first block.
func (x *prober) block(b *ast.BlockStmt) int {
	return x.list(b.List, b.Lbrace, b.Lbrace+1, b.Rbrace+1, true)
}

// list probes a list of statements, cut into blocks as go build -cover cuts them, so
// that both count the same. The list is from pos to end, and at is where a statement
// can be inserted first; if whole, its last block reaches to the end. It returns the
// byte of the first block.
func (x *prober) list(all []ast.Stmt, pos, at, end token.Pos, whole bool) int {
	if len(all) == 0 {
		return x.reached(pos, at, end, 0)
	}
	first := 0
	for rest := slices.Clone(all); len(rest) > 0; {
		n, to, broken := firstBlock(&rest)
		whole = whole && !broken
		if whole {
			to = end
		}
		hit := x.reached(pos, at, to, n)
		if first == 0 {
			first = hit
		}
		for _, s := range rest[:n] {
			x.statement(s)
		}
		rest = rest[n:]
		if len(rest) > 0 {
			pos, at = rest[0].Pos(), rest[0].Pos()
		}
	}
	return first
}

// firstBlock returns how many statements the first block of a list has, where it ends,
// and whether a statement ended it. A label is separated from its statement, since a
// jump may come between them.
func firstBlock(list *[]ast.Stmt) (n int, to token.Pos, broken bool) {
	for i, s := range *list {
		to = boundary(s)
		if !endsBlock(s) {
			continue
		}
		if l, ok := s.(*ast.LabeledStmt); ok && !controls(l.Stmt) {
			to = l.Pos()
			alone := &ast.LabeledStmt{Label: l.Label, Colon: l.Colon, Stmt: &ast.EmptyStmt{Semicolon: l.Stmt.Pos(), Implicit: true}}
			*list = slices.Replace(*list, i, i+1, ast.Stmt(alone), l.Stmt)
		}
		return i + 1, to, true
	}
	return len(*list), to, false
}

// reached probes a block of n statements and returns its byte.
func (x *prober) reached(pos, at, to token.Pos, n int) int {
	if pos == to {
		return 0 // there is nothing before a label
	}
	hit := x.targets.newHit()
	x.edit.before(at, "%s", hitStatement(hit))
	t := x.file.newTarget(probedata.Statement, pos, x.file.rest(at))
	end := x.file.position(to)
	t.EndLine, t.EndCol, t.Statements, t.Hit = end.Line, end.Column, n, hit
	x.keep(t)
	x.near = hit
	return hit
}

// controls reports whether a label of a statement is for break and continue; it must
// stay directly before the statement.
func controls(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// endsBlock reports whether what follows a statement may not be reached, or also from
// elsewhere.
func endsBlock(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt, *ast.BranchStmt, *ast.IfStmt, *ast.LabeledStmt:
		return true
	case *ast.ExprStmt:
		if c, ok := s.X.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "panic" && len(c.Args) == 1 {
				return true
			}
		}
	}
	return controls(s) || literal(s) != nil
}

// boundary returns where a block ends that ends with a statement: before the block in it.
func boundary(s ast.Stmt) token.Pos {
	if l, ok := s.(*ast.LabeledStmt); ok {
		return boundary(l.Stmt)
	}
	end := s.End()
	if b := inside(s); b != nil {
		end = b.Lbrace
	}
	if lit := literal(s); lit != nil && lit.Body.Lbrace < end {
		end = lit.Body.Lbrace
	}
	return end
}

// inside returns the block of a statement, or nil.
func inside(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s
	case *ast.IfStmt:
		return s.Body
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	case *ast.SwitchStmt:
		return s.Body
	case *ast.TypeSwitchStmt:
		return s.Body
	case *ast.SelectStmt:
		return s.Body
	}
	return nil
}

// literal returns the first function literal in a statement, or nil.
func literal(s ast.Stmt) *ast.FuncLit {
	var found *ast.FuncLit
	ast.Inspect(s, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && found == nil {
			found = lit
		}
		return found == nil
	})
	return found
}
