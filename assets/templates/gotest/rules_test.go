package gotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"time"
)

// gives appends an answer to a stub's script.
func gives(a answer) rule {
	return func(s *stub) { s.script = append(s.script, a) }
}

// replies answers a request; header is like "Content-Type: text/plain".
func replies(status int, body string, header ...string) rule {
	return gives(answer{status: status, header: header, body: body, say: whole})
}

// compact returns JSON without insignificant space.
func compact(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		panic(fmt.Sprintf("the stub answers invalid JSON: %v", err))
	}
	return b.String()
}

// says answers with bytes.
func says(text string) rule { return gives(answer{body: text, say: whole}) }

// whole sends an answer in one piece.
func whole(c *line, body string) { io.WriteString(c, body) }

// breaks resets the connection.
func breaks(c *line, _ string) { c.breakOff() }

// resets resets the connection when the service sends.
func resets() rule { return gives(answer{say: breaks}) }

// refuses refuses connections.
func refuses() rule { return gives(answer{fate: "ECONNREFUSED", say: breaks}) }

// isUnreachable makes the host unreachable.
func isUnreachable() rule { return gives(answer{fate: "ENETUNREACH", say: breaks}) }

// timesOut makes connections and lookups time out; the service gets the error at once.
func timesOut() rule { return gives(answer{fate: "ETIMEDOUT", say: breaks}) }

// hasWrongTLS presents the certificate of another host.
func hasWrongTLS() rule { return gives(answer{stranger: true, say: breaks}) }

// isMute sends nothing, and resets the connection after 5 seconds.
func isMute() rule {
	return gives(answer{late: true, say: func(c *line, _ string) {
		c.pause(5 * time.Second)
		c.breakOff()
	}})
}

// changed returns a rule with another last answer.
func changed(what rule, change func(a *answer)) rule {
	return func(s *stub) {
		what(s)
		change(&s.script[len(s.script)-1])
	}
}

// cutAfter ends the connection after a number of bytes of an answer.
func cutAfter(n int, what rule) rule {
	return changed(what, func(a *answer) {
		a.say = func(c *line, body string) {
			if n < len(body) {
				body = body[:n]
			}
			io.WriteString(c, body)
			c.hangUp()
		}
	})
}

// truncated sends the first half of an answer as a complete one.
func truncated(what rule) rule {
	return changed(what, func(a *answer) { a.body = a.body[:len(a.body)/2] })
}

// slowly waits before an answer, and then sends a number of bytes of it each second; 0
// sends all at once.
func slowly(wait time.Duration, rate int, what rule) rule {
	return changed(what, func(a *answer) {
		a.late = true
		a.say = func(c *line, body string) {
			goes := c.pause(wait)
			for size := 1 + rate/100; goes && rate > 0 && size < len(body); body = body[size:] {
				io.WriteString(c, body[:size])
				goes = c.pause(time.Second * time.Duration(size) / time.Duration(rate))
			}
			if !goes {
				c.breakOff()
			} else {
				io.WriteString(c, body)
			}
		}
	})
}

// pause waits, and reports whether the connection and the test have not ended.
func (c *line) pause(long time.Duration) bool {
	select {
	case <-c.left:
		return false
	case <-c.over:
		return false
	case <-time.After(long):
		return true
	}
}

// trailed adds fields after the body of an answer, such as "Grpc-Status: 0".
func trailed(what rule, trailer ...string) rule {
	return changed(what, func(a *answer) { a.trailer = trailer })
}

// hangsUp closes the connection after an answer.
func hangsUp(what rule) rule {
	return changed(what, func(a *answer) {
		say := a.say
		a.say = func(c *line, body string) {
			say(c, body)
			c.hangUp()
		}
	})
}

// again repeats the script.
func again() rule { return func(s *stub) { s.repeats = true } }

// then is the answer after the end of the script, for all further messages.
func then(what rule) rule {
	return func(s *stub) {
		what(s)
		end := len(s.script) - 1
		s.rest, s.script = &s.script[end], s.script[:end:end]
	}
}

// ifNth answers only the nth message to the host, or connection, from 1.
func ifNth(n int) rule { return func(s *stub) { s.nth = n } }

// wanting answers only messages that match.
func wanting(what term, fits func(m message) bool) rule {
	return func(s *stub) { s.wants, s.terms = append(s.wants, fits), append(s.terms, what) }
}

// ifQuery answers only requests with a value in their query.
func ifQuery(name, value string) rule {
	return wanting(term{"query", name, value}, func(m message) bool { return contains(m.request.URL.Query()[name], value) })
}

// ifHeader answers only requests with a header.
func ifHeader(name, value string) rule {
	return wanting(term{"header", name, value}, func(m message) bool { return contains(m.request.Header.Values(name), value) })
}

func contains(all []string, one string) bool {
	for _, text := range all {
		if text == one {
			return true
		}
	}
	return false
}

// ifJSON answers only requests whose body contains a JSON value.
func ifJSON(want string) rule {
	wanted, err := decode(want)
	if err != nil {
		panic(fmt.Sprintf("the stub wants invalid JSON: %v", err))
	}
	return wanting(term{"body", "", want}, func(m message) bool {
		got, err := decode(string(m.data))
		return err == nil && within(plain(wanted), plain(got))
	})
}

// within reports whether a JSON value contains another.
func within(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for name := range w {
			member, has := g[name]
			ok = ok && has && within(w[name], member)
		}
		return ok
	case []any:
		g, ok := got.([]any)
		ok = ok && len(g) == len(w)
		for i := 0; ok && i < len(w); i++ {
			ok = within(w[i], g[i])
		}
		return ok
	}
	return reflect.DeepEqual(want, got)
}

// ifSaid answers only this message.
func ifSaid(text string) rule {
	return wanting(term{"said", "is", text}, func(m message) bool { return string(m.data) == text })
}

// ifBegins answers only messages with this prefix.
func ifBegins(text string) rule {
	return wanting(term{"said", "begins", text}, func(m message) bool { return bytes.HasPrefix(m.data, []byte(text)) })
}

// ifMatches answers only messages that match a regular expression.
func ifMatches(pattern string) rule {
	r := regexp.MustCompile(pattern)
	return wanting(term{"said", "matches", pattern}, func(m message) bool { return r.Match(m.data) })
}

// records are the records of a name, such as "A 198.18.0.7" or "MX 10 mail.example".
func records(all ...string) rule { return gives(answer{records: all}) }

// isUnknown makes a name one that does not exist.
func isUnknown() rule { return gives(answer{fate: "nxdomain"}) }
