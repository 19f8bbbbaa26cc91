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

// commandEnv is the folder, the environment and the ports with which a command runs.
type commandEnv struct {
	dir        string
	env        []string // variables that are added to Sonde's environment
	port       int      // where the service can be called
	listenPort int      // where the service listens; may differ from port in a virtual network
	// enter is Network.PrepareCommand of the virtual network, nil for the real network.
	enter func(*exec.Cmd) (func(error) error, error)
}

// commandEnvOf returns the environment of a service that is called at a port. It returns an error if
// the plan names a variable that is not set in Sonde's environment.
func commandEnvOf(s *model.Service, port int) (commandEnv, error) {
	c := commandEnv{dir: s.Dir, port: port, listenPort: cmp.Or(s.Port, port)}
	if _, ok := s.Env["PORT"]; !ok {
		c.env = append(c.env, "PORT="+strconv.Itoa(c.listenPort))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value, err := expand(s.Env[name])
		if err != nil {
			return c, fmt.Errorf("the service's variable %q %w", name, err)
		}
		c.env = append(c.env, name+"="+c.fill(value))
	}
	return c, nil
}

// commandEnvAt returns an environment with nothing but a port.
func commandEnvAt(port int) commandEnv { return commandEnv{port: port, listenPort: port} }

// forCommands returns the environment of commands other than the service. Such commands run outside the virtual
// network, so the placeholder of the port is replaced by the port at which the service can be called.
func (c commandEnv) forCommands() commandEnv {
	c.listenPort = c.port
	return c
}

// fill replaces the placeholder of the port by the port on which the service listens.
func (c commandEnv) fill(text string) string {
	return strings.ReplaceAll(text, model.PortPlaceholder, strconv.Itoa(c.listenPort))
}

// externalURL returns the URL at which the service can be called. base is the URL with the port on
// which the service listens, or with the placeholder of that port.
func (c commandEnv) externalURL(base string) string {
	base = c.fill(base)
	if c.listenPort == c.port {
		return base
	}
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(c.port))
	return u.String()
}

// args returns the arguments of a command, with the port filled in.
func (c commandEnv) args(command []string) []string {
	args := make([]string, len(command))
	for i, a := range command {
		args[i] = c.fill(a)
	}
	return args
}

// variablePattern matches a variable of Sonde's environment in a text.
var variablePattern = regexp.MustCompile(`\$\{(\w+)\}`)

// expand replaces each "${NAME}" by the value of the variable in Sonde's environment. It returns an error
// if a variable is not set.
func expand(text string) (string, error) {
	var missing string
	text = variablePattern.ReplaceAllStringFunc(text, func(ref string) string {
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

// minSecret is the minimum length in bytes of a secret that is masked in logs. Masking shorter values
// would make logs unreadable.
const minSecret = 4

// secretMatcher returns a matcher of the secrets of a plan: the users' credentials, and the values of
// the variables that the plan names.
func secretMatcher(p model.Plan) *redact.Matcher {
	secrets := client.UserSecrets(p.Users)
	for _, text := range texts(p) {
		for _, m := range variablePattern.FindAllStringSubmatch(text, -1) {
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

// texts returns the texts of a plan that may name variables.
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
