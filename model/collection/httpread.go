package collection

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ParseHTTP parses a .http file of REST Client for VS Code, of JetBrains' HTTP Client or of httpYac. Requests are
// separated by lines that begin with "###". Scripts and response handlers become omissions.
func ParseHTTP(text string) (Collection, error) {
	p := httpParser{lines: splitLines(text), answers: answerVariables{}}
	for p.at < len(p.lines) {
		if err := p.block(); err != nil {
			return Collection{}, err
		}
		if len(p.out.Requests) > maxRequests {
			return Collection{}, errTooMany
		}
	}
	if len(p.out.Requests) == 0 && len(p.out.Omissions) == 0 && len(p.out.Variables) == 0 {
		return Collection{}, errNoRequest
	}
	p.out.keepLastValues()
	return p.out, nil
}

// splitLines returns the lines of a text without their ends.
func splitLines(text string) []string {
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r")
	}
	return lines
}

// httpParser parses a .http file line by line.
type httpParser struct {
	lines []string
	at    int // index of the next line
	out   Collection
	// request is the request of the current block. started reports whether its request line was read.
	request Request
	started bool
	// scripts and tests are the numbers of scripts and tests in the current block.
	scripts, tests int
	// options are directives of the current block that have no meaning here.
	options []string
	// set are the variables that scripts of the current block take from the answer, and answers those of earlier blocks,
	// with the references to the answers.
	set     map[string]string
	answers answerVariables
	// part is where the current block is, and parts are those of the requests.
	part  httpPart
	parts []httpPart
}

const separator = "###"

// block parses the lines up to the next separator.
func (p *httpParser) block() error {
	p.request, p.started, p.scripts, p.tests, p.options, p.set = Request{}, false, 0, 0, nil, map[string]string{}
	p.part = httpPart{}
	if line := p.lines[p.at]; strings.HasPrefix(line, separator) {
		p.request.Folder, p.request.Name = splitLabel(strings.TrimSpace(strings.TrimLeft(line, "#")))
		p.at++
	}
	for p.more() && !p.started {
		if err := p.preamble(); err != nil {
			return err
		}
	}
	if !p.started {
		p.omitParts(cmp.Or(p.request.Name, "the beginning"))
		return nil
	}
	if err := p.headers(); err != nil {
		return err
	}
	p.body()
	p.finish()
	return nil
}

// splitLabel splits a label into the names of folders and the name of a request.
func splitLabel(label string) (folder []string, name string) {
	parts := strings.Split(label, folderMark)
	return slices.Clip(parts[:len(parts)-1]), parts[len(parts)-1]
}

// more reports whether the block has another line.
func (p *httpParser) more() bool {
	return p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], separator)
}

var (
	fileVariable = regexp.MustCompile(`^@([^\s=]+)\s*=\s*(.*)$`)
	nameComment  = regexp.MustCompile(`^(?:#|//)\s*@name[\s=]+(\S+)`)
	userComment  = regexp.MustCompile(`^(?:#|//)\s*@user\s+(\S.*)$`)
	directive    = regexp.MustCompile(`^(?:#|//)\s*@(\S+)`)
	requestLine  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)\s+(\S.*)$`)
	protocol     = regexp.MustCompile(`\s+HTTP/[0-9.]+\s*$`)
	headerLine   = regexp.MustCompile("^([!$%'*+.^_`|~0-9A-Za-z{}-]+)\\s*:\\s*(.*)$")
)

// preamble parses a line before the request line, or the request line.
func (p *httpParser) preamble() error {
	line := strings.TrimSpace(p.lines[p.at])
	variable := fileVariable.FindStringSubmatch(line)
	switch {
	case line == "" || p.comment(line):
	case variable != nil:
		p.out.addVariable(variable[1], strings.TrimSpace(variable[2]))
	case p.script(line):
		return nil
	case strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "run "):
		p.options = append(p.options, line)
	case strings.HasPrefix(line, "curl "):
		p.part.request = p.at
		return p.curl()
	default:
		p.part.request = p.at
		return p.requestLine(line)
	}
	p.at++
	return nil
}

