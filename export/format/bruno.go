package format

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sonde/export"
)

// brunoHead is the file bruno.json, which makes a folder a collection of Bruno. Generator says that Sonde wrote the
// collection.
type brunoHead struct {
	Version   string `json:"version"`
	Name      string `json:"name"`
	Type      string `json:"type"`
	Generator string `json:"generator"`
}

// bruno prints the head of a collection.
func bruno(s export.Script) []byte {
	return indented(brunoHead{Version: "1", Name: s.Title, Type: "collection", Generator: "sonde"})
}

// mergeBruno returns the new head of a collection. It returns false if Sonde did not write the old one.
func mergeBruno(old, text string, _ ...string) (string, bool) {
	var head brunoHead
	ours := json.Unmarshal([]byte(old), &head) == nil && head.Generator == "sonde"
	return text, ours
}

// brunoFiles returns the other files of a collection: its settings, and a folder for each case with a file for each
// request.
func brunoFiles(s export.Script, dir string) []export.OutputFile {
	w := brunoWriter{script: s, public: publicValues(s), dir: dir}
	w.add("collection.bru", w.settings())
	all := openingCase(s)
	all.Steps = brunoSteps(all.Steps)
	if first := brunoSteps(openingSteps(s)); len(first) > 0 {
		w.folder(all.Name, []string{"The users log in, once for all tests."}, 0)
		w.steps(all.Name, all, first)
	}
	again := reopeningSteps(s)
	for i, c := range s.Cases {
		c.Steps = brunoSteps(c.Steps)
		w.folder(c.Name, c.About, i+1)
		w.count = 0
		if s.Reset != nil {
			script := brunoAnswers.test(
				`"it is reset"`, "res.getStatus() >= 200 && res.getStatus() < 300", wantedValue{equals: "true"}, false,
			)
			w.request(c.Name, "reset", export.TestStep{Request: *s.Reset}, []string{script})
		}
		w.steps(c.Name, all, brunoSteps(again[i]))
		w.steps(c.Name, c, c.Steps)
	}
	return w.files
}

// brunoSteps returns steps in which the parts of a form are the values of its fields, because Bruno fills variables only
// in the fields of a form, and escapes them.
func brunoSteps(steps []export.TestStep) []export.TestStep {
	steps = slices.Clone(steps)
	for i, s := range steps {
		if s.Body == nil || s.Body.Form == nil {
			continue
		}
		body := *s.Body
		body.Parts = nil
		for _, f := range body.Form {
			body.Parts = append(body.Parts, f.Value...)
		}
		steps[i].Body = &body
	}
	return steps
}

// brunoWriter prints the files of a collection.
type brunoWriter struct {
	script export.Script
	public map[string]string
	dir    string
	files  []export.OutputFile
	count  int // number of requests in the current folder
}

func (w *brunoWriter) add(name, text string) {
	w.files = append(w.files, export.OutputFile{Name: path.Join(w.dir, name), Text: []byte(text)})
}

// settings returns the settings of the collection: its variables, and how to run it.
func (w *brunoWriter) settings() string {
	command := "bru run -r --disable-cookies --env-var base_url=http://127.0.0.1:8080" + options(w.script.TLS, "--cacert", "", "")
	if w.script.Insecure {
		command += " --insecure"
	}
	variables := "base_url: " + w.script.BaseURL
	for _, v := range w.script.Secrets {
		if v.Default != "" {
			variables += "\n" + v.Name + ": " + v.Default
		}
	}
	needs := "It needs " + brunoNeeds + ". The variable base_url is the service's URL."
	lines := headLines(w.script, needs, "cd "+w.dir+" && "+command)
	return bruBlock("vars:pre-request", variables) + "\n" + bruBlock("docs", strings.Join(lines, "\n"))
}

