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

// GoFile returns a suite as one Go file that needs only the standard library of Go 1.18 or later. It leaves
// out calls that were not sent, and tests without a call that was sent. Equal suites give equal bytes.
//
// The error is ErrEmpty, or the reason why the suite cannot be written, such as an inconsistent test.
func GoFile(s Suite) ([]byte, error) { return UpdateGoFile("", s) }

// ErrNoRegions reports an old file without generated regions, or with malformed ones.
var ErrNoRegions = errors.New("no part of it is marked as written by Sonde")

// UpdateGoFile merges a suite into an old Go file. MergeRegions merges the regions; the rest of the old
// file remains. If old has no regions or malformed ones, the error is ErrNoRegions. If old is "",
// UpdateGoFile returns the result of GoFile.
func UpdateGoFile(old string, s Suite) ([]byte, error) {
	s = s.insertable()
	if err := s.check(); err != nil {
		return nil, err
	}
	s, err := s.withFreePort().withLocalHosts()
	if err != nil {
		return nil, err
	}
	lib, err := s.helpers()
	if err != nil {
		return nil, err
	}
	f := goFile{
		old:  old,
		head: s.head().text(TestsFileName),
		body: goRegion("settings", s.settings().declarations()) + s.functions(reserved(lib), names{}),
	}
	return f.withLibrary(lib)
}

// withLibrary returns the file with the imports and helpers that the file needs from a library.
func (f goFile) withLibrary(lib library) ([]byte, error) {
	text, err := f.withHelpers("", "")
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), TestsFileName, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the suite cannot be written as Go code: %w", err)
	}
	imports, helpers := lib.regions(file, f.users...)
	text, err = f.withHelpers(imports, helpers)
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(text))
}

// goFile is a Go file without its imports and helpers.
type goFile struct {
	old, head, body string
	retired         []string // regions to remove from the old file
	users           []uses   // the names that other files of the folder use
}

// withHelpers returns the file with its imports and helpers, merged into the old file.
func (f goFile) withHelpers(imports, helpers string) (string, error) {
	text := goRegion("head", f.head) + "\n" + goRegion("imports", imports) + "\n" + f.body + "\n" + goRegion("helpers", helpers)
	if f.old == "" {
		return text, nil
	}
	merged, ok := MergeRegions(f.old, text, f.retired...)
	if !ok {
		return "", ErrNoRegions
	}
	return merged, nil
}

func goRegion(name, text string) string { return MarkRegion("// ", name, text) }

// regions returns the imports and helpers that a file needs from the library. helpers include those that
// only the other files need. imports leave out those that the file already has.
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

// imported returns the imports that code needs from the library, without those that the file already has.
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

// helpers returns the library of helpers that the suite's tests may call.
func (s Suite) helpers() (library, error) {
	plain, mocks := plainHelpers, plainMockHelpers
	switch h := s.hosts(); {
	case h.virtual():
		plain, mocks = netHelpers, netMockHelpers
	case h.onLoopback():
		plain, mocks = localHelpers, localMockHelpers
	}
	if s.hasMocks() {
		return mocks()
	}
	return plain()
}

// reserved returns the names that variables of tests must not have.
func reserved(lib library) names {
	taken := names{
		"t": true, "reset": true, "restore": true, "users": true, "service": true, "defaultURL": true, "begin": true, "network": true,
		"database": true,
	}
	for _, name := range slices.Concat(lib.names(), types.Universe.Names()) {
		taken[name] = true
	}
	return taken
}

func importClause(imports []string) string {
	return "import (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n"
}

// functions returns the test functions of the suite, each in a region. It adds their names to used.
func (s Suite) functions(reserved, used names) string {
	var b strings.Builder
	users, oracles := s.users(), s.oracles()
	set := s.settings()
	if s.shared != nil {
		set = *s.shared
	}
	for _, t := range s.Tests {
		if !hasRun(t) {
			continue
		}
		f := function{
			test:        t,
			shown:       s.shown[t.ID],
			stubs:       stubLines(t.Stubs),
			rows:        insertion(t.Rows),
			coverage:    coverageComment(s.Code[t.ID]),
			bodies:      s.bodies,
			reserved:    reserved,
			users:       users,
			headers:     s.Headers,
			firstCall:   set.firstCall(t),
			ownSessions: users.ownSessions(t),
		}
		for _, v := range oracles.variants(t, used) {
			b.WriteString("\n" + goRegion(v.name, f.text(v)))
		}
	}
	return b.String()
}

// text returns the Go function for a variant of the test.
func (f function) text(v variant) string {
	f.variant, f.locals = v, maps.Clone(f.reserved)
	f.calls, f.sources, f.linkedParts = bind(f.test, f.users, slices.Concat(v.links(f.test), f.shown.links()))
	carryHeaders(f.calls, f.headers)
	for i, call := range f.calls {
		if call != nil {
			call.userOption = f.users.callOption(f.test.Calls[i].User, f.test.Calls[i].Status)
		}
	}
	f.write()
	return f.String()
}
