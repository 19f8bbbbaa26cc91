package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
)

// keptRun writes a run with two tests to disk, and returns its folder.
func keptRun(t *testing.T, h codec.RunHeader) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := codec.CreateRun(dir, h, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	tests := []model.Test{
		{ID: "t1", Calls: []model.Call{{Op: "GET /a", Status: 200}}},
		{ID: "t2", Calls: []model.Call{{Op: "GET /b", Status: 404}}},
	}
	if err := w.WriteSuite(tests); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The settings of a run are read from its header and its arguments. If one argument is unknown, all arguments are
// ignored.
func TestSettingsOfARun(t *testing.T) {
	h := codec.RunHeader{
		Seed:   9,
		Limits: model.Limits{Calls: 70},
		Net:    &model.VirtualNetwork{},
		Args:   []string{"a.yaml", "--workers", "3", "--minimise", "0.2"},
	}
	s := settingsOf(codec.StoredRun{RunHeader: h})
	if s.Seed != 9 || s.Limits.Calls != 70 || s.Workers != 3 || s.Minimise != 0.2 || !s.Net {
		t.Errorf("%+v", s)
	}
	h.Args = []string{"--dreams", "3", "--workers", "4"}
	if s := settingsOf(codec.StoredRun{RunHeader: h}); s.Workers != 1 || s.Minimise != model.DefaultMinimise || s.Seed != 9 {
		t.Errorf("%+v", s)
	}
}

// The spec of a run is found relative to the folder in which the run was started.
func TestSpecOfARun(t *testing.T) {
	for source, want := range map[string][]string{
		service.DemoSource:         nil,
		"/x/a.yaml":                {"/x/a.yaml"},
		"https://h.example/a.json": {"https://h.example/a.json"},
		"a.yaml":                   {filepath.Join("/w", "a.yaml")},
	} {
		got, err := ofRun("run", codec.StoredRun{RunHeader: codec.RunHeader{Spec: source, Folder: "/w"}})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, error %v", source, got, err)
		}
	}
	if _, err := ofRun("run", codec.StoredRun{RunHeader: codec.RunHeader{Spec: "-"}}); err == nil ||
		!strings.Contains(err.Error(), "sonde SPEC --run run") {
		t.Errorf("of standard input: error %v", err)
	}
}

// A run can be resumed only with the same service and the same spec.
func TestResumeNeedsTheSameService(t *testing.T) {
	spec := &model.Spec{Hash: "h", Operations: []*model.Operation{{ID: "GET /a"}, {ID: "GET /b"}}}
	dir := keptRun(t, codec.RunHeader{SpecHash: "h", BaseURL: "http://127.0.0.1:1", Limits: model.Limits{Calls: 10}})
	here := searchrun.Settings{Service: service.Service{URL: "http://127.0.0.1:1"}}
	if err := here.ResumeInApp(dir, spec); err != nil || here.Resume == nil || here.Folder != dir {
		t.Errorf("%+v, error %v", here.Resume, err)
	}
	there := searchrun.Settings{Service: service.Service{URL: "http://127.0.0.1:2"}}
	if err := there.ResumeInApp(dir, spec); err == nil || !strings.Contains(err.Error(), "--resume") || there.Resume != nil {
		t.Errorf("elsewhere: error %v", err)
	}
	spec.Hash = "other"
	if err := here.ResumeInApp(dir, spec); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("another spec: error %v", err)
	}
}
