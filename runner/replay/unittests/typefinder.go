package unittests

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// typeFinder finds the types that recordings name.
type typeFinder struct {
	own      *types.Package
	packages map[string]*types.Package // by path: those that the tested package imports, directly or indirectly
}

func newTypeFinder(own *types.Package) *typeFinder {
	f := &typeFinder{own: own, packages: map[string]*types.Package{}}
	f.add(own)
	return f
}

func (f *typeFinder) add(p *types.Package) {
	if f.packages[p.Path()] != nil {
		return
	}
	f.packages[p.Path()] = p
	for _, imported := range p.Imports() {
		f.add(imported)
	}
}

// find returns a type by its name with full import paths, such as "*example.com/shop.Order".
func (f *typeFinder) find(name string) (types.Type, error) {
	switch {
	case strings.HasPrefix(name, "*"):
		of, err := f.find(name[1:])
		return types.NewPointer(orInvalid(of)), err
	case strings.HasPrefix(name, "[]"):
		of, err := f.find(name[2:])
		return types.NewSlice(orInvalid(of)), err
	case strings.HasPrefix(name, "map["):
		key, value, ok := cutBracket(name[4:])
		if !ok {
			break
		}
		k, err := f.find(key)
		if err != nil {
			return nil, err
		}
		v, err := f.find(value)
		return types.NewMap(k, orInvalid(v)), err
	case strings.HasPrefix(name, "["):
		size, elem, _ := cutBracket(name[1:])
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			break
		}
		of, err := f.find(elem)
		return types.NewArray(orInvalid(of), n), err
	case name == "interface {}":
		return types.Universe.Lookup("any").Type(), nil
	case name == "struct {}":
		return types.NewStruct(nil, nil), nil
	}
	return f.named(name)
}

func orInvalid(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// cutBracket cuts a text at the bracket that closes one which was opened before it.
func cutBracket(s string) (inside, after string, ok bool) {
	depth := 0
	for i, c := range s {
		switch c {
		case '[':
			depth++
		case ']':
			if depth == 0 {
				return s[:i], s[i+1:], true
			}
			depth--
		}
	}
	return "", "", false
}

// named returns a named type.
func (f *typeFinder) named(name string) (types.Type, error) {
	if open := strings.IndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		return f.instance(name[:open], name[open+1:len(name)-1])
	}
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		if t, is := types.Universe.Lookup(name).(*types.TypeName); is {
			return t.Type(), nil
		}
		return nil, fmt.Errorf("the type %s has no name", name)
	}
	path := name[:dot]
	p := f.packages[path]
	if path == "main" && f.own.Name() == "main" {
		p = f.own
	}
	if p == nil {
		return nil, fmt.Errorf("the package of %s is not imported", name)
	}
	t, is := p.Scope().Lookup(name[dot+1:]).(*types.TypeName)
	if !is || p != f.own && !t.Exported() {
		return nil, fmt.Errorf("the type %s is hidden", name)
	}
	return t.Type(), nil
}

// instance returns a generic type with type arguments, which are separated by commas.
func (f *typeFinder) instance(name, args string) (types.Type, error) {
	generic, err := f.named(name)
	if err != nil {
		return nil, err
	}
	var all []types.Type
	depth, from := 0, 0
	for i, c := range args + "," {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth == 0:
			t, err := f.find(args[from:i])
			if err != nil {
				return nil, err
			}
			all, from = append(all, t), i+1
		}
	}
	return types.Instantiate(nil, generic, all, true)
}

// visible reports whether the tested package can name a type.
func (f *typeFinder) visible(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		obj := t.Obj()
		for arg := range t.TypeArgs().Types() {
			if !f.visible(arg) {
				return false
			}
		}
		return obj.Pkg() == nil || obj.Pkg() == f.own || obj.Exported() && obj.Parent() == obj.Pkg().Scope()
	case *types.Pointer:
		return f.visible(t.Elem())
	case *types.Slice:
		return f.visible(t.Elem())
	case *types.Array:
		return f.visible(t.Elem())
	case *types.Map:
		return f.visible(t.Key()) && f.visible(t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			if !f.visible(v.Type()) {
				return false
			}
		}
		for v := range t.Results().Variables() {
			if !f.visible(v.Type()) {
				return false
			}
		}
	case *types.TypeParam:
		return false
	}
	return true
}
