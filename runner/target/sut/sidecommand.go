package sut

import (
	"context"
	"errors"
	"time"

	"sonde/model"
)

// RunCommand runs a command to its end, or kills it after atMost. Meanwhile, the service of the plan can be called at
// base. If Sonde starts the service, the command has the service's folder and environment, like the command of a
// reset. The error is one line without secrets, or the error of ctx.
func RunCommand(ctx context.Context, p model.Plan, base string, args []string, atMost time.Duration) (err error) {
	at := commandEnvAt(portOf(base))
	if p.Service != nil {
		if at, err = commandEnvOf(p.Service, at.port); err != nil {
			return err
		}
		at = at.forCommands()
	}
	why, err := runToEnd(ctx, at.args(args), at, secretMatcher(p), atMost)
	if why != "" {
		return errors.New(why)
	}
	return err
}
