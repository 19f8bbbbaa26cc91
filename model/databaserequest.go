package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// DatabaseCommand returns the command of a request to Redis, such as "GET", or the query of a request to an SQL
// database, on one line.
func DatabaseCommand(request []byte) string {
	command, query := databaseCommand(request)
	return cmp.Or(command, strings.Join(strings.Fields(query), " "))
}

func databaseCommand(request []byte) (command, query string) {
	var r struct {
		Command string `json:"command"`
		Query   string `json:"query"`
	}
	_ = json.Unmarshal(request, &r) // on an error, r is empty: a request that is not JSON has no command
	return r.Command, r.Query
}

// AnyArguments returns a match for all requests to a database with the same command or query, whatever their arguments
// are.
func AnyArguments(request []byte) StubMatch {
	command, query := databaseCommand(request)
	name, value := "command", command
	if query != "" {
		name, value = "query", query
	}
	text, _ := json.Marshal(map[string]string{name: value}) // encoding a map of strings cannot fail
	return StubMatch{JSON: string(text)}
}

// DatabaseText returns a request to a database on one line: its command or query, and its arguments. It returns a
// request that is not a JSON object unchanged.
func DatabaseText(request []byte) string {
	var members map[string]any
	if err := json.Unmarshal(request, &members); err != nil {
		return string(request)
	}
	text := DatabaseCommand(request)
	for i := 1; ; i++ {
		switch v := members[strconv.Itoa(i)].(type) {
		case nil:
			if _, isNull := members[strconv.Itoa(i)]; !isNull {
				return text
			}
			text += " null"
		case string:
			text += " " + v
		default:
			b, _ := json.Marshal(v) // encoding v cannot fail, because v was decoded from JSON
			text += " " + string(b)
		}
	}
}

// DatabaseReplyText describes the reply of a database on one line: by its error, else by the number of rows, else by
// what the statement did, else by the unchanged reply. failed reports whether the reply is an error.
func DatabaseReplyText(reply []byte) (text string, failed bool) {
	var result struct {
		Columns, Rows []json.RawMessage
		Tag, Status   string
		Affected      *int
		Error         json.RawMessage
	}
	if err := json.Unmarshal(reply, &result); err != nil {
		return string(reply), false
	}
	switch {
	case len(result.Error) > 0:
		return "error " + databaseErrorText(result.Error), true
	case len(result.Columns) > 0:
		return countRows(len(result.Rows)), false
	case result.Tag+result.Status != "":
		return result.Tag + result.Status, false
	case result.Affected != nil:
		return countRows(*result.Affected) + " changed", false
	}
	return string(reply), false
}

// databaseErrorText returns the text of an error reply: the message of Redis, or the code and the message of an SQL
// database.
func databaseErrorText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var e struct {
		Code    any
		Message string
	}
	if json.Unmarshal(raw, &e) != nil || e.Code == nil {
		return string(raw)
	}
	return fmt.Sprintf("%v %s", e.Code, e.Message)
}

func countRows(n int) string {
	if n == 1 {
		return "1 row"
	}
	return strconv.Itoa(n) + " rows"
}
