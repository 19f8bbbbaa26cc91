package gotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// withAnswer is a rule that appends an answer to a stub's script.
func withAnswer(a answer) rule {
	return func(s *stub) { s.script = append(s.script, a) }
}

// replies makes the host answer a request of HTTP. Each header is like "Content-Type: text/plain".
func replies(status int, body string, header ...string) rule {
	return withAnswer(answer{status: status, header: header, body: body, send: sendWhole})
}

// compact returns JSON without insignificant space. It panics if the text is not JSON.
func compact(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		panic(fmt.Sprintf("the stub answers invalid JSON: %v", err))
	}
	return b.String()
}

// says makes the host answer with a text, in any protocol.
func says(text string) rule { return withAnswer(answer{body: text, send: sendWhole}) }

// sendWhole sends the body of an answer in one write.
func sendWhole(w *answerWriter, body string) { io.WriteString(w, body) }

// sendReset resets the connection.
func sendReset(w *answerWriter, _ string) { w.resetConn() }

// resets makes the host reset the connection instead of answering.
func resets() rule { return withAnswer(answer{send: sendReset}) }

// refuses makes the host refuse connections (ECONNREFUSED).
func refuses() rule { return withAnswer(answer{failure: "ECONNREFUSED", send: sendReset}) }

// isUnreachable makes connections to the host fail, as if no route led to it (ENETUNREACH).
func isUnreachable() rule { return withAnswer(answer{failure: "ENETUNREACH", send: sendReset}) }

// timesOut makes connections and lookups time out; the service gets the error at once.
func timesOut() rule { return withAnswer(answer{failure: "ETIMEDOUT", send: sendReset}) }

// hasWrongTLS makes the host present the certificate of another host.
func hasWrongTLS() rule { return withAnswer(answer{certificate: wrongCertificate, send: sendReset}) }

// hasExpiredCertificate makes the host present a certificate that has expired.
func hasExpiredCertificate() rule {
	return withAnswer(answer{certificate: expiredCertificate, send: sendReset})
}

// hasUnknownAuthority makes the host present a certificate that an unknown authority has signed.
func hasUnknownAuthority() rule {
	return withAnswer(answer{certificate: unknownAuthority, send: sendReset})
}

// isMute makes the host send nothing. The host resets the connection after 5 seconds.
func isMute() rule {
	return withAnswer(answer{delayed: true, send: func(w *answerWriter, _ string) {
		w.pause(5 * time.Second)
		w.resetConn()
	}})
}

// modifyAnswer returns the rule r, except that modify changes the answer that r adds.
func modifyAnswer(r rule, modify func(a *answer)) rule {
	return func(s *stub) {
		r(s)
		modify(&s.script[len(s.script)-1])
	}
}

// cutAfter makes the host send only the first n bytes of an answer, and then close the connection.
func cutAfter(n int, r rule) rule {
	return modifyAnswer(r, func(a *answer) {
		a.send = func(w *answerWriter, body string) {
			if n < len(body) {
				body = body[:n]
			}
			io.WriteString(w, body)
			w.closeConn()
		}
	})
}

// stallsAfter makes the host send only the first n bytes of an answer. It closes the connection after 5 seconds.
func stallsAfter(n int, r rule) rule {
	return modifyAnswer(r, func(a *answer) {
		sent := a.body
		if n < len(sent) {
			sent = sent[:n]
		} else {
			a.body += " " // Content-Length promises more
		}
		a.delayed = true
		a.send = func(w *answerWriter, _ string) {
			io.WriteString(w, sent)
			w.pause(5 * time.Second)
			w.closeConn()
		}
	})
}

// truncated makes the host send the first half of an answer as if it were the whole answer.
func truncated(r rule) rule {
	return modifyAnswer(r, func(a *answer) { a.body = a.body[:len(a.body)/2] })
}

// slowly makes the host wait before an answer, and then send rate bytes of the answer each second. If rate is 0, the
// host sends the answer at once after the wait.
func slowly(wait time.Duration, rate int, r rule) rule {
	return modifyAnswer(r, func(a *answer) {
		a.delayed = true
		a.send = func(w *answerWriter, body string) {
			open := w.pause(wait)
			for size := 1 + rate/100; open && rate > 0 && size < len(body); body = body[size:] {
				io.WriteString(w, body[:size])
				open = w.pause(time.Second * time.Duration(size) / time.Duration(rate))
			}
			if !open {
				w.resetConn()
			} else {
				io.WriteString(w, body)
			}
		}
	})
}

// pause waits for a duration. It returns false at once if the connection or the test ends.
func (w *answerWriter) pause(d time.Duration) bool {
	select {
	case <-w.connClosed:
		return false
	case <-w.testDone:
		return false
	case <-time.After(d):
		return true
	}
}

// trailed makes the host send fields after the body of an answer, such as "Grpc-Status: 0".
func trailed(r rule, trailer ...string) rule {
	return modifyAnswer(r, func(a *answer) { a.trailer = trailer })
}

// hangsUp makes the host close the connection after an answer.
func hangsUp(r rule) rule {
	return modifyAnswer(r, func(a *answer) {
		send := a.send
		a.send = func(w *answerWriter, body string) {
			send(w, body)
			w.closeConn()
		}
	})
}

