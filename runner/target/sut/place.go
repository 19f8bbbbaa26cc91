package sut

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/redact"
)

// commandEnv is where the commands of a service run: folder, environment and port.
type commandEnv struct {
	dir        string
	env        []string                                   // added to Sonde's environment
	port       int                                        // on which the service is called
	listenPort int                                        // on which the service is told to listen
	enter      func(*exec.Cmd) (func(error) error, error) // of the virtual network, nil for the real one
}

// commandEnvOf resolves the environment of a service.
func commandEnvOf(s *model.Service, port int) (commandEnv, error) {
	p := commandEnv{dir: s.Dir, port: port, listenPort: cmp.Or(s.Port, port)}
	if _, ok := s.Env["PORT"]; !ok {
		p.env = append(p.env, "PORT="+strconv.Itoa(p.listenPort))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value, err := expand(s.Env[name])
		if err != nil {
			return p, fmt.Errorf("the service's variable %q %w", name, err)
		}
		p.env = append(p.env, name+"="+p.fill(value))
	}
	return p, nil
}

// commandEnvAt returns the place of a service at a port, with nothing else set.
func commandEnvAt(port int) commandEnv { return commandEnv{port: port, listenPort: port} }

// outside returns the place of a command that is not the service.
func (p commandEnv) outside() commandEnv {
	p.listenPort = p.port
	return p
}

// fill replaces the placeholder of the port.
func (p commandEnv) fill(text string) string {
	return strings.ReplaceAll(text, model.PortPlaceholder, strconv.Itoa(p.listenPort))
}

// reach returns the URL at which a service is called that itself uses another port.
func (p commandEnv) reach(base string) string {
	base = p.fill(base)
	if p.listenPort == p.port {
		return base
	}
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(p.port))
	return u.String()
}

// args returns the parts of a command with the port filled in.
func (p commandEnv) args(command []string) []string {
	args := make([]string, len(command))
	for i, a := range command {
		args[i] = p.fill(a)
	}
	return args
}

// named matches a variable of Sonde's environment in a text.
var named = regexp.MustCompile(`\$\{(\w+)\}`)

// expand replaces each "${NAME}" by the variable of Sonde's environment.
func expand(text string) (string, error) {
	var missing string
	text = named.ReplaceAllStringFunc(text, func(ref string) string {
		value, ok := os.LookupEnv(ref[2 : len(ref)-1])
		if !ok {
			missing = cmp.Or(missing, ref[2:len(ref)-1])
		}
		return value
	})
	if missing != "" {
		return "", fmt.Errorf("needs %s, which is not set: export it", missing)
	}
	return text, nil
}

// minSecret is the minimum length of a variable's value to be masked as a secret: masking "8080"
// or "true" would make texts unreadable.
const minSecret = 4

// masker returns a matcher of the secrets in a plan: the variables that it names, and the users'
// credentials.
func masker(p model.Plan) *redact.Matcher {
	secrets := client.UserSecrets(p.Users)
	for _, text := range texts(p) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			secrets = append(secrets, os.Getenv(m[1]))
		}
	}
	var all []redact.Secret
	for _, s := range secrets {
		if len(s) >= minSecret {
			all = append(all, redact.NewSecret(s))
		}
	}
	return redact.Compile(all)
}

// texts returns those of a plan that may name variables.
func texts(p model.Plan) []string {
	var all []string
	if p.Service != nil {
		all = slices.AppendSeq(all, maps.Values(p.Service.Env))
	}
	if p.Reset != nil {
		all = slices.AppendSeq(all, maps.Values(p.Reset.Header))
	}
	return all
}
