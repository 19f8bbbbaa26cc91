package collection

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ParseBruno parses a request in a .bru file of Bruno.
func ParseBruno(text string) (Collection, error) {
	file, err := parseBru(text)
	if err != nil {
		return Collection{}, err
	}
	var c Collection
	r := newBrunoReader(nil, &c)
	r.add(file, nil, nil)
	if len(c.Requests) == 0 && len(c.Omissions) == 0 {
		return Collection{}, errNoRequest
	}
	return c, nil
}

// ParseBrunoEnvironment parses the variables of an environment of Bruno. Secret variables have no value.
func ParseBrunoEnvironment(text string) ([]Variable, error) {
	file, err := parseBru(text)
	if err != nil {
		return nil, err
	}
	var all []Variable
	for _, p := range file.pairs("vars") {
		all = append(all, Variable{Name: p.name, Value: p.value})
	}
	return all, nil
}

// IsBruno reports whether a folder has a collection of Bruno.
func IsBruno(folder fs.FS) bool {
	info, err := fs.Stat(folder, "bruno.json")
	return err == nil && info.Mode().IsRegular()
}

// ReadBruno reads the collection of Bruno in a folder. Environments are not read.
func ReadBruno(folder fs.FS) (Collection, error) {
	head, err := readText(folder, "bruno.json")
	if err != nil {
		return Collection{}, err
	}
	var c Collection
	var about struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal([]byte(head), &about); err != nil {
		return Collection{}, fmt.Errorf("%q is not JSON: %w", "bruno.json", err)
	}
	c.Name = about.Name
	r := newBrunoReader(folder, &c)
	if err := r.folder(".", nil, nil); err != nil {
		return Collection{}, err
	}
	if len(c.Requests) == 0 && len(c.Omissions) == 0 {
		return Collection{}, errNoRequest
	}
	return c, nil
}

// brunoReader reads the files of a collection.
type brunoReader struct {
	fs    fs.FS
	out   *Collection
	files int
	bytes int
	// values are the variables of the collection, and last the last number that follows a name.
	values  map[string]string
	last    map[string]int
	answers answerVariables
}

func newBrunoReader(folder fs.FS, out *Collection) *brunoReader {
	return &brunoReader{fs: folder, out: out, answers: answerVariables{}, values: map[string]string{}, last: map[string]int{}}
}

// brunoItem is a request or a folder, with its place among the others.
type brunoItem struct {
	path, name string
	seq        int
	file       bruFile
	isFolder   bool
}

// maxFolders is the maximum depth of folders.
const maxFolders = 20

// folder adds the requests of a folder in their order. parent is the file with the settings of the folder above, nil
// for none.
func (r *brunoReader) folder(dir string, names []string, parent *bruFile) error {
	if len(names) > maxFolders {
		return fmt.Errorf("%q is more than %d folders deep", dir, maxFolders)
	}
	items, own, err := r.items(dir, names)
	if err != nil {
		return err
	}
	if own != nil {
		own.parent = parent
		r.addFolderSettings(own, strings.Join(names, folderMark))
		parent = own
	}
	for _, item := range items {
		if !item.isFolder {
			r.add(item.file, names, parent)
			continue
		}
		if err := r.folder(item.path, append(slices.Clip(names), item.name), parent); err != nil {
			return err
		}
	}
	return nil
}

// items returns the requests and folders of a folder in their order, and the file with its settings.
func (r *brunoReader) items(dir string, names []string) (items []brunoItem, own *bruFile, err error) {
	entries, err := fs.ReadDir(r.fs, dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%q cannot be read: %w", dir, err)
	}
	for _, e := range entries {
		at := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && (e.Name() == "environments" && len(names) == 0 || e.Name() == "node_modules" || e.Name()[0] == '.'):
		case e.IsDir():
			items = append(items, r.folderItem(at))
		case e.Type().IsRegular() && path.Ext(e.Name()) == ".bru":
			file, err := r.file(at)
			if err != nil {
				return nil, nil, err
			}
			if e.Name() == "folder.bru" || e.Name() == "collection.bru" {
				own = &file
				continue
			}
			items = append(items, brunoItem{path: at, name: e.Name(), seq: file.seq(), file: file})
		}
	}
	slices.SortStableFunc(items, func(a, b brunoItem) int {
		return cmp.Or(cmp.Compare(a.seq, b.seq), strings.Compare(a.name, b.name))
	})
	return items, own, nil
}

