package units

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Options select packages.
type Options struct {
	Dir      string   // the folder that Patterns are relative to; "" is the working folder
	Patterns []string // packages as the go command names them; if empty, all packages of the module
	Tags     string   // build tags, separated by commas
	Vendor   bool     // read dependencies from the vendor folder
}

// needed is what is loaded of the packages.
const needed = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
	packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo

// Find returns the functions under test of packages. Packages that do not compile are skipped. It is an error, of one line,
// if all are.
func Find(ctx context.Context, o Options) (Plan, error) {
	patterns := o.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	all, err := packages.Load(o.config(ctx), patterns...)
	if ctx.Err() != nil {
		return Plan{}, ctx.Err()
	}
	if err != nil {
		return Plan{}, fmt.Errorf("the packages cannot be read: %s", lastLine(err.Error()))
	}
	var plan Plan
	var first error
	for _, p := range all {
		if err := loadError(p); err != nil {
			first = cmp.Or(first, err)
			plan.Skipped = append(plan.Skipped, Skipped{p.PkgPath, err.Error()})
		} else if len(p.GoFiles) > 0 {
			plan.Packages = append(plan.Packages, newFinder(p).find())
		}
	}
	if len(plan.Packages) == 0 {
		return Plan{}, cmp.Or(first, fmt.Errorf("%s: there are no Go files", strings.Join(patterns, " ")))
	}
	plan.sort()
	return plan, nil
}

func (o Options) config(ctx context.Context) *packages.Config {
	c := &packages.Config{Context: ctx, Mode: needed, Dir: o.Dir}
	if o.Tags != "" {
		c.BuildFlags = append(c.BuildFlags, "-tags="+o.Tags)
	}
	if o.Vendor {
		c.BuildFlags = append(c.BuildFlags, "-mod=vendor")
	}
	return c
}

// loadError returns the first error of a package, nil if it has none.
func loadError(p *packages.Package) error {
	if len(p.Errors) == 0 {
		return nil
	}
	e := p.Errors[0]
	text := lastLine(e.Msg)
	switch {
	case strings.Contains(e.Msg, "go.mod file not found"), strings.Contains(e.Msg, "does not contain main module"):
		return errors.New("there is no Go module here: go to the folder of a go.mod, or name it by --dir")
	case p.Name == "": // the package was not found
		return fmt.Errorf("%q: %s", p.PkgPath, text)
	case e.Pos != "" && e.Pos != "-":
		text = e.Pos + ": " + text
	}
	return fmt.Errorf("%q does not compile: %s", p.PkgPath, text)
}

// lastLine returns the last line of a text that is not empty.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// finder finds the functions under test of a package.
type finder struct {
	pkg   *packages.Package
	seams seams
	// methods and functions of the package, by object
	bodies map[types.Object]*ast.FuncDecl
	reads  *fieldReads
}

func newFinder(p *packages.Package) *finder {
	f := &finder{pkg: p, seams: newSeams(p), bodies: map[types.Object]*ast.FuncDecl{}}
	for _, file := range f.files() {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				f.bodies[p.TypesInfo.Defs[fn.Name]] = fn
			}
		}
	}
	f.reads = newFieldReads(p.TypesInfo, f.bodies)
	return f
}

// files returns the files of the package that people write.
func (f *finder) files() (all []*ast.File) {
	for _, file := range f.pkg.Syntax {
		if !ast.IsGenerated(file) {
			all = append(all, file)
		}
	}
	return all
}

func (f *finder) find() Package {
	p := Package{Path: f.pkg.PkgPath, Targets: []Function{}}
	for _, file := range f.files() {
		p.Lines += f.pkg.Fset.File(file.FileStart).LineCount()
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			p.Declared++
			if target, ok := f.target(fn); ok {
				p.Targets = append(p.Targets, target)
			}
		}
	}
	return p
}

// target returns a function as a function under test. ok is false if it has no mockable call.
func (f *finder) target(fn *ast.FuncDecl) (target Function, ok bool) {
	if fn.Body == nil {
		return Function{}, false
	}
	calls := f.mockableCalls(fn)
	if len(calls) == 0 {
		return Function{}, false
	}
	object := f.pkg.TypesInfo.Defs[fn.Name].(*types.Func)
	at, end := f.pkg.Fset.Position(fn.Pos()), f.pkg.Fset.Position(fn.End())
	return Function{
		Name:      functionName(object),
		File:      f.relative(at.Filename),
		Line:      at.Line,
		Lines:     end.Line - at.Line + 1,
		Params:    object.Signature().Params().Len(),
		Calls:     calls,
		Obstacles: f.obstacles(fn),
	}, true
}

// functionName returns the name of a function, with its receiver as in "(*Service).Pay".
func functionName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	name := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
	if strings.HasPrefix(name, "*") {
		name = "(" + name + ")"
	}
	return name + "." + f.Name()
}

// relative returns the path of a file relative to the folder of its module.
func (f *finder) relative(path string) string {
	if f.pkg.Module == nil || f.pkg.Module.Dir == "" {
		return filepath.Base(path)
	}
	relative, err := filepath.Rel(f.pkg.Module.Dir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(relative)
}
