package model

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// DatabaseCommand returns the command of a request to a database, or its query on one line.
func DatabaseCommand(request []byte) string {
	command, query := databaseCommand(request)
	return cmp.Or(command, strings.Join(strings.Fields(query), " "))
}

func databaseCommand(request []byte) (command, query string) {
	var r struct {
		Command string `json:"command"`
		Query   string `json:"query"`
	}
	_ = json.Unmarshal(request, &r) // a request that is not JSON has no command
	return r.Command, r.Query
}

// AnyArguments returns the match for a request to a database with any arguments.
func AnyArguments(request []byte) StubMatch {
	command, query := databaseCommand(request)
	name, value := "command", command
	if query != "" {
		name, value = "query", query
	}
	text, _ := json.Marshal(map[string]string{name: value}) // texts can be encoded
	return StubMatch{JSON: string(text)}
}

// DatabaseText returns a request to a database on one line: its command or query, and its arguments.
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
			b, _ := json.Marshal(v) // it comes from JSON
			text += " " + string(b)
		}
	}
}
