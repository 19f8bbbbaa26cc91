package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// withSpec returns all operands of a command. names has the name of each, beginning with the spec. If only the spec is
// missing, withSpec takes the spec of the configuration and prints a note. The configuration is the file of the flag
// --config, if the command has this flag and the user set it, or the file in the current folder.
func withSpec(c *cobra.Command, s console.Streams, args []string, names ...string) ([]string, error) {
	if len(args) != len(names)-1 {
		return args, exactly(names...)(c, args)
	}
	read, err := specConfig(c, s)
	if err != nil {
		return nil, err
	}
	if read.Spec == "" {
		return nil, fmt.Errorf("%s is missing: %s; or set spec in %s", names[len(args)], c.UseLine(), config.FileName)
	}
	console.PrintNote(s.Err, "the spec is %s, from %s", read.Spec, read.Path)
	return slices.Insert(slices.Clone(args), 0, read.Spec), nil
}

// specConfig reads the configuration of withSpec. The result is empty if there is none.
func specConfig(c *cobra.Command, s console.Streams) (service.Configuration, error) {
	if c.Flags().Changed("config") {
		return readConfig(c, s.Err, nil)
	}
	read, err := config.Load(config.FileName)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return service.Configuration{Config: read, Path: config.FileName}, err
}
