package cli

import (
	"context"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/command"
	"sonde/ui/app/searchrun"
	"sonde/ui/console"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// addSince adds the flag --since.
func (f *callFlags) addSince(c *cobra.Command) {
	c.Flags().StringVar(
		&f.Directives.Since, "since", "",
		"search only for answers and faults of operations that changed since this older version of the spec: a file, a URL, or "+
			"git:REV:PATH for a file in a commit",
	)
}

// changedSince returns the commands that --since gives, and prints which operations changed.
func (f *callFlags) changedSince(ctx context.Context, s console.Streams, spec *model.Spec) ([]model.AppliedCommand, error) {
	source := f.Directives.Since
	if source == "" {
		return nil, nil
	}
	if source == "-" && f.Source == "-" {
		return nil, fmt.Errorf("--since -: standard input is the spec itself: give a file or git:REV:PATH")
	}
	older, err := f.Load(ctx, s, source)
	if err != nil {
		return nil, fmt.Errorf("--since: %w", err)
	}
	changed, label := searchrun.CompareSpecs(older, spec), command.WithoutCredentials(source)
	if changed.ContractError != nil {
		console.PrintNote(s.Err, "--since: only paths could be compared: %v", changed.ContractError)
	}
	printChanged(s, changed, label)
	return changed.Commands(label), nil
}

// printChanged prints a note with the operations that changed since an older version of the spec.
func printChanged(s console.Streams, c searchrun.ChangedSince, label string) {
	removed := ""
	if c.Removed > 0 {
		removed = fmt.Sprintf(" (%s removed)", words.Count(c.Removed))
	}
	if len(c.Operations) == 0 {
		console.PrintNote(s.Err, "no operation changed since %s%s: the search is for all operations", label, removed)
		return
	}
	const most = 20
	var names []string
	for _, op := range c.Operations[:min(len(c.Operations), most)] {
		names = append(names, string(op))
	}
	if more := len(c.Operations) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	console.PrintNote(
		s.Err, "%s changed since %s%s, which the search is for: %s", words.Plural(len(c.Operations), "operation"), label, removed,
		strings.Join(names, ", "),
	)
}
