package export_test

import (
	"encoding/json"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
)

// photos is a service that decodes the images that it gets.
func photos(w http.ResponseWriter, r *http.Request) {
	answer, status := map[string]any{}, http.StatusOK
	var file io.Reader = r.Body
	if r.URL.Path == "/photos" {
		part, head, err := r.FormFile("photo")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		file, status = part, http.StatusCreated
		answer["title"], answer["file"] = r.FormValue("title"), head.Filename
	}
	pixels, err := png.Decode(file)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	answer["width"] = pixels.Bounds().Dx()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(answer)
}

// In each format, exported tests send a PNG unchanged. A format that can send only texts leaves these tests out, and
// says so.
func TestUploads(t *testing.T) {
	t.Parallel()
	for _, of := range format.Formats {
		t.Run(of.Name, func(t *testing.T) {
			if textOnly := slices.Contains([]string{"postman", "bruno", "http", "har", "arazzo"}, of.Name); textOnly {
				suite := export.Uploads()
				suite.Tests = append(suite.Tests, severalCalls().Tests...)
				_, made := written(t, of.Name, suite)
				const why = "is not UTF-8"
				if len(made.Tests) != 3 || len(made.Omitted) != 2 || !strings.Contains(strings.Join(made.Omissions, "\n"), why) ||
					!strings.Contains(string(made.Text), why) {
					t.Errorf("wrote %v without %q, want both uploads to be left out", made.Tests, made.Omissions)
				}
				return
			}
			f := newFar(t)
			f.Config.Handler = http.HandlerFunc(photos)
			dir, made := written(t, of.Name, export.Uploads())
			if !strings.Contains(string(made.Text), "Its body is image/png, 67 bytes.") {
				t.Errorf("no remark says what the body is:\n%s", made.Text)
			}
			if output, err := playIn[of.Name](t, dir, f.URL); err != nil || len(made.Tests) != 2 {
				t.Errorf("%v:\n%s", err, output)
			}
		})
	}
}
