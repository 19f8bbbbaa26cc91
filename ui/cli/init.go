package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

func newInit(s console.Streams) *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init [SPEC]",
		Short: "Write a sonde.yaml, with comments, for a spec",
		Long: `Write a sonde.yaml, with comments, for a spec: who calls and how they log in, as far
as the spec describes, and places for what only you know. Nothing is called. The output
names the environment variables for secrets. See docs/credentials.md.`,
		Example: "  sonde init openapi.yaml\n  sonde init openapi.yaml --url http://127.0.0.1:8080 && SONDE_TOKEN=… sonde search",
		Args:    atMost(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.sourceFlags.add(c)
	c.Flags().StringVar(&f.url, "url", "", "base URL of the service")
	c.Flags().StringVarP(&f.file, "output", "o", config.FileName, "file to write")
	c.Flags().BoolVar(&f.force, "force", false, "overwrite an existing file")
	return c
}

type initFlags struct {
	sourceFlags
	url, file string
	force     bool
}

// initReport is the JSON of sonde init.
type initReport struct {
	File string   `json:"file"`
	Set  []string `json:"set"` // variables in the file
}

func (f *initFlags) run(c *cobra.Command, s console.Streams, args []string) error {
	spec, source := &model.Spec{}, ""
	if len(args) > 0 {
		var err error
		spec, err = f.Load(c.Context(), s, args[0])
		if err != nil {
			return err
		}
		source = service.RelativeSpec(args[0], filepath.Dir(f.file))
	}
	if err := checkURL(f.url, true, nil); err != nil {
		return err
	}
	d := config.NewDraft(spec, source, f.url)
	if err := writeNew(f.file, d.Text(), f.force); err != nil {
		return err
	}
	return f.report(s, d)
}

func writeNew(file string, text []byte, force bool) error {
	how := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if force {
		how = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	to, err := os.OpenFile(file, how, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("file %q exists: overwrite it with --force, or name another with -o", file)
	case err != nil:
		return fmt.Errorf("cannot write %q: %w", file, err)
	}
	_, err = to.Write(text)
	return errors.Join(err, to.Close())
}

func (f *initFlags) report(s console.Streams, d config.Draft) error {
	set := service.SecretVariables(d.Config.Users)
	if f.json {
		return console.WriteJSON(s.Out, initReport{f.file, set})
	}
	text := "wrote " + f.file
	if len(set) > 0 {
		text += ": set " + strings.Join(set, ", ") + " in the environment"
	}
	_, err := fmt.Fprintln(s.Out, text)
	return err
}
