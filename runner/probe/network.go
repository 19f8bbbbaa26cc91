package probe

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"sonde/assets/probe"
)

// netPackages are the packages of the standard library to which the virtual network
// adds something, and the folders in which that lies here.
var netPackages = []struct{ pkg, folder string }{{"internal/poll", "poll"}, {"os", "os"}, {"net", "net"}, {"crypto/x509", "x509"}, {"runtime/pprof", "pprof"}, {"net/http", "http"}}

// hookPrefix begins the names that functions have which are wrapped; what wraps them
// has their own.
const hookPrefix = "sondeReal"

// fieldComment begins a comment that asks for a field in a type of the package.
const fieldComment = "//sonde:field "

// addNetwork puts the virtual network into the standard library.
func (o *overlay) addNetwork(t *toolchain) error {
	for _, p := range netPackages {
		s := &standard{pkg: p.pkg, dir: filepath.Join(t.Root, "src", filepath.FromSlash(p.pkg)), tools: t}
		if err := s.read("_net/" + p.folder); err != nil {
			return err
		}
		if err := s.hook(o.sources); err != nil {
			return err
		}
	}
	return nil
}

// standard is a package of the standard library to which files are added.
type standard struct {
	pkg, dir string
	tools    *toolchain
	added    map[string][]byte // by base name
	wrapped  map[string]bool   // functions as "FD.Read" or "socket"
	fields   map[string]string // fields of types
	hooked   map[string]bool   // the functions and types that were found
}

// read reads what is to be added on the system that is built for.
func (s *standard) read(folder string) error {
	s.added, s.wrapped, s.fields, s.hooked = map[string][]byte{}, map[string]bool{}, map[string]string{}, map[string]bool{}
	files, err := fs.ReadDir(probe.Net, folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		src, err := probe.Net.ReadFile(path.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		if !s.builds(f.Name(), src) {
			continue
		}
		s.added["zz_sonde_"+f.Name()] = src
		if err := s.note(f.Name(), src); err != nil {
			return err
		}
	}
	if len(s.added) == 0 {
		return fmt.Errorf("the virtual network cannot be built for %s: build it for Linux, macOS or FreeBSD, or without --net", s.tools.OS)
	}
	return nil
}

// builds reports whether a file is one for the system that is built for.
func (s *standard) builds(name string, src []byte) bool {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = s.tools.OS, s.tools.Arch, s.tools.Cgo == "1"
	c.ReleaseTags = s.tools.releases(c.ReleaseTags)
	c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(src)), nil }
	ok, err := c.MatchFile(s.dir, name)
	return ok && err == nil && !strings.HasSuffix(name, "_test.go")
}

// note looks which functions a file wraps, and which fields it asks for.
func (s *standard) note(name string, src []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && calls(fn, realName(fn.Name.Name)) {
			s.wrapped[functionName(fn)] = true
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, fieldComment); ok {
				of, field, _ := strings.Cut(text, " ")
				s.fields[of] += field + "; "
			}
		}
	}
	return nil
}

// realName is the name that a wrapped function has instead of its own.
func realName(name string) string {
	r := []rune(name)
	r[0] = unicode.ToUpper(r[0])
	return hookPrefix + string(r)
}

// calls reports whether a function names another one.
func calls(f *ast.FuncDecl, name string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// functionName is a function's name, behind that of its receiver's type.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return ""
}

// hook adds the files to the sources of a build, with those of the package in which
// functions are renamed.
func (s *standard) hook(sources map[string][]byte) error {
	files, err := filepath.Glob(filepath.Join(s.dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("package %s cannot be read: %w", s.pkg, err)
		}
		if !s.builds(filepath.Base(file), src) {
			continue
		}
		if hooked := s.rename(file, src); hooked != nil {
			sources[file] = hooked
		}
	}
	for name, src := range s.added {
		sources[filepath.Join(s.dir, name)] = src
	}
	return s.missing()
}

// rename is a file with the wrapped functions renamed and the fields put in, nil
// when there is nothing to do.
func (s *standard) rename(file string, src []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil // what is then missing is named
	}
	var edits []edit
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if name := functionName(n); s.wrapped[name] {
				s.hooked[name] = true
				edits = append(edits, edit{offset: fset.Position(n.Name.Pos()).Offset, remove: len(n.Name.Name), text: realName(n.Name.Name)})
			}
			return false
		case *ast.TypeSpec:
			if t, ok := n.Type.(*ast.StructType); ok && s.fields[n.Name.Name] != "" {
				s.hooked[n.Name.Name] = true
				edits = append(edits, edit{offset: fset.Position(t.Fields.Opening).Offset + 1, text: s.fields[n.Name.Name]})
			}
		}
		return true
	})
	if len(edits) == 0 {
		return nil
	}
	return apply(src, edits)
}

// missing names the first of what is wrapped, or asked for a field, that the package
// does not have.
func (s *standard) missing() error {
	var all []string
	for name := range s.wrapped {
		if !s.hooked[name] {
			all = append(all, name)
		}
	}
	for name := range s.fields {
		if !s.hooked[name] {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	name := slices.Min(all)
	if of, method, ok := strings.Cut(name, "."); ok {
		name = "(*" + of + ")." + method
	}
	return fmt.Errorf("this Go (%s) has no %s.%s, which the virtual network needs: build without --net", s.tools.Version, s.pkg, name)
}

// otherNetwork is the error of a build in which a package of the standard library
// does not compile, nil for another error: the package is not what it was.
func otherNetwork(err error, t *toolchain) error {
	var failed *toolError
	if !errors.As(err, &failed) {
		return nil
	}
	m := complaint.FindStringSubmatch(failed.text)
	if m == nil || !strings.HasPrefix(m[1], filepath.Join(t.Root, "src")) {
		return nil
	}
	return fmt.Errorf("this Go (%s) is not as the virtual network knows it: build without --net: %s", t.Version, m[0])
}
