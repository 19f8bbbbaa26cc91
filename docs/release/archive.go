package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A file is a file of an archive. Its name has slashes.
type file struct {
	name       string
	data       []byte
	executable bool
}

func byName(a, b file) int { return strings.Compare(a.name, b.name) }

func (f file) mode() fs.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// pack returns the archive of a target. All files are in one folder, which has the name of the archive, and have the
// same time, so that the same files give the same bytes.
func pack(t target, version string, when time.Time, files []file) ([]byte, error) {
	folder := t.assetName(version) + "/"
	if t.system == "windows" {
		return packZip(folder, when, files)
	}
	return packTar(folder, when, files)
}

func packTar(folder string, when time.Time, files []file) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     folder + f.name,
			Size:     int64(len(f.data)),
			Mode:     int64(f.mode()),
			ModTime:  when,
			Format:   tar.FormatUSTAR,
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func packZip(folder string, when time.Time, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: folder + f.name, Method: zip.Deflate, Modified: when.UTC()}
		header.SetMode(f.mode())
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A checksum is a line of SHA256SUMS.
type checksum struct {
	name, sum string
}

// A checksumList is the content of SHA256SUMS.
type checksumList []checksum

// checksums returns the checksums of files in a folder.
func checksums(folder string, names []string) (checksumList, error) {
	var list checksumList
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		list = append(list, checksum{name: name, sum: fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	return list, nil
}

// String returns the list as sha256sum prints it.
func (l checksumList) String() string {
	var b strings.Builder
	for _, c := range l {
		fmt.Fprintf(&b, "%s  %s\n", c.sum, c.name)
	}
	return b.String()
}

// of returns the checksum of a file, "" for a file that is not in the list.
func (l checksumList) of(name string) string {
	for _, c := range l {
		if c.name == name {
			return c.sum
		}
	}
	return ""
}
