package oracle

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// This file has the rules for a service whose database is played by a stub. Such a database has no state: a call
// cannot read what another call has written.

// playsDatabase reports whether a stub played a database during the test.
func (p *playedTest) playsDatabase() bool {
	return slices.ContainsFunc(p.contacts, func(c model.Contact) bool { return c.Protocol.IsDatabase() })
}

// lacksReply reports whether a database had no stub for a request during a call. The error of the service then says
// nothing about the service.
func (p *playedTest) lacksReply(call int) bool {
	return slices.ContainsFunc(p.contactsDuring(call), func(c model.Contact) bool {
		return c.Protocol.IsDatabase() && c.Kind == model.ContactMessage && c.Stub < 0 && c.Outcome == "nothing"
	})
}

// inputErrors matches the codes of those database errors that values most likely cause. The code of PostgreSQL is an
// SQLSTATE, whose class matters. The code of MySQL is a number.
var inputErrors = regexp.MustCompile(`^(22...|23...|1048|1062|1216|1217|1264|1265|1292|1366|1406|1451|1452|3819|4025)$`)

// failsAsDatabase reports whether a contact is a request to a database that replied with an error such as a deadlock.
// No value of the request explains such an error.
func (p *playedTest) failsAsDatabase(c model.Contact) bool {
	code := p.databaseError(c)
	return code != "" && !inputErrors.MatchString(code)
}

// refusesInput reports whether a contact is a request to a database that replied with an error which the values of
// the request most likely explain. Such an error may be meant for the client.
func (p *playedTest) refusesInput(c model.Contact) bool {
	return inputErrors.MatchString(p.databaseError(c))
}

// databaseError returns the code of the error with which a database replied in a contact, "" for none. For Redis, it
// returns the text of the error.
func (p *playedTest) databaseError(c model.Contact) string {
	if !c.Protocol.IsDatabase() {
		return ""
	}
	var reply struct{ Error json.RawMessage }
	if json.Unmarshal([]byte(p.stubAnswer(c)), &reply) != nil || len(reply.Error) == 0 {
		return ""
	}
	code := strings.Trim(string(reply.Error), `"`)
	var coded struct{ Code any }
	if json.Unmarshal(reply.Error, &coded) == nil {
		text, _ := json.Marshal(coded.Code) // it comes from JSON
		code = strings.Trim(string(text), `"`)
	}
	return code
}
