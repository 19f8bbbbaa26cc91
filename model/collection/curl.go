package collection

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// ParseCurl parses curl commands in the syntax of a shell. Nothing is run: a variable of the shell becomes a variable
// of the collection, and a command whose words need other commands is an omission.
func ParseCurl(text string) (Collection, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	file, err := syntax.NewParser().Parse(strings.NewReader(withoutPrompts(text)), "")
	if err != nil {
		return Collection{}, fmt.Errorf("it is not written as for a POSIX shell or bash: %w", err)
	}
	var c Collection
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			c.addCommand(s)
		}
		return len(c.Requests) <= maxRequests
	})
	switch {
	case len(c.Requests) > maxRequests:
		return Collection{}, errTooMany
	case len(c.Requests) == 0 && len(c.Omissions) == 0:
		return Collection{}, errors.New("it has no curl command")
	case len(c.Requests) == 0:
		return Collection{}, fmt.Errorf("%w that can be read: %s", errNoRequest, c.Omissions[0].About)
	}
	c.keepLastValues()
	return c, nil
}

// withoutPrompts removes the "$ " before commands that were copied from a terminal.
func withoutPrompts(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "$ ")
	}
	return strings.Join(lines, "\n")
}

// words are the settings with which words are expanded: variables stay variables, and no command is run.
var words = &expand.Config{
	Env: expand.FuncEnviron(func(name string) string {
		if !variableName.MatchString(name) || name == "IFS" {
			return ""
		}
		return "{{" + name + "}}"
	}),
}

// addCommand adds the request of a statement, if this is a curl command.
func (c *Collection) addCommand(s *syntax.Stmt) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if ok && len(call.Args) == 0 {
		c.addAssignments(call.Assigns)
	}
	if !ok || len(call.Args) == 0 || !isCurl(call.Args[0].Lit()) {
		return
	}
	where := fmt.Sprintf("line %d", s.Pos().Line())
	var args []string
	for _, w := range call.Args[1:] {
		arg, err := expand.Literal(words, w)
		if err != nil {
			c.omit(OmittedRequest, where, "a word of the command needs a shell: "+err.Error())
			return
		}
		args = append(args, arg)
	}
	p := curlParser{args: args, stdin: hereText(s)}
	if err := p.parse(); err != nil {
		c.omit(OmittedRequest, where, err.Error())
		return
	}
	for _, r := range p.requests() {
		c.Requests = append(c.Requests, r)
		for _, o := range p.unknown {
			c.omit(OmittedOption, r.Label(), o)
		}
	}
}

// addAssignments sets the variables to which a shell script assigns plain values.
func (c *Collection) addAssignments(all []*syntax.Assign) {
	for _, a := range all {
		if a.Name == nil || a.Value == nil || a.Append {
			continue
		}
		if value, err := expand.Literal(words, a.Value); err == nil && !strings.Contains(value, "\n") {
			c.addVariable(a.Name.Value, value)
		}
	}
}

// isCurl reports whether the first word of a command is curl.
func isCurl(word string) bool {
	return baseName(word) == "curl" || strings.EqualFold(baseName(word), "curl.exe")
}

// hereText returns the text of a here-document or a here-string, "" for none.
func hereText(s *syntax.Stmt) string {
	for _, r := range s.Redirs {
		word := r.Hdoc
		if r.Op == syntax.WordHdoc {
			word = r.Word
		}
		if word == nil {
			continue
		}
		if text, err := expand.Literal(words, word); err == nil {
			return strings.TrimSuffix(text, "\n")
		}
	}
	return ""
}

// curlParser parses the arguments of one curl command.
type curlParser struct {
	args    []string
	stdin   string
	request Request
	urls    []string
	data    []curlData
	form    []Field
	json    bool
	asQuery bool // -G
	head    bool
	file    string // of -T
	unknown []string
}

// curlData is the value of one of the options for data. Names of files are only kept for a body of one option.
type curlData struct {
	text, file string
}

// curlFlags are the options without a value, and curlValues those with one. Both are options that change only how curl
// sends a request or shows the answer.
var (
	curlFlags = strings.Fields(`compressed location silent show-error include insecure fail fail-with-body verbose globoff
		path-as-is http1.0 http1.1 http2 http2-prior-knowledge http3 no-buffer remote-name remote-header-name create-dirs
		progress-bar location-trusted ipv4 ipv6 basic no-keepalive no-progress-meter tlsv1.2 tlsv1.3 raw parallel
		ssl-no-revoke tcp-nodelay`)
	curlValues = strings.Fields(`output max-time connect-timeout write-out retry retry-delay retry-max-time max-redirs
		cookie-jar dump-header cacert capath cert key cert-type key-type pass proxy noproxy resolve connect-to interface limit-rate
		range config stderr trace trace-ascii tls-max ciphers dns-servers local-port rate speed-limit speed-time
		keepalive-time proxy-user proxy-header output-dir unix-socket time-cond expect100-timeout`)
)

