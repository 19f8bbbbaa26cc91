package probe

import (
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sonde/assets/probe"
	"sonde/runner/instrument/unitdata"
	"sonde/runner/instrument/units"

	"golang.org/x/tools/go/packages"
)

// The import paths of sondeunits and sondevalue in a build, and the name under which edited files import sondeunits.
const (
	unitsPath  = runtimePath + "/units"
	valuesPath = runtimePath + "/value"
	unitsName  = "__sondeunits"
	// globalsFile is the file that is added to each package with functions under test.
	globalsFile = "zz_sonde_units.go"
)

// unitSource edits source so that it records invocations of functions under test. It numbers functions and their mockable
// calls.
type unitSource struct {
	module    string
	tags      string
	vendor    bool
	functions []unitdata.Function
	receives  []unitShape // by the ID of the function
	sites     []unitdata.Site
	siteOf    []int           // the function of each site
	mocked    map[string]bool // the interfaces of the targets
	skipped   []unitdata.Skipped
	globals   *globalVariables
	dirs      map[string]*packages.Package // the packages with functions, by folder
}

// unitShape says which parameters and results of a function are interfaces.
type unitShape struct{ params, results []string }

func newUnitSource(l *loaded, o Options) *unitSource {
	s := &unitSource{
		tags: o.Tags, vendor: o.Vendor, mocked: map[string]bool{}, globals: newGlobalVariables(), dirs: map[string]*packages.Package{},
	}
	if l.main.Module != nil {
		s.module = l.main.Module.Path
	}
	return s
}

// edit edits a file. any is false if it has no function under test.
func (s *unitSource) edit(p *packages.Package, f *ast.File, file *sourceFile) (edited []byte, any bool) {
	path := file.position(f.Package).Filename
	edit := &editor{file: file}
	for _, d := range units.Inspect(p) {
		if d.Decl.Pos() < f.FileStart || d.Decl.Pos() >= f.FileEnd {
			continue
		}
		if why := s.whyNot(p, f, d, file); why != "" {
			s.skipped = append(s.skipped, unitdata.Skipped{Path: path, Function: d.Name, Why: why})
			continue
		}
		e := unitEditor{source: s, pkg: p, edit: edit, decl: d, function: len(s.functions)}
		e.apply(path)
		any = true
	}
	if !any {
		return nil, false
	}
	s.dirs[filepath.Dir(path)] = p
	edit.before(f.Name.End(), ";import %s %q", unitsName, unitsPath)
	return edit.result(), true
}

// whyNot returns the reason why a function cannot be edited, "" if it can.
func (s *unitSource) whyNot(p *packages.Package, f *ast.File, d units.Declaration, file *sourceFile) string {
	switch {
	case d.Decl.Doc != nil && unprobedDirective.MatchString(file.sourceOf(d.Decl.Doc)):
		return "it has a directive for the compiler"
	case !hasLanguage(p, f, "go1.18"):
		return "its go.mod has a language version before 1.18"
	}
	return ""
}

// manifest returns the description of the functions.
func (s *unitSource) manifest(l *loaded, built *probedSource) *unitdata.Manifest {
	m := &unitdata.Manifest{
		Build: built.digest(), Module: s.module, Tags: s.tags, Vendor: s.vendor, Functions: s.functions, Skipped: s.skipped,
	}
	for _, skipped := range slices.Concat(l.skipped, built.skipped) {
		m.Skipped = append(m.Skipped, unitdata.Skipped{Path: skipped.Path, Why: skipped.Why})
	}
	return m
}

// write adds sondeunits, sondevalue and the files with globals. src is the folder of the standard library, at that of
// sondeprobe.
func (s *unitSource) write(o *overlay, src, at string, build uint64) error {
	for _, p := range []struct {
		source      fs.FS
		dir, target string
	}{
		{probe.Units, "sondeunits", filepath.Join(at, "units")},
		{probe.Values, "sondevalue", filepath.Join(at, "value")},
		{probe.Goroutines, "_units/runtime", filepath.Join(src, "runtime")},
		{probe.Goroutines, "_units/units", filepath.Join(at, "units")},
	} {
		if err := o.addPackage(p.source, p.dir, p.target); err != nil {
			return err
		}
	}
	o.sources[filepath.Join(at, "units", "table.go")] = s.table(build)
	for _, dir := range slices.Sorted(maps.Keys(s.dirs)) {
		o.sources[filepath.Join(dir, globalsFile)] = s.globals.source(s.dirs[dir])
	}
	return nil
}

// table returns the file of sondeunits with the tables of this build.
func (s *unitSource) table(build uint64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package sondeunits\n\nconst Build uint64 = %d\n\nconst Module = %q\n\n", build, s.module)
	b.WriteString("var functions = []Function{\n")
	for i, f := range s.functions {
		fmt.Fprintf(&b, "\t{Receiver: %t, Reads: %#v, All: %t, Params: %#v, Results: %#v},\n",
			f.Receiver != nil, f.Reads, f.AllFields, s.receives[i].params, s.receives[i].results)
	}
	b.WriteString("}\n\nvar sites = []Site{\n")
	for i, site := range s.sites {
		constants := slices.Sorted(maps.Keys(site.Constants))
		fmt.Fprintf(&b, "\t{Function: %d, Args: %d, Constants: %#v},\n", s.siteOf[i], len(site.Params)-len(constants), constants)
	}
	fmt.Fprintf(&b, "}\n\nvar mocked = %#v\n", s.mocked)
	return []byte(b.String())
}

// unitTypeName returns a type with full import paths, as package reflect has them: that of a main package is "main".
func unitTypeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Name() == "main" {
			return "main"
		}
		return p.Path()
	})
}
