package client

import (
	"sonde/model"
)

// loginCall is an operation of the service that logs users in. The calls of tests to it may have the variables of these
// users' log-ins. Calls to other operations must not: they would disclose a password.
type loginCall struct {
	values map[string]string // values of ${NAME}
	logins []*model.Login
}

// addLoginCall adds the log-in of a user to c.logins, unless it is a request to another host.
func (c *Client) addLoginCall(u model.User) {
	if u.Login == nil {
		return
	}
	op := u.Login.Operation()
	if op == "" {
		return
	}
	l := c.logins[op]
	if l.values == nil {
		l.values = map[string]string{}
	}
	f := filler{user: u}
	for _, t := range u.Login.BodyTexts() {
		for _, name := range model.SecretNames(t.Text) {
			if _, known := l.values[name]; !known {
				l.values[name] = f.text("${"+name+"}", false)
			}
		}
	}
	l.logins = append(l.logins, u.Login)
	c.logins[op] = l
}

// fillLogin replaces the variables in the body of a call that logs a user in. It returns the log-ins of the operation, nil
// if it has replaced nothing.
func (c *Client) fillLogin(call model.Call) (model.Call, []*model.Login) {
	l, ok := c.logins[call.Op]
	if !ok || call.Body == nil {
		return call, nil
	}
	filled := FillVariables(call, l.values)
	if filled.Body == nil || filled.Body.Data == call.Body.Data {
		return call, nil
	}
	return filled, l.logins
}

// maskIssued masks the credentials in the answer to a call that has logged a user in. The client does not use them, so that
// the mask need not know them for later answers.
func maskIssued(x model.Exchange, logins []*model.Login) model.Exchange {
	var m mask
	for _, l := range logins {
		issued, _ := extractCredentials(l, x.Reply)
		for _, o := range issued {
			m.obtain(o.secret)
		}
	}
	x.Reply.Header, x.Reply.Body = m.copied(x.Reply.Header), m.body(x.Reply.Body, x.Reply.Truncated)
	return x
}
