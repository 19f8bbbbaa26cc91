package config_test

import (
	"strings"
	"testing"

	"sonde/model/config"
)

// FuzzConfig: whatever stands in a file, reading it ends, with an error of one
// line or with users who can prove who they are.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		commons, bomb(), "url: http://a", "auth: [{name: a, apiKey: {in: query, name: k, value: v}}]", "a: &a [*a]", "? [x]\n: y", "<<: [a]",
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
