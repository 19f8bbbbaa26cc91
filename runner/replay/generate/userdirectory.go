package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// userDirectory has the users of the tests: the users that the recording names, and a user for each
// other credential in it.
type userDirectory struct {
	index *recordingIndex
	users []model.User
	// byCredential has the names of the users that the directory added, by their credentials.
	byCredential map[string]string
	// snapshot reports whether a snapshot of the state is restored before each test. The users are then registered in
	// the snapshot.
	snapshot bool
}

func newUserDirectory(index *recordingIndex, users []model.User, snapshot bool) *userDirectory {
	return &userDirectory{index: index, users: slices.Clone(users), byCredential: map[string]string{}, snapshot: snapshot}
}

// caller returns the name of the user who made a call, "" for anonymous. login is the recorded log-in that returned
// the credential. login is nil if no log-in returned the credential, or if the recording names the user.
func (d *userDirectory) caller(x *recordedExchange) (name string, login *recordedExchange) {
	if x.User != "" || x.credential.value == "" {
		return x.User, nil
	}
	login, token := d.login(x)
	key := x.credential.name + " " + x.credential.value
	if login != nil {
		key = fmt.Sprint(login.op.ID, login.request.text, login.credential.value)
	}
	if d.byCredential[key] == "" {
		u := d.newUser(x)
		if login != nil {
			u = d.newLoginUser(login, token)
		}
		d.byCredential[key] = u.Name
		d.users = append(d.users, u)
	}
	return d.byCredential[key], login
}

// login returns the log-in of x, nil if there is none. The log-in is an earlier exchange whose answer has the
// credential of x. The token says where the answer has the credential; it is the zero value if the answer sets the
// credential as a cookie.
func (d *userDirectory) login(x *recordedExchange) (*recordedExchange, model.LoginToken) {
	c := x.credential
	token := model.LoginToken{In: c.in, Name: c.name, Template: c.scheme + model.TokenPlaceholder}
	for _, origin := range slices.Backward(d.index.origins[c.token()]) {
		if origin.in == model.InBody && origin.recordedExchange.endedBefore(x) && origin.resets == x.resets &&
			origin.whyNotRepeatable == "" {
			token.Pointer = origin.leaf.name
			return d.firstLogin(origin.recordedExchange, token), token
		}
	}
	if c.in != model.InCookie {
		return nil, token
	}
	for _, other := range slices.Backward(d.index.exchanges[:x.index]) {
		if other.op != nil && other.whyNotRepeatable == "" && other.resets == x.resets && setsCookie(other, c) {
			return other, model.LoginToken{}
		}
	}
	return nil, token
}

// firstLogin returns the log-in by which the user first got a token. If the request of login has a secret from the
// answer to an earlier log-in, such as a refresh token, firstLogin follows it to that log-in, and so on. Otherwise it
// returns login.
func (d *userDirectory) firstLogin(login *recordedExchange, token model.LoginToken) *recordedExchange {
	for _, l := range login.requestValues {
		origin, ok := d.index.valueOrigin(login, l)
		if ok && isSecretName(l.lastName()) && origin.whyNotRepeatable == "" && slices.ContainsFunc(
			origin.responseValues, func(o leaf) bool { return o.in == model.InBody && o.name == token.Pointer && o.text() != "" }) {
			return d.firstLogin(origin.recordedExchange, token)
		}
	}
	return login
}

// setsCookie reports whether the answer of x sets the cookie c.
func setsCookie(x *recordedExchange, c credential) bool {
	for name, lines := range x.Reply.Header {
		if !strings.EqualFold(name, "Set-Cookie") {
			continue
		}
		for _, line := range lines {
			pair, _, _ := strings.Cut(line, ";")
			if strings.TrimSpace(pair) == c.name+"="+c.value {
				return true
			}
		}
	}
	return false
}

