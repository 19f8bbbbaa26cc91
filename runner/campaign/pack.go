package campaign

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// MaxPacked is the maximum number of bytes of the files in a pack.
const MaxPacked = 1 << 30

// Pack returns an archive of regular files: tar, compressed by zstd. files are paths with slashes, relative to
// folder. The archive depends only on the paths, the contents and the executable bits of the files, not on their
// times and owners.
func Pack(folder string, files []string) ([]byte, error) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	t, total := tar.NewWriter(z), int64(0)
	for _, name := range slices.Sorted(slices.Values(files)) {
		info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if total += info.Size(); total > MaxPacked {
			return nil, fmt.Errorf("the files in %q have more than %d bytes: workers cannot get them", folder, MaxPacked)
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		mode := int64(0o600)
		if info.Mode()&0o100 != 0 {
			mode = 0o700
		}
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(data)), Format: tar.FormatPAX}); err != nil {
			return nil, err
		}
		if _, err := t.Write(data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return b.Bytes(), err
}

// Unpack writes the files of a pack into a new folder. If another process creates the folder first, Unpack leaves it as
// it is. If Unpack returns an error, it has not created the folder.
func Unpack(packed []byte, folder string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return err
	}
	partial, err := os.MkdirTemp(filepath.Dir(folder), ".unpacking-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(partial)
	if err := unpackInto(packed, partial); err != nil {
		return err
	}
	err = os.Rename(partial, folder)
	if errors.Is(err, fs.ErrExist) || isFolder(folder) {
		return nil // another process was faster
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func unpackInto(packed []byte, folder string) error {
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	root, err := os.OpenRoot(folder) // a hostile pack cannot write outside of it
	if err != nil {
		return err
	}
	defer root.Close()
	left := int64(MaxPacked)
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("the pack cannot be read: %w", err)
		case h.Typeflag != tar.TypeReg:
			return fmt.Errorf("the pack has %q, which is no file", h.Name)
		}
		if left -= h.Size; left < 0 {
			return fmt.Errorf("the pack has more than %d bytes", MaxPacked)
		}
		if err := unpackFile(root, h, t); err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, h *tar.Header, r io.Reader) error {
	if err := root.MkdirAll(path.Dir(h.Name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(h.Mode&0o700))
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