// folderItem returns the item of a folder. Its name and its place are in the file folder.bru, if there is one.
func (r *brunoReader) folderItem(at string) brunoItem {
	item := brunoItem{path: at, name: path.Base(at), seq: lastSeq, isFolder: true}
	text, err := readText(r.fs, path.Join(at, "folder.bru"))
	if err != nil {
		return item
	}
	if file, err := parseBru(text); err == nil { // an error occurs again when the folder is read
		item.name, item.seq = cmp.Or(file.value("meta", "name"), item.name), file.seq()
	}
	return item
}

// file reads a .bru file within the limits of a collection.
func (r *brunoReader) file(at string) (bruFile, error) {
	text, err := readText(r.fs, at)
	if err != nil {
		return bruFile{}, err
	}
	r.files, r.bytes = r.files+1, r.bytes+len(text)
	if r.files > maxRequests || r.bytes > MaxBytes {
		return bruFile{}, errTooMany
	}
	file, err := parseBru(text)
	if err != nil {
		return file, fmt.Errorf("%q: %w", at, err)
	}
	return file, nil
}

// readText reads a regular file of limited size.
func readText(folder fs.FS, name string) (string, error) {
	f, err := folder.Open(name)
	if err != nil {
		return "", fmt.Errorf("%q cannot be read: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		err = fmt.Errorf("it is larger than %d MiB", MaxBytes>>20)
	}
	if err != nil {
		return "", fmt.Errorf("%q cannot be read: %w", name, err)
	}
	return string(data), nil
}

// bruFile is a .bru file: blocks in their order.
type bruFile struct {
	blocks []bruBlock
	// parent is the file with the settings of the folder above.
	parent *bruFile
	// variables are the names that the variables of the file have in the collection.
	variables map[string]string
}

// bruBlock is a block of a .bru file. A block has either pairs, or lines of text.
type bruBlock struct {
	name string
	text string
}

// bruPair is a line "name: value" of a block.
type bruPair struct {
	name, value string
	off         bool // a "~" is before the name
}

// parseBru parses a .bru file. A block begins with "name {" or "name [", and ends with a line that has only the closing
// bracket.
func parseBru(text string) (bruFile, error) {
	var file bruFile
	lines := splitLines(text)
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "" {
			continue
		}
		name, closing, ok := bruOpening(line)
		if !ok {
			return file, fmt.Errorf("line %d: %q begins no block: it is not a .bru file", i+1, excerpt(line))
		}
		from := i + 1
		for i++; i < len(lines) && strings.TrimRight(lines[i], " \t") != closing; i++ {
		}
		if i == len(lines) {
			return file, fmt.Errorf("line %d: the block %q has no end", from, excerpt(name))
		}
		file.blocks = append(file.blocks, bruBlock{name: name, text: strings.Join(lines[from:i], "\n")})
	}
	if file.blocks == nil {
		return file, errors.New("it is empty")
	}
	return file, nil
}

// bruOpening returns the name of the block that a line begins, and the line that ends it.
func bruOpening(line string) (name, closing string, ok bool) {
	if name, ok = strings.CutSuffix(line, "{"); ok {
		return strings.TrimSpace(name), "}", true
	}
	name, ok = strings.CutSuffix(line, "[")
	return strings.TrimSpace(name), "]", ok
}

// block returns the text of a block, "" for none.
func (f bruFile) block(name string) string {
	for _, b := range f.blocks {
		if b.name == name {
			return b.text
		}
	}
	return ""
}

// has reports whether the file has a block that is not empty.
func (f bruFile) has(name string) bool { return strings.TrimSpace(f.block(name)) != "" }

// content returns the text of a block without the indentation of its lines.
func (f bruFile) content(name string) string {
	lines := strings.Split(f.block(name), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "  ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \t\r\n")
}

// allPairs returns the pairs of a block. A value between ”' may have several lines.
func (f bruFile) allPairs(block string) []bruPair {
	var all []bruPair
	lines := strings.Split(f.block(block), "\n")
	for i := 0; i < len(lines); i++ {
		name, value, found := cutPair(strings.TrimSpace(lines[i]))
		if !found {
			continue
		}
		name, off := strings.CutPrefix(name, "~")
		if rest, long := strings.CutPrefix(value, "'''"); long {
			value, i = longValue(rest, lines, i)
		}
		all = append(all, bruPair{name: name, value: value, off: off})
	}
	return all
}