// comment reports whether a line is a comment, and keeps the name in it.
func (p *httpParser) comment(line string) bool {
	if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") {
		return false
	}
	name, other := nameComment.FindStringSubmatch(line), directive.FindStringSubmatch(line)
	user := userComment.FindStringSubmatch(line)
	switch {
	case name != nil:
		p.request.ID, p.part.named = name[1], true
	case user != nil:
		p.request.User = user[1]
		p.part.users = append(p.part.users, p.at)
	case other != nil:
		p.options = append(p.options, "@"+other[1])
	}
	return true
}

// script skips a script, a response handler or a test that begins at the current line. It returns false if
// the line begins none of them.
func (p *httpParser) script(line string) bool {
	switch {
	case strings.HasPrefix(line, "< {%") || strings.HasPrefix(line, "> {%"):
		from := p.at
		p.skipTo("%}")
		if !p.captures(strings.Join(p.lines[from:p.at], "\n")) {
			p.scripts++
		}
	case line == "{{" || strings.HasPrefix(line, "{{@"):
		p.scripts++
		p.skipTo("}}")
	case strings.HasPrefix(line, "?? "):
		p.tests++
		p.at++
	case strings.HasPrefix(line, "<> "):
		p.at++ // a stored answer
	case strings.HasPrefix(line, ">>"):
		p.options = append(p.options, "saves its answer")
		p.at++
	case strings.HasPrefix(line, "> ") && p.started, strings.HasPrefix(line, "< ") && !p.started:
		p.scripts++
		p.at++
	default:
		return false
	}
	return true
}

var (
	// capture matches the statement by which JetBrains' scripts set a variable to a value of the answer.
	capture = regexp.MustCompile(
		`client\.global\.set\(\s*["']([A-Za-z_]\w*)["']\s*,\s*response\.body` + valuePath + `\s*\)\s*;?`,
	)
	// headerCapture matches the statement that sets a variable to the last segment of the path in a header.
	headerCapture = regexp.MustCompile(
		`client\.global\.set\(\s*["']([A-Za-z_]\w*)["']\s*,\s*` +
			`response\.headers\.valueOf\(\s*["']([A-Za-z0-9-]+)["']\s*\)\.split\(["']/["']\)\.pop\(\)\s*\)\s*;?`,
	)
	scriptFrame = regexp.MustCompile(`^\s*> \{%|%\}`)
)

// maxCapture is the maximum length of the path of a value that a script takes from the answer.
const maxCapture = 200

// captures keeps the variables that a script takes from the answer. It reports whether the script does nothing else.
func (p *httpParser) captures(script string) bool {
	for _, m := range headerCapture.FindAllStringSubmatch(script, -1) {
		p.request.Captures = append(p.request.Captures, Capture{Variable: m[1], Header: m[2]})
	}
	script = headerCapture.ReplaceAllString(script, "")
	for _, m := range capture.FindAllStringSubmatch(script, -1) {
		if len(m[2]) > maxCapture {
			return false
		}
		p.set[m[1]] = m[2]
	}
	return strings.TrimSpace(scriptFrame.ReplaceAllString(capture.ReplaceAllString(script, ""), "")) == ""
}

// skipTo skips lines up to and including the one that has a text.
func (p *httpParser) skipTo(end string) {
	for p.more() {
		p.at++
		if strings.Contains(p.lines[p.at-1], end) {
			return
		}
	}
}

// curl parses a curl command in place of a request.
func (p *httpParser) curl() error {
	from := p.at
	for p.more() && strings.TrimSpace(p.lines[p.at]) != "" {
		p.at++
	}
	made, err := ParseCurl(strings.Join(p.lines[from:p.at], "\n"))
	if err != nil {
		return &LineError{Line: from + 1, Err: err}
	}
	own := p.request
	p.request, p.started = made.Requests[0], true
	p.request.Folder, p.request.ID, p.request.User = own.Folder, own.ID, own.User
	p.request.Name = cmp.Or(own.Name, p.request.Name)
	p.out.Omissions = append(p.out.Omissions, made.Omissions...)
	return nil
}

// otherMethods are words in the place of a method for requests of other protocols.
var otherMethods = map[string]OmissionKind{
	"GRAPHQL":   OmittedGraphQL,
	"WEBSOCKET": OmittedWebSocket,
	"WS":        OmittedWebSocket,
	"WSS":       OmittedWebSocket,
	"GRPC":      OmittedGRPC,
	"RSOCKET":   OmittedRequest,
	"MQTT":      OmittedRequest,
	"AMQP":      OmittedRequest,
	"SSE":       OmittedRequest,
}

