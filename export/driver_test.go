package export

import (
	"strings"
	"testing"
	"time"

	"sonde/model"
)

// driven returns a suite whose service a driver starts.
func driven(run *model.Service, reset *model.Reset) Suite {
	s := Suite{
		BaseURL: "http://127.0.0.1:{port}/v1", Dir: "../shop", Reset: reset,
		Driver: &model.Driver{URL: "http://127.0.0.1:{port}", Run: run, Path: "/v1"},
		Tests:  []model.Test{thing("t1")},
	}
	if run == nil {
		s.Driver.URL = "http://ann:hush@127.0.0.1:7000"
	}
	return s
}

// The tests start the driver if its command is known. The driver resets the service, unless another reset is configured.
func TestDriverIsDeclared(t *testing.T) {
	run := &model.Service{
		Command: []string{"python3", "driver.py", "{port}"}, Env: map[string]string{"KEY": "${SHOP_KEY}"},
		Ready: model.ReadinessCheck{Timeout: 5 * time.Second},
	}
	fixed := driven(run, nil)
	fixed.Driver.URL = "http://127.0.0.1:7000"
	for name, c := range map[string]struct {
		suite Suite
		want  []string
		not   string
	}{
		"started": {driven(run, nil), []string{
			"// The tests start the driver, unless SONDE_DRIVER_URL is the URL of a running one.\n// Set SHOP_KEY for the driver.\n",
			"var service = driver{\n\tprogram: program{\n\t\tbase:         \"http://127.0.0.1:{port}\",\n" +
				"\t\tcommand:      []string{\"python3\", \"driver.py\", \"{port}\"},\n\t\tdir:          \"../shop\",\n" +
				"\t\tenv:          []string{\"KEY=${SHOP_KEY}\"},\n\t\treadyTimeout: 5 * time.Second,\n",
			"\tpath: \"/v1\",\n}\n", "var defaultURL string\n", "os.Exit(service.runTests(m))", "\tservice.reset(t)\n}\n", "\treset(t)\n",
		}, "port: "},
		"started at its port": {fixed, []string{"\t\tport:         7000,\n"}, ""},
		"running": {driven(nil, nil), []string{
			"// SONDE_DRIVER_URL is the URL of the driver, which must be running.\n",
			"var service = driver{\n\turl:  \"http://127.0.0.1:7000\",\n\tpath: \"/v1\",\n}\n", "\tservice.reset(t)\n}\n",
		}, "hush"},
		"reset by a request": {driven(nil, &model.Reset{Method: "POST", Path: "/reset"}), []string{
			"\tservice.begin(t)\n\tcall(t, \"POST\", \"/reset\").wantSuccess()\n",
		}, "service.reset"},
		"reset by a command": {driven(run, &model.Reset{Command: []string{"./clean", "{port}"}}), []string{
			"\tservice.begin(t)\n\trun(t, \"../shop\", nil, \"./clean\", \"{port}\")\n",
		}, "service.reset"},
		"reset by a restart": {driven(run, &model.Reset{Restart: true}), []string{
			"\tt.Helper()\n\tservice.restart(t)\n}\n",
		}, "service.begin("},
	} {
		t.Run(name, func(t *testing.T) {
			wantSound(t, c.suite)
			text, err := GoFile(c.suite)
			if err != nil {
				t.Fatal(err)
			}
			own, _, _ := strings.Cut(string(text), "// sonde:begin helpers")
			for _, want := range c.want {
				if !strings.Contains(own, want) {
					t.Errorf("%q is not in\n%s", want, own)
				}
			}
			if c.not != "" && strings.Contains(own, c.not) {
				t.Errorf("%q is in\n%s", c.not, own)
			}
		})
	}
}
