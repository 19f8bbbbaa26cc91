package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sonde/assets/demo"
)

// DemoFolder returns a folder with the demo's source. It is in the user's cache folder, so that all builds
// of the demo use the same paths and Go compiles it only once. If that folder cannot be used, the source is
// written below dir.
func DemoFolder(dir string) (string, error) {
	if cached, err := cachedDemoFolder(); err == nil {
		return cached, nil
	}
	source := filepath.Join(dir, "source")
	if err := demo.WriteSource(source); err != nil {
		return "", fmt.Errorf("cannot write the demo's source: %w", err)
	}
	return source, nil
}

// cachedDemoFolder returns the demo's folder in the user's cache folder. It writes the source if it is missing.
func cachedDemoFolder() (string, error) {
	digest, err := demo.SourceDigest()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	parent := filepath.Join(cache, "sonde", "demo")
	dir := filepath.Join(parent, digest)
	if demo.HasSource(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	unfinished, err := os.MkdirTemp(parent, "unfinished-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(unfinished)
	if err := demo.WriteSource(unfinished); err != nil {
		return "", err
	}
	// The rename is atomic, because several processes may build the demo at once.
	if err := os.Rename(unfinished, dir); err != nil && !demo.HasSource(dir) {
		return "", errors.Join(fmt.Errorf("%q is not the demo's source", dir), err)
	}
	return dir, nil
}