// requestLine parses the line with the method and the URL, and the lines that continue the URL.
func (p *httpParser) requestLine(line string) error {
	p.request.Method, p.request.URL = "GET", line
	if m := requestLine.FindStringSubmatch(line); m != nil {
		p.request.Method, p.request.URL = strings.ToUpper(m[1]), m[2]
	}
	first := p.at + 1
	p.at++
	for p.more() && continuesURL(p.lines[p.at]) {
		if text := strings.TrimSpace(p.lines[p.at]); !isComment(text) {
			p.request.URL += text
		} else {
			p.part.comments = append(p.part.comments, p.lines[p.at])
		}
		p.at++
	}
	p.request.URL = strings.TrimSpace(protocol.ReplaceAllString(p.request.URL, ""))
	if !looksLikeURL(p.request.URL) {
		return &LineError{Line: first, Err: fmt.Errorf("%q is no request: write METHOD URL", excerpt(line))}
	}
	p.started = true
	return nil
}

// looksLikeURL reports whether a text begins as a URL does: with a scheme, a host, a path or a variable.
func looksLikeURL(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "{{") || schemeStart.MatchString(text) ||
		hostStart.MatchString(text) || text == "*"
}

// schemeStart matches the scheme of a URL.
var schemeStart = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// hostStart matches a host with a port, a path or a dot at the beginning of a text.
var hostStart = regexp.MustCompile(`^(localhost|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+|\[[0-9A-Fa-f:.]+\])?(:([0-9]+|\{\{[^{}]+\}\}))?([/?#]|$)`)

func isComment(text string) bool {
	return strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//")
}

// continuesURL reports whether a line after the request line continues the URL: it is indented, or begins with "?" or
// "&".
func continuesURL(line string) bool {
	text := strings.TrimSpace(line)
	switch {
	case text == "" || strings.HasPrefix(text, "??"):
		return false
	case strings.HasPrefix(text, "?") || strings.HasPrefix(text, "&"):
		return true
	}
	return (line[0] == ' ' || line[0] == '\t') && !headerLine.MatchString(text)
}

// headers parses the headers, up to an empty line.
func (p *httpParser) headers() error {
	for p.more() {
		line, from := strings.TrimSpace(p.lines[p.at]), p.at
		h := headerLine.FindStringSubmatch(line)
		switch {
		case line == "":
			p.at++
			return nil
		case p.script(line):
			p.part.keepScript(p.lines[from:p.at])
			continue
		case p.comment(line):
			p.part.comments = append(p.part.comments, p.lines[from])
		case h != nil:
			p.request.Headers = append(p.request.Headers, Field{Name: h[1], Value: h[2]})
		default:
			return &LineError{Line: p.at + 1, Err: fmt.Errorf("%q is no header: write an empty line before the body", excerpt(line))}
		}
		p.at++
	}
	return nil
}

