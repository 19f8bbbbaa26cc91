// Command release writes the files of a release into a folder: for each system an archive with the program, shell
// completions and man pages, and a software bill of materials (CycloneDX); checksums of all of them; a Homebrew
// formula and a Scoop manifest. .ci/release runs it.
//
//	go run ./docs/release [-source TREE] [-repository OWNER/NAME] [-tag TAG] DIR [SYSTEM/ARCHITECTURE...]
//
// The same commit and the same Go give the same bytes, wherever the tree is.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// allTargets are the systems that releases are for.
var allTargets = []target{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// A target is a system that a program is built for, with the names of Go.
type target struct {
	system, architecture string
}

func (t target) String() string { return t.system + "/" + t.architecture }

// program returns the file name of the program.
func (t target) program() string {
	if t.system == "windows" {
		return "sonde.exe"
	}
	return "sonde"
}

// assetName returns the start of the names of the files of a release for t. action.yml looks for such names.
func (t target) assetName(version string) string {
	return "sonde_" + version + "_" + t.system + "_" + t.architecture
}

// archive returns the name of the archive of t.
func (t target) archive(version string) string {
	if t.system == "windows" {
		return t.assetName(version) + ".zip"
	}
	return t.assetName(version) + ".tar.gz"
}

// bom returns the name of the bill of materials of t.
func (t target) bom(version string) string { return t.assetName(version) + ".cdx.json" }

// A release is what the command writes.
type release struct {
	source     string // the top folder of Sonde's source
	folder     string
	repository string // OWNER/NAME on GitHub
	tag        string // "" for v and the version
	targets    []target
}

func main() {
	r, err := parse(os.Args[1:], os.Stderr)
	if err == nil {
		err = r.write(os.Stdout)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// errUsage is in the chain of each error about arguments.
var errUsage = errors.New("usage: release [-source TREE] [-repository OWNER/NAME] [-tag TAG] DIR [SYSTEM/ARCHITECTURE...]")

func parse(args []string, out io.Writer) (r release, err error) {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&r.source, "source", ".", "the top `folder` of Sonde's source")
	flags.StringVar(&r.repository, "repository", "OWNER/sonde", "the repository on GitHub that has the release, as `OWNER/NAME`")
	flags.StringVar(&r.tag, "tag", "", "the `tag` of the release, which must be v and the version of the program")
	if err := flags.Parse(args); err != nil {
		return r, err
	}
	if flags.NArg() == 0 {
		return r, errUsage
	}
	if owner, name, ok := strings.Cut(r.repository, "/"); !ok || !plain(owner) || !plain(name) {
		return r, fmt.Errorf("-repository is %q, want OWNER/NAME: %w", r.repository, errUsage)
	}
	r.folder = flags.Arg(0)
	if inside(r.folder, r.source) {
		return r, fmt.Errorf("%q is in the source tree: name a folder outside of it: %w", r.folder, errUsage)
	}
	for _, name := range flags.Args()[1:] {
		i := slices.IndexFunc(allTargets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return r, fmt.Errorf("%q is no target, want some of %v: %w", name, allTargets, errUsage)
		}
		r.targets = append(r.targets, allTargets[i])
	}
	if len(r.targets) == 0 {
		r.targets = allTargets
	}
	return r, nil
}

// inside reports whether a path is that of a folder, or is in the folder.
func inside(path, folder string) bool {
	path, err1 := filepath.Abs(path)
	folder, err2 := filepath.Abs(folder)
	rel, err3 := filepath.Rel(folder, path)
	return errors.Join(err1, err2, err3) == nil && filepath.IsLocal(rel)
}

// plain reports whether s has only characters that names of GitHub have, so that it can be written into a file as it is.
func plain(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

// write builds all targets and writes the files of the release.
func (r release) write(out io.Writer) error {
	scratch, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	b, err := buildHost(r.source, scratch)
	if err != nil {
		return err
	}
	if want := "v" + b.version; r.tag != "" && r.tag != want {
		return fmt.Errorf("the tag is %q, but the program says version %s: tag %s, or change ui/app/version", r.tag, b.version, want)
	}
	shared, err := b.sharedFiles()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.folder, 0o755); err != nil {
		return err
	}
	var names []string
	for _, t := range r.targets {
		fmt.Fprintf(out, "== %s\n", t.assetName(b.version))
		program, err := b.build(t)
		if err != nil {
			return err
		}
		if err := r.writeTarget(t, b.version, program, shared); err != nil {
			return err
		}
		names = append(names, t.archive(b.version), t.bom(b.version))
	}
	sums, err := checksums(r.folder, names)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(r.folder, "SHA256SUMS"), []byte(sums.String())); err != nil {
		return err
	}
	fmt.Fprint(out, sums)
	return r.writePackages(b.version, sums)
}

// writeTarget writes the archive and the bill of materials of one target. program is the path of its program.
func (r release) writeTarget(t target, version, program string, shared []file) error {
	bom, when, err := billOfMaterials(program, t, version)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(r.folder, t.bom(version)), bom); err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	files := append([]file{{name: t.program(), data: data, executable: true}}, shared...)
	archive, err := pack(t, version, when, files)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(r.folder, t.archive(version)), archive)
}

// writePackages writes the files for the package managers whose systems are among the targets.
func (r release) writePackages(version string, sums checksumList) error {
	p := packages{repository: r.repository, version: version, sums: sums}
	formula, err := p.formula()
	if err != nil {
		return err
	}
	manifest, err := p.manifest()
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"sonde.rb": formula, "sonde.json": manifest} {
		if data == nil {
			continue
		}
		if err := writeFile(filepath.Join(r.folder, name), data); err != nil {
			return err
		}
	}
	return nil
}
