package collection

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/collection"
	"sonde/runner/replay/record"
)

// File is a .http file with the tests that its requests make.
type File struct {
	Path   string
	Routes []Route
	Tests  []model.Test
	// Names are the names of the tests. If several tests have the same one, a number follows.
	Names []string
	// Requests are the indexes, in Routes, of the requests of each test.
	Requests [][]int
	// Lines are the numbers of the lines with the methods of Routes, from 1.
	Lines []int
	// Users make the calls: a user for each set of credentials in the file that no user of the service has.
	Users []model.User
	// Problems are the requests that are in no test, with the reasons.
	Problems []Problem
}

// Problem is a request that is in no test. If Request is "", the problem is that of a whole file, or of lines that
// cannot be read.
type Problem struct {
	Request string // its label
	Line    int    // from 1; 0 for none
	Why     string
}

// MaxFiles, MaxFolderBytes and MaxTests are the maximum numbers of files, bytes and tests of a folder that are loaded.
// Later files are not read.
const (
	MaxFiles       = 200
	MaxFolderBytes = 64 << 20
	MaxTests       = 10_000
)

// LoadFolder loads the .http files of a folder, in the order of their names. A folder that does not exist has none. A
// file that cannot be read has a problem. Users of one file may make the calls of those after it.
func (s Service) LoadFolder(dir string, environment func(name string) (string, bool)) ([]File, error) {
	paths, err := HTTPFiles(dir)
	if err != nil {
		return nil, err
	}
	var all []File
	var bytes int64
	tests := 0
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil {
			bytes += min(info.Size(), collection.MaxBytes)
		}
		if i == MaxFiles || bytes > MaxFolderBytes || tests > MaxTests {
			why := fmt.Sprintf(
				"it and the files after it are not read: a folder may have %d files, %d MiB and %d requests, so move some elsewhere",
				MaxFiles, MaxFolderBytes>>20, MaxTests,
			)
			return append(all, File{Path: path, Problems: []Problem{{Why: why}}}), nil
		}
		file, err := s.Load(path, environment)
		if err != nil {
			file = File{Path: path, Problems: []Problem{{Why: withoutFile(err, path).Error()}}}
		}
		s.Users = slices.Concat(s.Users, file.Users)
		all, tests = append(all, file), tests+len(file.Tests)
	}
	return all, nil
}

// maxEntries is the maximum number of files, of any kind, in a folder with requests.
const maxEntries = 5000

// HTTPFiles returns the paths of the .http files of a folder, in the order of their names. A folder that does not exist
// has none. Links are no files.
func HTTPFiles(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", dir, err)
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries + 1)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%q cannot be read: %w", dir, err)
	case len(entries) > maxEntries:
		return nil, fmt.Errorf("%q is not read: it has more than %d files: keep only requests there", dir, maxEntries)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	var all []string
	for _, e := range entries {
		if e.Type().IsRegular() && collection.IsHTTPFile(e.Name()) {
			all = append(all, filepath.Join(dir, e.Name()))
		}
	}
	return all, nil
}

// withoutFile returns an error without the quoted path at its beginning.
func withoutFile(err error, path string) error {
	text := strings.TrimPrefix(err.Error(), fmt.Sprintf("%q", path))
	return errors.New(strings.TrimLeft(text, ": "))
}

// Load makes tests of the requests of a .http file. The requests of a folder (### Folder / Name) are one test, in the
// order of the file; so are requests that take values from answers of others. Each other request is a test.
//
// Variables have the values of the file, or else those of environment. Credentials become users, who refer to
// variables. Requests that cannot be read are problems.
func (s Service) Load(path string, environment func(name string) (string, bool)) (File, error) {
	data, err := readFile(path)
	if err != nil {
		return File{}, err
	}
	read, err := collection.ReadHTTP(string(data))
	if err != nil {
		return File{}, fmt.Errorf("%q: %w", path, err)
	}
	return s.load(path, read, environment), nil
}

// load makes tests of the requests of a file that was read.
func (s Service) load(path string, read collection.HTTPFile, environment func(name string) (string, bool)) File {
	c, secrets := collection.HideSecrets(read.Collection, secretRules)
	l := loader{
		environment: environment,
		users:       s.Users,
		values:      c.Values(),
		secrets:     map[string]string{},
		dir:         filepath.Dir(path),
		file:        File{Path: path, Routes: s.Routes(c)},
		places:      map[string]int{},
		captured:    map[string]model.Link{},
	}
	for i := range read.Requests {
		l.file.Lines = append(l.file.Lines, read.Line(i))
	}
	for _, p := range read.Problems {
		l.file.Problems = append(l.file.Problems, Problem{Line: p.Line, Why: p.Err.Error()})
	}
	for _, secret := range secrets {
		l.secrets[secret.Variable] = secret.Value
	}
	l.load()
	l.file.Names = uniqueNames(l.file.Tests)
	return l.file
}

