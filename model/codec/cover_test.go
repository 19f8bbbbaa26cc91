package codec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
)

func TestOpenCover(t *testing.T) {
	tests := []struct {
		name, content string
		want          []model.SourceFileCoverage
		wantErr       string
	}{
		{
			name: "two files",
			content: "mode: set\nshop/b.go:3.1,5.2 2 1\nshop/a.go:1.1,2.2 3 0\nshop/a.go:7.1,9.2 1 4\n" +
				"shop/a.go:7.1,9.2 1 0\n", // the same block twice, as two test binaries write it
			want: []model.SourceFileCoverage{
				{File: "shop/a.go", Statements: model.CoverageCount{Covered: 1, All: 4}},
				{File: "shop/b.go", Statements: model.CoverageCount{Covered: 2, All: 2}},
			},
		},
		{name: "empty", content: "mode: set\n", want: []model.SourceFileCoverage{}},
		{name: "other content", content: "<html>", wantErr: "cover.out is not a coverage file of Go"},
		{
			name: "a number that is too large", content: "mode: set\na.go:1.1,2.2 99999999999999999999 1\n",
			wantErr: "is not a coverage file",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, codec.CoverFile), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := codec.OpenCover(dir)
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Fatalf("error %v, want one with %q", err, test.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
	t.Run("no file", func(t *testing.T) {
		got, err := codec.OpenCover(t.TempDir())
		if got != nil || err != nil {
			t.Errorf("got %v, error %v, want none", got, err)
		}
	})
}
