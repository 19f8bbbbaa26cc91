package format

import (
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// oneCall returns a case of one request.
func oneCall(r export.Request) export.TestCase {
	return export.TestCase{Name: "Case", Steps: []export.TestStep{{Request: r, Status: 200}}}
}

func literal(text string) []export.TextPart { return []export.TextPart{{Text: text}} }

func queries(names ...string) []export.Parameter {
	var all []export.Parameter
	for _, name := range names {
		all = append(all, export.Parameter{In: model.InQuery, Name: name})
	}
	return all
}

// If a format cannot express a case, there is a reason. Other cases have none.
func TestRefusedCases(t *testing.T) {
	cookies := &export.Capture{Kind: export.CaptureCookies, Words: []string{"ann", "cookies"}}
	loggedIn := oneCall(export.Request{Method: "POST", Path: literal("/login")})
	loggedIn.Steps[0].Captures = []*export.Capture{cookies}
	anonymous := loggedIn
	anonymous.Steps = append(anonymous.Steps[:1:1], export.TestStep{Request: export.Request{Method: "GET", Path: literal("/a")}})
	skipped := oneCall(export.Request{Method: "GET", Path: literal("/a")})
	skipped.Skip = "a fault"
	located := oneCall(export.Request{Method: "POST", Path: literal("/a")})
	located.Steps[0].Captures = []*export.Capture{{Header: "Location"}}
	parted := oneCall(export.Request{Method: "POST", Path: literal("/a")})
	parted.Steps[0].Captures = []*export.Capture{{Pattern: "<id>(.*?)<"}}
	body := &export.RequestBody{Parts: literal("\xff")}
	lines := func(text string) *export.RequestBody { return &export.RequestBody{Parts: literal(text)} }
	comma := []export.MessageField{{Name: "A", Value: literal("b,")}}
	brokenJSON := &export.RequestBody{Parts: literal("{"), JSON: true}
	for name, c := range map[string]struct {
		refuse func(export.TestCase) string
		test   export.TestCase
		want   string // part of the reason, "" for none
	}{
		"fetch: plain":        {whyNotInNode, oneCall(export.Request{Method: "GET", Path: literal("/a/...b")}), ""},
		"fetch: body of GET":  {whyNotInNode, oneCall(export.Request{Method: "GET", Path: literal("/a"), Body: body}), "no body"},
		"fetch: TRACE":        {whyNotInNode, oneCall(export.Request{Method: "TRACE", Path: literal("/a")}), "no TRACE"},
		"fetch: dots":         {whyNotInNode, oneCall(export.Request{Method: "GET", Path: literal("/a/%2e./b")}), "dots"},
		"REST: plain":         {whyNotInJava, oneCall(export.Request{Path: literal("/a/b"), Params: queries("q", "q", "r")}), ""},
		"REST: slashes":       {whyNotInJava, oneCall(export.Request{Path: literal("/a//b")}), "//"},
		"REST: no name":       {whyNotInJava, oneCall(export.Request{Path: literal("/a"), Params: queries("")}), "without a name"},
		"REST: order":         {whyNotInJava, oneCall(export.Request{Path: literal("/a"), Params: queries("q", "r", "q")}), "groups"},
		"REST: other host":    {whyNotInJava, oneCall(export.Request{Path: literal("https://login.example/a")}), ""},
		"Postman: plain":      {whyNotInPostman, oneCall(export.Request{Path: literal("/a{b}")}), ""},
		"Postman: braces":     {whyNotInPostman, oneCall(export.Request{Path: literal("/a?q={{x}}")}), "{{"},
		"http: plain":         {whyNotInHTTP, oneCall(export.Request{Path: literal("/a{b}"), Body: lines("{\n  \"a\": 1\n}")}), ""},
		"http: braces":        {whyNotInHTTP, oneCall(export.Request{Path: literal("/a?q={{x}}")}), "{{"},
		"http: no UTF-8":      {whyNotInHTTP, oneCall(export.Request{Path: literal("/a"), Body: body}), "UTF-8"},
		"http: comment":       {whyNotInHTTP, oneCall(export.Request{Path: literal("/a"), Body: lines("a\n# b")}), "begins as a comment"},
		"http: file":          {whyNotInHTTP, oneCall(export.Request{Path: literal("/a"), Body: lines("< a")}), "or a file does"},
		"http: XML":           {whyNotInHTTP, oneCall(export.Request{Path: literal("/a"), Body: lines("<a>\n</a>")}), ""},
		"http: comma":         {whyNotInHTTP, oneCall(export.Request{Headers: comma}), "comma"},
		"http: XML answer":    {whyNotInHTTP, parted, "XML as a document"},
		"http: escapes":       {whyNotInHTTP, oneCall(export.Request{Path: literal("/a%FF")}), "not UTF-8"},
		"http: white space":   {whyNotInHTTP, oneCall(export.Request{Path: literal("/a"), Body: lines("a\n")}), "white space"},
		"http: CR":            {whyNotInHTTP, oneCall(export.Request{Path: literal("/a"), Body: lines("a\r\nb")}), "control characters"},
		"Bruno: plain":        {whyNotInBruno, oneCall(export.Request{Method: "GET", Path: literal("/a{b}")}), ""},
		"Bruno: braces":       {whyNotInBruno, oneCall(export.Request{Method: "GET", Path: literal("/a?q={{x}}")}), "Bruno reads text"},
		"Bruno: method":       {whyNotInBruno, oneCall(export.Request{Method: "QUERY", Path: literal("/a")}), "no method QUERY"},
		"Bruno: no JSON":      {whyNotInBruno, oneCall(export.Request{Method: "POST", Body: brokenJSON}), "should be JSON"},
		"Bruno: skipped":      {whyNotInBruno, skipped, "cannot skip"},
		"JSON: no UTF-8":      {whyNotAsText, oneCall(export.Request{Path: literal("/a"), Body: body}), "UTF-8"},
		"Arazzo: plain":       {whyNotInArazzo, oneCall(export.Request{Path: literal("/a$")}), ""},
		"Arazzo: expression":  {whyNotInArazzo, oneCall(export.Request{Path: literal("$a")}), "expression"},
		"Arazzo: basic":       {whyNotInArazzo, oneCall(export.Request{Path: literal("/a"), Basic: literal("ann:secret")}), "basic"},
		"Arazzo: skipped":     {whyNotInArazzo, skipped, "skipped"},
		"Arazzo: end of URL":  {whyNotInArazzo, located, "id at its end"},
		"Arazzo: part":        {whyNotInArazzo, parted, "part of a text"},
		"Hurl: QUERY":         {whyNotInHurl, oneCall(export.Request{Method: "QUERY", Path: literal("/a")}), ""},
		"Hurl: a hyphen":      {whyNotInHurl, oneCall(export.Request{Method: "M-SEARCH", Path: literal("/a")}), "no method M-SEARCH"},
		"Bruno: COPY":         {whyNotInBruno, oneCall(export.Request{Method: "COPY", Path: literal("/a")}), "no method COPY"},
		"Hurl: one user":      {whyNotInHurl, loggedIn, ""},
		"Hurl: another user":  {whyNotInHurl, anonymous, "cookies"},
		"Hurl: without login": {whyNotInHurl, skipped, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.refuse(c.test)
			if (got != "") != (c.want != "") || !strings.Contains(got, c.want) {
				t.Errorf("got the reason %q, want %q", got, c.want)
			}
		})
	}
}

func TestTLSOfCommands(t *testing.T) {
	files := model.TLSFiles{CACert: "ca.pem", Cert: "c$.pem"}
	want := ` --cacert "${SONDE_CACERT:-ca.pem}" --cert "${SONDE_CERT:-c\$.pem}"`
	if got := options(files, "--cacert", "--cert", "--key"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for path, want := range map[string]string{"/etc/ca.pem": `"/etc/ca.pem"`, "tls/ca.pem": `"$(dirname "$0")/tls/ca.pem"`} {
		if got := besideScript(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	for name, c := range map[string]struct {
		line func(model.TLSFiles) string
		want string
	}{
		"none used":        {noTLSFiles, "--cacert, --cert and --key are not used"},
		"only authorities": {noClientCert, "--cert and --key are not used"},
		"no authorities":   {noCACert, "SSL_CERT_FILE to the file of --cacert, ca.pem"},
	} {
		if got := c.line(files); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q in it", name, got, c.want)
		}
		if got := c.line(model.TLSFiles{}); got != "" {
			t.Errorf("%s: got %q without files, want nothing", name, got)
		}
	}
	if got := keyOf(files); got != "c$.pem" {
		t.Errorf("got the key %q, want that in the certificate's file", got)
	}
}
