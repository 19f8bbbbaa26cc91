package export

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Go writes a suite as one Go file that needs only the standard library of Go
// 1.18 or later. Calls that the run did not reach are left out, and so is a
// test without any other. Equal suites are equal bytes.
//
// The error is ErrEmpty, or says which test does not fit together.
func Go(s Suite) ([]byte, error) { return GoInto("", s) }

// ErrUnmarked is the error of an old file in which nothing says what of it is generated.
var ErrUnmarked = errors.New("nothing in it says what of it Sonde wrote")

// GoInto is Go, put into an old file: its regions that have the same names are written anew,
// and all else stays. With an old file that is "" there is nothing else.
func GoInto(old string, s Suite) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	s, err := s.unbound().replaced()
	if err != nil {
		return nil, err
	}
	lib, err := s.helpers()
	if err != nil {
		return nil, err
	}
	f := goFile{
		old:  old,
		head: s.constraint() + s.packageComment(),
		body: goRegion("settings", s.settings()) + s.functions(reserved(lib), names{}),
	}
	return f.with(lib)
}

// with returns the file with what it needs of a library.
func (f goFile) with(lib library) ([]byte, error) {
	text, err := f.of("", "")
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), FileName, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the suite does not fit into Go code: %w", err)
	}
	imports, helpers := lib.regions(file, f.users...)
	text, err = f.of(imports, helpers)
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(text))
}

// goFile is a file before it is known which helpers it needs.
type goFile struct {
	old, head, body string
	retired         []string // regions that are no more
	users           []uses   // what other files need of the helpers
}

// of returns the file with its imports and helpers.
func (f goFile) of(imports, helpers string) (string, error) {
	text := goRegion("head", f.head) + "\n" + goRegion("imports", imports) + "\n" + f.body + "\n" + goRegion("helpers", helpers)
	if f.old == "" {
		return text, nil
	}
	merged, ok := Merge(f.old, text, f.retired...)
	if !ok {
		return "", ErrUnmarked
	}
	return merged, nil
}

func goRegion(name, text string) string { return Region("// ", name, text) }

// regions returns what code has to import, and the helpers that it and other files need. What
// somebody else put into it imports on its own.
func (l library) regions(file *ast.File, others ...uses) (imports, helpers string) {
	own, all := mentioned(file), newUses()
	all.add(own)
	for _, u := range others {
		all.add(u)
	}
	for _, d := range l.needed(all) {
		helpers += "\n" + d.text + "\n"
		own.add(d.uses)
	}
	return importClause(l.imported(file, own)), helpers
}

// imported returns the imports of the library that code needs, but for those that its file has.
func (l library) imported(file *ast.File, code uses) []string {
	var all []string
	for _, i := range l.imports {
		if code.before[path.Base(i)] {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool {
		return slices.ContainsFunc(
			file.Imports,
			func(i *ast.ImportSpec) bool { return i.Name == nil && i.Path.Value == strconv.Quote(name) },
		)
	})
}

// helpers returns those that the tests may call.
func (s Suite) helpers() (library, error) {
	plain, mimic := plainHelpers, plainMimicHelpers
	switch {
	case s.virtual():
		plain, mimic = netHelpers, netMimicHelpers
	case s.local():
		plain, mimic = localHelpers, localMimicHelpers
	}
	if s.mimics() {
		return mimic()
	}
	return plain()
}

// reserved returns the names that a variable in a test may not have.
func reserved(lib library) names {
	taken := names{"t": true, "reset": true, "users": true, "service": true, "defaultURL": true, "begin": true, "network": true}
	for _, name := range slices.Concat(lib.names(), types.Universe.Names()) {
		taken[name] = true
	}
	return taken
}

func importClause(imports []string) string {
	return "import (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n"
}

func (s Suite) functions(reserved, used names) string {
	var b strings.Builder
	for _, t := range s.Tests {
		if last(t) < 0 {
			continue
		}
		f := function{
			test:     t,
			shown:    s.shows[t.ID],
			stubs:    stubLines(t.Stubs),
			covers:   s.codeComment(t.ID),
			reserved: reserved,
			first:    s.first(),
			apart:    s.changesLogin(t),
		}
		for _, v := range s.variants(t, used) {
			b.WriteString("\n" + goRegion(v.name, f.of(s, v)))
		}
	}
	return b.String()
}

// of writes the test in one of its variants.
func (f function) of(s Suite, v variant) string {
	f.variant, f.locals = v, maps.Clone(f.reserved)
	f.shots, f.sources, f.linked = bind(f.test, slices.Concat(v.links(f.test), f.shown.further()))
	for i, shot := range f.shots {
		if shot != nil {
			shot.proof = s.proof(f.test.Calls[i].User, f.test.Calls[i].Status)
		}
	}
	f.write()
	return f.String()
}
