package probe

import (
	"go/ast"
	"go/types"

	"sonde/assets/probe/sondeprobe"
)

// Names of functions of sondeprobe, for the table boolCalls. The names P and PB, for comparisons of strings and of
// bytes, have no constants.
const (
	outcomeProbe = "T"    // no distance is known
	patternProbe = "Re"   // regular expressions
	errorProbe   = "Is"   // errors.Is
	memberProbe  = "In"   // slices.Contains
	timeProbe    = "Time" // comparisons of times, with a relation
)

// callProbe is the probe that replaces a call.
type callProbe struct {
	name     string // the name of a function of sondeprobe
	relation int    // the relation between the operands for which the distance is 0, such as sondeprobe.Lt
}

// boolCalls are functions whose calls are branches wherever they occur, even outside of conditions. The methods
// in addressKinds are such functions, too. Calls of other functions are branches only in conditions, and their
// probe records only the outcome. The EvoMaster paper (section 4.3) also replaces the Boolean methods of
// strings.
var boolCalls = map[string]callProbe{
	"strings.HasPrefix":  {name: "P", relation: sondeprobe.HasPrefix},
	"strings.HasSuffix":  {name: "P", relation: sondeprobe.HasSuffix},
	"strings.Contains":   {name: "P", relation: sondeprobe.Contains},
	"strings.EqualFold":  {name: "P", relation: sondeprobe.EqualFold},
	"bytes.Equal":        {name: "PB", relation: sondeprobe.Equal},
	"bytes.HasPrefix":    {name: "PB", relation: sondeprobe.HasPrefix},
	"bytes.HasSuffix":    {name: "PB", relation: sondeprobe.HasSuffix},
	"bytes.Contains":     {name: "PB", relation: sondeprobe.Contains},
	"bytes.EqualFold":    {name: "PB", relation: sondeprobe.EqualFold},
	"errors.Is":          {name: errorProbe},
	"(time.Time).Before": {name: timeProbe, relation: sondeprobe.Lt},
	"(time.Time).After":  {name: timeProbe, relation: sondeprobe.Gt},
	"(time.Time).Equal":  {name: timeProbe, relation: sondeprobe.Eq},

	"slices.Contains": {name: memberProbe},

	"(*regexp.Regexp).Match":       {name: outcomeProbe},
	"(*regexp.Regexp).MatchString": {name: patternProbe},
}

// cutCalls are the functions that cut a string at another string, or bytes at other bytes, and report whether they
// found the other.
var cutCalls = map[string]callProbe{
	"strings.CutPrefix": {name: "CutEnd", relation: sondeprobe.HasPrefix},
	"strings.CutSuffix": {name: "CutEnd", relation: sondeprobe.HasSuffix},
	"strings.Cut":       {name: "CutAt", relation: sondeprobe.Contains},
	"bytes.CutPrefix":   {name: "CutEnd", relation: sondeprobe.HasPrefix},
	"bytes.CutSuffix":   {name: "CutEnd", relation: sondeprobe.HasSuffix},
	"bytes.Cut":         {name: "CutAt", relation: sondeprobe.Contains},
}

// neverReturning are functions of the standard library that never return to their caller.
var neverReturning = map[string]bool{
	"os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true,
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true, "log.Panicf": true, "log.Panicln": true,
	"(*log.Logger).Fatal": true, "(*log.Logger).Fatalf": true, "(*log.Logger).Fatalln": true,
	"(*log.Logger).Panic": true, "(*log.Logger).Panicf": true, "(*log.Logger).Panicln": true,
}

// receiver returns the value whose method is called or, for a function, its package. It returns nil if there is
// neither.
func receiver(c *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// calleeName returns the name of the called function, without its package or receiver. It returns nil if the
// function has no name.
func calleeName(c *ast.CallExpr) *ast.Ident {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}

// callee returns the function or method that a call names, or nil.
func (x *typeInfo) callee(c *ast.CallExpr) *types.Func {
	f, _ := x.Uses[calleeName(c)].(*types.Func)
	return f
}

// knownCall returns the full name of the called function, if its calls are branches even outside of conditions.
// Otherwise it returns "".
func (x *typeInfo) knownCall(c *ast.CallExpr) string {
	f := x.callee(c)
	if f == nil || c.Ellipsis.IsValid() || !x.isBool(c) {
		return ""
	}
	full := f.FullName()
	fits := false
	switch boolCalls[full].name {
	case outcomeProbe, patternProbe:
		fits = true
	case timeProbe:
		fits = x.generic && len(c.Args) == 1 && x.isCalledOn(c, isTime)
	case "P", "PB", errorProbe:
		fits = len(c.Args) == 2
	case memberProbe:
		fits = len(c.Args) == 2 && x.passesGenerics && x.elementLetter(c) != ""
	}
	if _, is := x.addressKind(c); !fits && !is {
		return ""
	}
	return full
}

// isPatternCall reports whether a method is called on a pointer to a regular expression
// itself, not on a value that embeds one.
func (x *typeInfo) isPatternCall(c *ast.CallExpr) bool {
	return len(c.Args) == 1 && x.isCalledOn(c, func(t types.Type) bool {
		p, ok := types.Unalias(t).(*types.Pointer)
		return ok && isNamed(p.Elem(), "regexp", "Regexp")
	})
}

// isCalledOn reports whether a method is called on a value whose type meets the given condition. A value that embeds
// or points to such a type does not count.
func (x *typeInfo) isCalledOn(c *ast.CallExpr, is func(types.Type) bool) bool {
	on := receiver(c)
	return on != nil && !x.Types[on].IsType() && is(x.Types[on].Type)
}

// elementLetter returns the letter for the elements of the slice that a call searches, such as "S" for strings; see
// letter. It returns "" if the elements have no letter.
func (x *typeInfo) elementLetter(c *ast.CallExpr) string {
	list, ok := x.Types[c.Args[0]].Type.Underlying().(*types.Slice)
	if !ok || isTypeParam(list.Elem()) || x.hasUntypedShift(c.Args[1]) {
		return ""
	}
	return letter(list.Elem())
}

// mayPanic reports whether the evaluation of expressions calls a function: the call may panic instead of returning.
// Builtins, conversions and the bodies of function literals do not count.
func (x *typeInfo) mayPanic(all ...ast.Expr) bool {
	found := false
	for _, e := range all {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || !x.isBuiltinOrConversion(n)
			}
			return !found
		})
	}
	return found
}

func (x *typeInfo) isBuiltinOrConversion(c *ast.CallExpr) bool {
	tv, ok := x.Types[c.Fun]
	return !ok || tv.IsBuiltin() || tv.IsType()
}

// neverReturns reports whether a statement is a call that does not return.
func (x *typeInfo) neverReturns(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	if f := x.callee(c); f != nil {
		return neverReturning[f.FullName()]
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && id.Name == "panic"
}

// onlyCall returns the call that is the only result of a return statement. It returns nil if there
// is no such call, or the call is of a builtin or a conversion.
func (x *typeInfo) onlyCall(s *ast.ReturnStmt) *ast.CallExpr {
	if len(s.Results) != 1 {
		return nil
	}
	if c, ok := s.Results[0].(*ast.CallExpr); ok && !x.isBuiltinOrConversion(c) {
		return c
	}
	return nil
}
