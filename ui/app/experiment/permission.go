package experiment

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/campaign"
)

// Permissions say what a worker may do for studies of others. The zero value allows what harms no machine: searches of the
// built-in demo.
type Permissions struct {
	All      bool // no restrictions: this process coordinates the study, too
	Build    bool // build and run Go services from sources that others send
	Commands []config.AllowedCommand
	Hosts    []string // hosts that may be called, besides this machine
}

// check returns an error that wraps campaign.ErrRefused if a service needs more than is allowed. It sets the folder in which an
// allowed command runs.
func (p Permissions) check(c *config.Config) error {
	if p.All {
		return nil
	}
	if err := p.CheckHosts(c.Hosts); err != nil {
		return err
	}
	switch {
	case c.Service == nil:
		return nil // the study reports that the service cannot be started
	case c.Service.Build != nil:
		return p.CheckBuild()
	}
	allowed, err := p.command(c.Service.Command)
	if err != nil {
		return err
	}
	c.Service.Dir = allowed.Dir
	return p.checkReset(c.Reset)
}

// CheckHosts returns an error that wraps campaign.ErrRefused if a host is not allowed.
func (p Permissions) CheckHosts(hosts []string) error {
	for _, host := range hosts {
		if !p.All && !slices.Contains(p.Hosts, host) {
			return fmt.Errorf("%w: it calls no host %q without --allow-host %s", campaign.ErrRefused, host, host)
		}
	}
	return nil
}

// CheckBuild returns an error that wraps campaign.ErrRefused if building and running the code of others is not allowed.
func (p Permissions) CheckBuild() error {
	if p.All || p.Build {
		return nil
	}
	return fmt.Errorf("%w: it builds no services without --allow-build", campaign.ErrRefused)
}

// command returns the allowed command with the same words.
func (p Permissions) command(words []string) (config.AllowedCommand, error) {
	for _, c := range p.Commands {
		if slices.Equal(c.Run, words) {
			return c, nil
		}
	}
	const format = "%w: the command %q is not in the file of --allow-command"
	return config.AllowedCommand{}, fmt.Errorf(format, campaign.ErrRefused, strings.Join(words, " "))
}

func (p Permissions) checkReset(r *model.Reset) error {
	if r == nil || len(r.Command) == 0 {
		return nil
	}
	_, err := p.command(r.Command)
	return err
}
