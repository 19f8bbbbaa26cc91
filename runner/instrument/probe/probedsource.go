package probe

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"hash/fnv"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sonde/assets/probe"
	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// The import paths of packages that are added to the standard library. All modules, whether
// vendored or not, can import packages of the standard library without a change of go.mod.
const (
	runtimePath = "sondeprobe"
	agentPath   = "sondeprobe/agent"
	agentFile   = "zz_sonde_agent.go" // the file that is added to the main package
)

// buildPaths replaces the import paths of packages in this repository by those in a build.
var buildPaths = strings.NewReplacer("sonde/assets/probe/sondeprobe", runtimePath, "sonde/assets/probe/sondevalue", valuesPath)

// runtimeName is the name under which probed files import sondeprobe.
const runtimeName = "__sonde"

// probedSource is the source of a build with probes, and the description of the probes.
type probedSource struct {
	*overlay
	targets   *targetTable
	tables    switchTables
	files     []probedata.SourceFile
	skipped   []probedata.SkippedFile
	constants constants
	sql       bool                  // queries are probed
	rows      bool                  // tests insert rows
	byRequest bool                  // see Options.ByRequest
	panics    bool                  // operations that may panic are probed
	nils      map[types.Object]bool // see panicProber
	units     *unitSource           // nil if no invocations are recorded
	plain     map[string]string     // reasons why files have no probes, by the path of the file
}

// newProbedSource adds probes to the files of l.cover, except those in plain.
func newProbedSource(l *loaded, o Options, plain map[string]string) (*probedSource, error) {
	s := &probedSource{
		overlay: newOverlay(nil), targets: newTargetTable(), constants: constants{}, sql: o.SQL, rows: o.Rows, byRequest: o.ByRequest,
		plain: plain,
	}
	if o.Panics {
		s.panics, s.nils = true, functionsReturningNil(l.cover)
	}
	if o.Units {
		s.units = newUnitSource(l, o)
	}
	for _, p := range l.cover {
		tables := mapLiterals(p.TypesInfo, p.Syntax)
		for _, f := range p.Syntax {
			if err := s.probe(l, p, f, tables); err != nil {
				return nil, err
			}
		}
		s.skipCgo(p)
	}
	return s, nil
}

// probe adds probes to a file, unless the file is in s.plain. tables are the keys of the map literals of its package.
func (s *probedSource) probe(l *loaded, p *packages.Package, f *ast.File, tables map[types.Object][]ast.Expr) error {
	path := l.fset.PositionFor(f.Package, false).Filename
	if !slices.Contains(p.GoFiles, path) {
		return nil // a file that cgo has written
	}
	if reason, ok := s.plain[path]; ok {
		s.skipped = append(s.skipped, probedata.SkippedFile{Path: path, Why: reason})
		return nil
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%q cannot be read: %w", path, err)
	}
	file := newSourceFile(l, p, path, src, len(s.files))
	if s.units != nil {
		if edited, any := s.units.edit(p, f, file); any {
			s.add(p, path, file, src, edited)
		}
		return nil
	}
	info := &typeInfo{Info: p.TypesInfo, file: file, generic: hasLanguage(p, f, "go1.18"), passesGenerics: hasLanguage(p, f, "go1.21")}
	prober := newProber(info, s.targets, &s.tables, s.sql)
	if s.panics && info.generic {
		prober.exprs.panics = newPanicProber(info, f, s.nils)
	}
	probed, any := prober.probe(f)
	if !any {
		return nil
	}
	s.constants.collect(p.TypesInfo, f, tables)
	s.add(p, path, file, src, probed)
	return nil
}

// add adds an edited file of a package.
func (s *probedSource) add(p *packages.Package, path string, f *sourceFile, src, edited []byte) {
	s.sources[path] = edited
	sum := fmt.Sprintf("%x", sha256.Sum256(src))
	s.files = append(s.files, probedata.SourceFile{Package: p.PkgPath, Name: f.name, Path: path, Sum: sum})
}

