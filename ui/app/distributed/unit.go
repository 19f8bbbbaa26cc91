package distributed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"sonde/runner/campaign"
	"sonde/ui/app/experiment"
)

// UnitCommand is the hidden command of a process that does one unit for a worker.
const UnitCommand = "unit"

// unitVariable is the environment variable with the unitSettings of a process that does one unit.
const unitVariable = "SONDE_UNIT"

// unitSettings are the settings that a worker passes to a process that does one unit.
type unitSettings struct {
	Servers     Servers
	Permissions experiment.Permissions
	Jobs        int
	Only        string
}

// unitProcess returns the command for a process that does one unit.
func (s *Session) unitProcess(o WorkerOptions) func(context.Context) *exec.Cmd {
	settings, _ := json.Marshal(unitSettings{s.servers, o.Permissions, o.Jobs, o.only}) // has only what JSON has
	return func(ctx context.Context) *exec.Cmd {
		self, err := os.Executable()
		if err != nil {
			self = os.Args[0]
		}
		c := exec.CommandContext(ctx, self, UnitCommand)
		c.Env = append(os.Environ(), unitVariable+"="+string(settings), TokenVariable+"="+s.token)
		return c
	}
}

// ServeUnit does the unit that a worker writes to in, and writes the outcome to out.
func ServeUnit(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	var settings unitSettings
	if json.Unmarshal([]byte(os.Getenv(unitVariable)), &settings) != nil {
		return fmt.Errorf("%s is for sonde worker: it has no settings in %s", UnitCommand, unitVariable)
	}
	session, err := Open(ctx, settings.Servers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	w, err := workerOf(WorkerOptions{Jobs: settings.Jobs, Permissions: settings.Permissions, only: settings.Only})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return campaign.ServeUnit(ctx, session.Store, in, out, w.execute)
}
