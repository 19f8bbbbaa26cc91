package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sonde/export"
	"sonde/model"
	"sonde/model/collection"
	"sonde/model/route"
)

// NewTest is a test to be saved as requests in a .http file.
type NewTest struct {
	File string // the name of the file, without its folder
	Name string // one call becomes a request with this name, several become a folder
	Test model.Test
	// Files are the paths of the files that the last call sends. Test has the paths in the place of their content.
	Files []string
}

// Saved is the result of Save.
type Saved struct {
	Path     string
	Name     string // as it was written
	Replaced bool
	// Appended is the text at the end of the file, if all other text stays as it was.
	Appended string
	// Secrets are those that variables have replaced.
	Secrets []collection.HiddenSecret
	// Notes say what the requests cannot say.
	Notes []string
}

// Save writes the requests of a test to a .http file of a folder, which is created if necessary. All other text of the
// file stays. If the file has a test with the name and replace is not set, Save changes nothing, and the error is
// fs.ErrExist. If replace is set, comments and scripts of the requests stay, and so do the texts with variables whose
// values are still the same. environment returns the values of variables that the file does not have.
func (s Service) Save(
	dir string, n NewTest, replace bool, environment func(name string) (string, bool),
) (saved Saved, err error) {
	path, err := pathIn(dir, n.File)
	if err != nil {
		return saved, err
	}
	if n.Name, err = testName(n.Name); err != nil {
		return saved, err
	}
	text, exists, err := readExisting(path)
	if err != nil {
		return saved, err
	}
	read, err := collection.ReadHTTP(text)
	if err != nil {
		return saved, fmt.Errorf("%q: %w", path, err)
	}
	file := s.load(path, read, environment)
	at := file.requestsOf(n.Name)
	switch {
	case len(at) > 0 && !replace:
		return saved, fmt.Errorf("%s has %q already: %w", filepath.Base(path), n.Name, fs.ErrExist)
	case len(at) > len(n.Test.Calls):
		return saved, fmt.Errorf("%q in %s has more requests, which would stay: choose another name", n.Name, filepath.Base(path))
	}
	e := editor{service: s, read: read, file: file, values: environment}
	written, err := e.write(n, at)
	if err != nil {
		return saved, err
	}
	if err := export.WriteFile(path, []byte(written), exists); err != nil {
		return saved, err
	}
	saved = Saved{Path: path, Name: n.Name, Replaced: len(at) > 0, Secrets: e.secrets, Notes: e.notes}
	if rest, ok := strings.CutPrefix(written, text); ok {
		saved.Appended = rest
	}
	return saved, nil
}

// pathIn returns the path of a .http file in a folder.
func pathIn(dir, name string) (string, error) {
	name = strings.TrimSpace(name)
	if name != "" && !collection.IsHTTPFile(name) {
		name += ".http"
	}
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", fmt.Errorf("%q is no name of a file in %s: write one such as shop.http", name, dir)
	}
	return filepath.Join(dir, name), nil
}

// filesOf returns the paths of the files that a request sends, by their content.
func filesOf(dir string, r collection.Request) map[string]string {
	files := map[string]string{}
	add := func(path string) {
		if content, err := readBody(dir, path); path != "" && err == nil {
			files[content] = path
		}
	}
	if r.Body != nil {
		add(r.Body.File)
		for _, f := range r.Body.Fields {
			add(f.File)
		}
	}
	return files
}

// relativeFiles returns, for each path of a file, the path from the folder with the .http files. The file must be in the
// project, because readBody reads no other.
func relativeFiles(dir string, paths []string) (map[string]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %q is not found: %w", dir, err)
	}
	relative := map[string]string{}
	for _, path := range paths {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("the file %q is not found: %w", path, err)
		}
		inProject, err := filepath.Rel(projectOf(dir), full)
		if err != nil || !filepath.IsLocal(inProject) {
			return nil, fmt.Errorf("the file %q is not in the project, which is %q: move it there", path, projectOf(dir))
		}
		fromFolder, err := filepath.Rel(dir, full)
		if err != nil {
			return nil, fmt.Errorf("the file %q is not found: %w", path, err)
		}
		relative[path] = filepath.ToSlash(fromFolder)
	}
	return relative, nil
}

// projectOf returns the folder of the project whose .http files are in a folder: this folder, or the one above if it is
// called "requests".
func projectOf(dir string) string {
	if filepath.Base(dir) == Folder {
		return filepath.Dir(dir)
	}
	return dir
}