// curlShort are the long names of the options of one letter.
var curlShort = map[byte]string{
	'X': "request", 'H': "header", 'd': "data", 'F': "form", 'u': "user", 'G': "get", 'I': "head", 'b': "cookie",
	'A': "user-agent", 'e': "referer", 'T': "upload-file", 'L': "location", 's': "silent", 'S': "show-error",
	'i': "include", 'k': "insecure", 'f': "fail", 'v': "verbose", 'g': "globoff", 'o': "output", 'm': "max-time",
	'w': "write-out", 'c': "cookie-jar", 'D': "dump-header", 'E': "cert", 'x': "proxy", 'r': "range", 'K': "config",
	'N': "no-buffer", 'O': "remote-name", 'J': "remote-header-name", '#': "progress-bar", '0': "http1.0",
	'4': "ipv4", '6': "ipv6", 'z': "time-cond", 'Y': "speed-limit", 'y': "speed-time", 'U': "proxy-user", 'Z': "parallel",
}

// parse parses all arguments.
func (p *curlParser) parse() error {
	for len(p.args) > 0 {
		arg := p.args[0]
		p.args = p.args[1:]
		var err error
		switch {
		case strings.HasPrefix(arg, "--") && len(arg) > 2:
			name, value, has := strings.Cut(arg[2:], "=")
			err = p.option(name, value, has)
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			err = p.letters(arg[1:])
		default:
			p.urls = append(p.urls, arg)
		}
		if err != nil {
			return err
		}
	}
	if len(p.urls) == 0 {
		return errors.New("the command has no URL")
	}
	return nil
}

// letters parses options of one letter, of which the last may be followed by its value.
func (p *curlParser) letters(text string) error {
	for i := range len(text) {
		name, known := curlShort[text[i]]
		if !known {
			p.unknown = append(p.unknown, "-"+text[i:])
			return nil
		}
		if slices.Contains(curlFlags, name) || name == "get" || name == "head" {
			if err := p.option(name, "", false); err != nil {
				return err
			}
			continue
		}
		return p.option(name, text[i+1:], i+1 < len(text))
	}
	return nil
}

// option parses an option by its long name. If has is false, its value is the next argument.
func (p *curlParser) option(name, value string, has bool) error {
	switch {
	case slices.Contains(curlFlags, name):
		return nil
	case name == "get":
		p.asQuery = true
		return nil
	case name == "head":
		p.head = true
		return nil
	case !slices.Contains(curlValues, name) && curlOptions[name] == nil:
		p.unknown = append(p.unknown, "--"+name)
		return nil
	}
	if !has {
		if len(p.args) == 0 {
			return fmt.Errorf("--%s has no value", name)
		}
		value, p.args = p.args[0], p.args[1:]
	}
	if set := curlOptions[name]; set != nil {
		set(p, value)
	}
	return nil
}

// curlOptions are the options with a value that make the request.
var curlOptions = map[string]func(p *curlParser, value string){
	"request":        func(p *curlParser, value string) { p.request.Method = value },
	"url":            func(p *curlParser, value string) { p.urls = append(p.urls, value) },
	"header":         (*curlParser).header,
	"data":           (*curlParser).fileOrText,
	"data-ascii":     (*curlParser).fileOrText,
	"data-binary":    (*curlParser).fileOrText,
	"data-raw":       func(p *curlParser, value string) { p.data = append(p.data, curlData{text: value}) },
	"data-urlencode": (*curlParser).encoded,
	"json": func(p *curlParser, value string) {
		p.json = true
		p.fileOrText(value)
	},
	"form":          (*curlParser).formField,
	"form-string":   (*curlParser).formString,
	"user":          func(p *curlParser, value string) { p.addHeader("Authorization", "Basic "+value) },
	"oauth2-bearer": func(p *curlParser, value string) { p.addHeader("Authorization", "Bearer "+value) },
	"cookie":        (*curlParser).cookie,
	"user-agent":    func(p *curlParser, value string) { p.addHeader("User-Agent", value) },
	"referer":       func(p *curlParser, value string) { p.addHeader("Referer", value) },
	"upload-file":   func(p *curlParser, value string) { p.file = value },
}

func (p *curlParser) addHeader(name, value string) {
	p.request.Headers = append(p.request.Headers, Field{Name: name, Value: value})
}

// header adds a header. "Name;" is a header without a value, and "Name:" removes a header that curl sends by itself.
// Headers of browsers about themselves, such as Sec-Fetch-Mode, are left out.
func (p *curlParser) header(text string) {
	if name, found := strings.CutSuffix(text, ";"); found && !strings.Contains(name, ":") {
		p.addHeader(name, "")
		return
	}
	name, value, found := strings.Cut(text, ":")
	isBrowser := strings.HasPrefix(strings.ToLower(name), "sec-")
	if found && !isBrowser && strings.TrimSpace(value) != "" {
		p.addHeader(strings.TrimSpace(name), strings.TrimSpace(value))
	}
}

