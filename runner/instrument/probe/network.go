package probe

import (
	"bytes"
	"context"
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

// netPackages are the packages of the standard library to which the virtual network adds files, and
// the folders of these files in assets/probe/_net.
var netPackages = []struct{ pkg, folder string }{
	{"internal/poll", "poll"},
	{"os", "os"},
	{"net", "net"},
	{"crypto/x509", "x509"},
	{"runtime/pprof", "pprof"},
	{"net/http", "http"},
}

// hookPrefix is the prefix of the new names of wrapped functions. The wrappers, in the added files,
// have the original names.
const hookPrefix = "sondeReal"

// fieldComment is the beginning of a comment, in an added file, that adds a field to a type of the
// package.
const fieldComment = "//sonde:field "

// addNetwork adds the virtual network to the standard library.
func (o *overlay) addNetwork(t *toolchain) error {
	for _, p := range netPackages {
		s := &patchedPackage{pkg: p.pkg, dir: filepath.Join(t.Root, "src", filepath.FromSlash(p.pkg)), tools: t}
		if err := s.read("_net/" + p.folder); err != nil {
			return err
		}
		if err := s.hook(o.sources); err != nil {
			return err
		}
	}
	return nil
}

// WriteNetworkOverlay writes the virtual network into a folder, for builds of other programs than services, such as tests.
// It returns the path of the file for the flag -overlay of the go command that runs in dir.
func WriteNetworkOverlay(ctx context.Context, dir, folder string) (string, error) {
	t, err := openToolchain(ctx, dir)
	if err != nil {
		return "", err
	}
	o := newOverlay(nil)
	if err := o.addNetwork(t); err != nil {
		return "", err
	}
	return o.save(folder)
}

// patchedPackage is a package of the standard library to which files are added.
type patchedPackage struct {
	pkg, dir string
	tools    *toolchain
	added    map[string][]byte // the added files, by base name
	wrapped  map[string]bool   // the functions that the added files wrap, such as "FD.Read" or "socket"
	fields   map[string]string // the fields that the added files add, by type
	found    map[string]bool   // the functions and types in wrapped and fields that exist in the package
}

// read reads the files in a folder that are for the target system.
func (s *patchedPackage) read(folder string) error {
	s.added, s.wrapped, s.fields, s.found = map[string][]byte{}, map[string]bool{}, map[string]string{}, map[string]bool{}
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

// builds reports whether a file is built for the target system.
func (s *patchedPackage) builds(name string, src []byte) bool {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = s.tools.OS, s.tools.Arch, s.tools.Cgo == "1"
	c.ReleaseTags = s.tools.releases(c.ReleaseTags)
	c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(src)), nil }
	ok, err := c.MatchFile(s.dir, name)
	return ok && err == nil && !strings.HasSuffix(name, "_test.go")
}

// note records the functions that an added file wraps, and the fields that the file adds.
func (s *patchedPackage) note(name string, src []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && mentions(fn, realName(fn.Name.Name)) {
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

// realName returns the new name of a wrapped function.
func realName(name string) string {
	r := []rune(name)
	r[0] = unicode.ToUpper(r[0])
	return hookPrefix + string(r)
}

// mentions reports whether a function contains a name.
func mentions(f *ast.FuncDecl, name string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// functionName returns the name of a function. For a method, it begins with the receiver's type, as
// in "FD.Read". For a method of a generic type it is "".
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

// hook adds the files to the sources of a build. It also adds the changed files of the package, in
// which the wrapped functions are renamed.
func (s *patchedPackage) hook(sources map[string][]byte) error {
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

// rename returns a file of the package with the wrapped functions renamed and the fields added. It
// returns nil if the file does not change.
func (s *patchedPackage) rename(file string, src []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil // the functions in it are then reported as missing
	}
	var edits []edit
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if name := functionName(n); s.wrapped[name] {
				s.found[name] = true
				edits = append(
					edits,
					edit{offset: fset.Position(n.Name.Pos()).Offset, remove: len(n.Name.Name), text: realName(n.Name.Name)},
				)
			}
			return false
		case *ast.TypeSpec:
			if t, ok := n.Type.(*ast.StructType); ok && s.fields[n.Name.Name] != "" {
				s.found[n.Name.Name] = true
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

// missing returns an error if the package lacks a wrapped function or a type with an added field.
func (s *patchedPackage) missing() error {
	var all []string
	for name := range s.wrapped {
		if !s.found[name] {
			all = append(all, name)
		}
	}
	for name := range s.fields {
		if !s.found[name] {
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

// otherNetwork returns an error if a build failed with err in a package of the standard library:
// then the package differs from the one for which the added files were written. It returns nil for
// other failures.
func otherNetwork(err error, t *toolchain) error {
	var failed *toolError
	if !errors.As(err, &failed) {
		return nil
	}
	m := compilerLine.FindStringSubmatch(failed.text)
	if m == nil || !strings.HasPrefix(m[1], filepath.Join(t.Root, "src")) {
		return nil
	}
	return fmt.Errorf("this Go (%s) differs from those that the virtual network is made for: build without --net: %s", t.Version, m[0])
}
