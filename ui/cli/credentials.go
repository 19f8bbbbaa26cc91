package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

func addCredentials(cmd *cobra.Command, c *service.Credentials) {
	fl := cmd.Flags()
	fl.StringArrayVar(
		&c.Headers, "header", nil,
		"call with this header, such as 'Authorization: Bearer ${TOKEN}', where ${TOKEN} is read from the environment (repeat for several)",
	)
	fl.StringVar(
		&c.Basic, "user", "",
		"call with basic authentication as NAME:PASSWORD, where the password may be ${NAME}; with NAME alone, Sonde asks for the password",
	)
}

// credentialNames are the flags that addCredentials adds.
var credentialNames = []string{"header", "user"}

// joinCredentials adds the user of the flags before the users of the configuration. It prints a warning for each secret
// that is kept in memory only.
func joinCredentials(ctx context.Context, s console.Streams, c *service.Credentials, to *config.Config) error {
	if !c.IsSet() {
		return nil
	}
	pair, err := basicPair(ctx, s, c)
	if err != nil {
		return err
	}
	user, err := config.FlagUser{Headers: c.Headers, Basic: pair}.User(to.Users, os.Environ())
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	c.User = &user
	to.Users = slices.Concat([]model.User{user}, to.Users)
	for _, flag := range c.LiteralWarnings() {
		console.PrintNote(s.Err, "%s", flag)
	}
	return nil
}

// basicPair returns NAME:PASSWORD, or "" without --user. If the password is missing, it refers to
// config.DefaultPasswordVar if this variable is set, and otherwise asks the user.
func basicPair(ctx context.Context, s console.Streams, c *service.Credentials) (string, error) {
	if c.Basic == "" || strings.Contains(c.Basic, ":") {
		return c.Basic, nil
	}
	if os.Getenv(config.DefaultPasswordVar) != "" {
		return c.Basic + ":${" + config.DefaultPasswordVar + "}", nil
	}
	password, err := console.AskPassword(ctx, s, c.Basic)
	if err != nil {
		return "", err
	}
	return c.Basic + ":" + password, nil
}
