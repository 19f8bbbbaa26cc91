package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// completes has the shell complete flags with what the spec on the command line has.
func completes(c *cobra.Command, list func(*model.Spec) []cobra.Completion, flags ...string) {
	for _, flag := range flags {
		err := c.RegisterFlagCompletionFunc(flag, func(
			c *cobra.Command, args []string, _ string,
		) ([]cobra.Completion, cobra.ShellCompDirective) {
			spec, err := specAtHand(c, args)
			if err != nil {
				return cobra.AppendActiveHelp(nil, console.OneLine(err)), cobra.ShellCompDirectiveNoFileComp
			}
			return list(spec), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err) // there is no such flag
		}
	}
}

// completeTime is how long somebody who pressed tab may have to wait.
const completeTime = 3 * time.Second

// specAtHand is the spec of a command line that is yet to be finished. Nothing is
// fetched for it.
func specAtHand(c *cobra.Command, args []string) (*model.Spec, error) {
	ctx, cancel := context.WithTimeout(context.Background(), completeTime)
	defer cancel()
	if demo := c.Flag("demo"); demo != nil && demo.Value.String() == "true" {
		return service.LoadDemo(ctx)
	}
	source := ""
	if named := c.Flag("spec"); named != nil {
		source = named.Value.String()
	} else if len(args) > 0 {
		source = args[0]
	}
	if source == "" {
		source = configuredSpec(c)
	}
	if source == "" || source == "-" || strings.Contains(source, "://") {
		return nil, errors.New("name a spec that is a file first")
	}
	return openapi.Load(ctx, source, openapi.Options{Stdin: strings.NewReader("")})
}

// configuredSpec is that of the configuration that would be read, "" for none.
func configuredSpec(c *cobra.Command) string {
	if c.Flag("config") == nil {
		return ""
	}
	read, _ := readConfig(c, io.Discard, nil) // the command itself says what is wrong with it
	return read.Spec
}

// operationNames are the spec's operations, with what they do.
func operationNames(spec *model.Spec) (all []cobra.Completion) {
	for _, op := range spec.Operations {
		all = append(all, cobra.CompletionWithDesc(string(op.ID), strings.Join(strings.Fields(draw.Clean(op.Summary)), " ")))
	}
	return all
}

// tagNames are the spec's tags, with how many operations they have.
func tagNames(spec *model.Spec) (all []cobra.Completion) {
	for _, tag := range spec.Tags() {
		if tag != "" {
			all = append(all, cobra.CompletionWithDesc(tag, words.Plural(len(spec.OperationsByTag(tag)), "operation")))
		}
	}
	return all
}

// scopeNames are what names operations: one, a tag's, or a group's.
func scopeNames(spec *model.Spec) []cobra.Completion {
	all := scopeTags(spec)
	for i, g := range analysis.Analyze(spec, analysis.Options{}).Groups() {
		all = append(
			all,
			cobra.CompletionWithDesc(
				fmt.Sprintf("group:%d", i+1),
				words.Plural(len(g.Operations), "operation")+", such as "+string(g.Operations[0]),
			),
		)
	}
	return all
}

// scopeTags are single operations, and those of tags.
func scopeTags(spec *model.Spec) []cobra.Completion {
	all := operationNames(spec)
	for _, tag := range tagNames(spec) {
		all = append(all, "tag:"+tag)
	}
	return all
}
