package config_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
)

// FuzzConfig parses arbitrary texts. Each call of Parse ends, and returns either an error of one line or users with
// credentials.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		commons, bomb(), "url: http://a", "auth: [{name: a, apiKey: {in: query, name: k, value: v}}]",
		"a: &a [*a]", "? [x]\n: y", "<<: [a]",
		"service: {command: [a], env: {A: ~}}", "reset: {header: {A: [b]}}", string(config.NewDraft(draftSpec(), "a", "b").Text()),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse(data, env)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		for _, u := range c.Users {
			if u.Name == "" || len(u.Sends) == 0 && u.Login == nil {
				t.Errorf("no user: %+v", u)
			}
		}
	})
}

// FuzzCorrections adds a correction to an arbitrary configuration and removes the correction again. Afterwards the
// configuration has its original corrections, with one exception: an original correction of the same value in the same
// scope is missing, because the added correction replaced it.
func FuzzCorrections(f *testing.F) {
	for _, seed := range []string{corrected, "seed: 7", "values:", "values: [{value: a.b, is: c.d}]", "values:\n- value: a.b\n  is: c\n"} {
		f.Add([]byte(seed), "a.b", "/x/{y}", "c.d")
	}
	f.Fuzz(func(t *testing.T, data []byte, value, in, is string) {
		c := model.ValueCorrection{Value: value, In: in, Is: is}
		with, err := config.PutCorrection(data, c)
		if err != nil {
			return
		}
		without, err := config.RemoveCorrection(with, c)
		if err != nil {
			t.Fatalf("%v in %q", err, with)
		}
		before, _ := config.Parse(data, env)
		after, err := config.Parse(without, env)
		want := slices.Clone(before.Values)
		if i := slices.IndexFunc(want, c.HasScopeOf); i >= 0 {
			want = slices.Delete(want, i, i+1)
		}
		if err != nil || !slices.Equal(after.Values, want) {
			t.Errorf("error %v, got %+v, want %+v", err, after.Values, want)
		}
	})
}

// FuzzStudy checks that each valid study has runs and that no run is repeated.
func FuzzStudy(f *testing.F) {
	for _, seed := range []string{
		"services: {name: demo, demo: true}",
		"services: [{name: a, config: b, budgets: [1, {calls: 2, seeds: [3]}], seeds: 4}]\nsmart: [0, 1]\nseeds: [1, 2]",
		"services: [~]", "smart: ~\nbudgets: [[1]]", bomb(),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := config.ParseStudy(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		if len(s.Services) == 0 || !rising(s.Smart) {
			t.Errorf("services %v, P %v", s.Services, s.Smart)
		}
		for _, service := range s.Services {
			for _, b := range service.Budgets {
				if b.Calls < 1 || len(b.Seeds) == 0 {
					t.Errorf("budget %+v of %q", b, service.Name)
				}
			}
		}
	})
}

func rising(p []float64) bool {
	for i := 1; i < len(p); i++ {
		if p[i] <= p[i-1] {
			return false
		}
	}
	return len(p) > 0
}
