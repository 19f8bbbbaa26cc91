package experiment

import (
	"testing"

	"sonde/model"
	"sonde/model/config"
)

// The study of docs/benchmarks.md can be begun: its services are there, and can
// be told how to start.
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
	digests := map[string]bool{}
	for _, service := range s.Services {
		digests[service.Digest] = true
		p, end, err := service.Copy(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		end()
		if len(p.Spec.Operations) < 10 || len(p.Templates) == 0 || p.Reset == nil {
			t.Errorf("%s: %d operations, %d templates, reset %v", service.Name, len(p.Spec.Operations), len(p.Templates), p.Reset)
		}
	}
	if len(digests) != 4 {
		t.Errorf("%d different digests, want 4", len(digests))
	}
}

// So can that of black-box against white-box, whose services are all built.
func TestStudyOfSights(t *testing.T) {
	c, err := config.LoadStudy("../../../docs/study-white.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStudy(t.Context(), c, 2, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.RunCount(), 6*2*2*10; got != want {
		t.Errorf("%d runs, want %d", got, want)
	}
}

// What shapes a run shapes the digest.
func TestDigest(t *testing.T) {
	service, err := Preparation{Sampling: model.DefaultSampling()}.DemoService(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, end, err := service.Copy(t.Context())
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
