package upload

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
)

// The contents of files that are text.
const (
	notes    = "First line\nSecond line\n"
	jsonText = `{"name":"example","items":[1,2,3]}` + "\n"
	yamlText = "name: example\nitems:\n  - 1\n  - 2\n"
	xmlText  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n<example><item>1</item></example>\n"
	svgText  = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#2a6"/></svg>` + "\n"
)

// contentOf returns the text that the function write writes. It ignores the error of write, because writing into
// memory does not fail, and the tests read each file.
func contentOf(write func(w io.Writer) error) string {
	var b bytes.Buffer
	_ = write(&b)
	return b.String()
}

// pixels returns a picture of 8 × 8 pixels.
func pixels() image.Image {
	p := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for x := range 8 {
		for y := range 8 {
			p.Set(x, y, color.RGBA{R: 40, G: uint8(30 * x), B: uint8(30 * y), A: 255})
		}
	}
	return p
}

func pngPicture() string {
	return contentOf(func(w io.Writer) error { return png.Encode(w, pixels()) })
}

func jpegPicture() string {
	return contentOf(func(w io.Writer) error { return jpeg.Encode(w, pixels(), nil) })
}

func gifPicture() string {
	return contentOf(func(w io.Writer) error { return gif.Encode(w, pixels(), &gif.Options{NumColors: 16}) })
}

func table() string {
	return contentOf(func(w io.Writer) error {
		return csv.NewWriter(w).WriteAll([][]string{
			{"id", "name", "email", "amount"}, {"1", "Ann", "ann@a.example", "1.50"}, {"2", "Bob", "bob@b.example", "20"},
		})
	})
}

func zipArchive() string {
	return contentOf(func(w io.Writer) error {
		archive := zip.NewWriter(w)
		file, err := archive.Create("notes.txt")
		if err != nil {
			return err
		}
		if _, err := io.WriteString(file, notes); err != nil {
			return err
		}
		return archive.Close()
	})
}

func tarArchive() string {
	return contentOf(func(w io.Writer) error {
		archive := tar.NewWriter(w)
		if err := archive.WriteHeader(&tar.Header{Name: "notes.txt", Mode: 0o644, Size: int64(len(notes))}); err != nil {
			return err
		}
		if _, err := io.WriteString(archive, notes); err != nil {
			return err
		}
		return archive.Close()
	})
}

func gzipText() string {
	return contentOf(func(w io.Writer) error {
		compressed := gzip.NewWriter(w)
		if _, err := io.WriteString(compressed, notes); err != nil {
			return err
		}
		return compressed.Close()
	})
}

// pdf returns a document of one empty page.
func pdf() string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var places []int
	for i, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
	} {
		places = append(places, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(places)+1)
	for _, at := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(places)+1, table)
	return b.String()
}

// wav returns eight samples of silence: 8 bits, 8,000 a second.
func wav() string {
	const samples, rate = 8, 8000
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), 36+samples)
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // channels
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate) // bytes a second
	b = binary.LittleEndian.AppendUint16(b, 1)    // bytes a sample
	b = binary.LittleEndian.AppendUint16(b, 8)    // bits a sample
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), samples)
	return string(append(b, bytes.Repeat([]byte{0x80}, samples)...))
}