// testName returns the name of a test as it is written.
func testName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", errors.New("the request needs a name")
	case name[0] == '#':
		return "", fmt.Errorf("the name %q begins with #, which separates requests: choose another one", name)
	case strings.Contains(name, " / "):
		return "", fmt.Errorf("the name %q has \" / \", which separates folders: choose another one", name)
	}
	return name, nil
}

// readExisting returns the text of a file, and whether the file exists.
func readExisting(path string) (text string, exists bool, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("%q cannot be read: %w", path, err)
	case !info.Mode().IsRegular():
		return "", false, fmt.Errorf("%q is no regular file: choose another name", path)
	}
	data, err := readFile(path)
	return string(data), true, err
}

// requestsOf returns the indexes of the requests of the test with a name. A request that cannot be a test counts, too.
func (f File) requestsOf(name string) []int {
	if i := slices.Index(f.Names, name); i >= 0 {
		return f.Requests[i]
	}
	var all []int
	for i, r := range f.Routes {
		if r.Request.Label() == name || strings.Join(r.Request.Folder, "/") == name {
			all = append(all, i)
		}
	}
	return all
}

// editor changes a .http file.
type editor struct {
	service Service
	read    collection.HTTPFile
	file    File
	values  func(name string) (string, bool)
	secrets []collection.HiddenSecret
	notes   []string
}

// write returns the text of the file with the requests of a test. The first ones replace those at the given indexes.
func (e *editor) write(n NewTest, at []int) (string, error) {
	var taken []string
	for _, r := range e.read.Requests {
		taken = append(taken, r.ID)
	}
	w := newRequestWriter(e.service, n.Test, n.Name, taken)
	dir := filepath.Dir(e.file.Path)
	for i, request := range at {
		w.files[i] = filesOf(dir, e.read.Requests[request])
	}
	relative, err := relativeFiles(dir, n.Files)
	if err != nil {
		return "", err
	}
	maps.Copy(relative, w.files[len(w.files)-1])
	w.files[len(w.files)-1] = relative
	for i, request := range at {
		old := e.read.Requests[request]
		if old.ID != "" {
			w.ids[i], w.named[i] = old.ID, true
		}
		w.captures[i] = slices.Clone(old.Captures)
	}
	requests, err := w.requests()
	if err != nil {
		return "", err
	}
	e.notes = w.notes
	if len(n.Test.Stubs) > 0 {
		e.notes = append(e.notes, "a .http file cannot have the stubs of the test")
	}
	hidden, secrets := collection.HideSecrets(
		collection.Collection{Variables: e.read.Variables, Requests: requests}, secretRules,
	)
	for _, s := range secrets {
		if s.Request != "" { // not a variable of the file, which stays
			e.secrets = append(e.secrets, s)
		}
	}
	requests = hidden.Requests
	var variables []collection.Variable
	for i := range requests {
		r := &requests[i]
		e.name(r, n, i)
		e.authenticate(r, n.Test.Calls[i].User)
		base, added := e.base(n.Test.Calls[i].Op, r.URL, at[min(i, len(at)):min(i+1, len(at))])
		r.URL = base + r.URL
		if added.Value != "" { // without it, the editor's environment has the value
			variables = []collection.Variable{added}
		}
		if i < len(at) {
			e.keepVariables(r, at[i])
		}
		if why := collection.Unwritable(*r); why != "" {
			return "", fmt.Errorf("call %d, %s, cannot be saved: %s", i+1, n.Test.Calls[i].Op, why)
		}
	}
	text := e.read.Put(at, requests, variables)
	return text, e.check(text, at, len(requests))
}

// name sets the label of a request: the name of the test for its only request, or else the folder and the operation.
func (e *editor) name(r *collection.Request, n NewTest, call int) {
	r.Name = n.Name
	if len(n.Test.Calls) > 1 {
		r.Folder = []string{n.Name}
		r.Name = fmt.Sprintf("%d. %s", call+1, n.Test.Calls[call].Op)
	}
}

// authenticate adds the credentials of a user to a request, with variables in the place of secrets. If the user logs in,
// the request gets the name of the user.
func (e *editor) authenticate(r *collection.Request, name string) {
	at := slices.IndexFunc(e.service.Users, func(u model.User) bool { return u.Name == name })
	switch {
	case name == "":
		return
	case at < 0 || e.service.Users[at].Login != nil:
		r.User = name
		return
	}
	for _, c := range sentCredentials(e.service.Users[at]) {
		value := model.FillSecrets(c.Value, func(name string) string { return "{{" + name + "}}" })
		if c.Basic {
			value = "Basic " + value
		}
		switch c.In {
		case model.InQuery:
			mark := "?"
			if strings.Contains(r.URL, "?") {
				mark = "&"
			}
			r.URL += mark + c.Name + "=" + value
		case model.InCookie:
			r.Headers = append(r.Headers, collection.Field{Name: "Cookie", Value: c.Name + "=" + value})
		default:
			r.Headers = append(r.Headers, collection.Field{Name: c.Name, Value: value})
		}
	}
}