// uniqueNames returns the names of tests, with a number after one that an earlier test has.
func uniqueNames(tests []model.Test) []string {
	taken := map[string]int{} // by name; the value is the last number of tests with the name
	for _, t := range tests {
		taken[t.Name] = 0
	}
	names := make([]string, len(tests))
	for i, t := range tests {
		taken[t.Name]++
		names[i] = t.Name
		for used := taken[t.Name] > 1; used; {
			names[i] = fmt.Sprintf("%s (%d)", t.Name, taken[t.Name])
			if _, used = taken[names[i]]; used {
				taken[t.Name]++
			}
		}
	}
	return names
}

// secretRules are the rules of recordings.
var secretRules = collection.SecretRules{Name: record.IsSecretName, Texts: record.FindCredentials}

// loader makes tests of the routes of a file.
type loader struct {
	environment func(string) (string, bool)
	users       []model.User // of the service
	values      func(string) (string, bool)
	secrets     map[string]string // the values of secrets that are in the file itself
	dir         string
	file        File
	calls       []loadedCall
	places      map[string]int // the indexes of calls, by the IDs of their requests
	// captured are links from earlier calls, by the variables that have their values.
	captured map[string]model.Link
}

// loadedCall is a call, with the links that lead into it. Their From and To are indexes of calls of the file.
type loadedCall struct {
	folder  string
	label   string
	request int // index in Routes
	call    model.Call
	links   []model.Link
}

func (l *loader) load() {
	for i, r := range l.file.Routes {
		label := r.Request.Label()
		if r.Op == nil {
			l.file.Problems = append(l.file.Problems, Problem{label, l.file.Lines[i], r.Why})
			continue
		}
		b := callBuilder{loader: l, route: r, to: len(l.calls)}
		call, err := b.build()
		if err != nil {
			l.file.Problems = append(l.file.Problems, Problem{label, l.file.Lines[i], err.Error()})
			continue
		}
		if r.Request.ID != "" {
			l.places[r.Request.ID] = len(l.calls)
		}
		for _, c := range r.Request.Captures {
			l.captured[c.Variable] = model.Link{From: len(l.calls), Header: c.Header}
		}
		folder := strings.Join(r.Request.Folder, "/")
		l.calls = append(l.calls, loadedCall{folder: folder, label: label, request: i, call: call, links: b.links})
	}
	l.makeTests()
}

// makeTests makes a test of each group of calls.
func (l *loader) makeTests() {
	for _, group := range l.groups() {
		at := map[int]int{}
		t := model.Test{
			ID:     fmt.Sprintf("r%d", len(l.file.Tests)+1),
			Name:   l.calls[group[0]].label,
			Origin: model.OriginManual,
		}
		if folder := l.calls[group[0]].folder; folder != "" {
			t.Name = folder
		}
		var requests []int
		for i, index := range group {
			at[index] = i
			requests = append(requests, l.calls[index].request)
			t.Calls = append(t.Calls, l.calls[index].call)
			for _, link := range l.calls[index].links {
				link.From, link.To = at[link.From], i
				t.Links = append(t.Links, link)
			}
		}
		l.file.Tests, l.file.Requests = append(l.file.Tests, t), append(l.file.Requests, requests)
	}
}

// groups returns the indexes of the calls of each test. Calls are in one test if they are in the same folder, or if a
// link leads from one to the other.
func (l *loader) groups() [][]int {
	parent := make([]int, len(l.calls))
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	first := map[string]int{}
	for i, c := range l.calls {
		parent[i] = i
		if before, known := first[c.folder]; known && c.folder != "" {
			parent[i] = root(before)
		}
		first[c.folder] = i
		for _, link := range c.links {
			a, b := root(link.From), root(i)
			parent[max(a, b)] = min(a, b)
		}
	}
	var all [][]int
	place := map[int]int{}
	for i := range l.calls {
		r := root(i)
		n, known := place[r]
		if !known {
			n = len(all)
			place[r] = n
			all = append(all, nil)
		}
		all[n] = append(all[n], i)
	}
	return all
}

