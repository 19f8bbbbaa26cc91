package service

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/config"
)

// credentials returns the flags --user ann and --header with a literal token.
func credentials() *Credentials {
	return &Credentials{
		Headers: []string{"X-Key: 1234"},
		Basic:   "ann:secret",
		User: &model.User{
			Sends: []model.Credential{
				{Basic: true, Value: "ann:${" + config.DefaultPasswordVar + "}"},
				{In: model.InHeader, Name: "X-Key", Value: "${SONDE_X_KEY}"},
			},
			Secrets: map[string]string{config.DefaultPasswordVar: "secret", "SONDE_X_KEY": "1234"},
		},
	}
}

// Stored flags, command lines and warnings contain variables instead of secrets.
func TestCredentialsAreRedacted(t *testing.T) {
	c := credentials()
	want := []string{"--user", "ann", "--header", "X-Key: ${SONDE_X_KEY}"}
	if got := c.Flags(); !slices.Equal(got, want) {
		t.Errorf("flags %q, want %q", got, want)
	}
	for name, args := range map[string][]string{
		"after the operands": {"sonde", "search", "a.yaml", "--user", "ann:secret", "--header=X-Key: 1234"},
		"before them":        {"sonde", "--header", "X-Key: 1234", "search", "a.yaml"},
	} {
		got := c.RedactArgs(args)
		if want := slices.Concat([]string{"sonde", "search", "a.yaml"}, c.Flags()); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	got := c.RedactArgs([]string{"sonde", "record", "--user", "ann:secret", "--", "server", "--user", "x"})
	if want := slices.Concat([]string{"sonde", "record"}, c.Flags(), []string{"--", "server", "--user", "x"}); !slices.Equal(got, want) {
		t.Errorf("with a command: got %q, want %q", got, want)
	}
	lines := c.LiteralWarnings()
	if text := strings.Join(lines, "\n"); len(lines) != 2 || strings.Contains(text, "1234") || !strings.Contains(text, "${SONDE_X_KEY}") {
		t.Errorf("warnings %q", lines)
	}
	if !c.IsSet() || new(Credentials).IsSet() || new(Credentials).Flags() != nil {
		t.Error("credentials are set if a flag was given, and only then")
	}
}

func TestRequestOptionsCheck(t *testing.T) {
	for want, o := range map[string]RequestOptions{
		"":             {Rate: 20, Timeout: time.Second},
		"--rate is -1": {Rate: -1},
		"--rate is NaN": {
			Rate: math.NaN(),
		},
		"--timeout is -1s": {Timeout: -time.Second},
	} {
		err := o.Check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A flag takes precedence over the configuration. Flags returns the same flags again.
func TestRequestOptionsConfigure(t *testing.T) {
	c := config.Config{Rate: 5, Timeout: time.Minute, Insecure: true, TLS: model.TLSFiles{CACert: "ca.pem", Cert: "c.pem", Key: "k.pem"}}
	o := RequestOptions{Rate: 7, TLSOptions: TLSOptions{TLS: model.TLSFiles{Cert: "mine.pem", Key: "mine.key"}}}
	o.Configure(func(flag string) bool { return flag == "rate" || flag == "cert" }, c)
	want := []string{
		"--rate", "7", "--timeout", "1m0s", "--insecure", "--cacert", "ca.pem", "--cert", "mine.pem", "--key", "mine.key",
	}
	if got := o.Flags(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := new(RequestOptions).Flags(); len(got) > 0 {
		t.Errorf("the defaults are %q", got)
	}
	if got, err := new(TLSOptions).TLSConfig(); got != nil || err != nil {
		t.Errorf("the default TLS is %+v, error %v", got, err)
	}
}
