package recent_test

import (
	"os"
	"path/filepath"
	"testing"

	"sonde/ui/app/recent"
	"sonde/ui/app/userdata"
)

func TestSpecTitle(t *testing.T) {
	for _, c := range []struct {
		spec userdata.RecentSpec
		want string
	}{
		{userdata.RecentSpec{Source: "/x/shop.yaml", Title: "Shop"}, "Shop"},
		{userdata.RecentSpec{Source: "/x/shop.yaml", Title: "  "}, "shop.yaml"},
		{userdata.RecentSpec{Source: "https://h.example/v1/api.json"}, "api.json"},
	} {
		if got := recent.SpecTitle(c.spec); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.spec, got, c.want)
		}
	}
}

// Files that do not exist any more are not listed, and neither is the demo.
func TestReadRecent(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_STATE_HOME", home)
	t.Setenv("HOME", home)
	file := recent.MemoryFile()
	if file == "" {
		t.Skip("this system has no folder for the state")
	}
	spec, run := filepath.Join(home, "shop.yaml"), filepath.Join(home, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{spec, filepath.Join(run, "run.json")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := userdata.ChangeState(file, func(s *userdata.State) {
		for _, source := range []string{spec, filepath.Join(home, "gone.yaml"), "https://h.example/api.json", "demo"} {
			s.PutSpec(userdata.RecentSpec{Source: source, When: recent.CurrentTime()})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	recent.AddSearch(run, "Shop")
	recent.AddSearch(filepath.Join(home, "gone"), "Shop")
	recent.AddSearch("", "Shop")

	specs, runs := recent.ReadRecent()
	if len(specs) != 2 || specs[0].Source != "https://h.example/api.json" || specs[1].Source != spec {
		t.Errorf("specs %+v", specs)
	}
	if len(runs) != 1 || runs[0].Folder != run || runs[0].Title != "Shop" {
		t.Errorf("runs %+v", runs)
	}
}