// cutPair splits a line at the colon after the name, which may be in double quotes.
func cutPair(line string) (name, value string, found bool) {
	if strings.HasPrefix(line, `"`) {
		if end := strings.Index(line[1:], `":`); end >= 0 {
			return line[1 : end+1], strings.TrimSpace(line[end+3:]), true
		}
	}
	name, value, found = strings.Cut(line, ":")
	return strings.TrimSpace(name), strings.TrimSpace(value), found && strings.TrimSpace(name) != ""
}

// longValue returns the value that begins with rest in line i, and the index of its last line.
func longValue(rest string, lines []string, i int) (string, int) {
	var value []string
	if before, _, ended := strings.Cut(rest, "'''"); ended {
		return before, i
	}
	if strings.TrimSpace(rest) != "" {
		value = append(value, rest)
	}
	for i++; i < len(lines); i++ {
		before, _, ended := strings.Cut(lines[i], "'''")
		if ended {
			if strings.TrimSpace(before) != "" {
				value = append(value, strings.TrimSpace(before))
			}
			break
		}
		value = append(value, strings.TrimPrefix(lines[i], "    "))
	}
	return strings.Join(value, "\n"), i
}

// pairs returns the pairs of a block that are in use.
func (f bruFile) pairs(block string) []bruPair {
	return slices.DeleteFunc(f.allPairs(block), func(p bruPair) bool { return p.off })
}

