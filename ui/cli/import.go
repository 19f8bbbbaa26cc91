package cli

import (
	"fmt"
	"path/filepath"

	collections "sonde/model/collection"
	"sonde/ui/app/collection"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

// newImport returns the command that converts requests of other tools.
func newImport(s console.Streams) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Keep requests of Postman, Bruno, curl, a HAR file or a .http file in the project",
		Long: `Convert a file with requests to a .http file, the form in which a project keeps its
requests: VS Code and JetBrains send them, and sonde export makes tests of them.

FILE is one of these, by its content; --from forces one, - is standard input:

  postman   a collection, version 2.0 or 2.1
  har       a HAR file, as browsers save it
  curl      one or more curl commands
  http      a .http file of VS Code or JetBrains
  bruno     a .bru file, or the folder of a collection

Secrets are replaced by variables such as {{TOKEN}}, which are listed. A request with a
bearer token in a variable is sent as the first user of sonde.yaml, if there is one.
Variables that a script of Postman or Bruno sets to a value of an answer become references
to the answer. Other scripts, tests, and requests of GraphQL, WebSocket and gRPC are left
out, and listed too. Nothing is run, and no service is called.

If there is a spec (--spec, or the one that sonde.yaml names), each request is listed with
its operation, or with the reason why it has none: the method, the path or the host.`,
		Example: `  sonde import shop.postman_collection.json --environment local.postman_environment.json
  sonde import ~/bruno/shop --environment local -o requests/shop.http
  pbpaste | sonde import - --spec openapi.yaml -o -`,
		Args: exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) },
	}
	f.sourceFlags.add(c)
	addConfig(c)
	fl := c.Flags()
	fl.StringVar(&f.from, "from", "", "format of FILE: postman, har, curl, http or bruno (default: by its content)")
	fl.StringVar(
		&f.environment, "environment", "",
		"file with the values of variables: an environment of Postman or Bruno; or its name in a folder of Bruno",
	)
	fl.StringVar(&f.spec, "spec", "", "spec in which the operations of the requests are looked up (default: the one in sonde.yaml)")
	fl.StringVar(&f.url, "url", "", "base URL of the service in FILE, if its requests have another host or base path than the spec")
	fl.StringVarP(&f.output, "output", "o", "", "file to write (default: "+collection.Folder+"/NAME.http); - is standard output")
	fl.BoolVar(&f.force, "force", false, "overwrite an existing file")
	return c
}

// importFlags are the flags of sonde import.
type importFlags struct {
	sourceFlags
	from, environment, spec, url, output string
	force                                bool
}

func (f *importFlags) run(c *cobra.Command, s console.Streams, path string) error {
	if f.from != "" {
		if err := collections.CheckFormat(f.from); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	read, err := specConfig(c, s)
	if err != nil {
		return err
	}
	source := collection.Source{Path: path, Format: collections.Format(f.from), Environment: f.environment}
	if len(read.Users) > 0 {
		source.User = read.Users[0].Name
	}
	made, err := source.Import(s.In)
	if err != nil {
		return err
	}
	routes, err := f.routes(c, s, read, made)
	if err != nil {
		return err
	}
	if f.output == "-" {
		results.PrintImportNotes(s.Err, made, source.User)
		_, err := s.Out.Write(made.Text)
		return err
	}
	if f.output == "" {
		f.output = filepath.Join(collection.Folder, source.FileName(made.Collection))
	}
	if err := made.Write(f.output, f.force); err != nil {
		return err
	}
	if f.json {
		return console.WriteJSON(s.Out, results.NewImportReport(f.output, made, routes))
	}
	results.PrintImportNotes(s.Err, made, source.User)
	return results.PrintImport(s.Out, f.output, made, routes)
}

// routes returns the operations of the requests. It returns nil if there is no spec.
func (f *importFlags) routes(
	c *cobra.Command, s console.Streams, read service.Configuration, made collection.Imported,
) ([]collection.Route, error) {
	if f.spec == "" {
		f.spec = read.Spec
	}
	if f.url == "" {
		f.url = read.URL
	}
	if f.spec == "" {
		return nil, nil
	}
	f.Corrections = read.Values
	spec, err := f.Load(c.Context(), s, f.spec)
	if err != nil {
		return nil, err
	}
	return collection.Service{Spec: spec, URL: f.url}.Routes(made.Collection), nil
}
