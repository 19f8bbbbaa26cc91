package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDrawRejectsUnknownNames(t *testing.T) {
	err := draw([]string{"grpah"})
	if err == nil || !strings.Contains(err.Error(), `no picture "grpah"`) || !strings.Contains(err.Error(), "groups, graph") {
		t.Errorf("got error %v, want one that lists the pictures", err)
	}
}

func TestScenesHaveDistinctNamesAndValidPatterns(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range scenes {
		if seen[s.name] {
			t.Errorf("%s: there are two", s.name)
		}
		seen[s.name] = true
		if len(s.args) == 0 || len(s.steps) == 0 {
			t.Errorf("%s: it has no arguments or no steps", s.name)
		}
		for _, step := range s.steps {
			if _, err := regexp.Compile(step.until); err != nil || step.until == "" {
				t.Errorf("%s: after %q it waits for %q: %v", s.name, step.keys, step.until, err)
			}
		}
	}
}

func TestEachPictureHasAScene(t *testing.T) {
	pictures, err := filepath.Glob(filepath.Join("..", "screens", "*.svg"))
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	var names []string
	for _, s := range scenes {
		names = append(names, s.name)
	}
	for _, picture := range pictures {
		name := strings.TrimSuffix(filepath.Base(picture), ".svg")
		if !slices.Contains(names, name) {
			t.Errorf("%s: no scene draws it", name)
		}
		data, err := os.ReadFile(picture)
		if err != nil || !strings.HasPrefix(string(data), "<svg") {
			t.Errorf("%s: it is not an SVG, %v", name, err)
		}
	}
}

func TestRests(t *testing.T) {
	unchanged := rests()
	if unchanged("a screen") {
		t.Error("a new screen is at rest")
	}
	if !rests()("running at 90 calls/s") {
		t.Error("a running search never rests, and is drawn as it is")
	}
	if testing.Short() {
		t.Skip("it waits")
	}
	for began := time.Now(); !unchanged("a screen"); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("an unchanged screen never rests")
		}
	}
	if unchanged("another screen") {
		t.Error("a changed screen is at rest")
	}
}