// value returns the value of a pair, "" for none.
func (f bruFile) value(block, name string) string {
	for _, p := range f.pairs(block) {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// lastSeq is the place of a file without one.
const lastSeq = 1 << 30

// seq returns the place of the file among the others.
func (f bruFile) seq() int {
	n, err := strconv.ParseFloat(f.value("meta", "seq"), 64)
	if err != nil || n < 0 || n > lastSeq {
		return lastSeq
	}
	return int(n)
}

// addFolderSettings adds the variables of a folder, and its scripts and tests as omissions.
func (r *brunoReader) addFolderSettings(file *bruFile, label string) {
	label = cmp.Or(label, r.out.Name, "the collection")
	r.addVariables(file)
	for _, p := range file.allPairs("headers") {
		if p.off {
			r.out.omit(OmittedDisabled, label, "the header "+p.name)
		}
	}
	r.out.omitBruno(*file, label)
}

// add adds the request of a file, with its variables. parent has the settings of its folder, nil for none.
func (r *brunoReader) add(file bruFile, folder []string, parent *bruFile) {
	before := len(r.out.Requests)
	r.out.addBruno(file, folder, parent)
	if len(r.out.Requests) == before {
		return
	}
	file.parent = parent
	r.addVariables(&file)
	request := &r.out.Requests[before]
	request.mapTexts(file.withVariables)
	set := map[string]string{}
	for _, v := range file.pairs("vars:post-response") {
		if m := brunoCapture.FindStringSubmatch(v.value); m != nil {
			set[v.name] = m[1]
		}
	}
	r.answers.use(request, set, before+1)
}

// addVariables adds the variables of a request or a folder, which count only there. A variable whose name another one has,
// with another value, gets a number after its name.
func (r *brunoReader) addVariables(file *bruFile) {
	file.variables = map[string]string{}
	var added []Variable
	for _, v := range file.pairs("vars:pre-request") {
		own := v.name
		for {
			value, taken := r.values[own]
			if !taken || value == v.value {
				break
			}
			r.last[v.name]++
			own = fmt.Sprintf("%s_%d", v.name, r.last[v.name]+1)
		}
		if _, known := r.values[own]; !known {
			added = append(added, Variable{Name: own, Value: v.value})
		}
		r.values[own], file.variables[v.name] = v.value, own
	}
	for _, v := range added {
		r.out.addVariable(v.Name, file.withVariables(v.Value))
	}
}

// withVariables returns a text of the file with the names that variables have in the collection.
func (f *bruFile) withVariables(text string) string {
	return Fill(text, func(name string) (string, bool) {
		for file := f; file != nil; file = file.parent {
			if own, known := file.variables[name]; known {
				return "{{" + own + "}}", true
			}
		}
		return "", false
	})
}

// omitBruno adds the scripts and tests of a file to the omissions.
func (c *Collection) omitBruno(file bruFile, label string) {
	for _, name := range []string{"script:pre-request", "script:post-response"} {
		if file.has(name) {
			c.omit(OmittedScript, label, "")
		}
	}
	if file.has("tests") {
		c.omit(OmittedTest, label, "")
	}
	for range file.pairs("assert") {
		c.omit(OmittedTest, label, "")
	}
	for _, v := range file.pairs("vars:post-response") {
		if brunoCapture.MatchString(v.value) {
			continue // a reference to the answer takes its place
		}
		c.omit(OmittedOption, label, "the variable "+v.name+" from the answer")
	}
	for _, v := range file.allPairs("vars:pre-request") {
		if v.off {
			c.omit(OmittedDisabled, label, "the variable "+v.name)
		}
	}
	if file.has("docs") {
		c.omit(OmittedDescription, label, "")
	}
}

// bruMethods are the blocks that have a URL.
var bruMethods = []string{"get", "post", "put", "delete", "patch", "options", "head", "connect", "trace"}

// otherBruno are the types of files for requests of other protocols.
var otherBruno = map[string]OmissionKind{
	"graphql":         OmittedGraphQL,
	"graphql-request": OmittedGraphQL,
	"grpc":            OmittedGRPC,
	"grpc-request":    OmittedGRPC,
	"ws":              OmittedWebSocket,
	"ws-request":      OmittedWebSocket,
}

// addBruno adds the request of a file. parent has the settings of its folder, nil for none.
func (c *Collection) addBruno(file bruFile, folder []string, parent *bruFile) {
	r := Request{Folder: folder, Name: file.value("meta", "name")}
	if kind, other := otherBruno[file.value("meta", "type")]; other {
		c.omit(kind, r.Label(), "")
		return
	}
	block := "http"
	r.Method = strings.ToUpper(file.value(block, "method"))
	for _, b := range file.blocks {
		if slices.Contains(bruMethods, b.name) {
			block, r.Method = b.name, strings.ToUpper(b.name)
		}
	}
	r.URL = file.value(block, "url")
	if r.Method == "" || r.URL == "" {
		c.omit(OmittedRequest, r.Label(), "it has no method or no URL")
		return
	}
	c.omitBruno(file, r.Label())
	r.fillBrunoPath(file)
	c.setBrunoQuery(&r, file)
	c.setBrunoHeaders(&r, file, parent)
	c.setBrunoAuth(&r, file, block, parent)
	if c.setBrunoBody(&r, file, block) {
		c.Requests = append(c.Requests, r)
	}
}

// fillBrunoPath replaces the path variables of a URL, which are written as ":name".
func (r *Request) fillBrunoPath(file bruFile) {
	values := map[string]string{}
	for _, p := range file.pairs("params:path") {
		values[p.name] = cmp.Or(p.value, "{{"+p.name+"}}")
	}
	base, query, hasQuery := strings.Cut(r.URL, "?")
	scheme, rest, hasScheme := strings.Cut(base, "://")
	if !hasScheme {
		rest = base
	}
	segments := strings.Split(rest, "/")
	for i, s := range segments {
		name, isVariable := strings.CutPrefix(s, ":")
		if value, known := values[name]; isVariable && known && i > 0 {
			segments[i] = value
		}
	}
	r.URL = strings.Join(segments, "/")
	if hasScheme {
		r.URL = scheme + "://" + r.URL
	}
	if hasQuery {
		r.URL += "?" + query
	}
}

// setBrunoQuery sets the query. The block of parameters has all parameters, which the URL repeats.
func (c *Collection) setBrunoQuery(r *Request, file bruFile) {
	block := "params:query"
	if file.block(block) == "" {
		block = "query" // the name in old versions
	}
	if len(file.allPairs(block)) == 0 {
		return
	}
	r.URL, _, _ = strings.Cut(r.URL, "?")
	mark := "?"
	for _, p := range file.allPairs(block) {
		if p.off {
			c.omit(OmittedDisabled, r.Label(), "the query parameter "+p.name)
			continue
		}
		r.URL += mark + queryText(p.name) + "=" + queryText(p.value)
		mark = "&"
	}
}

// setBrunoHeaders sets the headers: those of the request, and those of its folders that it has not itself.
func (c *Collection) setBrunoHeaders(r *Request, file bruFile, parent *bruFile) {
	for _, p := range file.allPairs("headers") {
		if p.off {
			c.omit(OmittedDisabled, r.Label(), "the header "+p.name)
			continue
		}
		r.Headers = append(r.Headers, Field{Name: p.name, Value: p.value})
	}
	for ; parent != nil; parent = parent.parent {
		for _, p := range parent.pairs("headers") {
			if r.Header(p.name) == "" {
				r.Headers = append(r.Headers, Field{Name: p.name, Value: p.value})
			}
		}
	}
}

// setBrunoAuth adds the header or the query parameter of an authentication. A request may inherit that of its folders.
func (c *Collection) setBrunoAuth(r *Request, file bruFile, block string, parent *bruFile) {
	mode := file.value(block, "auth")
	for ; mode == "inherit" && parent != nil; parent = parent.parent {
		file = *parent
		mode = cmp.Or(file.value("auth", "mode"), "inherit")
	}
	switch mode {
	case "", "none", "inherit":
	case "basic":
		r.authorize("Basic " + file.value("auth:basic", "username") + ":" + file.value("auth:basic", "password"))
	case "bearer":
		r.authorize("Bearer " + file.value("auth:bearer", "token"))
	case "apikey":
		inQuery := file.value("auth:apikey", "placement") == "queryparams"
		r.addKey(inQuery, file.value("auth:apikey", "key"), file.value("auth:apikey", "value"))
	default:
		c.omit(OmittedAuth, r.Label(), mode)
	}
}

// bruMedia are the media types of bodies that are text.
var bruMedia = map[string]string{
	"json":   "application/json",
	"text":   "text/plain",
	"xml":    "application/xml",
	"sparql": "application/sparql-query",
}

// setBrunoBody sets the body. It returns false for a request of another protocol.
func (c *Collection) setBrunoBody(r *Request, file bruFile, block string) bool {
	mode := file.value(block, "body")
	switch mode {
	case "graphql":
		c.omit(OmittedGraphQL, r.Label(), "")
		return false
	case "form-urlencoded", "formUrlEncoded":
		c.setBrunoForm(r, FormMedia, file.allPairs("body:form-urlencoded"))
	case "multipart-form", "multipartForm":
		c.setBrunoForm(r, MultipartMedia, file.allPairs("body:multipart-form"))
	case "file":
		for _, p := range file.pairs("body:file") {
			f := bruFields(p)[0]
			r.setBody(Body{Media: f.Media, File: f.File})
		}
	default:
		name := "body:" + mode
		if !file.has(name) && mode == "json" {
			name = "body" // the name in old versions
		}
		if text := file.content(name); strings.TrimSpace(text) != "" && bruMedia[mode] != "" {
			r.setBody(Body{Media: bruMedia[mode], Text: text})
		}
	}
	return true
}

// setBrunoForm sets a body with fields.
func (c *Collection) setBrunoForm(r *Request, media string, pairs []bruPair) {
	var fields []Field
	for _, p := range pairs {
		if p.off {
			c.omit(OmittedDisabled, r.Label(), "the field "+p.name)
			continue
		}
		fields = append(fields, bruFields(p)...)
	}
	if fields != nil {
		r.setBody(Body{Media: media, Fields: fields})
	}
}

// bruFields returns the fields of a line of a form: a text, or a field for each path of "@file(path|path)", with
// "@contentType(media)" after it.
func bruFields(p bruPair) []Field {
	f := Field{Name: p.name, Value: p.value}
	if at := strings.LastIndex(f.Value, "@contentType("); at >= 0 && strings.HasSuffix(f.Value, ")") {
		f.Media = f.Value[at+len("@contentType(") : len(f.Value)-1]
		f.Value = strings.TrimSpace(f.Value[:at])
	}
	inner, isFile := strings.CutPrefix(f.Value, "@file(")
	if !isFile || !strings.HasSuffix(inner, ")") {
		return []Field{f}
	}
	var all []Field
	for path := range strings.SplitSeq(strings.TrimSuffix(inner, ")"), "|") {
		all = append(all, Field{Name: f.Name, File: path, Media: f.Media})
	}
	return all
}