// bruBlock returns a block of a .bru file.
func bruBlock(name, text string) string {
	var b strings.Builder
	b.WriteString(name + " {\n")
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			line = "  " + line
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// folder writes the settings of a folder. place is its place among the others.
func (w *brunoWriter) folder(name string, about []string, place int) {
	text := bruBlock("meta", fmt.Sprintf("name: %s\nseq: %d", name, place+1))
	if len(about) > 0 {
		text += "\n" + bruBlock("docs", strings.Join(about, "\n"))
	}
	w.add(path.Join(name, "folder.bru"), text)
}

// steps writes steps of a case into a folder.
func (w *brunoWriter) steps(folder string, c export.TestCase, steps []export.TestStep) {
	for _, step := range steps {
		w.request(folder, string(step.Op), step, answerScript(brunoAnswers, c, step))
	}
}

// notInName matches characters that names of files do not get.
var notInName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// request writes the file of a request.
func (w *brunoWriter) request(folder, name string, s export.TestStep, script []string) {
	w.count++
	const longest = 50
	short := notInName.ReplaceAllString(name, "-")
	short = strings.Trim(short[:min(len(short), longest)], "-")
	w.add(path.Join(folder, fmt.Sprintf("%02d-%s.bru", w.count, short)), w.requestText(name, s, script))
}

// requestText returns a .bru file.
func (w *brunoWriter) requestText(name string, s export.TestStep, script []string) string {
	base, body := "{{base_url}}", "none"
	if s.GoesToOtherHost() {
		base = ""
	}
	switch {
	case s.Body != nil && s.Body.Form != nil:
		body = "formUrlEncoded"
	case hasText(s.Body):
		body = "text"
	}
	blocks := []string{
		bruBlock("meta", fmt.Sprintf("name: %s\ntype: http\nseq: %d", oneLine(name), w.count)),
		bruBlock(strings.ToLower(s.Method), "url: "+base+w.parts(s.Path)+"\nbody: "+body+"\nauth: "+brunoAuth(s.Request)),
		bruBlock("headers", w.headers(s.Request)),
	}
	if s.Basic != nil {
		user, password, _ := strings.Cut(w.parts(s.Basic), ":")
		blocks = append(blocks, bruBlock("auth:basic", "username: "+user+"\npassword: "+password))
	}
	switch body {
	case "text":
		blocks = append(blocks, bruBlock("body:text", w.parts(s.Body.Parts)))
	case "formUrlEncoded":
		blocks = append(blocks, bruBlock("body:form-urlencoded", w.fields(s.Body.Form)))
	}
	before := secretScript(s.Request, w.secret)
	if s.Pause > 0 {
		before = append(before, fmt.Sprintf("await bru.sleep(%d);", s.Pause.Milliseconds()))
	}
	if len(before) > 0 {
		blocks = append(blocks, bruBlock("script:pre-request", strings.Join(before, "\n")))
	}
	if text := strings.Join(script, "\n"); strings.TrimSpace(text) != "" {
		blocks = append(blocks, bruBlock("tests", text))
	}
	blocks = append(blocks, bruBlock("settings", "encodeUrl: false\nfollowRedirects: false\nmaxRedirects: 0"))
	return strings.Join(blocks, "\n")
}

func brunoAuth(r export.Request) string {
	if r.Basic != nil {
		return "basic"
	}
	return "none"
}

// fields returns the lines of the fields of a form.
func (w *brunoWriter) fields(form []export.MessageField) string {
	var lines []string
	for _, f := range form {
		lines = append(lines, bruKey(f.Name)+": "+w.parts(f.Value))
	}
	return strings.Join(lines, "\n")
}

// bruKey returns a name before a colon, in quotes if it has other characters than those of words.
func bruKey(name string) string {
	if plainKey.MatchString(name) {
		return name
	}
	return `"` + name + `"`
}

// plainKey matches a name that needs no quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// headers returns the lines of the headers.
func (w *brunoWriter) headers(r export.Request) string {
	var lines []string
	hasConnection := false
	for _, h := range r.Headers {
		hasConnection = hasConnection || strings.EqualFold(h.Name, "Connection")
		lines = append(lines, bruKey(h.Name)+": "+w.parts(h.Value))
	}
	if !hasConnection {
		lines = append(lines, "Connection: close") // the service may close an idle connection without notice
	}
	return strings.Join(lines, "\n")
}

// parts returns parts as one text. Bruno itself reads environment variables.
func (w *brunoWriter) parts(parts []export.TextPart) string {
	return joined(parts, "", unchanged, func(p export.TextPart) string {
		_, isPublic := w.public[p.Variable]
		if p.Variable != "" && p.Escaping == export.EscapeNone && !isPublic {
			return "{{process.env." + p.Variable + "}}"
		}
		return "{{" + scriptVariable(p) + "}}"
	})
}

// secret returns the statement that sets a variable to an escaped value of an environment variable.
func (w *brunoWriter) secret(name, escape, variable string) string {
	value := fmt.Sprintf("bru.getProcessEnv(%q)", variable)
	if text, isPublic := w.public[variable]; isPublic {
		value = newProgram(javaScript("", ""), export.Script{}).quote(text)
	}
	return fmt.Sprintf("bru.setVar(%q, %s(%s));", name, escape, value)
}

// brunoAnswers is how a script of Bruno sees an answer.
var brunoAnswers = answerAPI{
	status:     "res.getStatus()",
	text:       `(typeof res.getBody() === "string" ? res.getBody() : JSON.stringify(res.getBody()))`,
	json:       `(typeof res.getBody() === "string" ? JSON.parse(res.getBody()) : res.getBody())`,
	setCookies: `[].concat(res.getHeader("set-cookie") || [])`,
	header:     func(name string) string { return "res.getHeader(" + strings.ToLower(name) + ")" },
	get:        func(name string) string { return "bru.getVar(" + name + ")" },
	set:        func(name, value string) string { return "bru.setVar(" + name + ", " + value + ");" },
	test: func(title, value string, want wantedValue, _ bool) string {
		return "test(" + title + ", function () { " + want.chai(value) + "; });"
	},
}

// bruMethods are the methods of requests that a .bru file can have.
var bruMethods = regexp.MustCompile(`^(GET|POST|PUT|DELETE|PATCH|OPTIONS|HEAD|CONNECT|TRACE)$`)

// whyNotInBruno returns the reason why a collection of Bruno cannot express a case, "" if it can.
func whyNotInBruno(c export.TestCase) string {
	if c.Skip != "" {
		return "Bruno cannot skip a test: its requests would be sent"
	}
	if why := whyNotInPostman(c); why != "" {
		return strings.Replace(why, "Postman reads", "Bruno reads", 1)
	}
	for _, s := range c.Steps {
		if !bruMethods.MatchString(s.Method) {
			return "Bruno has no method " + s.Method
		}
		if s.Body == nil {
			continue
		}
		if why := whyNoTextBody(s.Body); why != "" {
			return why
		}
		text, ok := fixed(s.Body.Parts)
		if !ok && s.Body.Form == nil && strings.HasPrefix(s.Body.Media, "application/x-www-form-urlencoded") {
			return "Bruno fills no variables in the text of a form"
		}
		if s.Body.JSON && ok && text != "" && !json.Valid([]byte(text)) {
			return "Bruno changes a body that should be JSON and is not"
		}
	}
	return ""
}