// userFor returns the name of the user who sends a request with credentials, "" for none. name is the user that the
// request names.
func (l *loader) userFor(name string, sends []model.Credential) (string, error) {
	if name != "" {
		if !slices.ContainsFunc(l.users, func(u model.User) bool { return u.Name == name }) {
			return "", fmt.Errorf("there is no user %q: add one to sonde.yaml, or with --header or --login (docs/credentials.md)", name)
		}
		return name, nil
	}
	if len(sends) == 0 {
		return "", nil
	}
	for _, u := range slices.Concat(l.users, l.file.Users) {
		if u.Login == nil && sameCredentials(u, model.User{Sends: sends, Secrets: l.secrets}) {
			return u.Name, nil
		}
	}
	u := model.User{Sends: sends, Secrets: map[string]string{}}
	var names []string
	for _, name := range secretNames(u) {
		if value := l.secrets[name]; value != "" {
			u.Secrets[name] = value
		}
		names = append(names, strings.ToLower(name))
	}
	base := cmp.Or(strings.Join(names, "-"), "user")
	u.Name = base
	taken := func(o model.User) bool { return o.Name == u.Name }
	for n := 2; slices.ContainsFunc(slices.Concat(l.users, l.file.Users), taken); n++ {
		u.Name = fmt.Sprintf("%s-%d", base, n)
	}
	l.file.Users = append(l.file.Users, u)
	return u.Name, nil
}

// sentCredentials returns all credentials of a user who does not log in.
func sentCredentials(u model.User) []model.Credential {
	if u.Header == "" {
		return u.Sends
	}
	value := u.Public
	if u.Env != "" {
		value = "${" + u.Env + "}"
	}
	return append([]model.Credential{{In: model.InHeader, Name: u.Header, Value: value}}, u.Sends...)
}

// sameCredentials reports whether two users send the same credentials, as far as the values of their variables are
// known.
func sameCredentials(a, b model.User) bool {
	return slices.EqualFunc(sentCredentials(a), sentCredentials(b), func(x, y model.Credential) bool {
		known := func(c model.Credential, u model.User) string {
			return model.FillSecrets(c.Value, func(name string) string {
				return cmp.Or(u.Secrets[name], "${"+name+"}")
			})
		}
		sameName := x.Name == y.Name || x.In == model.InHeader && strings.EqualFold(x.Name, y.Name)
		return x.In == y.In && sameName && x.Basic == y.Basic && (x.Value == y.Value || known(x, a) == known(y, b))
	})
}

