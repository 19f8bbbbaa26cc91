package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// module is a module at a version.
type module struct{ Path, Version string }

func (m module) String() string { return m.Path + "@" + m.Version }

// readList reads a list of modules: a line is a module and its version, or a comment that begins with #.
func readList(text string) (all []module, err error) {
	for line := range strings.Lines(text) {
		switch f := strings.Fields(line); {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
		case len(f) == 2:
			all = append(all, module{f[0], f[1]})
		default:
			return nil, fmt.Errorf("%q is not a module and its version", strings.TrimSpace(line))
		}
	}
	return all, nil
}

// source is a folder in which the go command reads packages.
type source struct {
	dir      string
	patterns []string
	own      func(path string) bool // whether a package is part of the module that is read
	root     string                 // the folder of the standard library
}

// newSource returns the source of the packages in a folder that match the patterns. It does not load the packages yet.
func newSource(ctx context.Context, dir string, patterns ...string) (*source, error) {
	root, err := goCommand(ctx, dir, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return &source{dir: dir, patterns: patterns, root: filepath.Join(strings.TrimSpace(string(root)), "src")}, nil
}

// requiring makes a module in a folder that only requires m, and fetches m.
func requiring(ctx context.Context, dir string, m module) (*source, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	text := fmt.Sprintf("module netuse\n\ngo 1.26\n\nrequire %s %s\n", m.Path, m.Version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	if _, err := goCommand(ctx, dir, "mod", "download", m.String()); err != nil {
		return nil, err
	}
	s, err := newSource(ctx, dir, m.Path+"/...")
	if err != nil {
		return nil, err
	}
	s.own = func(path string) bool { return path == m.Path || strings.HasPrefix(path, m.Path+"/") }
	return s, nil
}

// goCommand runs the go command, which may add requirements to go.mod. An error has the first line of the command's
// output.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir, c.Env = dir, environment()
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %s", args[0], complaint(errs.String(), err))
	}
	return out, nil
}

// complaint returns the first line of a failed go command that is not about its progress, or else the error.
func complaint(text string, err error) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "go: downloading") && !strings.HasPrefix(line, "go: finding") &&
			!strings.HasPrefix(line, "#") {
			return line
		}
	}
	return err.Error()
}

func environment() []string { return append(os.Environ(), "GOWORK=off") }

// outside matches a folder whose packages are not read: examples and test data, which no program imports.
var outside = regexp.MustCompile(`(^|/)(_?examples?|testdata|_[^/]*)(/|$)`)

// batch is the number of packages of a module that are read at a time, which limits the memory.
const batch = 60

// read reads at most a number of packages of a module, at even distances, and what they import.
func (s *source) read(ctx context.Context, most int) (reading, error) {
	r := reading{}
	paths, err := s.packages(ctx)
	if err != nil {
		return r, err
	}
	r.All = len(paths)
	paths = evenly(paths, most)
	r.Packages = len(paths)
	for some := range slices.Chunk(paths, batch) {
		if err := s.readSome(ctx, some, &r); err != nil {
			return r, err
		}
		runtime.GC() // frees the syntax of the batch, which may need gigabytes
	}
	slices.SortFunc(r.Uses, compareUses)
	r.Uses = slices.Compact(r.Uses)
	return r, nil
}

// evenly returns at most a number of elements, at even distances.
func evenly(all []string, most int) []string {
	if len(all) <= most {
		return all
	}
	some := make([]string, most)
	for i := range some {
		some[i] = all[i*len(all)/most]
	}
	return some
}

// packages returns the import paths of the module's packages.
func (s *source) packages(ctx context.Context) (paths []string, err error) {
	all, err := packages.Load(s.config(ctx, packages.NeedName|packages.NeedFiles), s.patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if len(p.GoFiles) > 0 && !outside.MatchString(p.PkgPath) {
			paths = append(paths, p.PkgPath)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

func (s *source) config(ctx context.Context, mode packages.LoadMode) *packages.Config {
	return &packages.Config{
		Context: ctx, Mode: mode, Dir: s.dir, Env: environment(), BuildFlags: []string{"-mod=mod"}, Fset: token.NewFileSet(),
		ParseFile: s.parseFile,
	}
}

// parseFile parses a file of a package. It leaves out the bodies of functions of the standard library, of which only
// the names matter, and all of its init functions.
func (s *source) parseFile(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution|parser.AllErrors)
	if f != nil && strings.HasPrefix(name, s.root+string(filepath.Separator)) {
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Recv == nil && fn.Name.Name == "init"
		})
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				fn.Body = nil
			}
		}
	}
	return f, err
}

const syntax = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo

func (s *source) readSome(ctx context.Context, paths []string, r *reading) error {
	c := s.config(ctx, syntax)
	all, err := packages.Load(c, paths...)
	if err != nil {
		return err
	}
	r.add(c.Fset, all, s.own)
	return nil
}

// add adds the uses of the network in packages and in what they import. own reports whether a package is part of the
// module that is read.
func (r *reading) add(fset *token.FileSet, all []*packages.Package, own func(path string) bool) {
	for _, p := range all {
		r.note(p)
	}
	g := newGraph(fset)
	packages.Visit(all, nil, func(p *packages.Package) {
		// The functions of x/sys are in the table of names.
		if own(p.PkgPath) || !isStandard(p.PkgPath) && !strings.HasPrefix(p.PkgPath, "golang.org/x/sys/") {
			g.addPackage(p, own(p.PkgPath))
			g.addC(p, own(p.PkgPath))
		}
	})
	r.Uses = append(r.Uses, g.uses()...)
}

// socketHeader matches the include of a header with the functions of sockets or names.
var socketHeader = regexp.MustCompile(`#\s*include\s*<(sys/socket|netdb|netinet/[a-z0-9_]+|arpa/inet|curl/curl)\.h>`)

// addC adds the uses of sockets in C code that a package contains.
func (g *graph) addC(p *packages.Package, own bool) {
	files := slices.DeleteFunc(slices.Clone(p.GoFiles), func(f string) bool { return slices.Contains(p.CompiledGoFiles, f) })
	if len(files) == 0 { // no file imports "C"
		return
	}
	name := "C " + p.PkgPath
	for _, f := range slices.Concat(files, p.OtherFiles) {
		text, err := os.ReadFile(f)
		if m := socketHeader.Find(text); err == nil && m != nil {
			n := g.node(name)
			n.uses = append(n.uses, use{Class: socketsInC, Name: string(m), Place: p.PkgPath + "/" + filepath.Base(f), Own: own})
		}
	}
	g.roots = append(g.roots, name)
}
