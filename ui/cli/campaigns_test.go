package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// distributeStudy starts a study whose campaign has an ID.
func distributeStudy(t *testing.T, id string, seeds int) *member {
	t.Helper()
	dir := t.TempDir()
	text := fmt.Sprintf("services: [{name: demo, demo: true}]\nsmart: [0]\nbudgets: [100]\nseeds: %d\n", seeds)
	if err := os.WriteFile(filepath.Join(dir, "study.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return distribute(t, dir, "study", "study.yaml", "-o", "out", "--campaign", id)
}

// listed is a campaign in the JSON of sonde campaigns, with the members that the tests check.
type listed struct {
	ID, Kind, State, Coordinator string
	Units, Done, Failed          int
}

func (c *member) list(t *testing.T) (all []listed) {
	t.Helper()
	out, err := natsCommand(t, c.Dir, "campaigns", "--nats", c.urls, "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// A campaign is listed, and is cancelled only with consent. The coordinator of a cancelled campaign ends with an
// error.
func TestCampaigns(t *testing.T) {
	t.Parallel()
	c := distributeStudy(t, "mine", 50)
	all := c.list(t)
	want := listed{ID: "mine", Kind: "study", State: "running", Units: 50}
	if len(all) != 1 || all[0].Coordinator == "" {
		t.Fatalf("got %+v", all)
	}
	if all[0].Coordinator = ""; all[0] != want {
		t.Errorf("got %+v, want %+v", all[0], want)
	}
	out, err := natsCommand(t, c.Dir, "campaigns", "--nats", c.urls).Output()
	if err != nil || !strings.Contains(string(out), "campaign  kind   units  done  failed  state    last sign") {
		t.Errorf("%v: %s", err, out)
	}
	for _, tt := range []struct{ args, want string }{
		{"mine", `campaign "mine" was not cancelled: --yes does it without a question`},
		{"none --yes", `campaign "none": there is no such campaign: sonde campaigns lists those that the servers have`},
		{"mine --yes", "50 units) is removed from the servers: 0 units have a result, 0 have failed\ncampaign mine is cancelled"},
	} {
		args := append([]string{"campaigns", "cancel", "--nats", c.urls}, strings.Fields(tt.args)...)
		out, err := natsCommand(t, c.Dir, args...).CombinedOutput()
		if !strings.Contains(string(out), tt.want) || (err == nil) != (tt.args == "mine --yes") {
			t.Errorf("cancel %s: %v: %s", tt.args, err, out)
		}
	}
	if err := c.Wait(); err == nil {
		t.Error("the coordinator of a cancelled campaign succeeds")
	}
}

// The app shows the only campaign, its worker and its end, until the user quits.
func TestAppShowsCampaign(t *testing.T) {
	t.Parallel()
	c := distributeStudy(t, "mine", 20)
	cmd := natsCommand(t, c.Dir, "--nats", c.urls)
	cmd.Env = append(cmd.Env, "NO_COLOR=1", "TERM=xterm-256color")
	s := begin(t, cmd, 120, 36)
	for _, text := range []string{"mine · study · 20 units", "no worker: sonde worker --nats URL joins"} {
		if err := s.WaitFor(text, patience); err != nil {
			t.Fatal(err)
		}
	}
	c.startWorker(t, "--label", "cpu=arm64")
	for _, text := range []string{"cpu=arm64", "✓ ended: 20 units done, 0 failed"} {
		if err := s.WaitFor(text, patience); err != nil {
			t.Fatal(err)
		}
	}
	c.wait(t)
	s.Type("q")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	missing := natsCommand(t, c.Dir, "--nats", c.urls, "--campaign", "none")
	if code, err := begin(t, missing, 80, 24).Wait(patience); code != 2 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
}
