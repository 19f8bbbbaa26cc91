// Package doctor checks what this machine can do for Sonde, and whether it has what the sonde.yaml of the current
// folder needs. It calls no service and no URL, and starts nothing but programs that print their version.
//
// All that the checks know of the machine comes from an Environment, so tests need no particular machine.
// NewEnvironment returns the environment of the real one.
package doctor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Status is the result of a check.
type Status string

const (
	// OK means that what was checked works.
	OK Status = "ok"
	// Limited means that something is missing, and that Sonde works without it, in part or in another way.
	Limited Status = "limited"
	// Failed means that what was checked does not work.
	Failed Status = "failed"
)

// Section is the name of a part of the report.
type Section string

// The sections in the order of the report.
const (
	Machine   Section = "machine"
	Terminal  Section = "terminal"
	Folders   Section = "folders"
	Languages Section = "languages"
	Project   Section = "sonde.yaml"
)

// Report is the JSON of sonde doctor.
type Report struct {
	// Passed is false if a check failed that the configuration needs.
	Passed bool `json:"passed"`
	// Config is the configuration file of the current folder, "" if there is none.
	Config string  `json:"config,omitempty"`
	Checks []Check `json:"checks"`
}

// Check is the result of one check. Its texts have one line each, but may contain any characters.
type Check struct {
	Section Section `json:"section"`
	Name    string  `json:"name"`
	Status  Status  `json:"status"`
	Found   string  `json:"found"`   // what was found, such as a version or an error
	Purpose string  `json:"purpose"` // what it is for
	// Advice is what to do, "" if Status is OK.
	Advice string `json:"advice,omitempty"`
	Needed bool   `json:"needed"` // the configuration needs it
}

// examination is a check that has not been made yet.
type examination struct {
	section Section
	name    string
	purpose string
	needed  bool
	examine func(context.Context) finding
	// onError is the advice if the examination panics or takes too long.
	onError string
}

// finding is what an examination finds.
type finding struct {
	status Status
	found  string
	advice string
}

func works(found string) finding { return finding{status: OK, found: found} }

func limited(found, advice string) finding {
	return finding{status: Limited, found: found, advice: advice}
}

func failed(found, advice string) finding {
	return finding{status: Failed, found: found, advice: advice}
}

// lacking returns a finding for something that is missing: failed if the configuration needs it, otherwise limited.
func lacking(needed bool, found, advice string) finding {
	if needed {
		return failed(found, advice)
	}
	return limited(found, advice)
}

// Run makes all checks at the same time. A check that panics, or takes longer than the limit of the environment, does
// not stop the others.
func Run(ctx context.Context, e Environment) Report {
	p := readProject(ctx, e)
	all := slices.Concat(
		e.machineChecks(p), e.terminalChecks(), e.folderChecks(p), e.languageChecks(), e.projectChecks(p),
	)
	r := Report{Config: p.name, Checks: make([]Check, len(all))}
	var running sync.WaitGroup
	for i, x := range all {
		running.Go(func() { r.Checks[i] = x.check(ctx, e.Limit) })
	}
	running.Wait()
	r.Passed = !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Needed && c.Status == Failed })
	return r
}

// check makes the check.
func (x examination) check(ctx context.Context, limit time.Duration) Check {
	f, err := guard(ctx, limit, x.examine)
	if err != nil {
		f = lacking(x.needed, err.Error(), x.onError)
	}
	return Check{
		Section: x.section,
		Name:    x.name,
		Status:  f.status,
		Found:   f.found,
		Purpose: x.purpose,
		Advice:  f.advice,
		Needed:  x.needed,
	}
}

// guard returns the result of a function. It returns an error if the function panics, or if it takes longer than the
// limit. In the latter case the function may continue in the background.
func guard[T any](ctx context.Context, limit time.Duration, do func(context.Context) T) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = fmt.Errorf("the check failed: %v; please report this as a bug of Sonde", p)
			}
			done <- o
		}()
		o.value = do(ctx)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	var none T
	if ctx.Err() == context.DeadlineExceeded {
		return none, fmt.Errorf("no result after %v", limit)
	}
	return none, ctx.Err()
}
