package export

import (
	"testing"

	"sonde/model"
)

func TestCommandsOfSuite(t *testing.T) {
	service := &model.Service{Command: []string{"./shop", "--port", "{port}"}}
	for _, c := range []struct {
		suite Suite
		want  string
	}{
		{Suite{}, ""},
		{Suite{Reset: &model.Reset{Method: "POST", Path: "/reset"}}, ""},
		{Suite{Service: service}, `f starts the service by "./shop --port {port}"; with SONDE_BASE_URL it calls the service there.`},
		{
			Suite{Service: &model.Service{
				Command: []string{model.BinaryPlaceholder, "-p", "{port}"},
				Build:   &model.GoBuild{Package: "./cmd"},
			}},
			`f builds "./cmd" and starts the service by "{binary} -p {port}"; with SONDE_BASE_URL it calls the service there.`,
		},
		{
			Suite{Driver: &model.Driver{URL: "http://127.0.0.1:{port}", Run: service}, Reset: &model.Reset{Command: []string{"./clean"}}},
			`f starts the driver of the service by "./shop --port {port}" and resets the service by "./clean"; ` +
				`with SONDE_BASE_URL it calls the service there.`,
		},
		{
			Suite{Driver: &model.Driver{URL: "http://127.0.0.1:7000"}},
			"",
		},
		{
			withRows(), `f builds the service by "sonde build --rows ./cmd/shop" and starts the service by ` +
				`"go run ./cmd/shop --port {port}"; with SONDE_BASE_URL it calls the service there.`,
		},
		{Suite{Reset: &model.Reset{Command: []string{"psql", "-f", "x.sql"}}}, `f resets the service by "psql -f x.sql".`},
	} {
		if got := c.suite.CommandNotice("f"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
