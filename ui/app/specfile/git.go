package specfile

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/app/paths"
)

// gitScheme is the beginning of the name of a file in a commit: git:REV:PATH.
const gitScheme = "git:"

// commitFile is a file in a commit of the Git repository of the current folder.
type commitFile struct {
	name string // git:REV:PATH, for errors
	rev  string
	path string // relative to the root of the repository, or to the current folder if it begins with ./ or ../
	root string // the folder of the repository, "" for the current folder
}

// parseCommitFile parses git:REV:PATH.
func parseCommitFile(source string) (commitFile, error) {
	rev, file, _ := strings.Cut(strings.TrimPrefix(source, gitScheme), ":")
	if rev == "" || file == "" || strings.HasPrefix(rev, "-") || path.IsAbs(file) {
		return commitFile{}, fmt.Errorf(
			"%q names no file of a commit: write git:REV:PATH, such as git:origin/main:api/openapi.yaml; the path begins at the "+
				"root of the repository, and ./PATH in the current folder", source,
		)
	}
	return commitFile{name: source, rev: rev, path: file}, nil
}

// otherFile matches a reference to another file.
var otherFile = regexp.MustCompile(`\$ref["']?\s*:\s*["']?[^"'#\s]`)

// fromCommit reads the spec in a file of a commit. If the file refers to others, it is read with the YAML and JSON files
// of its folder.
func (f *Loader) fromCommit(ctx context.Context, source string) (*model.Spec, error) {
	file, err := parseCommitFile(source)
	if err != nil {
		return nil, err
	}
	file, err = file.fromRoot(ctx)
	if err != nil {
		return nil, err
	}
	text, err := file.git(ctx, f.limit(), "cat-file", "blob", file.rev+":"+file.path)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "sonde-git-")
	if err != nil {
		return nil, fmt.Errorf("%s: no temporary folder: %w", source, err)
	}
	defer os.RemoveAll(folder)
	place := filepath.Join(folder, path.Base(file.path))
	if err := os.WriteFile(place, text, 0o600); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if otherFile.Match(text) {
		if err := file.extractFolder(ctx, folder, f.limit()); err != nil {
			return nil, err
		}
	}
	spec, err := openapi.Load(ctx, place, f.options())
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), gitScheme+file.rev+":"))
	}
	return spec, nil
}

// fromRoot returns the file with its path from the root of the repository.
func (c commitFile) fromRoot(ctx context.Context) (commitFile, error) {
	const maxPath = 64 << 10
	out, err := c.git(ctx, maxPath, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return c, err
	}
	root, prefix, _ := strings.Cut(string(out), "\n")
	if strings.HasPrefix(c.path, ".") {
		c.path = path.Join(strings.TrimRight(prefix, "\n"), c.path)
	}
	c.root = root
	return c, nil
}

// limit returns the maximum number of bytes of a spec with its files.
func (f *Loader) limit() int64 {
	if f.MaxBytes > 0 {
		return f.MaxBytes
	}
	return openapi.DefaultMaxBytes
}

// git runs git and returns its output, which may have a maximum number of bytes.
func (c commitFile) git(ctx context.Context, limit int64, args ...string) ([]byte, error) {
	var out []byte
	err := c.stream(ctx, func(r io.Reader) (err error) {
		out, err = io.ReadAll(io.LimitReader(r, limit+1))
		if int64(len(out)) > limit {
			return fmt.Errorf("it has more than %d bytes: raise --max-size", limit)
		}
		return err
	}, args...)
	return out, err
}

// stream runs git, and read with its output. It ends git when read returns.
func (c commitFile) stream(ctx context.Context, read func(io.Reader) error, args ...string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = c.root
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: git cannot be started: %w", c.name, err)
	}
	failed := read(out)
	if failed != nil {
		stop()
	}
	err = cmd.Wait()
	switch {
	case failed != nil && err == nil, failed != nil && said.Len() == 0:
		return fmt.Errorf("%s: %w", c.name, failed)
	case err != nil:
		text := strings.Join(strings.Fields(said.String()), " ")
		if strings.Contains(text, "invalid object name") {
			text = strings.TrimSuffix(text, ".") +
				": fetch the commit first, as a shallow clone lacks it (in CI: fetch-depth: 0, or GIT_DEPTH: 0)"
		}
		return fmt.Errorf("%s: git: %s", c.name, text)
	}
	return nil
}

// maxCommitFiles is the number of files that are read from the folder of a spec.
const maxCommitFiles = 10_000

// extractFolder writes the YAML and JSON files in the folder of the file, and below it.
func (c commitFile) extractFolder(ctx context.Context, to string, limit int64) error {
	folder := path.Dir(c.path)
	if folder == "." {
		folder = ""
	}
	return c.stream(ctx, func(r io.Reader) error {
		archive := tar.NewReader(r)
		for files := 0; ; {
			h, err := archive.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if h.Typeflag != tar.TypeReg || !slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(path.Ext(h.Name))) {
				continue
			}
			files, limit = files+1, limit-h.Size
			if limit < 0 || files > maxCommitFiles {
				return errors.New("its folder has too many YAML and JSON files: bundle the spec in one file, or raise --max-size")
			}
			if err := extract(archive, filepath.Join(to, filepath.FromSlash(h.Name)), to); err != nil {
				return err
			}
		}
	}, "archive", "--format=tar", c.rev+":"+folder)
}

// extract writes a file of an archive below a folder.
func extract(r io.Reader, file, folder string) error {
	if !paths.IsWithin(file, folder) {
		return fmt.Errorf("%q is outside of its folder", file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}
