package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"sonde/assets/templates/run"
	"sonde/export"
)

// curl prints a script for POSIX shells.
func curl(s export.Script) []byte {
	w := &shell{writer: newWriter(), publicVars: publicValues(s)}
	w.line("#!/bin/sh")
	w.region("# ", "head", func() {
		file := fileOf(s, "sonde.sh", "sonde_faults.sh")
		w.remarks("# ", headLines(s, "It needs "+curlNeeds+".", "sh "+file+" [TEST...]")...)
		w.line("\n. \"$(dirname \"$0\")/sonde_helpers.sh\"\ntests=")
	})
	for _, c := range s.Cases {
		w.region("# ", c.Name, func() { w.test(c) })
	}
	w.region("# ", "run", func() { w.line("[ $# -gt 0 ] || set -- $tests\nrun \"$@\"") })
	return []byte(w.String())
}

// curlHelpers prints the helper functions of shell scripts.
func curlHelpers(s export.Script) []byte {
	w := &shell{writer: newWriter(), publicVars: publicValues(s)}
	w.region("# ", "helpers", func() {
		w.remarks("# ", "The settings and helpers that the tests of this folder share.")
		w.line("set -u\n")
		w.line("base=${SONDE_BASE_URL:-%s}", shellQuote(s.BaseURL))
		w.line("base=${base%%/}")
		w.line(`[ -n "$base" ] || { ` +
			`echo 'no service to call: set SONDE_BASE_URL to where it is, such as http://127.0.0.1:8080' >&2; exit 1; }`)
		w.tlsOptions(s)
		for _, name := range sorted(w.publicVars) {
			w.line(`[ -n "${%s:-}" ] || %s=%s`, name, name, shellQuote(w.publicVars[name]))
		}
		w.line("\n%s", run.Curl)
		if s.ShowsFaults {
			w.line("%s", run.CurlExpect)
		}
		w.reset(s)
		w.sessions(s)
	})
	return []byte(w.String())
}

// shell prints a shell script.
type shell struct {
	writer
	publicVars map[string]string // the values of environment variables that are not secret
}

// reset writes the function that resets the service before each test.
func (w *shell) reset(s export.Script) {
	w.line("# reset brings the service back to its first state.")
	if s.Reset == nil {
		w.line("reset() { :; } # none is configured\n")
		return
	}
	end := ""
	if len(s.Sessions) > 0 {
		end = "\trm -f \"$answer\"/session_* # which may have ended\n"
	}
	w.line("reset() {\n%s\tsucceeds\n%s}\n", w.send(*s.Reset), end)
}

// sessions writes the functions that open sessions.
func (w *shell) sessions(s export.Script) {
	if len(s.Sessions) > 0 {
		w.line("%s", run.CurlSessions)
	}
	for _, session := range s.Sessions {
		w.line("# %s\nopen_%s() {", openingComment(session), session.Join("_"))
		for _, step := range session.Steps {
			w.WriteString(w.send(step.Request))
			if step.CreatesUser {
				w.line("\tmade %s", session.Join("_"))
				continue
			}
			w.assertions(step)
			for _, t := range step.Captures {
				w.line("\tkeep %s \"$(%s)\" || exit 1", t.Join("_"), shCapture(t))
			}
		}
		w.line("}\n")
	}
}

func (w *shell) test(c export.TestCase) {
	w.remarks("# ", c.About...)
	w.line("%s() {", c.Name)
	if c.Skip != "" {
		w.line("\tskip %s", shellQuote(c.Skip))
	}
	w.line("\treset")
	if c.OwnSessions {
		w.line("\tapart")
	}
	for _, s := range c.UsedSessions() {
		w.line("\tsession %s", s.Join("_"))
	}
	for _, s := range c.Steps {
		w.step(s)
	}
	w.line("}\ntests=\"$tests %s\"", c.Name)
}

func (w *shell) step(s export.TestStep) {
	w.WriteByte('\n')
	if s.Pause > 0 {
		w.line("\t# %s\n\tsleep %s", export.PauseRemark, seconds(s.Pause.Seconds()))
	}
	if about := remarkOn(s); about != "" {
		w.line("\t# %s", about)
	}
	w.WriteString(w.send(s.Request))
	w.assertions(s)
	for _, t := range s.Captures {
		w.line("\t%s=$(%s) || exit 1", t.Join("_"), shCapture(t))
	}
}

// assertions writes the assertions on an answer.
func (w *shell) assertions(s export.TestStep) {
	if s.Status != 0 {
		w.line("\twant %d", s.Status)
	}
	for _, want := range s.Assertions {
		w.line("\t%s", shAssertion(want, s.Broken))
	}
	for _, k := range s.Checks {
		if len(k.Equals) == 0 {
			w.line("\tpresent %s", shPointer(k.Pointer))
		} else {
			w.line("\tequals %s %s", shPointer(k.Pointer), shellQuote(string(k.Equals)))
		}
	}
}