// newUser returns a user with the credential of x, whose value comes from the environment.
func (d *userDirectory) newUser(x *recordedExchange) model.User {
	name := d.freeName("user")
	env := "SONDE_" + strings.ToUpper(name) + "_" + variableName(x.credential.name)
	u := model.User{Name: name}
	if x.credential.in == model.InHeader && x.credential.scheme == "" {
		u.Header, u.Env = x.credential.name, env
		return u
	}
	u.Sends = []model.Credential{{In: x.credential.in, Name: x.credential.name, Value: x.credential.scheme + "${" + env + "}"}}
	if strings.EqualFold(x.credential.scheme, "Basic ") {
		u.Sends[0].Value, u.Sends[0].Basic = fmt.Sprintf("${%s_NAME}:${%s_PASSWORD}", env, env), true
	}
	return u
}

// nameField matches names of log-in fields that identify the user.
var nameField = regexp.MustCompile(`(?i)user|login|mail|name|account`)

// newLoginUser returns a user who logs in as recorded.
func (d *userDirectory) newLoginUser(login *recordedExchange, token model.LoginToken) model.User {
	name := "user"
	for _, l := range login.requestValues {
		if nameField.MatchString(l.lastName()) && !isSecretName(l.lastName()) && l.in == model.InBody {
			name = strings.ToLower(variableName(strings.SplitN(l.text(), "@", 2)[0]))
			break
		}
	}
	u := model.User{
		Name:  d.freeName(name),
		Login: &model.Login{Method: login.Request.Method, Path: strings.TrimPrefix(login.Request.URL, login.base)},
	}
	u.Login.Token = &token
	if token.Template == "" {
		u.Login.Token, u.Login.Cookies = nil, true
	}
	if login.call.Body != nil {
		u.Login.Body = d.loginBody(u.Name, login)
	}
	return u
}

// loginBody returns the body of a log-in. If the user registered in the recording, the user's secrets are sent as
// recorded. Otherwise they come from the environment, and so does an e-mail address of which the recording has a pseudonym.
func (d *userDirectory) loginBody(user string, login *recordedExchange) *model.Payload {
	body := *login.call.Body
	if d.registration(login) != nil {
		return &body
	}
	for _, l := range login.requestValues {
		if l.in != model.InBody || !isSecretName(l.lastName()) && !d.index.isMasked(l) {
			continue
		}
		env := "${SONDE_" + strings.ToUpper(user) + "_" + variableName(l.lastName()) + "}"
		if login.request.isJSON {
			changed, _ := decode([]byte(body.Data))
			if parent, ok := pointer.Lookup(changed, pointer.Parent(l.name)); ok {
				if object, ok := parent.(map[string]any); ok {
					object[l.lastName()] = env
				}
			}
			body.Data = string(encoded(changed))
		} else {
			body.Data = strings.Replace(body.Data, l.lastName()+"="+l.text(), l.lastName()+"="+env, 1)
		}
	}
	return &body
}

// registration returns an earlier write that has the same secret as a log-in. It returns nil if there is
// none, or if a snapshot is restored before each test.
func (d *userDirectory) registration(login *recordedExchange) *recordedExchange {
	if d.snapshot {
		return nil
	}
	for _, l := range login.requestValues {
		if !isSecretName(l.lastName()) || l.in != model.InBody {
			continue
		}
		hasSecret := func(a leaf) bool { return a.in == model.InBody && a.text() == l.text() && a.text() != "" }
		for _, x := range d.index.exchanges[:login.index] {
			if x.op != nil && x.op != login.op && x.isWrite() && x.resets == login.resets && x.endedBefore(login) &&
				x.whyNotRepeatable == "" && slices.ContainsFunc(x.requestValues, hasSecret) {
				return x
			}
		}
	}
	return nil
}

// freeName returns a user name that is not used yet: name itself, or name followed by a number. The name "user" always
// gets a number.
func (d *userDirectory) freeName(name string) string {
	free := name
	taken := func(u model.User) bool { return u.Name == free }
	for n := 1; name == "user" && n == 1 || slices.ContainsFunc(d.users, taken); n++ {
		free = fmt.Sprint(name, n)
	}
	return free
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// variableName converts a text to a part of a variable's name.
func variableName(text string) string {
	text = notWord.ReplaceAllString(text[:min(len(text), 40)], "_")
	text = strings.Trim(text, "_")
	if text == "" {
		return "X"
	}
	return strings.ToUpper(text)
}
