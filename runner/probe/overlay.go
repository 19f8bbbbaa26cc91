package probe

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/version"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/probe"

	"golang.org/x/tools/go/packages"
)

// The import paths of what is injected, in the standard library's tree; there
// they belong to every module, vendored or not, and to no go.mod.
const (
	runtimePath = "sondeprobe"
	agentPath   = "sondeprobe/agent"
	ownPath     = "sonde/assets/probe/sondeprobe" // where the runtime lies here
	agentFile   = "zz_sonde_agent.go"             // what is added to main
)

// overlay is the probed source of a build, and what its probes mean.
type overlay struct {
	*numbers
	files     []File
	sources   map[string][]byte // by the path that they take the place of
	skipped   []Skipped
	constants constants
	sql       bool              // queries are probed
	plain     map[string]string // files to be left plain, and why
	replaced  map[string]string // by where a source was written to, what it takes the place of
}

// newOverlay probes all files of the packages, but for those left plain.
func newOverlay(l *loaded, sql bool, plain map[string]string) (*overlay, error) {
	o := &overlay{numbers: newNumbers(), sources: map[string][]byte{}, constants: constants{}, sql: sql, plain: plain, replaced: map[string]string{}}
	for _, p := range l.cover {
		for _, f := range p.Syntax {
			if err := o.probe(l, p, f); err != nil {
				return nil, err
			}
		}
		o.skipCgo(p)
	}
	return o, nil
}

// probe probes a file, unless it is left plain.
func (o *overlay) probe(l *loaded, p *packages.Package, f *ast.File) error {
	file := l.fset.PositionFor(f.Package, false).Filename
	if !slices.Contains(p.GoFiles, file) {
		return nil // written by cgo
	}
	if reason, ok := o.plain[file]; ok {
		o.skipped = append(o.skipped, Skipped{file, reason})
		return nil
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%q cannot be read: %w", file, err)
	}
	x := &prober{
		numbers: o.numbers, sql: o.sql, fset: l.fset, info: p.TypesInfo, src: src, number: len(o.files),
		file: path.Join(p.PkgPath, filepath.Base(file)), generic: speaks(p, f, "go1.18"), passesGenerics: speaks(p, f, "go1.21"),
	}
	if probed, any := x.probe(f); any {
		o.sources[file] = probed
		o.constants.collect(p.TypesInfo, f)
		o.files = append(o.files, File{Package: p.PkgPath, Name: x.file, Path: file, Sum: fmt.Sprintf("%x", sha256.Sum256(src))})
	}
	return nil
}

// skipCgo names the files that cgo rewrites.
func (o *overlay) skipCgo(p *packages.Package) {
	for _, f := range p.GoFiles {
		if !slices.Contains(p.CompiledGoFiles, f) {
			o.skipped = append(o.skipped, Skipped{f, `it imports "C"`})
		}
	}
}

// speaks reports whether a file's language is a version or newer.
func speaks(p *packages.Package, f *ast.File, language string) bool {
	v := cmp.Or(p.TypesInfo.FileVersions[f], p.Types.GoVersion())
	return v == "" || version.Compare(v, language) >= 0
}

// digest is a number that no other probed source has.
func (o *overlay) digest() uint64 {
	h := fnv.New64a()
	for _, f := range o.files {
		fmt.Fprintf(h, "%s %d\n", f.Path, len(o.sources[f.Path]))
		h.Write(o.sources[f.Path])
	}
	return h.Sum64()
}

// write writes the sources into a folder, with what is injected, and returns the
// path of the file that go build -overlay reads.
func (o *overlay) write(dir, goroot, main string) (string, error) {
	at := filepath.Join(goroot, "src", runtimePath)
	err := o.inject(probe.Runtime, at, "sondeprobe")
	if err == nil {
		err = o.inject(probe.Agent, filepath.Join(at, "agent"), "sondeagent")
	}
	if err == nil && o.queries > 0 {
		err = o.watchSQL(goroot)
	}
	if err != nil {
		return "", err
	}
	o.sources[filepath.Join(at, "size.go")] = o.sizes()
	if main != "" {
		o.sources[filepath.Join(main, agentFile)] = fmt.Appendf(nil, "package main\n\nimport _ %q\n", agentPath)
	}
	return o.save(dir)
}

// inject adds the files of a package, without its tests.
func (o *overlay) inject(from fs.FS, to, dir string) error {
	names, err := fs.Glob(from, dir+"/*.go")
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		src, err := fs.ReadFile(from, n)
		if err != nil {
			return err
		}
		o.sources[filepath.Join(to, path.Base(n))] = []byte(strings.ReplaceAll(string(src), ownPath, runtimePath))
	}
	return nil
}

// sizes is the runtime's file with the sizes and tables of this build.
func (o *overlay) sizes() []byte {
	b := fmt.Appendf(nil, "package sondeprobe\n\nconst (\n\tBuild = %d\n\tPreds = %d\n\tHits = %d\n)\n\n", o.digest(), max(o.preds, 1), o.hits)
	b = fmt.Appendf(b, "var ints = [...][]int64{%s}\n", rows(append(o.ints, nil), func(v int64) string { return strconv.FormatInt(v, 10) }))
	b = fmt.Appendf(b, "var uints = [...][]uint64{%s}\n", rows(append(o.uints, nil), func(v uint64) string { return strconv.FormatUint(v, 10) }))
	return fmt.Appendf(b, "var texts = [...][]string{%s}\n", rows(append(o.texts, nil), strconv.Quote))
}

// rows writes tables as Go.
func rows[V any](tables [][]V, show func(V) string) string {
	var b strings.Builder
	for _, t := range tables {
		b.WriteString("{")
		for _, v := range t {
			b.WriteString(show(v) + ",")
		}
		b.WriteString("},")
	}
	return b.String()
}

// save writes the sources and the list of what they replace.
func (o *overlay) save(dir string) (string, error) {
	replace := map[string]string{}
	for file, src := range o.sources {
		to := filepath.Join(dir, strconv.Itoa(len(replace))+"_"+filepath.Base(file))
		if err := os.WriteFile(to, src, 0o600); err != nil {
			return "", err
		}
		replace[file] = to
		o.replaced[to] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "overlay.json")
	return to, os.WriteFile(to, list, 0o600)
}
