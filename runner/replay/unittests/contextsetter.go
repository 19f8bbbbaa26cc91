package unittests

import (
	"go/types"
	"strings"

	"sonde/assets/probe/sondevalue"
)

// The types of what functions add values to.
const (
	contextType = "context.Context"
	requestType = "*net/http.Request"
)

// responseType is the type of what a service writes an answer to.
const responseType = "net/http.ResponseWriter"

// setter returns the exported function by which the package of a hidden key adds a value to a context or a request, such
// as func NewContext(context.Context, *User) context.Context. It returns nil if there is none, or more than one.
func (l *literals) setter(e sondevalue.Entry, to string) *types.Func {
	dynamic, err := l.file.types.find(e.Value.Type)
	if err != nil {
		return nil
	}
	name := strings.TrimLeft(e.Key.Type, "*")
	p := l.file.types.packages[name[:max(strings.LastIndexByte(name, '.'), 0)]]
	if p == nil {
		return nil
	}
	var found *types.Func
	for _, name := range p.Scope().Names() {
		f, is := p.Scope().Lookup(name).(*types.Func)
		if !is || !f.Exported() && p != l.file.pkg || !sets(f.Signature(), to, dynamic) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// sets reports whether functions with a signature add a value of a type.
func sets(sig *types.Signature, to string, value types.Type) bool {
	return sig.TypeParams() == nil && sig.Params().Len() == 2 && sig.Results().Len() == 1 && !sig.Variadic() &&
		types.TypeString(sig.Params().At(0).Type(), nil) == to && types.TypeString(sig.Results().At(0).Type(), nil) == to &&
		types.Identical(sig.Params().At(1).Type(), value)
}

// set writes the call of a setter.
func (l *literals) set(f *types.Func, to, value string) string {
	return l.file.imports.qualify(f.Pkg()) + f.Name() + "(" + to + ", " + value + ")"
}
