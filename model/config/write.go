package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"sonde/model"
)

// Text returns the draft as a configuration file with comments. Parse returns the draft's Config for this file.
func (d Draft) Text() []byte {
	w := &writer{}
	w.line(
		"# What Sonde needs to know of %s. sonde search reads it if it is in the current folder.",
		orElse(strings.TrimRight(remark(d.Title), "."), "this API"),
	)
	w.line("# Secrets stay in the environment: write \"${NAME}\".")
	w.blank()
	w.source(d)
	w.start(d)
	w.users(d)
	w.search()
	return []byte(w.String())
}

// writer writes the lines of a file.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
func (w *writer) blank()                          { w.WriteByte('\n') }

// source writes the spec and the URL of the service.
func (w *writer) source(d Draft) {
	if d.Config.Spec != "" {
		w.line("spec: %s", scalar(d.Config.Spec))
	} else {
		w.line("# spec: openapi.yaml  # a file or a URL; without one the service is asked for /openapi.json")
	}
	w.blank()
	w.line("# Where the service is. A host that is not this machine needs allow-host.")
	for i, s := range d.Servers {
		if i == 5 {
			w.line("# (and %d more)", len(d.Servers)-i)
			break
		}
		w.line("# The spec names %s", remark(s))
	}
	if d.Config.URL != "" {
		w.line("url: %s", scalar(d.Config.URL))
	} else {
		w.line("# url: http://127.0.0.1:8080")
	}
	w.line(`# allow-host: [staging.example.com]
# Where else it runs: sonde --env staging, or ctrl+e in the app. What an environment
# does not say is that of the whole file. Production is never reset, and asks before
# calls that write.
# environments:
#   staging: {url: https://staging.example.com, headers: {X-Tenant: "${tenant}"}, variables: {tenant: t1}}
#   production: {url: https://api.example.com, production: true}`)
	w.blank()
}

// start writes comments with examples of how to start and reset the service.
func (w *writer) start(d Draft) {
	w.line(`# Let Sonde start the service itself, on a free port.
# service:
#   command: [go, run, ., --port, "{port}"]
#   env: {DATABASE: memory}
#   ready: {path: /health, timeout: 30s}
# Or let it build a Go service with probes first, and see its statements and branches.
# sut: {build: ./cmd/server, run: ["{binary}", --port, "{port}"]}
# Or let a driver start a service in another language and see into it: docs/driver.md.
# sut: {driver: http://127.0.0.1:7000}

# Bring it back to its first state before each test, by one of these. Without a
# reset, tests disturb each other.`)
	if d.Reset != "" {
		w.line("# The spec has this request, which may be it:")
	}
	w.line("# reset: %s", orElse(remark(d.Reset), "POST /reset"))
	w.line("# reset: {command: [psql, -f, seed.sql]}")
	w.line("# reset: {restart: true} # with a service that Sonde starts")
	w.line("# reset: {clean: true} # with a Go service that Sonde builds with SQLite or PostgreSQL")
	w.blank()
}

// users writes the section auth.
func (w *writer) users(d Draft) {
	w.line("# Who calls, in the form of the Web Fuzzing Commons. More users let Sonde try what")
	w.line("# one may and another may not; each call is now and then made anonymously, too.")
	for _, s := range d.Left {
		w.line("# The spec asks for %s as well (%s), which is not configured here.", remark(s.Name), remark(s.Kind))
	}
	for _, s := range d.Instead {
		w.line("# The spec takes %s (%s) instead, too.", remark(s.Name), remark(s.Kind))
	}
	if len(d.Config.Users) == 0 {
		w.line("# auth:\n#   - name: ann\n#     fixedHeaders:\n#       - {name: Authorization, value: \"Bearer ${ANN_TOKEN}\"}")
	} else {
		w.line("auth:")
	}
	for _, u := range d.Config.Users {
		w.drafted(d, u)
	}
	w.otherLogin(d)
	w.blank()
}

// drafted writes the entry of a user with remarks.
func (w *writer) drafted(d Draft, u model.User) {
	if u.Login != nil {
		w.line("  # The log-in is that of the spec: %s", remark(d.LoginAt))
	}
	w.user(u)
	if c := d.Creation; c != nil {
		w.line("    # Where the user is not there yet, %s %s may make it, once for each start of the service:", c.Method, remark(c.Path))
		w.line("    # createUsers:")
		w.request("    #   ", *c)
	}
}

// credentials writes the credentials of a user. In the list, headers must come before all other credentials.
func (w *writer) credentials(all []model.Credential) {
	for i, c := range all {
		username, password, _ := strings.Cut(c.Value, ":")
		switch form(c) {
		case 0:
			if i == 0 {
				w.line("    fixedHeaders:")
			}
			w.line("      - {name: %s, value: %s}", scalar(c.Name), scalar(c.Value))
		case 1:
			w.line("    basic: {username: %s, password: %s}", scalar(username), scalar(password))
		default:
			w.line("    apiKey: {in: %s, name: %s, value: %s}", c.In, scalar(c.Name), scalar(c.Value))
		}
	}
}

