package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/campaign"
)

// A pack has what a worker needs to build and search a service, and nothing else.
func TestPackService(t *testing.T) {
	const document = "openapi: 3.0.3\ninfo: {title: s, version: '1'}\n" +
		"paths: {/a: {get: {responses: {'200': {description: ''}}}}}\n"
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                          "module shop\n",
		"main.go":                         "package main\n",
		"api/openapi.yaml":                document,
		"conf/sonde.yaml":                 "spec: ../api/openapi.yaml\nservice: {dir: .., build: .}\n",
		"conf/command.yaml":               "spec: ../api/openapi.yaml\nservice: {dir: .., run: [./shop]}\n",
		"conf/remote.yaml":                "spec: http://127.0.0.1:1/openapi.yaml\nservice: {run: [./shop]}\n",
		"conf/net.yaml":                   "spec: ../api/openapi.yaml\nnet: true\nservice: {dir: .., build: .}\n",
		".git/HEAD":                       "ref",
		"study-results/results.ndjson":    "{}",
		"internal/.hidden/secret.txt":     "secret",
		"internal/templates/index.tmpl":   "page",
		"internal/templates/other.ndjson": "{}",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	results := filepath.Join(root, "study-results")
	packed, inside, dir, err := packService(t.Context(), filepath.Join(root, "conf", "sonde.yaml"), results)
	if err != nil || inside != "conf/sonde.yaml" || dir != "" {
		t.Fatalf("inside %q, dir %q, %v", inside, dir, err)
	}
	to := filepath.Join(t.TempDir(), "unpacked")
	if err := campaign.Unpack(packed, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"go.mod": true, "main.go": true, "api/openapi.yaml": true, "internal/templates/index.tmpl": true,
		".git": false, "study-results": false, "internal/.hidden": false,
	} {
		if _, err := os.Stat(filepath.Join(to, name)); (err == nil) != want {
			t.Errorf("%s in the pack: %t", name, !want)
		}
	}
	packed, inside, dir, err = packService(t.Context(), filepath.Join(root, "conf", "command.yaml"), results)
	if err != nil || inside != "conf/command.yaml" || dir != root {
		t.Errorf("inside %q, dir %q, %v", inside, dir, err)
	}
	if to = filepath.Join(t.TempDir(), "unpacked"); campaign.Unpack(packed, to) != nil || exists(filepath.Join(to, "main.go")) {
		t.Error("the source of a service that is not built is in the pack")
	}
	for name, want := range map[string]string{
		"remote.yaml": "127.0.0.1:1", "net.yaml": "virtual network", "none.yaml": "no configuration",
	} {
		_, _, _, err := packService(t.Context(), filepath.Join(root, "conf", name), results)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// A worker builds a service once for all ways of sampling.
func TestWaysShareABuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the demo")
	}
	var r Runner
	defer r.Close()
	seen := map[string]bool{}
	for _, strategy := range model.Strategies() {
		sampling, _ := strategy.Sampling()
		s, err := r.Prepare(t.Context(), nil, SentService{Name: "demo", Demo: true}, Setup{White: []bool{true}, Sampling: sampling})
		if err != nil {
			t.Fatal(err)
		}
		plan, end, err := s.Services[0].Copy(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		end()
		if plan.Sampling != sampling {
			t.Errorf("%s: got the sampling %+v", strategy, plan.Sampling)
		}
		seen[plan.Probes.Binary] = true
	}
	if len(seen) != 1 {
		t.Errorf("got the binaries %v, want one for both ways", seen)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
