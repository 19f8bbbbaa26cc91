package collection

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model/collection"
)

// Folder is the folder of a project that has its requests.
const Folder = "requests"

// Source is a file or a folder with requests.
type Source struct {
	Path   string            // "-" is standard input
	Format collection.Format // "" if the content decides
	// Environment is a file with variables, or the name of an environment of a collection of Bruno; "" for none.
	Environment string
	// User is the name of the project's user who sends requests with a bearer token in a variable; "" for none.
	User string
}

// Imported are the requests of a source, without its secrets.
type Imported struct {
	collection.Collection
	Secrets []collection.HiddenSecret
	// AsUser is the number of requests that have the user in place of a token.
	AsUser int
	// Text is the .http file with the requests.
	Text []byte
}

// Import reads a source, and replaces its secrets by variables. in is standard input.
func (s Source) Import(in io.Reader) (Imported, error) {
	c, err := s.read(in)
	if err == nil && s.Environment != "" {
		err = s.addEnvironment(&c)
	}
	if err != nil {
		return Imported{}, err
	}
	var made Imported
	if s.User != "" {
		made.AsUser = sendAs(s.User, &c)
	}
	made.Collection, made.Secrets = collection.HideSecrets(c, secretRules)
	text, left := collection.WriteHTTP(made.Collection)
	made.Text, made.Omissions = text, append(slices.Clip(made.Omissions), left...)
	made.Requests = slices.DeleteFunc(slices.Clone(made.Requests), func(r collection.Request) bool {
		return collection.Unwritable(r) != ""
	})
	return made, nil
}

// bearerVariable matches the value of the header Authorization if the token is in a variable.
var bearerVariable = regexp.MustCompile(`^(?i:Bearer)\s+\{\{([^{}]+)\}\}$`)

// sendAs makes a user the sender of each request whose header Authorization has a bearer token in a variable without a
// value, or a token of an earlier answer. It returns the number of these requests.
func sendAs(user string, c *collection.Collection) (n int) {
	values := map[string]string{}
	for _, v := range c.Variables {
		values[v.Name] = v.Value
	}
	for i := range c.Requests {
		r := &c.Requests[i]
		isToken := func(h collection.Field) bool {
			m := bearerVariable.FindStringSubmatch(strings.TrimSpace(h.Value))
			return strings.EqualFold(h.Name, "Authorization") && m != nil && values[strings.TrimSpace(m[1])] == ""
		}
		if r.User == "" && slices.ContainsFunc(r.Headers, isToken) {
			r.Headers, r.User = slices.DeleteFunc(slices.Clone(r.Headers), isToken), user
			n++
		}
	}
	return n
}

// read reads the requests of a source.
func (s Source) read(in io.Reader) (collection.Collection, error) {
	if s.Path == "-" {
		data, err := readAll(in)
		if err != nil {
			return collection.Collection{}, fmt.Errorf("standard input cannot be read: %w", err)
		}
		return s.parse("standard input", data)
	}
	info, err := os.Stat(s.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return collection.Collection{}, fmt.Errorf("there is no file %q: give a collection, or - for standard input", s.Path)
	case err != nil:
		return collection.Collection{}, fmt.Errorf("%q cannot be read: %w", s.Path, err)
	case info.IsDir():
		return s.readFolder()
	case !info.Mode().IsRegular():
		return collection.Collection{}, fmt.Errorf("%q is no regular file: give a collection, or - for standard input", s.Path)
	}
	data, err := readFile(s.Path)
	if err != nil {
		return collection.Collection{}, err
	}
	return s.parse(fmt.Sprintf("%q", s.Path), data)
}

// readFolder reads the collection of Bruno in a folder.
func (s Source) readFolder() (collection.Collection, error) {
	root, err := os.OpenRoot(s.Path) // links do not lead out of the folder
	if err != nil {
		return collection.Collection{}, fmt.Errorf("%q cannot be read: %w", s.Path, err)
	}
	defer root.Close()
	if !collection.IsBruno(root.FS()) || s.Format != "" && s.Format != collection.BrunoFormat {
		return collection.Collection{}, fmt.Errorf(
			"%q is a folder without a bruno.json: give a file, or the folder of a collection of Bruno", s.Path,
		)
	}
	c, err := collection.ReadBruno(root.FS())
	if err != nil {
		return c, fmt.Errorf("%q cannot be read: %w", s.Path, err)
	}
	return c, nil
}

// readFile reads a file of limited size.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", path, err)
	}
	defer f.Close()
	data, err := readAll(f)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", path, err)
	}
	return data, nil
}

// readAll reads a stream of limited size.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, collection.MaxBytes+1))
	if err == nil && len(data) > collection.MaxBytes {
		err = fmt.Errorf("it is larger than %d MiB: leave out stored answers", collection.MaxBytes>>20)
	}
	return data, err
}

// parse parses the content of a file. name is the name of the file in errors.
func (s Source) parse(name string, data []byte) (collection.Collection, error) {
	f := s.Format
	if f == "" {
		var err error
		if f, err = collection.Detect(data); err != nil {
			return collection.Collection{}, fmt.Errorf("%s cannot be imported: %w", name, withFrom(err))
		}
	}
	c, err := collection.Parse(f, data)
	if err != nil {
		return c, fmt.Errorf("%s cannot be imported as %s: %w", name, f, err)
	}
	return c, nil
}

// withFrom adds to the error for an unknown format what the user can do.
func withFrom(err error) error {
	if errors.Is(err, collection.ErrUnknown) {
		return fmt.Errorf("%w; --from FORMAT forces one", err)
	}
	return err
}

// addEnvironment sets the variables of the environment.
func (s Source) addEnvironment(c *collection.Collection) error {
	path := s.Environment
	if inBruno := filepath.Join(s.Path, "environments", path+".bru"); s.Path != "-" && filepath.Base(path) == path && isFile(inBruno) {
		path = inBruno
	}
	data, err := readFile(path)
	if err != nil {
		return fmt.Errorf("--environment: %w", err)
	}
	parse := collection.ParsePostmanEnvironment
	if !bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))), []byte("{")) {
		parse = func(data []byte) ([]collection.Variable, error) {
			return collection.ParseBrunoEnvironment(string(data))
		}
	}
	variables, err := parse(data)
	if err != nil {
		return fmt.Errorf("--environment %q: %w", s.Environment, err)
	}
	c.SetVariables(variables)
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// FileName returns the name of the file for the requests of a source: the name of the collection, or of its file, in
// lower case, with "-" in the place of other characters than letters and digits.
func (s Source) FileName(c collection.Collection) string {
	name := c.Name
	if name == "" && s.Path != "-" {
		name = filepath.Base(filepath.Clean(s.Path))
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	const longest = 60
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case b.Len() >= longest:
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if name = strings.Trim(b.String(), "-"); name == "" {
		name = "imported"
	}
	return name + ".http"
}

// Write writes the .http file. If the file exists and force is not set, it changes nothing and returns an error.
func (m Imported) Write(path string, force bool) error {
	return export.WriteFile(path, m.Text, force)
}