// otherLogin writes a second user who logs in, with each line as a comment. The log-in is the one that the spec
// suggests, or an example. If the drafted user has a log-in, otherLogin writes nothing.
func (w *writer) otherLogin(d Draft) {
	if len(d.Config.Users) > 0 && d.Config.Users[0].Login != nil {
		return
	}
	l := model.Login{
		Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json"},
		Fields: []model.LoginField{{Name: "username", Value: "bob"}, {Name: "password", Value: "${BOB_PASSWORD}"}},
		Token: &model.LoginToken{
			Pointer:  "/token",
			In:       model.InHeader,
			Name:     "Authorization",
			Template: "Bearer " + model.TokenPlaceholder,
		},
	}
	if d.Login == nil {
		w.line("# Or a log-in, whose answer gives a token, or cookies with expectCookies: true.")
	} else {
		l = *d.Login
		w.line("# The spec has %s, which looks like a log-in, but does not say where its answer has the token.", remark(d.LoginAt))
	}
	w.line("#   - name: bob")
	w.login("#     ", l)
}

// login writes a log-in. Each written line begins with the text in before.
func (w *writer) login(before string, l model.Login) {
	if len(l.Fields) > 0 && l.Fields[0].Name == "grant_type" {
		w.grant(before, l)
		return
	}
	w.line("%sloginEndpointAuth:", before)
	w.request(before+"  ", l)
	if l.Cookies {
		w.line("%s  expectCookies: true", before)
	}
	if t := l.Token; t != nil {
		from, selector := "body", t.Pointer
		if t.Header != "" {
			from, selector = "header", t.Header
		}
		w.line("%s  token: {extractFrom: %s, extractSelector: %s, sendIn: %s, sendName: %s, sendTemplate: %s}",
			before, from, scalar(selector), t.In, scalar(t.Name), scalar(t.Template))
	}
}

// request writes the address, the headers and the body of a request.
func (w *writer) request(before string, l model.Login) {
	if l.URL != "" {
		w.line("%sexternalEndpointURL: %s", before, scalar(l.URL))
	} else {
		w.line("%sendpoint: %s", before, scalar(l.Path))
	}
	w.line("%sverb: %s", before, l.Method)
	if l.Body != nil && l.Body.Media != "application/json" {
		w.line("%scontentType: %s", before, scalar(l.Body.Media))
	}
	for _, h := range l.Headers {
		username, password, _ := strings.Cut(h.Value, ":")
		w.line("%sbasic: {username: %s, password: %s}", before, scalar(username), scalar(password))
	}
	switch f := l.Fields; {
	case len(f) == 2:
		w.line(
			"%spayloadUserPwd: {username: %s, password: %s, usernameField: %s, passwordField: %s}", before,
			scalar(f[0].Value), scalar(f[1].Value), scalar(f[0].Name), scalar(f[1].Name),
		)
	case len(f) > 0:
		w.line("%spayloadFields: {%s}", before, pairs(f))
	case l.Body != nil:
		w.line("%spayloadRaw: %s", before, scalar(l.Body.Data))
	}
}

// pairs returns fields as the members of a YAML mapping in one line.
func pairs(all []model.LoginField) string {
	var texts []string
	for _, f := range all {
		texts = append(texts, scalar(f.Name)+": "+scalar(f.Value))
	}
	return strings.Join(texts, ", ")
}

// grant writes a log-in by OAuth 2.
func (w *writer) grant(before string, l model.Login) {
	at := l.Path + l.URL
	if l.Fields[0].Value == "password" {
		w.line("%soauth2: {tokenUrl: %s, %s}", before, scalar(at), pairs(l.Fields[1:]))
		return
	}
	w.line("%soauth2: {tokenUrl: %s, clientId: \"${SONDE_CLIENT_ID}\", clientSecret: \"${SONDE_CLIENT_SECRET}\"}", before, scalar(at))
}

// search writes the settings of a search, as comments.
func (w *writer) search() {
	w.line(`# How long and how to search; flags of sonde search win.
# budget: {calls: 20000, time: 5m}
# seed: 1
# tuning: {smart: 0.6, random: 0.5, focus: 0.5}

# How to call: requests a second at most, how long one may take, and whether any
# certificate will do with https.
# rate: 50
# timeout: 10s
# insecure: true
# Or which authorities are trusted besides the system's, and the certificate for a
# service that asks for one.
# caCert: ca.pem
# cert: client.pem
# key: client-key.pem

# How many tests to play at once, each on a copy of the service that Sonde starts.
# workers: 2

# What must hold: switch off as -NAME; sonde search --oracles lists them. What
# belongs to the user who creates it, but for users who may see everybody's.
# oracles: [-undeclared-status]
# owners: [{path: "/orders/{orderId}", shared: [admin]}]

# Whether to look for broken access control and injections, and which operations
# only some users may call.
# security: true
# restricted: [{path: /admin/**, users: [admin]}]

# Which operations to call. A rule names a path (* is anything in a segment, /** all
# that is below), a tag or a method, or several of them, which all must fit.
# include: [{path: /orders/**}, {tag: shop}]
# exclude: [{method: DELETE, path: /users/*}]

# What sonde ci does: sonde baseline --update known.yaml RUN adds the known faults.
# ci: {calls: 20000, baseline: known.yaml, flaky: warn}`)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// remark returns a text that is safe in a comment: one line of at most 120 printable characters.
func remark(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return string(runes[:min(len(runes), 120)])
}

var plain = regexp.MustCompile(`^[A-Za-z_/.][A-Za-z0-9_/.-]*$`)

// words matches words that YAML reads as other values than texts.
var words = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|y|n|null|\.nan|\.inf|\.)$`)

// scalar returns a text as a YAML scalar, quoted if necessary.
func scalar(text string) string {
	if plain.MatchString(text) && !words.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}
