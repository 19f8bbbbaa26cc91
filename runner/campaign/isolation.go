package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// isolatedTask is the message that a worker sends to a process that does one unit.
type isolatedTask struct {
	Campaign Description     `json:"campaign"`
	Unit     int             `json:"unit"`
	Payload  json.RawMessage `json:"payload"`
}

// isolatedOutcome is the answer of that process.
type isolatedOutcome struct {
	Value   json.RawMessage `json:"value,omitempty"`
	Error   string          `json:"error,omitempty"`
	Refused bool            `json:"refused,omitempty"`
}

// Isolate returns an Executor that does each unit in a process of its own. command returns the command that starts
// the process. The process must call ServeUnit. If the process ends without an answer, the error says how it ended.
func Isolate(command func(context.Context) *exec.Cmd) Executor {
	return func(ctx context.Context, t Task) (any, error) {
		c := command(ctx)
		in, err := c.StdinPipe() // stays open while this process runs; when it closes, the other process gives up
		if err != nil {
			return nil, err
		}
		out, err := c.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := c.Start(); err != nil {
			return nil, fmt.Errorf("no process for a unit: %w", err)
		}
		defer in.Close()
		var o isolatedOutcome
		err = json.NewEncoder(in).Encode(isolatedTask{t.Campaign, t.Unit, t.Payload})
		if err == nil {
			err = json.NewDecoder(out).Decode(&o)
		}
		in.Close()
		ended := c.Wait()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, fmt.Errorf("it ended its worker (%w)", errorOr(ended, err))
		case o.Refused:
			return nil, refusedError(o.Error)
		case o.Error != "":
			return nil, errors.New(o.Error)
		}
		return o.Value, nil
	}
}

// refusedError is the error of a unit that the process of the unit refused; see ErrRefused.
type refusedError string

func (e refusedError) Error() string { return string(e) }

func (e refusedError) Is(target error) bool { return target == ErrRefused }

func errorOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// ServeUnit reads a unit from in, does the unit, and writes the outcome to out. It cancels the unit when in ends,
// because the worker has then ended.
func ServeUnit(ctx context.Context, s *Store, in io.Reader, out io.Writer, execute Executor) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var t isolatedTask
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&t); err != nil {
		return fmt.Errorf("no unit on standard input: %w", err)
	}
	go func() {
		io.Copy(io.Discard, in)
		cancel()
	}()
	var o isolatedOutcome
	value, err := execute(ctx, Task{Campaign: t.Campaign, Unit: t.Unit, Payload: t.Payload, Store: s})
	if err == nil {
		o.Value, err = json.Marshal(value)
	}
	if err != nil {
		o.Error, o.Refused = err.Error(), errors.Is(err, ErrRefused)
	}
	return json.NewEncoder(out).Encode(o)
}
