package openapi_test

import (
	"context"
	"os"
	"testing"

	"sonde/model/openapi"
)

// BenchmarkParse reads the whole folder of 251 specs.
func BenchmarkParse(b *testing.B) {
	files := realSpecs(b, "oas2")
	data := make([][]byte, len(files))
	for i, file := range files {
		var err error
		if data[i], err = os.ReadFile(file); err != nil {
			b.Fatal(err)
		}
	}
	total := int64(0)
	for _, d := range data {
		total += int64(len(d))
	}
	b.SetBytes(total)
	b.ReportAllocs()
	for b.Loop() {
		for i, d := range data {
			if _, err := openapi.Parse(context.Background(), files[i], d, openapi.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkParseLargest reads the spec with the most bytes.
func BenchmarkParseLargest(b *testing.B) {
	var largest []byte
	var name string
	for _, file := range append(realSpecs(b, "oas2"), realSpecs(b, "emb")...) {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if len(data) > len(largest) {
			largest, name = data, file
		}
	}
	b.SetBytes(int64(len(largest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openapi.Parse(context.Background(), name, largest, openapi.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
