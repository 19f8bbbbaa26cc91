package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// repositories are the repositories that publish the specs, by folder of the corpus.
var repositories = map[string]string{
	"oas2": "https://github.com/APIs-guru/openapi-directory",
	"emb":  "https://github.com/WebFuzzing/Dataset",
}

// lists has a list FOLDER.txt for each folder. It also has the tables of results that tests expect for oas2.
//
//go:embed oas2.txt emb.txt oas2.paper.csv oas2.shallow.csv
var lists embed.FS

// tables are the embedded files that are written into the folders of the specs.
var tables = []string{"oas2.paper.csv", "oas2.shallow.csv"}

// collection is a folder of specs, and the repository that publishes them.
type collection struct {
	folder, repository string
	specs              []spec
}

// spec is a file of a collection: the hash of its git blob and its path in the folder.
type spec struct{ blob, path string }

// collections returns the collections of the corpus. mirrors replace repositories, by folder.
func collections(mirrors map[string]string) []collection {
	var all []collection
	for _, folder := range []string{"oas2", "emb"} {
		list, err := lists.ReadFile(folder + ".txt")
		if err != nil {
			panic(err) // cannot happen: the list is embedded
		}
		all = append(all, collection{
			folder:     folder,
			repository: cmp.Or(mirrors[folder], repositories[folder]),
			specs:      parseList(string(list)),
		})
	}
	return all
}

// parseList parses lines with a hash, a space and a path. It skips lines without a space.
func parseList(list string) []spec {
	var specs []spec
	for line := range strings.Lines(list) {
		if blob, path, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			specs = append(specs, spec{blob: blob, path: path})
		}
	}
	return specs
}

// write fetches the missing specs of all collections into a folder, and writes the expected tables.
func write(ctx context.Context, dir string, all []collection) error {
	for _, c := range all {
		missing := c.missing(dir)
		fmt.Printf("%s: %d of %d specs are missing\n", filepath.Join(dir, c.folder), len(missing), len(c.specs))
		if len(missing) == 0 {
			continue
		}
		if err := c.fetch(ctx, dir, missing); err != nil {
			return fmt.Errorf("%s from %s: %w (with -mirror %s=REPOSITORY another repository is used)",
				c.folder, c.repository, err, c.folder)
		}
	}
	for _, name := range tables {
		table, err := lists.ReadFile(name)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(dir, name), table); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the specs that are not in dir, or are there with other content.
func (c collection) missing(dir string) []spec {
	var missing []spec
	for _, s := range c.specs {
		data, err := os.ReadFile(filepath.Join(dir, c.folder, filepath.FromSlash(s.path)))
		if err != nil || blobHash(data) != s.blob {
			missing = append(missing, s)
		}
	}
	return missing
}

// blobHash returns the hash under which git keeps a file with this content, in hex.
func blobHash(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// fetch fetches the blobs of the specs, without the repository's history, and writes the specs to files in
// dir.
func (c collection) fetch(ctx context.Context, dir string, specs []spec) error {
	scratch, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if _, err := git(ctx, scratch, "init", "-q", "--bare"); err != nil {
		return err
	}
	blobs := []string{"fetch", "-q", "--no-tags", c.repository}
	for _, s := range specs {
		blobs = append(blobs, s.blob)
	}
	if _, err := git(ctx, scratch, blobs...); err != nil {
		return err
	}
	for _, s := range specs {
		data, err := git(ctx, scratch, "cat-file", "blob", s.blob)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(dir, c.folder, filepath.FromSlash(s.path)), data); err != nil {
			return err
		}
	}
	return nil
}

// git runs git in a folder and returns its output.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// writeFile writes a file atomically. It creates the file's folder if necessary.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	scratch, err := os.CreateTemp(filepath.Dir(path), ".corpus")
	if err != nil {
		return err
	}
	defer os.Remove(scratch.Name())
	if _, err := scratch.Write(data); err != nil {
		scratch.Close()
		return err
	}
	if err := scratch.Close(); err != nil {
		return err
	}
	return os.Rename(scratch.Name(), path)
}
