package format

import (
	"strings"

	"sonde/export"
)

// opening writes the requests that open a session.
func (w *program) opening(s *export.Session, indent string) {
	start := w.first
	for _, step := range s.Steps {
		request := strings.TrimPrefix(w.again, "reply = ") + w.send(step.Request, indent)
		if step.CreatesUser {
			w.line("%smade(%s, %s)%s", indent, w.quote(s.Name), request, w.end)
			continue
		}
		w.line("%s%s%s%s", indent, start, w.send(step.Request, indent), w.end)
		start = w.again
		w.assertions(step, indent)
	}
}

// credentialOptions returns the options that add a session's credentials to a request, as the items of a list in the
// language of the program.
func (w *program) credentialOptions(s *export.Session, indent string) string {
	r := s.Carries
	var all []string
	for _, h := range r.Headers {
		if h.Name == "Cookie" {
			all = append(all, "cookie("+w.expr(h.Value, indent)+")")
		} else {
			all = append(all, "header("+w.quote(h.Name)+", "+w.expr(h.Value, indent)+")")
		}
	}
	if r.Basic != nil {
		all = append(all, "basic("+w.expr(r.Basic, indent)+")")
	}
	if len(r.Path) > 0 {
		all = append(all, "query("+w.expr(r.Path, indent)+")")
	}
	return strings.Join(all, ", ")
}

// openingComment returns a comment on the function that opens a session.
func openingComment(s *export.Session) string {
	return "The session of the user " + strings.Join(s.Words, " ") + "."
}

// beginCalls writes the call of begin in the function that resets the service, if the script has sessions.
// yes and no are the boolean literals of the language.
func (w *program) beginCalls(s export.Script, indent, yes, no string) {
	if len(s.Sessions) > 0 {
		w.line("%sbegin(%s)%s", indent, map[bool]string{true: yes, false: no}[s.Reset != nil || s.Play.Resets()], w.end)
	}
}