// again makes the script of the stub begin again after its last answer.
func again() rule { return func(s *stub) { s.isRepeated = true } }

// then sets the answer to all messages after the end of the script.
func then(r rule) rule {
	return func(s *stub) {
		r(s)
		end := len(s.script) - 1
		s.afterScript, s.script = &s.script[end], s.script[:end:end]
	}
}

// inBackground makes a stub answer calls that no request causes. The script of the stub continues from test to test,
// as long as the service runs. Tests of recorded exchanges do not count the calls that the stub answers.
func inBackground() rule { return func(s *stub) { s.isBackground = true } }

// opensWith adds a step to the prologue, which is said once on each connection. In the step, the service sends request
// and the host sends answer. If request is "", the host speaks first.
func opensWith(request, answer string) rule {
	return func(s *stub) { s.prologue = append(s.prologue, prologueStep{request, answer}) }
}

// onAnyConnection makes a stub of TCP answer messages on all connections of its host. The script of the stub
// continues from one connection to the next.
func onAnyConnection() rule { return func(s *stub) { s.onAnyConnection = true } }

// ifNth restricts a stub to the nth message to the host or, for TCP, to the nth connection. n is counted from 1.
func ifNth(n int) rule { return func(s *stub) { s.ordinal = n } }

// onlyIf restricts a stub to messages for which a condition holds. described is the same condition as a term, which
// describes it.
func onlyIf(described term, holds func(m message) bool) rule {
	return func(s *stub) { s.conditions, s.terms = append(s.conditions, holds), append(s.terms, described) }
}

// ifQuery restricts a stub to requests with this parameter in their query.
func ifQuery(name, value string) rule {
	return onlyIf(term{"query", name, value}, func(m message) bool { return contains(m.request.URL.Query()[name], value) })
}

// ifHeader restricts a stub to requests with this header.
func ifHeader(name, value string) rule {
	return onlyIf(term{"header", name, value}, func(m message) bool { return contains(m.request.Header.Values(name), value) })
}

func contains(all []string, one string) bool {
	for _, text := range all {
		if text == one {
			return true
		}
	}
	return false
}

// ifJSON restricts a stub to requests whose body contains a JSON value. Objects in the body may have more members.
func ifJSON(want string) rule {
	wanted, err := decode(want)
	if err != nil {
		panic(fmt.Sprintf("the stub wants invalid JSON: %v", err))
	}
	return onlyIf(term{"body", "", want}, func(m message) bool {
		got, err := decode(string(m.data))
		return err == nil && containsJSON(normalized(wanted), normalized(got))
	})
}

// containsJSON reports whether got equals want, except that objects in got may have more members.
func containsJSON(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for name := range w {
			member, isMember := g[name]
			ok = ok && isMember && containsJSON(w[name], member)
		}
		return ok
	case []any:
		g, ok := got.([]any)
		ok = ok && len(g) == len(w)
		for i := 0; ok && i < len(w); i++ {
			ok = containsJSON(w[i], g[i])
		}
		return ok
	}
	return reflect.DeepEqual(want, got)
}

// ifSaid restricts a stub to messages with this text.
func ifSaid(text string) rule {
	return onlyIf(term{"said", "is", text}, func(m message) bool { return m.said() == text })
}

// ifBegins restricts a stub to messages with this prefix.
func ifBegins(text string) rule {
	return onlyIf(term{"said", "begins", text}, func(m message) bool { return strings.HasPrefix(m.said(), text) })
}

// ifMatches restricts a stub to messages that match a regular expression.
func ifMatches(pattern string) rule {
	r := regexp.MustCompile(pattern)
	return onlyIf(term{"said", "matches", pattern}, func(m message) bool { return r.MatchString(m.said()) })
}

// records answers a lookup with DNS records such as "A 198.18.0.7" or "MX 10 mail.example".
func records(all ...string) rule { return withAnswer(answer{records: all}) }

// isUnknown makes lookups of a name fail, as if the name did not exist.
func isUnknown() rule { return withAnswer(answer{failure: "nxdomain"}) }

// works lets the service use a resource as usual.
func works() rule { return withAnswer(answer{}) }

// isInUse makes listening on a port fail, as if another program listened there.
func isInUse() rule { return withAnswer(answer{failure: "EADDRINUSE"}) }

// isFullAfter makes writing to a file fail after a number of bytes, as if the disk were full.
func isFullAfter(bytes int) rule { return withAnswer(answer{failure: fmt.Sprint("ENOSPC:", bytes)}) }

// doesNotExist makes the use of a file fail, as if the file did not exist.
func doesNotExist() rule { return withAnswer(answer{failure: "ENOENT"}) }

// isUnreadable makes reading and writing a file fail with an input/output error.
func isUnreadable() rule { return withAnswer(answer{failure: "EIO"}) }

// isForbidden makes the use of a resource fail, as if the service had no permission.
func isForbidden() rule { return withAnswer(answer{failure: "EACCES"}) }

// cannotBeLookedUp makes lookups of a name fail, as if the name server failed (SERVFAIL).
func cannotBeLookedUp() rule { return withAnswer(answer{failure: "servfail"}) }