func newSourceFile(l *loaded, p *packages.Package, file string, text []byte, index int) *sourceFile {
	return &sourceFile{fset: l.fset, text: text, name: path.Join(p.PkgPath, filepath.Base(file)), index: index}
}

// skipCgo adds the files that cgo rewrites to s.skipped.
func (s *probedSource) skipCgo(p *packages.Package) {
	for _, f := range p.GoFiles {
		if !slices.Contains(p.CompiledGoFiles, f) {
			s.skipped = append(s.skipped, probedata.SkippedFile{Path: f, Why: `it imports "C"`})
		}
	}
}

// hasLanguage reports whether the language version of a file is at least the given one, or unknown.
func hasLanguage(p *packages.Package, f *ast.File, language string) bool {
	v := cmp.Or(p.TypesInfo.FileVersions[f], p.Types.GoVersion())
	return v == "" || version.Compare(v, language) >= 0
}

// digest returns a number that identifies the probed source.
func (s *probedSource) digest() uint64 {
	h := fnv.New64a()
	for _, f := range s.files {
		fmt.Fprintf(h, "%s %d\n", f.Path, len(s.sources[f.Path]))
		h.Write(s.sources[f.Path])
	}
	return h.Sum64()
}

// preds returns the number of predicates of the build, but at least 1, because sondeprobe declares
// an array of that length.
func (s *probedSource) preds() int { return max(s.targets.preds, 1) }

// write adds sondeprobe and the other packages of assets/probe that the build needs to the sources, and saves all in a
// folder. It adds an import of the agent to the package in the folder main, unless main is "". It returns the path of
// the file for the flag -overlay.
func (s *probedSource) write(dir, goroot, main string) (string, error) {
	at := filepath.Join(goroot, "src", runtimePath)
	err := s.addPackage(probe.Runtime, "sondeprobe", at)
	if err == nil {
		err = s.addPackage(probe.Agent, "sondeagent", filepath.Join(at, "agent"))
	}
	if err == nil && s.byRequest {
		err = s.addPackage(probe.ByRequest, "_net/agent", filepath.Join(at, "agent"))
	}
	if err == nil && (s.rows || s.targets.queries > 0) {
		err = s.patchSQL(goroot)
	}
	if err != nil {
		return "", err
	}
	if s.units != nil {
		if err := s.units.write(s.overlay, filepath.Join(goroot, "src"), at, s.digest()); err != nil {
			return "", err
		}
	}
	s.sources[filepath.Join(at, "size.go")] = s.sizes()
	if main != "" {
		s.sources[filepath.Join(main, agentFile)] = fmt.Appendf(nil, "package main\n\nimport _ %q\n", agentPath)
	}
	return s.save(dir)
}

// sizes returns the file of sondeprobe with the sizes and tables of this build.
func (s *probedSource) sizes() []byte {
	const head = "package sondeprobe\n\nconst (\n\tBuild = %d\n\tPreds = %d\n\tHits = %d\n\tByRequest = %t\n)\n\n%s"
	return fmt.Appendf(nil, head, s.digest(), s.preds(), s.targets.hits, s.byRequest, s.tables.source())
}

// leavePlain adds files to s.plain, the files that are built without probes: those in which the
// compiler found errors when they had probes. It returns false if there are no such files.
func (s *probedSource) leavePlain(err error) bool {
	var failed *toolError
	if !errors.As(err, &failed) {
		return false
	}
	found := false
	for _, m := range compilerLine.FindAllStringSubmatch(failed.text, -1) {
		if s.isProbed(m[1]) && s.plain[m[1]] == "" {
			s.plain[m[1]] = "it does not compile with probes: " + m[3]
			found = true
		}
	}
	return found
}

func (s *probedSource) isProbed(path string) bool {
	return slices.ContainsFunc(s.files, func(f probedata.SourceFile) bool { return f.Path == path })
}
