package probe

import (
	"go/ast"
	"go/token"
	"slices"
)

// block probes the statements between braces.
func (x *prober) block(b *ast.BlockStmt) int {
	return x.list(b.List, b.Lbrace, b.Lbrace+1, b.Rbrace+1, true)
}

// list probes a list of statements, cut into blocks as go build -cover cuts
// them, so that both count the same. The list reaches from pos to end, at is
// where a statement may be put first; whole tells that its last block reaches up
// to the end. It returns the hit of the first block.
func (x *prober) list(all []ast.Stmt, pos, at, end token.Pos, whole bool) int {
	if len(all) == 0 {
		return x.reached(pos, at, end, 0)
	}
	first := 0
	for rest := slices.Clone(all); len(rest) > 0; {
		n, to, broken := x.cut(&rest)
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

// cut returns how many statements the first block has, where it ends, and
// whether something ended it. A label is parted from what it names, for a jump
// may come between them.
func (x *prober) cut(list *[]ast.Stmt) (n int, to token.Pos, broken bool) {
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

// reached probes a block of n statements.
func (x *prober) reached(pos, at, to token.Pos, n int) int {
	if pos == to {
		return 0 // nothing stands before a label
	}
	hit := x.hit()
	x.before(at, "%s.S(%d);", name, hit)
	t := x.target(Statement, pos, string(x.src[x.offset(at):]))
	end := x.fset.PositionFor(to, false)
	t.EndLine, t.EndCol, t.Statements, t.Hit = end.Line, end.Column, n, hit
	x.keep(t)
	x.near = hit
	return hit
}

// controls reports whether a label before a statement is for break and continue,
// which nothing may part from it.
func controls(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// endsBlock reports whether what follows a statement may not be reached, or not
// only through it.
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

// boundary is where a block ends with a statement: before what is inside it.
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

// inside is the block of a statement that has one.
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

// literal is the first function literal in a statement.
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
