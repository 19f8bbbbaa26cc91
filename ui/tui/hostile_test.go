package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/openapi"
)

// endless returns a spec with a path of many segments, and with names of many bytes that have escape
// sequences.
func endless(t testing.TB, segments, bytes int) *model.Spec {
	t.Helper()
	name := "N" + strings.Repeat("n", bytes) + `\u001b[31m\u202e`
	path := strings.Repeat("/s", segments)
	schema := fmt.Sprintf(
		`{"type": "object", "properties": {"%[1]s": {"type": "string", "description": "%[1]s"}, "id": {"type": "string"}}}`,
		name,
	)
	text := fmt.Sprintf(`{"openapi": "3.0.0", "info": {"title": "%[1]s", "version": "1"}, "paths": {
"%[2]s": {"get": {"responses": {"200": {"description": "x"}}}, "post": {"responses": {"201": {"description": "x"}}}},
"/a/{%[1]s}": {"get": {"operationId": "%[1]s", "summary": "%[1]s", "description": "%[1]s", "tags": ["%[1]s"], "parameters": [
	{"name": "%[1]s", "in": "path", "required": true, "schema": {"type": "string"}},
	{"name": "q", "in": "query", "schema": {"type": "string", "enum": ["%[1]s", "b"]}}],
	"responses": {"200": {"description": "%[1]s", "content": {"application/json": {"schema": %[3]s}}}}}},
"/b": {"post": {"requestBody": {"content": {"application/json": {"schema": %[3]s}}},
  "responses": {"201": {"description": "x", "content": {"application/json": {"schema": %[3]s}}}}}},
"/b/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
  "responses": {"200": {"description": "x"}}}}}}`,
		name, path, schema)
	spec, err := openapi.Parse(context.Background(), "endless.json", []byte(text), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// walks holds the keys to press on each screen.
var walks = map[string]string{
	"1": "down down end home enter esc right left / a esc ? esc",
	"2": "down end m V b home enter esc ? esc",
	"3": "down down + - w z m end home enter esc",
	"4": "down space end enter esc p esc d d home",
	"5": "down tab enter esc ? esc",
	"6": "down tab esc",
}

// TestEndlessNames draws all screens with names that are much longer than a line. The views fit, and
// have no control characters.
func TestEndlessNames(t *testing.T) {
	leaveOutIfShort(t)
	spec := endless(t, 2000, 20_000)
	for _, width := range []int{80, 120} {
		for tab, keys := range walks {
			d := open(spec, nil).size(width, 36).press(tab)
			for _, k := range strings.Fields(keys) {
				d.press(k)
				view := d.app.View()
				if len(view) > 200*36*40 {
					t.Fatalf("screen %s, key %s: %d bytes are drawn", tab, k, len(view))
				}
				if strings.ContainsAny(view, "\u202e\x07") {
					t.Fatalf("screen %s, key %s: a control character is drawn", tab, k)
				}
			}
		}
	}
}

// BenchmarkEndlessKeys measures key presses on a spec with a path of 20,000 segments and names of 1 MB.
func BenchmarkEndlessKeys(b *testing.B) {
	spec := endless(b, 20_000, 1<<20)
	for tab, keys := range walks {
		d := open(spec, nil).size(120, 36).press(tab)
		b.Run(d.app.screens.visible().Name(), func(b *testing.B) {
			begun := time.Now()
			pressing(b, d, tab, strings.Fields(keys))
			b.ReportMetric(time.Since(begun).Seconds(), "s")
		})
	}
}
