package probe

import (
	"go/ast"
	"go/token"
	"slices"

	"sonde/runner/instrument/probedata"
)

// block probes the statements between braces. It returns the hit of the first block, see list.
func (x *prober) block(b *ast.BlockStmt) int {
	return x.list(b.List, b.Lbrace, b.Lbrace+1, b.Rbrace+1, true)
}

// list probes a list of statements. It cuts the list into the same blocks as go build -cover, so that both count the
// same statements. The list begins at pos and ends at end; at is the position where source can be inserted before the
// list. If no statement ends a block, the list is a single block. If whole is true, this block extends to end. list
// returns the hit of the first block that has one, or 0. A hit is the number of a byte that records whether a block was
// reached.
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

// firstBlock returns the number of statements in the first block of a list, the end of the block,
// and whether the last statement in it ends the block. If that statement has a label, and is not a
// loop, switch or select, firstBlock makes the label a statement of its own in the list, because a
// jump may lead to the statement after the label.
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

// reached probes a block of n statements. The block begins at pos and ends at to; the source of the probe is inserted
// at at. reached returns the hit of the block, or 0 if pos and to are equal.
func (x *prober) reached(pos, at, to token.Pos, n int) int {
	if pos == to {
		return 0 // an empty block before a label
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

// controls reports whether the label of a statement can be used by break or continue. Such a label
// must stay directly before the statement.
func controls(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// endsBlock reports whether a statement ends a block. The next statement then begins a new block, because it may not
// be reached although this one was, or because a jump may lead to it.
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

// boundary returns the end of a block whose last statement is s. If s contains a block or a function
// literal, the end is where the first of these begins.
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

// inside returns the block in a statement, or nil.
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
