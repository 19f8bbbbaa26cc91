package experiment

import (
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/campaign"
)

// A worker refuses what it is not permitted to do, and the error names the flag that permits it.
func TestPermissions(t *testing.T) {
	run := []string{"python3", "app.py", "{port}"}
	command := func() *model.Service { return &model.Service{Command: run, Dir: "sent"} }
	built := func() *model.Service { return &model.Service{Build: &model.GoBuild{Package: "."}, Dir: "sent"} }
	commands := []config.AllowedCommand{{Run: run, Dir: "/srv/shop"}}
	for name, c := range map[string]struct {
		may       Permissions
		configure config.Config
		want      string // part of the error
		dir       string // folder in which the command runs
	}{
		"nothing to start":   {Permissions{}, config.Config{}, "", ""},
		"a host":             {Permissions{}, config.Config{Hosts: []string{"h.example"}}, "--allow-host h.example", ""},
		"an allowed host":    {Permissions{Hosts: []string{"h.example"}}, config.Config{Hosts: []string{"h.example"}}, "", ""},
		"a build":            {Permissions{Commands: commands}, config.Config{Service: built()}, "--allow-build", "sent"},
		"an allowed build":   {Permissions{Build: true}, config.Config{Service: built()}, "", "sent"},
		"a command":          {Permissions{Build: true}, config.Config{Service: command()}, `"python3 app.py {port}" is not`, "sent"},
		"an allowed command": {Permissions{Commands: commands}, config.Config{Service: command()}, "", "/srv/shop"},
		"a reset": {
			Permissions{Commands: commands},
			config.Config{Service: command(), Reset: &model.Reset{Command: []string{"rm", "-r"}}},
			`"rm -r" is not in the file`, "/srv/shop",
		},
		"all": {Permissions{All: true}, config.Config{Service: command(), Hosts: []string{"h.example"}}, "", "sent"},
	} {
		err := c.may.check(&c.configure)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (!errors.Is(err, campaign.ErrRefused) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if s := c.configure.Service; s != nil && s.Dir != c.dir {
			t.Errorf("%s: runs in %q, want %q", name, s.Dir, c.dir)
		}
	}
}