// secretNames returns the names of the variables of a user, each once.
func secretNames(u model.User) []string {
	var all []string
	for _, text := range u.SecretTexts() {
		for _, name := range model.SecretNames(text) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// callBuilder makes a call of a request.
type callBuilder struct {
	*loader
	route Route
	to    int // the index of the call
	links []model.Link
	sends []model.Credential
	args  []model.Arg
}

func (b *callBuilder) build() (model.Call, error) {
	call := model.Call{Op: b.route.Op.ID}
	for _, step := range []func() error{b.path, b.query, b.headers} {
		if err := step(); err != nil {
			return call, err
		}
	}
	body, err := b.body()
	if err != nil {
		return call, err
	}
	call.Args, call.Body = b.args, body
	call.User, err = b.userFor(b.route.Request.User, b.sends)
	return call, err
}

// filled returns a text with the values of variables. A variable whose name is that of a secret stays.
func (b *callBuilder) filled(text string) string {
	return collection.FillAll(text, func(name string) (string, bool) {
		if _, isLink := b.captured[name]; isLink {
			return "", false
		}
		if value, ok := b.values(name); ok {
			return value, true
		}
		if _, isSecret := b.secrets[name]; isSecret || record.IsSecretName(name) || strings.Contains(name, ".") {
			return "", false
		}
		return b.environment(name)
	})
}

// unfilled returns an error for a text that still has variables.
func (b *callBuilder) unfilled(text, place string) error {
	names := collection.References(text)
	if len(names) == 0 {
		return nil
	}
	if _, isLink, _ := b.linkOf(names[0]); isLink {
		return fmt.Errorf(
			"%s takes {{%s}} from an answer, which a test can only for values of paths, queries and JSON: "+
				"configure a log-in (docs/credentials.md) if it is a token", place, names[0],
		)
	}
	if record.IsSecretName(names[0]) {
		return fmt.Errorf("%s has the secret {{%s}}, which a test does not keep: configure a log-in (docs/credentials.md)", place, names[0])
	}
	if strings.HasPrefix(names[0], "$") {
		return fmt.Errorf("%s has {{%s}}, which is another text in each request: write a value", place, names[0])
	}
	return fmt.Errorf(
		"%s has {{%s}}, which has no value: add @%s = … to the file, or set the environment variable", place, names[0], names[0],
	)
}

// value returns the value of an input. If it is a value of an earlier answer, value adds a link.
func (b *callBuilder) value(text string, in model.Location, name, place string) (string, error) {
	text = b.filled(text)
	if names := collection.References(text); len(names) == 1 && strings.TrimSpace(text) == "{{"+names[0]+"}}" {
		link, isLink, err := b.linkOf(names[0])
		if err != nil {
			return "", fmt.Errorf("%s: %w", place, err)
		}
		if isLink {
			link.In, link.Name = in, name
			b.links = append(b.links, link)
			return "1", nil // the value of the answer replaces it
		}
	}
	return text, b.unfilled(text, place)
}

// path sets the arguments in the path.
func (b *callBuilder) path() error {
	for _, a := range b.route.Args {
		value, err := b.value(a.Value, model.InPath, a.Name, "the URL")
		if err != nil {
			return err
		}
		b.args = append(b.args, model.Arg{In: model.InPath, Name: a.Name, Value: value})
	}
	return nil
}

// query sets the arguments in the query, except for those that are in the path template.
func (b *callBuilder) query() error {
	text := b.filled(b.route.Request.URL)
	text, _, _ = strings.Cut(text, "#")
	_, query, _ := strings.Cut(text, "?")
	if query == "" || strings.Contains(b.route.Op.Path, "?") {
		return nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, value = unescapedQuery(name), unescapedQuery(value)
		if b.credential(model.InQuery, name, value) {
			continue
		}
		value, err := b.value(value, model.InQuery, name, "the query parameter "+name)
		if err != nil {
			return err
		}
		b.args = append(b.args, model.Arg{In: model.InQuery, Name: name, Value: value})
	}
	return nil
}

func unescapedQuery(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// credential adds a credential and returns true if the name and the value of an input are those of one.
func (b *callBuilder) credential(in model.Location, name, value string) bool {
	if !record.IsSecretName(name) && !strings.EqualFold(name, "Authorization") || len(collection.References(value)) == 0 {
		return false
	}
	for _, ref := range collection.References(value) {
		if _, isLink, _ := b.linkOf(ref); isLink {
			return false
		}
	}
	c := model.Credential{In: in, Name: name, Value: secretText(value)}
	if pair, isBasic := strings.CutPrefix(c.Value, "Basic "); isBasic && strings.Contains(pair, ":") {
		c.Value, c.Basic = pair, true
	}
	b.sends = append(b.sends, c)
	return true
}

// secretText returns a text with variables in the form ${NAME}.
func secretText(text string) string {
	return collection.Fill(text, func(name string) (string, bool) { return "${" + name + "}", true })
}

// sentByClient are headers that the client sets itself.
var sentByClient = []string{"Host", "Content-Length", "Connection", "Accept-Encoding", "Transfer-Encoding"}

// headers sets the headers and cookies.
func (b *callBuilder) headers() error {
	for _, h := range b.route.Request.Headers {
		value := b.filled(h.Value)
		switch {
		case slices.Contains(sentByClient, textproto.CanonicalMIMEHeaderKey(h.Name)), b.credential(model.InHeader, h.Name, value):
		case strings.EqualFold(h.Name, "Cookie"):
			if err := b.cookies(value); err != nil {
				return err
			}
		default:
			if err := b.unfilled(value, "the header "+h.Name); err != nil {
				return err
			}
			b.args = append(b.args, model.Arg{In: model.InHeader, Name: h.Name, Value: value})
		}
	}
	return nil
}

// cookies sets the cookies of a header.
func (b *callBuilder) cookies(header string) error {
	for pair := range strings.SplitSeq(header, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(pair), "=")
		switch {
		case !found:
		case len(collection.References(value)) > 0:
			b.sends = append(b.sends, model.Credential{In: model.InCookie, Name: name, Value: secretText(value)})
		default:
			b.args = append(b.args, model.Arg{In: model.InCookie, Name: name, Value: value, Escaped: true})
		}
	}
	return nil
}

// body returns the body, nil for none.
func (b *callBuilder) body() (*model.Payload, error) {
	from := b.route.Request.Body
	switch {
	case from == nil:
		return nil, nil
	case from.File != "":
		data, err := b.readBody(from.File)
		return &model.Payload{Media: b.filled(from.Media), Data: data}, err
	case from.Fields != nil:
		return b.form(*from)
	}
	text, err := b.linkedJSON(b.filled(from.Text))
	if err != nil {
		return nil, err
	}
	return &model.Payload{Media: b.filled(cmp.Or(from.Media, "text/plain")), Data: text}, nil
}

// readBody reads a file of a body.
func (b *callBuilder) readBody(path string) (string, error) { return readBody(b.dir, path) }

// readBody reads a file of a body in a .http file of a folder. It must be in the folder of the project, which is the same
// folder, or the one above if that is called "requests".
func readBody(dir, path string) (string, error) {
	folder := projectOf(dir)
	if folder != dir {
		path = filepath.Join(Folder, path)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", fmt.Errorf("the file %q of the body cannot be read: %w", path, err)
	}
	defer root.Close()
	f, err := root.Open(filepath.Clean(path))
	if err != nil {
		return "", fmt.Errorf("the file of the body cannot be read: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, collection.MaxBytes+1))
	if err == nil && len(data) > collection.MaxBytes {
		err = fmt.Errorf("it is larger than %d MiB", collection.MaxBytes>>20)
	}
	if err != nil {
		return "", fmt.Errorf("the file %q of the body cannot be read: %w", path, err)
	}
	return string(data), nil
}
