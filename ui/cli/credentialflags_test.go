package cli

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/experiment"
	"sonde/ui/app/generation"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// parsedCredentials parses the flags of a command line, and returns their credentials after they were joined with a
// configuration.
func parsedCredentials(t *testing.T, args ...string) service.Credentials {
	t.Helper()
	var c service.Credentials
	cmd := &cobra.Command{}
	addCredentials(cmd, &c)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	if err := joinCredentials(t.Context(), console.Streams{Err: new(strings.Builder)}, &c, new(config.Config)); err != nil {
		t.Fatal(err)
	}
	return c
}

// A stored command line contains no secrets. Other words in the command line of a recording are unchanged.
func TestCredentialsAreWrittenAsNames(t *testing.T) {
	t.Setenv("TOKEN", "t-0123456789")
	args := []string{
		"sonde", "record", "--header", "X-Key: hunter22", "--spec", "a.yaml", "--user=ann:hunter22", "--serial",
		"--", "./shop", "--user", "root",
	}
	c := parsedCredentials(t, "--header", "X-Key: hunter22", "--user=ann:hunter22")
	got := strings.Join(c.RedactArgs(args), " ")
	want := "sonde record --spec a.yaml --serial --header X-Key: ${SONDE_DEFAULT_X_KEY} --user ann -- ./shop --user root"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c = parsedCredentials(t, "--header", "Authorization: Bearer ${TOKEN}")
	if got := strings.Join(c.Flags(), " "); got != "--header Authorization: Bearer ${TOKEN}" {
		t.Errorf("got %s", got)
	}
	if got := (&service.Credentials{}).RedactArgs(args[:2]); strings.Join(got, " ") != "sonde record" {
		t.Errorf("without credentials: %q", got)
	}
}

// The credentials in the flags of sonde generate replace the recorded ones.
func TestGenerateCallsAsTheFlagsSay(t *testing.T) {
	t.Setenv("TOKEN", "t-0123456789")
	f := generateFlags{Options: generation.Options{Credentials: service.Credentials{Headers: []string{"X-Key: ${TOKEN}"}}}}
	rec := model.Recording{Service: &model.Service{}, Users: []model.User{{Name: "default", Header: "X-Key"}, {Name: "ann"}}}
	cmd := newGenerate(console.Streams{})
	cmd.SetContext(t.Context())
	if err := f.service(cmd, console.Streams{}, &rec); err != nil {
		t.Fatal(err)
	}
	if len(rec.Users) != 2 || rec.Users[0].Name != "default" || rec.Users[0].Sends[0].Value != "${TOKEN}" || rec.Users[1].Name != "ann" {
		t.Errorf("users %+v", rec.Users)
	}
}

// In a study, the user of the flags is the first user of each service.
func TestStudyCallsAsTheFlagsSay(t *testing.T) {
	c, err := config.LoadStudy("../../docs/study.yaml")
	if err != nil {
		t.Fatal(err)
	}
	users := []model.User{{Name: "default", Env: "TOKEN", Header: "X-Key"}}
	s, err := experiment.NewStudy(t.Context(), c, 1, users, new(experiment.BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	for _, service := range s.Services {
		plan, end, err := service.Copy(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		end()
		if service.Name != "demo" && (len(plan.Users) == 0 || plan.Users[0].Name != "default") {
			t.Errorf("%s is called by %+v", service.Name, plan.Users)
		}
	}
}
