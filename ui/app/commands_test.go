package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
)

// The command for a request that was sent has the request, and none of its secrets.
func TestSendCommand(t *testing.T) {
	w, _ := demoWorkspace(t)
	commands := w.Engine().Commands
	draft, err := w.manual.draft("GET /products", nil)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := w.manual.send(t.Context(), draft.Test, usecase.Surroundings{})
	if err != nil {
		t.Fatal(err)
	}
	x := sent.Exchanges[0]
	x.Request.Header = map[string][]string{"Authorization": {"Bearer typed-by-hand-0123456789"}, "X-Api-Key": {"another-secret-42"}}
	x.Request.URL += "?access_token=third-secret-43&limit=3"
	line := commands.Send(x)
	if !strings.HasPrefix(line, "curl ") || !strings.Contains(line, "/products") || !strings.Contains(line, "limit=3") {
		t.Errorf("the command is %q", line)
	}
	for _, secret := range []string{"typed-by-hand", "another-secret", "third-secret"} {
		if strings.Contains(line, secret) {
			t.Errorf("%q is in %q", secret, line)
		}
	}
	if line := commands.Send(model.Exchange{}); line != "" {
		t.Errorf("a request that was not sent has the command %q", line)
	}
}

// Tests of a run have commands that export and replay them. Other tests have none.
func TestCommandsOfARun(t *testing.T) {
	w, _ := demoWorkspace(t)
	commands := w.Engine().Commands
	dir := keptRun(t, codec.RunHeader{Title: "Shop", BaseURL: "http://127.0.0.1:1"})
	tests := opened(t, w, dir).Tests
	for got, want := range map[string]string{
		commands.Export("hurl", "pin", "out dir", tests[1:]): "sonde export " + dir + " --pick t2 -o 'out dir' --format hurl --faults pin",
		commands.Replay(tests[0]): "sonde export " + dir + " --pick t1 --format curl && sh " +
			filepath.Join("sonde-tests", "sonde.sh"),
		commands.Export("go", "", "", []model.Test{{}}): "",
		commands.Replay(model.Test{ID: "t1"}):           "",
		commands.OpenRun("a run"):                       "sonde --demo --run 'a run'",
		commands.OpenRecording("rec"):                   "sonde --demo --rec rec",
		commands.Read(service.DemoSource):               "sonde --demo --plain",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// The command that lists seqs has the service and the scope. No command does the same in a virtual network, or for the
// seqs with one operation.
func TestListCommand(t *testing.T) {
	w, _ := demoWorkspace(t)
	list := w.Engine().Commands.List
	if got, want := list(settingsOf(w, 300)), "sonde seqs --demo --rule both --calls 300"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want := "sonde seqs --demo --rule both --calls 300 --only 'GET /products'"
	if got := list(settingsOf(w, 300, "GET /products")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	with, net := settingsOf(w, 300), settingsOf(w, 300)
	with.With, net.Net = "GET /products", true
	for _, s := range []usecase.ListingSettings{with, net, {}} {
		if got := list(s); got != "" {
			t.Errorf("got %s", got)
		}
	}
}

// Commands name the spec and the service as the user gave them, without credentials.
func TestServiceArgs(t *testing.T) {
	w := New(t.Context(), Options{
		Specs:      &specfile.Loader{},
		Source:     "https://ann:secret@h.example/api.yaml",
		URL:        "http://ann:secret@127.0.0.1:1",
		AllowHosts: []string{"h.example"},
	})
	t.Cleanup(w.Close)
	commands := w.Engine().Commands
	want := "sonde https://h.example/api.yaml --url http://127.0.0.1:1 --allow-host h.example --run run"
	if got := commands.OpenRun("run"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := commands.Read("https://ann:secret@h.example/api.yaml"), "sonde check https://h.example/api.yaml"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A script is written whole, and replaces a file only by force.
func TestWriteScript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "do.sh")
	for _, c := range []struct {
		text  string
		force bool
		want  error
		there string
	}{{"one", false, nil, "one"}, {"two", false, fs.ErrExist, "one"}, {"three", true, nil, "three"}} {
		err := writeScript(path, c.text, c.force)
		data, _ := os.ReadFile(path)
		if !errors.Is(err, c.want) || string(data) != c.there {
			t.Errorf("%s: error %v, file %q", c.text, err, data)
		}
	}
}

// A command in the log calls the environment in which the action was done, without what the command line says of another.
func TestCommandsInAnEnvironment(t *testing.T) {
	w, local, _, _ := thingWorkspace(t)
	w.session.current.url = local.URL
	w.session.current.sending.Rate = 2
	open := w.Engine().Commands.OpenRecording
	for _, tt := range []struct{ environment, want string }{
		{"", "sonde things.yaml --url " + local.URL + " --config sonde.yaml --rate 2 --rec rec"},
		{"staging", "sonde things.yaml --env staging --config sonde.yaml --rate 2 --rec rec"},
		{"default", "sonde things.yaml --url " + local.URL + " --config sonde.yaml --rate 2 --rec rec"},
	} {
		if tt.environment != "" {
			if _, _, err := w.environments.use(t.Context(), tt.environment); err != nil {
				t.Fatal(err)
			}
		}
		if got := open("rec"); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.environment, got, tt.want)
		}
	}
}
