package service

import (
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
)

func TestRecordedCommands(t *testing.T) {
	here := t.TempDir()
	recorded := func(dir string) model.Recording {
		return model.Recording{
			Service: &model.Service{Command: []string{"sh", "-c", "touch \x1b[31mx"}, Dir: dir},
			Reset:   &model.Reset{Command: []string{"rm", "-rf", "data"}},
		}
	}
	for name, c := range map[string]struct {
		rec  model.Recording
		want bool
	}{
		"of this folder":       {recorded(here), false},
		"of one within":        {recorded(filepath.Join(here, "shop")), false},
		"of another":           {recorded(t.TempDir()), true},
		"of the one above":     {recorded(filepath.Dir(here)), true},
		"of one by its name":   {recorded("shop"), true},
		"of none":              {recorded(""), true},
		"a reset alone":        {model.Recording{Reset: &model.Reset{Command: []string{"rm"}}}, true},
		"nothing to start":     {model.Recording{}, false},
		"a reset by a request": {model.Recording{Reset: &model.Reset{Method: "POST", Path: "/__reset"}}, false},
		"a build":              {model.Recording{Service: &model.Service{Build: &model.GoBuild{Package: "./x"}, Dir: "/x"}}, true},
	} {
		all := strings.Join(RecordedCommands("rec", c.rec, here), "\n")
		if (all != "") != c.want || strings.Contains(all, "\x1b") {
			t.Errorf("%s: %q", name, all)
		}
		if s := c.rec.Service; c.want && s != nil && len(s.Command) > 0 && (!strings.Contains(all, "start sh -c ") ||
			!strings.Contains(all, "reset by rm -rf data")) {
			t.Errorf("%s: it shows %q", name, all)
		}
	}
}
