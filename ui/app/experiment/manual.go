package experiment

import (
	"context"

	"sonde/model/config"
	"sonde/runner/instrument/probe"
	"sonde/runner/lab/study"
	"sonde/ui/app/service"
)

// manualTests returns a function that runs a service's own tests and counts the statements that they reach. It returns nil
// if the study does not name such tests.
func manualTests(b *service.Builder, m config.ManualTests) func(context.Context) (study.ManualCoverage, error) {
	if m.IsZero() {
		return nil
	}
	return func(ctx context.Context) (study.ManualCoverage, error) {
		o, err := b.Options("") // the folder is only for the demo, which has no tests
		if err != nil {
			return study.ManualCoverage{}, err
		}
		return runManual(ctx, o, m)
	}
}

// runManual runs the commands of the service's own tests. If there is no command for all tests, Total counts the
// statements that the unit tests and the HTTP tests reach together.
func runManual(ctx context.Context, o probe.Options, m config.ManualTests) (study.ManualCoverage, error) {
	covered := study.ManualCoverage{Total: -1, Unit: -1, HTTP: -1}
	var united []probe.CoverBlock
	for _, group := range []struct {
		command []string
		covered *int
	}{{m.Unit, &covered.Unit}, {m.HTTP, &covered.HTTP}, {m.All, &covered.Total}} {
		if len(group.command) == 0 {
			continue
		}
		blocks, err := probe.CoverTests(ctx, o, group.command)
		if err != nil {
			return covered, err
		}
		*group.covered = probe.CountStatements(blocks).Covered
		united = probe.UniteBlocks(united, blocks)
	}
	if len(m.All) == 0 {
		covered.Total = probe.CountStatements(united).Covered
	}
	return covered, nil
}