// shCapture returns the command that prints a captured value.
func shCapture(t *export.Capture) string {
	switch {
	case t.Pattern != "" && t.URLPlace() == "":
		return "part " + shellQuote(t.Pattern)
	case t.Pattern != "":
		return "partOf " + shPointer(t.URLPlace()) + " " + shellQuote(t.Pattern)
	case t.Kind == export.CaptureHeader:
		return "headed " + shellQuote(t.Header)
	case t.Kind != export.CaptureValue: // body or cookies
		return map[export.CaptureKind]string{export.CaptureBody: "whole", export.CaptureCookies: "cookies"}[t.Kind]
	case t.Header != "":
		return "ending " + shellQuote(t.Header)
	}
	return "field " + shPointer(t.Pointer)
}

// shAssertion returns the command for an assertion. If broken is set, it is the command for the negation,
// except for an assertion on the status.
func shAssertion(want export.Assertion, broken bool) string {
	words := []string{"expect", expectations[want.Kind]}
	if broken {
		words[0] = "broken"
	}
	switch want.Kind {
	case export.AssertStatus:
		words = []string{"statusIn"}
	case export.AssertHeader:
		words = append(words, shellQuote(want.Header))
	case export.AssertNoMatch:
	default:
		words = append(words, shPointer(want.Pointer))
	}
	for _, v := range want.Values {
		words = append(words, shellQuote(v))
	}
	if want.Capture != nil {
		words = append(words, `"$`+want.Capture.Join("_")+`"`)
	}
	return strings.Join(words, " ")
}

// send returns the command that sends a request, on several lines if it is long. The lines above it write a binary
// body to a file, and end the test if an environment variable is missing.
func (w *shell) send(r export.Request) string {
	words := []string{"send " + r.Method + " " + shParts(r.Path)}
	for _, h := range r.Headers {
		if text, ok := fixed(h.Value); ok && text == "" {
			words = append(words, "-H "+shellQuote(h.Name+";"))
			continue
		}
		words = append(words, "-H "+shParts(append([]export.TextPart{{Text: h.Name + ": "}}, h.Value...)))
	}
	if r.Basic != nil {
		words = append(words, "-u "+shParts(r.Basic))
	}
	before := ""
	if r.Body != nil {
		if text, ok := fixed(r.Body.Parts); ok && !isArgument(text) {
			before = "printf " + shBytes(text) + " >\"$answer/sent\"\n\t"
			words = append(words, `--data-binary "@$answer/sent"`)
		} else {
			words = append(words, "--data-raw "+shParts(r.Body.Parts))
		}
	}
	return w.requiredVariables(r) + "\t" + before + wrapped(words, " ", " \\\n\t\t") + "\n"
}

// requiredVariables returns lines that end the test if an environment variable of a request is not set and has no
// public value.
func (w *shell) requiredVariables(r export.Request) string {
	lines, seen := "", map[string]bool{}
	for _, p := range allParts(r) {
		if p.Variable != "" && w.publicVars[p.Variable] == "" && !seen[p.Variable] {
			seen[p.Variable] = true
			lines += fmt.Sprintf("\t: \"${%s:?no secret to send: set it in the environment, as the top of this file says}\"\n", p.Variable)
		}
	}
	return lines
}

func allParts(r export.Request) []export.TextPart {
	all := append([]export.TextPart{}, r.Path...)
	for _, h := range r.Headers {
		all = append(all, h.Value...)
	}
	all = append(all, r.Basic...)
	if r.Body != nil {
		all = append(all, r.Body.Parts...)
	}
	return all
}

// wrapped joins words into one line, with the separator between. If the line is too long or has a line break, wrapped
// uses the separator broken instead.
func wrapped(words []string, between, broken string) string {
	line := strings.Join(words, between)
	if len(line) <= 100 && !strings.Contains(line, "\n") {
		return line
	}
	return strings.Join(words, broken)
}

// shellQuote quotes a text for a shell. It drops NULs, because arguments cannot have them.
func shellQuote(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if text != "" && strings.Trim(text, "/._-+:@%,=~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" &&
		text[0] != '~' {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// shPointer quotes a JSON pointer for a shell. A pointer with a NUL is written as JSON.
func shPointer(at string) string {
	if strings.Contains(at, "\x00") {
		quoted, _ := json.Marshal(at) // a string always marshals
		at = string(quoted)
	}
	return shellQuote(at)
}

// inDoubleQuotes escapes a text for use between the double quotes of a shell, in "${NAME:-text}".
func inDoubleQuotes(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "}", `\}`).Replace(text)
}

// shParts returns parts as one shell word.
func shParts(parts []export.TextPart) string {
	return joined(merged(parts), "", shellQuote, func(p export.TextPart) string {
		switch {
		case p.Variable != "" && p.Escaping == export.EscapeNone:
			return `"$` + p.Variable + `"`
		case p.Variable != "":
			return fmt.Sprintf(`"$(%s "$(printf '%%s' "$%s" | jq -Rs .)")"`, p.Escaping, p.Variable)
		}
		return fmt.Sprintf(`"$(%s "$%s")"`, p.Escaping, p.Capture.Join("_"))
	})
}

// isArgument reports whether a text can be an argument of a command in a script: it is UTF-8 without NULs.
func isArgument(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// shBytes quotes a text as a format of printf. Bytes that are not printable and the characters \, % and ' become octal
// escapes, and so does a first "-", which would begin an option.
func shBytes(text string) string {
	var b strings.Builder
	for i, c := range []byte(text) {
		if i == 0 && c == '-' || c == '\\' || c == '%' || c == '\'' || c < ' ' || c > '~' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return "'" + b.String() + "'"
}
