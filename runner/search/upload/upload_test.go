package upload

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"image"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
)

// fileNamed returns the file with a name.
func fileNamed(t *testing.T, name string) File {
	t.Helper()
	for _, f := range (Use{}).Choose() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no file %q", name)
	return File{}
}

// Readers of the standard library read the files.
func TestFilesAreValid(t *testing.T) {
	for name, format := range map[string]string{"photo.png": "png", "photo.jpg": "jpeg", "picture.gif": "gif"} {
		if p, got, err := image.Decode(strings.NewReader(fileNamed(t, name).Data)); err != nil || got != format || p.Bounds().Dx() != 8 {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if rows, err := csv.NewReader(strings.NewReader(fileNamed(t, "table.csv").Data)).ReadAll(); err != nil || len(rows) != 3 {
		t.Errorf("table.csv: %q, %v", rows, err)
	}
	if !json.Valid([]byte(fileNamed(t, "data.json").Data)) {
		t.Error("data.json is not JSON")
	}
	for _, name := range []string{"data.xml", "drawing.svg"} {
		var root struct{ XMLName xml.Name }
		if err := xml.Unmarshal([]byte(fileNamed(t, name).Data), &root); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	archive := fileNamed(t, "archive.zip").Data
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil || len(z.File) != 1 {
		t.Fatalf("archive.zip: %v", err)
	}
	inside, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	wantNotes(t, "archive.zip", inside)
	files := tar.NewReader(strings.NewReader(fileNamed(t, "archive.tar").Data))
	if head, err := files.Next(); err != nil || head.Name != "notes.txt" {
		t.Errorf("archive.tar: %+v, %v", head, err)
	}
	wantNotes(t, "archive.tar", files)
	plain, err := gzip.NewReader(strings.NewReader(fileNamed(t, "notes.txt.gz").Data))
	if err != nil {
		t.Fatal(err)
	}
	wantNotes(t, "notes.txt.gz", plain)
}

func wantNotes(t *testing.T, name string, r io.Reader) {
	t.Helper()
	if text, err := io.ReadAll(r); err != nil || string(text) != notes {
		t.Errorf("%s has %q, %v", name, text, err)
	}
}

// The offsets in the table of a PDF are the offsets of its objects.
func TestPDF(t *testing.T) {
	data := fileNamed(t, "document.pdf").Data
	start, err := strconv.Atoi(regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindStringSubmatch(data)[1])
	if err != nil || !strings.HasPrefix(data[start:], "xref\n0 4\n0000000000 65535 f \n") {
		t.Fatalf("the table is not at %d of\n%s", start, data)
	}
	places := regexp.MustCompile(`(\d{10}) 00000 n \n`).FindAllStringSubmatch(data, -1)
	for i, p := range places {
		if at, err := strconv.Atoi(p[1]); err != nil || !strings.HasPrefix(data[at:], strconv.Itoa(i+1)+" 0 obj\n") {
			t.Errorf("object %d is not at %d", i+1, at)
		}
	}
	if len(places) != 3 {
		t.Errorf("%d objects are in the table, want 3", len(places))
	}
}

// The header of the WAV file has the correct sizes of the file's parts.
func TestWAV(t *testing.T) {
	data := fileNamed(t, "sound.wav").Data
	if len(data) != 52 || data[4] != 44 || data[40] != 8 || data[:4]+data[8:16]+data[36:40] != "RIFFWAVEfmt data" {
		t.Errorf("got %q", data)
	}
}

func TestChoose(t *testing.T) {
	all := len(kinds())
	for name, c := range map[string]struct {
		use   Use
		want  string // names and media types of the first files
		count int
	}{
		"nothing known":      {Use{}, "notes.txt text/plain, photo.png image/png", all},
		"name":               {Use{Texts: []string{"avatar"}}, "photo.png image/png, photo.jpg image/jpeg", all},
		"camel case":         {Use{Texts: []string{"coverImages"}}, "photo.png image/png", all},
		"format before word": {Use{Texts: []string{"JPEG image"}}, "photo.jpg image/jpeg, photo.png image/png", all},
		"name before path":   {Use{Texts: []string{"csvFile", "/backups"}}, "table.csv text/csv, archive.zip application/zip", all},
		"path":               {Use{Texts: []string{"file", "/plugins/{id}"}}, "archive.zip application/zip, archive.tar", all},
		"media type":         {Use{Media: []string{"application/pdf"}, Texts: []string{"logo"}}, "document.pdf application/pdf", 1},
		"another name of it": {Use{Media: []string{"application/x-yaml; charset=utf-8"}}, "config.yaml application/x-yaml", 1},
		"range":              {Use{Media: []string{"image/*"}}, "photo.png image/png, photo.jpg image/jpeg", 4},
		"several":            {Use{Media: []string{"image/gif", "text/csv"}}, "picture.gif image/gif, table.csv text/csv", 2},
		"any, by words": {
			Use{Media: []string{"application/octet-stream"}, Texts: []string{"report"}}, "document.pdf application/octet-stream", all,
		},
		"of no kind": {Use{Media: []string{"video/mp4"}}, "notes.txt video/mp4", 1},
		"of no kind, by words": {
			Use{Media: []string{"application/vnd.example"}, Texts: []string{"backup"}}, "archive.zip application/vnd.example", 1,
		},
		"of no kind, and any": {Use{Media: []string{"video/mp4", "*/*"}}, "notes.txt video/mp4, photo.png image/png", all},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range c.use.Choose() {
				got = append(got, f.Name+" "+f.Media)
			}
			if first := strings.Join(got, ", "); len(got) != c.count || !strings.HasPrefix(first, c.want) {
				t.Errorf("got %d files: %s, want %d: %s", len(got), first, c.count, c.want)
			}
			if slices.Sort(got); len(slices.Compact(got)) != c.count {
				t.Errorf("%q has a file twice", got)
			}
		})
	}
}