// fileOrText adds data. "@file" is the content of a file, and "@-" the standard input.
func (p *curlParser) fileOrText(value string) {
	path, isFile := strings.CutPrefix(value, "@")
	switch {
	case !isFile:
		p.data = append(p.data, curlData{text: value})
	case path == "-":
		p.data = append(p.data, curlData{text: p.stdin})
	default:
		p.data = append(p.data, curlData{file: path})
	}
}

// encoded adds data that curl escapes: "value", "=value", "name=value" or "name@file".
func (p *curlParser) encoded(value string) {
	name, text, found := strings.Cut(value, "=")
	switch {
	case found && name == "":
		p.data = append(p.data, curlData{text: escapeForm(text)})
	case found:
		p.data = append(p.data, curlData{text: name + "=" + escapeForm(text)})
	case strings.Contains(value, "@"):
		p.unknown = append(p.unknown, "--data-urlencode with a file")
	default:
		p.data = append(p.data, curlData{text: escapeForm(value)})
	}
}

// cookie adds cookies. A value without "=" is the name of a file.
func (p *curlParser) cookie(value string) {
	if strings.Contains(value, "=") || strings.Contains(value, "{{") {
		p.addHeader("Cookie", value)
	} else {
		p.unknown = append(p.unknown, "--cookie with a file")
	}
}

// formField adds a field of a form: "name=value", "name=@file" or "name=<file", with ";type=media" after it.
func (p *curlParser) formField(text string) {
	name, value, _ := strings.Cut(text, "=")
	f := Field{Name: name, Value: value}
	parts := strings.Split(value, ";")
	for len(parts) > 1 {
		key, what, _ := strings.Cut(strings.TrimSpace(parts[len(parts)-1]), "=")
		if key != "type" && key != "filename" {
			break
		}
		if key == "type" {
			f.Media = what
		}
		parts = parts[:len(parts)-1]
	}
	f.Value = strings.Join(parts, ";")
	if path, isFile := strings.CutPrefix(f.Value, "@"); isFile {
		f.Value, f.File = "", path
	} else if _, isText := strings.CutPrefix(f.Value, "<"); isText {
		p.unknown = append(p.unknown, "the text of the field "+name+" from a file")
		f.Value = ""
	}
	p.form = append(p.form, f)
}

func (p *curlParser) formString(text string) {
	name, value, _ := strings.Cut(text, "=")
	p.form = append(p.form, Field{Name: name, Value: value})
}

// requests returns a request for each URL of the command.
func (p *curlParser) requests() []Request {
	r := p.request
	body := p.body()
	if body != nil {
		r.setBody(*body)
	}
	if r.Method == "" {
		r.Method = p.defaultMethod(body)
	}
	r.Method = strings.ToUpper(r.Method)
	var all []Request
	for _, target := range p.urls {
		own := r
		own.Headers = slices.Clone(r.Headers)
		own.URL = p.target(target)
		own.Name = own.pathName()
		if p.json && own.Header("Accept") == "" {
			own.Headers = append(own.Headers, Field{Name: "Accept", Value: "application/json"})
		}
		all = append(all, own)
	}
	return all
}

// target returns a URL with its scheme, and with the data in its query if -G says so.
func (p *curlParser) target(text string) string {
	if !strings.Contains(text, "://") && !strings.HasPrefix(text, "{{") {
		text = "http://" + text
	}
	if joined := p.joined(); p.asQuery && joined != "" {
		mark := "?"
		if strings.Contains(text, "?") {
			mark = "&"
		}
		text += mark + joined
	}
	return strings.NewReplacer(" ", "%20", "\n", "", "\r", "").Replace(text)
}

// joined returns the data that is text.
func (p *curlParser) joined() string {
	var texts []string
	for _, d := range p.data {
		if d.file == "" {
			texts = append(texts, d.text)
		}
	}
	if p.json {
		return strings.Join(texts, "")
	}
	return strings.Join(texts, "&")
}

func (p *curlParser) defaultMethod(body *Body) string {
	switch {
	case p.head:
		return "HEAD"
	case p.file != "":
		return "PUT"
	case body != nil:
		return "POST"
	}
	return "GET"
}

// body returns the body of the requests, nil for none.
func (p *curlParser) body() *Body {
	files := slices.ContainsFunc(p.data, func(d curlData) bool { return d.file != "" })
	media := FormMedia
	if p.json {
		media = "application/json"
	}
	switch {
	case p.form != nil:
		return &Body{Media: MultipartMedia, Fields: p.form}
	case p.file != "":
		return &Body{File: p.file}
	case len(p.data) == 0 || p.asQuery:
		return nil
	case files && len(p.data) == 1:
		return &Body{Media: media, File: p.data[0].file}
	case files:
		p.unknown = append(p.unknown, "files in a body of several parts")
	}
	return &Body{Media: media, Text: strings.TrimRight(p.joined(), " \t\r\n")}
}
