package survey

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/analysis/survey"
	"sonde/model/match"
	"sonde/runner/campaign"
	"sonde/runner/campaign/campaigntest"
)

// Workers give the same report as this process, also for specs of several files and for files that cannot be read.
func TestDistribute(t *testing.T) {
	dir := t.TempDir()
	const head = "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\npaths:\n"
	for name, text := range map[string]string{
		"a/shop.yaml":    head + "  /a: {$ref: 'paths/a.yaml'}\n",
		"a/paths/a.yaml": "get: {responses: {'200': {description: ok}}}\n",
		"bad.yaml":       "openapi: 3.0.3\npaths: [",
		"notes.json":     `{"name": "notes"}`,
		"one.yaml":       head + "  /a: {get: {responses: {'200': {description: ok}}}}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := FindSpecs(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, SpecFile{path: filepath.Join(dir, "gone.yaml"), Name: "gone.yaml", named: true})
	want, err := Measure(t.Context(), files, survey.Options{Mode: match.DefaultMode}, 2, NewMeter(io.Discard))
	if err != nil || want.Specs != 2 || len(want.Problems) != 2 {
		t.Fatalf("got %+v, error %v", want, err)
	}
	store, _ := campaigntest.Serve(t)
	d, err := Distribute(t.Context(), store, files, survey.Options{Mode: match.DefaultMode})
	if err != nil {
		t.Fatal(err)
	}
	if about, err := d.Describe(); err != nil || about.Kind != CampaignKind || about.Units != 1 {
		t.Fatalf("got %+v, error %v", about, err)
	}
	work := d.Work()
	if err := work.Handle(0, json.RawMessage(`[]`)); err == nil {
		t.Error("a result of another version was accepted")
	}
	payload, err := work.Payload(0)
	if err != nil {
		t.Fatal(err)
	}
	task := campaign.Task{Payload: encoded(t, payload), Store: store}
	result, err := Execute(t.Context(), task, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := work.Handle(0, encoded(t, result)); err != nil {
		t.Fatal(err)
	}
	if got := d.Report(); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if err := work.Fail(0, "it crashed"); err != nil {
		t.Fatal(err)
	}
	if got := d.Report(); got.Specs != 0 || len(got.Problems) != len(files) || !strings.Contains(got.Problems[0].Text, "it crashed") {
		t.Errorf("after a failure: %+v", got)
	}
}

// encoded returns a value as JSON.
func encoded(t *testing.T, value any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
