package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// credentials are the flags that say who calls: one more user, the first of all.
type credentials struct {
	headers []string
	basic   string      // NAME:PASSWORD or NAME
	made    *model.User // what join added, nil for none
}

func (c *credentials) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&c.headers, "header", nil, "call with this header, such as 'Authorization: Bearer ${TOKEN}', where ${TOKEN} is read from the environment; as often as needed")
	fl.StringVar(&c.basic, "user", "", "call with basic authentication as NAME:PASSWORD, the password as ${NAME}; with NAME alone the password is asked for")
}

// credentialNames are the flags' names.
var credentialNames = []string{"header", "user"}

func (c *credentials) given() bool { return len(c.headers) > 0 || c.basic != "" }

// errDemoUsers is the error of credentials for the demo.
var errDemoUsers = errors.New("--demo has its own users: leave out --header and --user")

// join makes the flags' user the first of the configuration's, and tells which
// values are kept in memory only.
func (c *credentials) join(ctx context.Context, s streams, to *config.Config) error {
	if !c.given() {
		return nil
	}
	pair, err := c.pair(ctx, s)
	if err != nil {
		return err
	}
	user, err := config.Proof{Headers: c.headers, Basic: pair}.User(to.Users, os.Environ())
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	c.made = &user
	to.Users = slices.Concat([]model.User{user}, to.Users)
	for _, flag := range c.literal() {
		tell(s.err, "%s", flag)
	}
	return nil
}

// pair is the name with its password, which is asked for where it is not given.
func (c *credentials) pair(ctx context.Context, s streams) (string, error) {
	if c.basic == "" || strings.Contains(c.basic, ":") {
		return c.basic, nil
	}
	if os.Getenv(config.PasswordName) != "" {
		return c.basic + ":${" + config.PasswordName + "}", nil
	}
	password, err := askPassword(ctx, s, c.basic)
	if err != nil {
		return "", err
	}
	return c.basic + ":" + password, nil
}

// literal tells of the values that were given as they are, a line each.
func (c *credentials) literal() []string {
	var lines []string
	for _, sent := range c.made.Sends {
		flag, example := "--header "+sent.Name, sent.Name+": ${NAME}"
		if sent.Basic {
			flag, example = "--user", "NAME:${NAME}"
		}
		for _, name := range model.SecretNames(sent.Value) {
			if c.made.Secrets[name] != "" && (!sent.Basic || strings.Contains(c.basic, ":")) {
				lines = append(lines, fmt.Sprintf("%s: the value stays in memory, and is written down as ${%s}: set that variable to repeat the run or to run its tests, or name one of your own, as in %s '%s'",
					flag, name, strings.Fields(flag)[0], example))
			}
		}
	}
	return lines
}

// flags are the same flags, with names in the place of secrets.
func (c *credentials) flags() []string {
	if c.made == nil {
		return nil
	}
	var all []string
	for _, sent := range c.made.Sends {
		if sent.Basic {
			all = append(all, "--user", strings.TrimSuffix(sent.Value, ":${"+config.PasswordName+"}"))
			continue
		}
		all = append(all, "--header", sent.Name+": "+sent.Value)
	}
	return all
}

// written returns the arguments of a command line with the same flags as they may
// be written down.
func (c *credentials) written(args []string) []string {
	var all []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--":
			return slices.Concat(all, c.flags(), args[i:])
		case name != "--header" && name != "--user":
			all = append(all, args[i])
		case !joined:
			i++ // the value is the next word
		}
	}
	return append(all, c.flags()...)
}

// askPassword asks on the terminal, where what is typed is not shown.
func askPassword(ctx context.Context, s streams, name string) (string, error) {
	in, ok := s.in.(*os.File)
	if !ok || !isTerminal(in) {
		return "", fmt.Errorf("--user %s has no password, and there is no terminal to ask for it: write --user '%s:${NAME}', or set %s", name, name, config.PasswordName)
	}
	before, err := term.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("--user %s: the password cannot be asked for: %w", name, err)
	}
	fmt.Fprintf(s.err, "password of %s: ", name)
	type answer struct {
		text []byte
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(in.Fd())
		answered <- answer{text, err}
	}()
	select {
	case a := <-answered:
		fmt.Fprintln(s.err)
		switch {
		case a.err != nil:
			return "", fmt.Errorf("--user %s: no password was given: %w", name, a.err)
		case len(a.text) == 0:
			return "", fmt.Errorf("--user %s: no password was given", name)
		}
		return ansi.Strip(string(a.text)), nil // the terminal may have reported its state
	case <-ctx.Done():
		fmt.Fprintln(s.err)
		return "", errors.Join(ctx.Err(), term.Restore(in.Fd(), before))
	}
}
