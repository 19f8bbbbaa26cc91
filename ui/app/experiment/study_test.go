package experiment

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
)

// The study of docs/benchmarks.md can be prepared: its services exist and can be started.
func TestStudyOfTheDocs(t *testing.T) {
	c, err := config.LoadStudy("../../../docs/study.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStudy(t.Context(), c, 2, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.RunCount(), 4*6*2*30+6*5; got != want {
		t.Errorf("%d runs, want %d", got, want)
	}
	if !s.Paper {
		t.Error("it does not sample as the paper does")
	}
	digests := map[string]bool{}
	for _, service := range s.Services {
		digests[service.Digest] = true
		p, end, err := service.Copy(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		end()
		if len(p.Spec.Operations) < 10 || len(p.Templates) == 0 || p.Reset == nil {
			t.Errorf("%s: %d operations, %d templates, reset %v", service.Name, len(p.Spec.Operations), len(p.Templates), p.Reset)
		}
		if service.Endpoints != len(p.Spec.Operations) {
			t.Errorf("%s: %d endpoints, want %d", service.Name, service.Endpoints, len(p.Spec.Operations))
		}
		if size := service.Size(t.Context()); size == nil || size.Files == 0 || size.Lines < 200 {
			t.Errorf("%s: size %+v", service.Name, size)
		}
	}
	if len(digests) != 4 {
		t.Errorf("%d different digests, want 4", len(digests))
	}
}

// The study of docs/study-white.yaml, which compares black-box with white-box searches, can be prepared.
func TestWhiteBoxStudyOfTheDocs(t *testing.T) {
	c, err := config.LoadStudy("../../../docs/study-white.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStudy(t.Context(), c, 2, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.RunCount(), 6*2*2*10; got != want || s.Paper {
		t.Errorf("%d runs, want %d; as the paper: %t", got, want, s.Paper)
	}
}

// The study of docs/study-mutants.yaml, whose suites are judged by mutants, can be prepared.
func TestMutantStudyOfTheDocs(t *testing.T) {
	c, err := config.LoadStudy("../../../docs/study-mutants.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStudy(t.Context(), c, 2, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.RunCount(), 5*2*2*2*2; got != want || s.Mutants.Size != 40 {
		t.Errorf("%d runs, want %d; %d mutants", got, want, s.Mutants.Size)
	}
	for _, service := range s.Services {
		if service.Judge == nil {
			t.Errorf("suites of %s are not judged", service.Name)
		}
	}
}

// In the study of docs/study-ablation.yaml, the first way samples as the paper does. For each setting of
// model.Sampling there is a further way, which changes only this setting. If the default strategy has another value
// than the paper, the way has this value.
func TestAblationStudyOfTheDocs(t *testing.T) {
	c, err := config.LoadStudy("../../../docs/study-ablation.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStudy(t.Context(), c, 2, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	if !isPaper(s.Ways[0].Sampling, model.Sizes{}) || isPaper(s.Ways[0].Sampling, model.Sizes{Calls: 2}) {
		t.Errorf("the first way is %+v", s.Ways[0])
	}
	if !s.Paper || s.Ways[len(s.Ways)-1].Sampling != model.DefaultSampling() {
		t.Errorf("the first and the last way are %+v and %+v", s.Ways[0], s.Ways[len(s.Ways)-1])
	}
	changed := map[string]float64{}
	paper, usual := reflect.ValueOf(s.Ways[0].Sampling), reflect.ValueOf(model.DefaultSampling())
	for _, way := range s.Ways[1 : len(s.Ways)-1] {
		var fields []string
		for i := range paper.NumField() {
			value := reflect.ValueOf(way.Sampling).Field(i)
			if name := paper.Type().Field(i).Name; !value.Equal(paper.Field(i)) {
				fields = append(fields, name)
				changed[name] = value.Float()
			}
		}
		if len(fields) != 1 {
			t.Errorf("way %q changes %v, want one setting", way.Name, fields)
		}
	}
	for i := range paper.NumField() {
		name := paper.Type().Field(i).Name
		value, ok := changed[name]
		if want := usual.Field(i); !ok || !want.Equal(paper.Field(i)) && value != want.Float() {
			t.Errorf("no way of docs/study-ablation.yaml changes %s from %v to %v", name, paper.Field(i), want)
		}
	}
}

// Each run has the sampling of its way. Only the plan of a way whose sampling uses the templates of the paper has
// these templates.
func TestPlansOfWays(t *testing.T) {
	paper, _ := model.StrategyPaper.Sampling()
	s, err := NewStudy(t.Context(), config.StudyConfig{
		Services: []config.StudiedService{{Name: "demo", Demo: true}},
		Sampling: model.DefaultSampling(),
		Ways:     []config.Way{{Name: "default", Sampling: model.DefaultSampling()}, {Name: "paper", Sampling: paper}},
	}, 1, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	for way, want := range map[string]model.Sampling{"default": model.DefaultSampling(), "paper": paper, "": model.DefaultSampling()} {
		p, end, err := s.Services[0].Copy(t.Context(), way)
		if err != nil {
			t.Fatal(err)
		}
		end()
		if p.Sampling != want || (len(p.PlainTemplates) > 0) != (want == paper) {
			t.Errorf("way %q: sampling %+v, %d templates of the paper", way, p.Sampling, len(p.PlainTemplates))
		}
	}
}

// The digest of a service depends on all settings that influence a run, but not on the URL of a copy.
func TestDigest(t *testing.T) {
	service, err := Preparation{Setup: Setup{Sampling: model.DefaultSampling()}}.DemoService(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, end, err := service.Copy(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	end()
	p.BaseURL = "" // of this copy
	if again, err := PlanDigest(p); err != nil || again != service.Digest {
		t.Fatalf("got %s and error %v, want %s", again, err, service.Digest)
	}
	for name, change := range map[string]func(){
		"reset":      func() { p.Reset = nil },
		"users":      func() { p.Users = p.Users[1:] },
		"tuning":     func() { p.Tuning.Focus = 0.9 },
		"sampling":   func() { p.Sampling.Pool = 0.9 },
		"operations": func() { less := *p.Spec; less.Operations = less.Operations[1:]; p.Spec = &less },
	} {
		before := p
		change()
		if other, err := PlanDigest(p); err != nil || other == service.Digest {
			t.Errorf("%s: got %s and error %v", name, other, err)
		}
		p = before
	}
}

// If a study cannot start a service, or cannot start enough copies, the error says what to change.
func TestServicesThatCannotBeStudied(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text, want string
		jobs       int
	}{
		"driver":  {"sut: {driver: \"http://127.0.0.1:7\"}\n", "names a driver", 1},
		"no sut":  {"url: http://127.0.0.1:1\n", "does not say how to start it", 1},
		"a port":  {"sut: {run: [./x], port: 8080}\n", "there can be only one copy", 2},
		"no file": {"", "", 1},
	} {
		path := filepath.Join(dir, name+".yaml")
		if c.text != "" {
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		study := config.StudyConfig{Services: []config.StudiedService{{Name: "shop", Config: path}}}
		_, err := NewStudy(t.Context(), study, c.jobs, nil, new(BuildFolder))
		if err == nil || !strings.HasPrefix(err.Error(), `service "shop": `) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestBuildFolder(t *testing.T) {
	var b BuildFolder
	if err := b.Close(); err != nil {
		t.Errorf("unused: %v", err)
	}
	one, err1 := b.subfolder()
	two, err2 := b.subfolder()
	if err1 != nil || err2 != nil || one == two || filepath.Dir(one) != filepath.Dir(two) {
		t.Errorf("folders %q and %q, errors %v, %v", one, two, err1, err2)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(one)); err == nil {
		t.Error("the folder is still there")
	}
}
