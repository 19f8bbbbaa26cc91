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
	"sonde/model/codec"
	"sonde/model/openapi"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// completes registers list as the completion of flags: it returns the values that the shell offers, given the spec on
// the command line.
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
			panic(err) // the flag does not exist
		}
	}
}

// completionTimeout is the maximum time that a user waits after pressing tab.
const completionTimeout = 3 * time.Second

// specAtHand reads the spec of an incomplete command line. It reads no spec from a URL or from standard input.
func specAtHand(c *cobra.Command, args []string) (*model.Spec, error) {
	ctx, cancel := context.WithTimeout(context.Background(), completionTimeout)
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
	if run, err := codec.OpenRun(source); err == nil {
		source = specOf(run)
	} else if source == "" {
		source = configuredSpec(c)
	}
	if source == service.DemoSource {
		return service.LoadDemo(ctx)
	}
	if source == "" || source == "-" || strings.Contains(source, "://") {
		return nil, errors.New("name a spec file first")
	}
	return openapi.Load(ctx, source, openapi.Options{Stdin: strings.NewReader("")})
}

// configuredSpec returns the spec in the configuration, "" if there is none.
func configuredSpec(c *cobra.Command) string {
	read, _ := specConfig(c, console.Streams{Err: io.Discard}) // the command itself reports errors
	return read.Spec
}

// operationNames returns the spec's operations with their summaries.
func operationNames(spec *model.Spec) (all []cobra.Completion) {
	for _, op := range spec.Operations {
		all = append(all, cobra.CompletionWithDesc(string(op.ID), strings.Join(strings.Fields(draw.Clean(op.Summary)), " ")))
	}
	return all
}

// tagNames returns the spec's tags with the number of their operations.
func tagNames(spec *model.Spec) (all []cobra.Completion) {
	for _, tag := range spec.Tags() {
		if tag != "" {
			all = append(all, cobra.CompletionWithDesc(tag, words.Plural(len(spec.OperationsByTag(tag)), "operation")))
		}
	}
	return all
}

// scopeNames returns the names of sets of operations: single ones, tags, clusters and groups.
func scopeNames(spec *model.Spec) []cobra.Completion {
	all, a := scopeTags(spec), analysis.Analyze(spec, analysis.Options{})
	for _, c := range a.Clusters() {
		all = append(all, cobra.CompletionWithDesc("cluster:"+c.Name, words.Plural(len(c.Operations), "operation")))
	}
	for i, g := range a.ValueGroups() {
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

// scopeTags returns single operations and tags.
func scopeTags(spec *model.Spec) []cobra.Completion {
	all := operationNames(spec)
	for _, tag := range tagNames(spec) {
		all = append(all, "tag:"+tag)
	}
	return all
}
