package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
)

// CurlScript returns the calls that show a fault as curl commands for POSIX shells. It ignores the tests of the suite.
// Commands take values from earlier answers with jq. Credentials are environment variables. Lines above the commands
// declare what the commands need, such as the base URL. Comments name the rows and stubs of the fault, which the
// commands do not arrange. For a single call, the result is often a single line. If the calls were not kept,
// CurlScript returns an error.
func CurlScript(s export.Suite, f model.Fault) (string, error) {
	if f.Test == nil {
		return "", fmt.Errorf("the calls that show fault %s were not kept", f.ID)
	}
	s.Tests = []model.Test{withAllSent(*f.Test)}
	script, err := s.Script(export.LoginByVariable)
	if err != nil {
		return "", fmt.Errorf("fault %s: %w", f.ID, err)
	}
	r := reproduction{script: script, steps: script.Cases[0].Steps, writer: newWriter()}
	r.write(f.Test.Rows, f.Test.Stubs)
	return strings.TrimSpace(r.String()), nil
}

// withAllSent returns a copy of a test without rows, stubs, checks and the assertions of a recording. Each of its calls has
// a status, so that calls that got no answer are sent, too.
func withAllSent(t model.Test) model.Test {
	t.Calls = slices.Clone(t.Calls)
	for i := range t.Calls {
		if t.Calls[i].Status == 0 {
			t.Calls[i].Status = 500
		}
	}
	t.Rows, t.Stubs, t.Checks, t.Mock = nil, nil, nil, nil
	return t
}

// reproduction prints the commands for a fault.
type reproduction struct {
	writer
	script export.Script
	steps  []export.TestStep
	named  bool // the base URL is a variable
}

func (r *reproduction) write(rows []model.Row, stubs []model.Stub) {
	for _, row := range rows {
		r.line("# with a row in the database of the service: %s", model.Printable(row.InsertStatement(), maxRowText))
	}
	for _, stub := range stubs {
		r.line("# while %s misbehaves as it did in the run, which this cannot do", commentText(stub.Host))
	}
	for _, v := range r.script.Secrets {
		r.line("# Set %s to %s.", v.Name, commentText(v.About))
	}
	r.named = len(r.steps) > 1 || r.script.BaseURL == ""
	if r.named {
		r.base()
	}
	r.helpers()
	for i, step := range r.steps {
		if step.Pause > 0 {
			r.line("# %s\nsleep %s", export.PauseRemark, seconds(step.Pause.Seconds()))
		}
		if len(r.steps) > 1 {
			r.line("# %d. %s", i+1, commentText(string(step.Op)))
		}
		command := r.command(step)
		if len(step.Captures) == 0 {
			r.line("%s", command)
			continue
		}
		r.line("answer=$(%s | tr -d '\\r')", command)
		for _, t := range step.Captures {
			r.line("%s=$(%s)", t.Join("_"), captureCommand(t))
		}
	}
}

// base writes the declaration of the service's URL, which SONDE_BASE_URL overrides.
func (r *reproduction) base() {
	if r.script.BaseURL == "" {
		r.line(`base=${SONDE_BASE_URL:?set it to where the service is, such as http://127.0.0.1:8080}`)
		return
	}
	r.line("base=${SONDE_BASE_URL:-%s}", shellQuote(r.script.BaseURL))
}

// maxRowText is the maximum length in bytes of the statement that inserts a row, in a comment.
const maxRowText = 2000

// commentText returns a text as one line for a comment.
func commentText(text string) string { return model.Printable(text, 200) }

// The shell functions that print a JSON value as a text, and escaped for a URL.
const (
	textHelper = `text() { printf '%s' "$1" | jq -r 'if type == "string" then . else tojson end'; }`
	uriHelper  = `uri() { printf '%s' "$1" | jq -r 'if type == "string" then . else tojson end | @uri'; }`
)

// helpers writes the shell functions that the commands use.
func (r *reproduction) helpers() {
	for _, h := range [][2]string{{"$(text ", textHelper}, {"$(uri ", uriHelper}} {
		if slices.ContainsFunc(r.steps, func(s export.TestStep) bool { return strings.Contains(r.command(s), h[0]) }) {
			r.line("%s", h[1])
		}
	}
}