// base returns the text before the path of a request. If the file does not have it yet, it is a variable, and added is
// this variable with the URL of the service. The request with the index in replaced decides first.
func (e *editor) base(op model.OpID, path string, replaced []int) (base string, added collection.Variable) {
	var candidates []string
	for _, i := range replaced {
		candidates = append(candidates, basesIn(e.read.Requests[i].URL)...)
	}
	for _, r := range e.read.Requests {
		if strings.HasPrefix(r.URL, "{{") {
			candidates = append(candidates, basesIn(r.URL)...)
		}
	}
	router := route.New(e.service.Spec)
	method, _, _ := strings.Cut(string(op), " ")
	values := e.read.Values()
	for _, c := range candidates {
		target := e.service.withoutBase(collection.RoutedURL(collection.FillAll(c, values) + path))
		if found, ok := router.FindOperation(method, target); ok && found.Op.ID == op {
			return c, collection.Variable{}
		}
	}
	added = collection.Variable{Name: "base", Value: e.service.URL}
	for n := 2; ; n++ {
		value, taken := values(added.Name)
		switch {
		case taken && value == added.Value:
			return "{{" + added.Name + "}}", collection.Variable{}
		case !taken:
			return "{{" + added.Name + "}}", added
		}
		added.Name = fmt.Sprintf("base_%d", n)
	}
}

// basesIn returns the texts of a URL that may come before the path of an operation, the longest first.
func basesIn(target string) (all []string) {
	target, _, _ = strings.Cut(target, "?")
	start := 0
	if i := strings.Index(target, "://"); i >= 0 {
		start = i + len("://")
	}
	for i := len(target) - 1; i >= start; i-- {
		if target[i] == '/' && i > 0 {
			all = append(all, target[:i])
		}
	}
	if strings.HasPrefix(target, "/") {
		all = append(all, "")
	}
	return all
}

// urlPart matches a part of a URL: a variable, a text between separators, or a separator.
var urlPart = regexp.MustCompile(`\{\{[^{}]*\}\}|[^/?&=#{}]+|.`)

// keepVariables gives a request the texts of the request that it replaces where these have the same values.
func (e *editor) keepVariables(r *collection.Request, replaced int) {
	old, hidden := e.read.Requests[replaced], e.file.Routes[replaced].Request
	values := e.read.Values()
	same := func(was, hidden, now string) bool {
		fill := func(text string) string {
			return collection.FillAll(text, func(name string) (string, bool) {
				if value, ok := values(name); ok {
					return value, true
				}
				return e.values(name)
			})
		}
		return was == now || hidden == now || fill(was) == fill(now) || fill(hidden) == fill(now)
	}
	was, now := urlPart.FindAllString(old.URL, -1), urlPart.FindAllString(r.URL, -1)
	switch {
	case same(old.URL, hidden.URL, r.URL):
		r.URL = old.URL
	case len(was) == len(now):
		for i := range now {
			if same(was[i], was[i], now[i]) {
				now[i] = was[i]
			}
		}
		r.URL = strings.Join(now, "")
	}
	for i, h := range r.Headers {
		for j, before := range old.Headers {
			if strings.EqualFold(before.Name, h.Name) && same(before.Value, hidden.Headers[j].Value, h.Value) {
				r.Headers[i] = before
			}
		}
	}
	if r.Body != nil && old.Body != nil && old.Body.Text != "" && same(old.Body.Text, hidden.Body.Text, r.Body.Text) {
		r.Body.Text = old.Body.Text
	}
}

// check returns an error if the new text does not have the requests that it should have: those that were not replaced
// unchanged, and the new ones.
func (e *editor) check(text string, at []int, count int) error {
	again, err := collection.ReadHTTP(text)
	if err == nil && len(again.Requests) != len(e.read.Requests)+count-len(at) || len(again.Problems) != len(e.read.Problems) {
		err = errors.New("the file would have other requests")
	}
	if err != nil {
		return fmt.Errorf("the request cannot be saved in %s: %w: choose another file", filepath.Base(e.file.Path), err)
	}
	return nil
}
