package export

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// packageComment says what the file is, how to run it and what it left out.
func (s Suite) packageComment() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package apitest calls %s and checks its answers.\n//\n", cmp.Or(remark(s.Title, 60), "an API"))
	b.WriteString("// Sonde wrote it; it is yours to change. Start the service, then run\n//\n//\tgo test " + FileName + "\n//\n")
	b.WriteString("// SONDE_BASE_URL says where the service is.\n")
	for _, u := range s.callers() {
		if u.Public == "" {
			fmt.Fprintf(&b, "// Set %s to the header %s of the user %s.\n", remark(u.Env, 60), remark(u.Header, 60), remark(u.Name, 60))
		}
	}
	if command := remark(loginInURL.ReplaceAllString(s.Command, "//"), 2000); command != "" {
		fmt.Fprintf(&b, "//\n// This makes it again:\n//\n//\t$ %s\n", command)
	}
	if out := s.leftOut(); len(out) > 0 {
		fmt.Fprintf(&b, "//\n// Left out, because they have not been run: %s.\n", strings.Join(out, ", "))
	}
	return b.String() + "package apitest\n\n"
}

// loginInURL is the user and password of a URL, which are nobody else's business.
var loginInURL = regexp.MustCompile(`//[^/@\s]*@`)

// leftOut returns the first tests without a reached call.
func (s Suite) leftOut() []string {
	var all []string
	for _, t := range s.Tests {
		if last(t) < 0 {
			all = append(all, remark(t.ID, 40))
		}
	}
	if more := len(all) - 5; more > 0 {
		all = append(all[:5], fmt.Sprintf("and %d more", more))
	}
	return all
}

// settings declares what a person may want to change.
func (s Suite) settings() string {
	base := quoted(loginInURL.ReplaceAllString(s.BaseURL, "//"))
	return "\n// defaultURL is where the service is, unless SONDE_BASE_URL is set.\nconst defaultURL = " + base + "\n" +
		s.credentials() + s.reset()
}

func (s Suite) credentials() string {
	users := s.callers()
	if len(users) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n// credentials are the headers that prove who calls.\nvar credentials = map[string]credential{\n")
	for _, u := range users {
		fmt.Fprintf(&b, "\t%s: {header: %s, env: %s", quoted(u.Name), quoted(u.Header), quoted(u.Env))
		if u.Public != "" {
			fmt.Fprintf(&b, ", public: %s", quoted(u.Public))
		}
		b.WriteString("},\n")
	}
	return b.String() + "}\n"
}

func (s Suite) reset() string {
	if s.Reset == nil {
		return ""
	}
	path := "/" + strings.TrimPrefix(s.Reset.Path, "/")
	return "\n// reset brings the service back to its first state.\nfunc reset(t *testing.T) {\n\tt.Helper()\n" +
		"\tcall(t, " + quoted(s.Reset.Method) + ", " + quoted(path) + ").wantSuccess()\n}\n"
}