// command returns the curl command that sends a request.
func (r *reproduction) command(step export.TestStep) string {
	words := []string{"curl", "-sS", "-i"}
	if r.script.Insecure {
		words = append(words, "-k")
	}
	path := literalText(step.Path)
	if strings.ContainsAny(path, "[]{}") { // curl reads these as patterns of several URLs
		words = append(words, "-g")
	}
	if strings.Contains(path, "/.") {
		words = append(words, "--path-as-is")
	}
	switch {
	case step.Method == "HEAD":
		words = append(words, "--head")
	case step.Method != "GET" || step.Body != nil:
		words = append(words, "-X "+shellQuote(step.Method))
	}
	if r.named {
		words = append(words, `"$base"`+shellWord(step.Path))
	} else {
		words = append(words, shellWord(append([]export.TextPart{{Text: r.script.BaseURL}}, step.Path...)))
	}
	for _, h := range step.Headers {
		if text, ok := fixed(h.Value); ok && text == "" {
			words = append(words, "-H "+shellQuote(h.Name+";"))
			continue
		}
		words = append(words, "-H "+shellWord(append([]export.TextPart{{Text: h.Name + ": "}}, h.Value...)))
	}
	if step.Basic != nil {
		words = append(words, "-u "+shellWord(step.Basic))
	}
	if step.Body != nil {
		text, ok := fixed(step.Body.Parts)
		if ok && !isArgument(text) {
			return "printf " + shBytes(text) + " | " + strings.Join(append(words, "--data-binary @-"), " ")
		}
		if ok && step.Body.JSON {
			words = append(words, "--data-raw "+shellQuote(compact(text)))
		} else {
			words = append(words, "--data-raw "+shellWord(step.Body.Parts))
		}
	}
	return strings.Join(words, " ")
}

// compact returns JSON on one line. It returns other text unchanged.
func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// literalText returns the literal text of parts, without the values of variables and captures.
func literalText(parts []export.TextPart) string {
	text := ""
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// shellWord returns parts as one shell word.
func shellWord(parts []export.TextPart) string {
	return joined(merged(parts), "", shellQuote, func(p export.TextPart) string {
		switch {
		case p.Variable != "" && p.Escaping == export.EscapeNone:
			return `"$` + p.Variable + `"`
		case p.Variable != "" && p.Escaping == export.EscapeJSON:
			return `"$(printf '%s' "$` + p.Variable + `" | jq -Rs .)"`
		case p.Variable != "":
			return `"$(printf '%s' "$` + p.Variable + `" | jq -Rr @uri)"`
		case p.Escaping == export.EscapeJSON:
			return `"$` + p.Capture.Join("_") + `"`
		case p.Capture.Header == "" && slices.Contains(inURLs, p.Escaping):
			return `"$(uri "$` + p.Capture.Join("_") + `")"`
		}
		return `"$(text "$` + p.Capture.Join("_") + `")"`
	})
}

// inURLs are the escapings for URLs and forms.
var inURLs = []export.Escaping{export.EscapePath, export.EscapeQuery, export.EscapeForm}

// captureCommand returns the command that prints a captured value.
func captureCommand(t *export.Capture) string {
	if t.Pattern != "" {
		return partCommand(t)
	}
	if t.Header != "" {
		name := strings.ToLower(t.Header)
		return fmt.Sprintf(
			`printf '%%s\n' "$answer" | awk 'tolower($1) == "%s:" { print $2; exit }' | sed 's|[?#].*||; s|/*$||; s|.*/||' | jq -R .`,
			headerName(name),
		)
	}
	return `printf '%s\n' "$answer" | sed '1,/^$/d' | jq -c ` + shellQuote(jqPath(t.Pointer))
}

// partCommand returns the command that prints what the pattern of a captured value matches. It does not
// decode the match.
func partCommand(t *export.Capture) string {
	match := shellQuote("match(" + jqText(t.Pattern) + ").captures[0].string")
	switch {
	case t.Header != "":
		return `printf '%s\n' "$answer" | sed -n '1,/^$/p' | grep -i ` + shellQuote("^"+headerName(strings.ToLower(t.Header))+":") +
			` | sed 's/^[^:]*: *//' | jq -R ` + match
	case t.Pointer != "":
		return `printf '%s\n' "$answer" | sed '1,/^$/d' | jq -c ` + shellQuote(jqPath(t.Pointer)) + ` | jq ` + match
	}
	return `printf '%s\n' "$answer" | sed '1,/^$/d' | jq -Rs ` + match
}

// jqText returns a text as a string of jq.
func jqText(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}

// headerName removes all characters of a lower-case header name except letters, digits, "-" and "_". Others may have a
// meaning in a string of awk or a pattern of grep.
func headerName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", r) {
			return r
		}
		return -1
	}, name)
}

// jqPath returns a JSON pointer as a jq path.
func jqPath(place string) string {
	if place == model.WholeBody || place == "" {
		return "."
	}
	path := ""
	for token := range strings.SplitSeq(strings.TrimPrefix(place, "/"), "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch {
		case index.MatchString(token):
			path += "[" + token + "]"
		case jqName.MatchString(token):
			path += "." + token
		default:
			quoted, _ := json.Marshal(token) // a string always marshals
			path += "[" + string(quoted) + "]"
		}
	}
	if !strings.HasPrefix(path, ".") {
		path = "." + path
	}
	return path
}

// jqName matches a name that needs no quotes in a jq path.
var jqName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
