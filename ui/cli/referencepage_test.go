package cli

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// docs/reference.md has the help of every command:
//
//	go test ./ui/cli -run ReferencePage -update
func TestReferencePage(t *testing.T) {
	const path = "../../docs/reference.md"
	page := referencePage(newRoot(console.Streams{}))
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page {
		t.Errorf("%s is not the help of the commands: go test ./ui/cli -run ReferencePage -update", path)
	}
}

// referencePage returns the help of a command and its subcommands as Markdown.
func referencePage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nGenerated from the code by `go test ./ui/cli -run ReferencePage -update`. " +
		"`sonde COMMAND --help` prints the same.\n\n")
	root.InitDefaultCompletionCmd()
	commands := append([]*cobra.Command{root}, root.Commands()...)
	for _, c := range commands {
		if isForUsers(c) {
			fmt.Fprintf(&b, "- [%s](#%s): %s\n", c.CommandPath(), strings.ReplaceAll(c.CommandPath(), " ", "-"), c.Short)
		}
	}
	for _, c := range commands {
		if isForUsers(c) {
			writeReference(&b, c)
		}
	}
	return b.String()
}

// isForUsers reports whether the page describes a command. It also describes man, which the help hides because it is
// for packagers.
func isForUsers(c *cobra.Command) bool {
	return !c.HasParent() || c.IsAvailableCommand() || c.Name() == "man"
}

func writeReference(b *strings.Builder, c *cobra.Command) {
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n```\n%s\n```\n\n```\n%s\n```\n", c.CommandPath(), c.UseLine(), strings.TrimSpace(text))
	for _, below := range c.Commands() {
		if c.HasParent() {
			fmt.Fprintf(b, "\n- `%s`: %s", below.CommandPath(), below.Short)
		}
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(c.Example), "\n  ", "\n"))
	}
	if jobs := c.Flag("jobs"); jobs != nil {
		jobs.DefValue = "number of CPUs"
	}
	if flags := strings.TrimRight(c.NonInheritedFlags().FlagUsagesWrapped(120), "\n"); flags != "" {
		fmt.Fprintf(b, "\n```\n%s\n```\n", flags)
	}
}