// excerpt returns the beginning of a text.
func excerpt(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// body parses the lines after the headers.
func (p *httpParser) body() {
	var lines []string
	multipart := isMedia(p.request.Header("Content-Type"), MultipartMedia)
	for p.more() {
		line, from := strings.TrimSpace(p.lines[p.at]), p.at
		if p.script(line) {
			p.part.keepScript(p.lines[from:p.at])
			continue
		}
		lines = append(lines, p.lines[p.at])
		p.at++
	}
	text := strings.TrimRight(strings.Join(lines, "\n"), " \t\r\n")
	switch {
	case strings.TrimSpace(text) == "":
	case multipart:
		p.multipart(text)
	default:
		p.textBody(text)
	}
}

// bodyFile matches a line that names a file with a body. "@" before the file means that variables in it are replaced,
// and an encoding may follow.
var bodyFile = regexp.MustCompile(`^<(@\S*)?[ \t]+(\S.*)$`)

// textBody sets a body that is a text, or a file.
func (p *httpParser) textBody(text string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if m := bodyFile.FindStringSubmatch(first); m != nil {
		p.request.setBody(Body{File: strings.TrimSpace(m[2])})
		p.omitFileOption(m[1])
		if strings.TrimSpace(rest) != "" {
			p.out.omit(OmittedOption, p.request.Label(), "the text after the file of the body")
		}
		return
	}
	p.request.setBody(Body{Text: text})
}

// omitFileOption adds to the omissions that variables in the file of the body stay, and that its bytes are sent as they are.
func (p *httpParser) omitFileOption(option string) {
	if option != "" {
		p.out.omit(OmittedOption, p.request.Label(), "<"+option+", as the file is sent as it is")
	}
}

var boundaryParam = regexp.MustCompile(`(?i)boundary\s*=\s*"?([^";\s]+)`)

// multipart sets a body of several parts. A body that is no form stays a text.
func (p *httpParser) multipart(text string) {
	m := boundaryParam.FindStringSubmatch(p.request.Header("Content-Type"))
	if m == nil {
		p.request.setBody(Body{Text: text})
		return
	}
	var fields []Field
	part, ended := []string(nil), false
	for i, line := range strings.Split(text, "\n") {
		plain := strings.TrimSpace(line)
		if plain != "--"+m[1] && plain != "--"+m[1]+"--" {
			part = append(part, line)
			continue
		}
		if f, ok := parsePart(part); ok && i > 0 {
			fields = append(fields, f)
		}
		part = nil
		if ended = strings.HasSuffix(plain, "--") && plain != "--"+m[1]; ended {
			break
		}
	}
	if f, ok := parsePart(part); ok && !ended {
		fields = append(fields, f)
	}
	if fields == nil {
		p.request.setBody(Body{Text: text})
		return
	}
	p.request.setBody(Body{Fields: fields})
}

// partName matches the name of a part of a form.
var partName = regexp.MustCompile(`(?i)[;\s]name\s*=\s*"([^"]*)"`)

// parsePart parses a part of a form: its headers, an empty line, and a text or the line that names a file.
func parsePart(lines []string) (Field, bool) {
	var f Field
	for i, line := range lines {
		h := headerLine.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case h != nil && strings.EqualFold(h[1], "Content-Disposition"):
			if m := partName.FindStringSubmatch(h[2]); m != nil {
				f.Name = m[1]
			}
		case h != nil && strings.EqualFold(h[1], "Content-Type"):
			f.Media = h[2]
		case strings.TrimSpace(line) == "":
			text := strings.TrimRight(strings.Join(lines[i+1:], "\n"), "\r\n")
			if m := bodyFile.FindStringSubmatch(strings.TrimSpace(text)); m != nil && !strings.Contains(m[2], "\n") {
				f.File = strings.TrimSpace(m[2])
			} else {
				f.Value = text
			}
			return f, f.Name != ""
		}
	}
	return f, false
}

// finish adds the request of the block, and what the block has besides.
func (p *httpParser) finish() {
	r := p.request
	p.answers.use(&r, p.set, len(p.out.Requests)+1)
	r.Name = cmp.Or(r.Name, r.ID)
	p.omitParts(r.Label())
	kind, other := otherMethods[r.Method]
	switch {
	case other:
		p.out.omit(kind, r.Label(), r.Method)
	case strings.EqualFold(r.Header("X-Request-Type"), "GraphQL"):
		p.out.omit(OmittedGraphQL, r.Label(), "")
	case strings.HasPrefix(r.URL, "ws://"), strings.HasPrefix(r.URL, "wss://"):
		p.out.omit(OmittedWebSocket, r.Label(), "")
	default:
		p.out.Requests = append(p.out.Requests, r)
		p.part.end = p.at
		p.parts = append(p.parts, p.part)
	}
}

// ignored are directives that change only how a tool shows or sends a request.
var ignored = []string{"@no-log", "@no-cookie-jar", "@no-redirect", "@no-auto-encoding", "@note", "@title", "@description"}

// omitParts adds the scripts, tests and directives of the block to the omissions.
func (p *httpParser) omitParts(label string) {
	for range p.scripts {
		p.out.omit(OmittedScript, label, "")
	}
	for range p.tests {
		p.out.omit(OmittedTest, label, "")
	}
	for _, o := range p.options {
		if !slices.Contains(ignored, o) {
			p.out.omit(OmittedOption, label, o)
		}
	}
}
