package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// addHeaders adds the headers that a log-in script has printed, one per line.
func (u user) addHeaders(printed string) (user, error) {
	all := maps.Clone(u.Headers)
	if all == nil {
		all = map[string]string{}
	}
	found := false
	for line := range strings.Lines(printed) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return u, fmt.Errorf("login of user %q printed %q, which is not a header", u.Name, line)
		}
		all[name], found = strings.TrimSpace(value), true
	}
	if !found {
		return u, fmt.Errorf("login of user %q printed no header", u.Name)
	}
	u.Headers = all
	return u, nil
}

// header is a header in the format of the Web Fuzzing Commons.
type header struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

// credential is a user in the format of the Web Fuzzing Commons.
type credential struct {
	Name         string   `yaml:"name"`
	FixedHeaders []header `yaml:"fixedHeaders"`
}

// credentials returns users in the format of the Web Fuzzing Commons, which all tools read.
func credentials(users []user) []credential {
	var all []credential
	for _, u := range users {
		c := credential{Name: u.Name}
		for _, name := range slices.Sorted(maps.Keys(u.Headers)) {
			c.FixedHeaders = append(c.FixedHeaders, header{name, u.Headers[name]})
		}
		all = append(all, c)
	}
	return all
}

// single returns the sorted headers of the user, as "Name: value", if there is exactly one user. Otherwise it
// returns none. Schemathesis and EvoMaster send these headers with each request.
func single(users []user) (headers []string) {
	if len(users) != 1 {
		return nil
	}
	for _, h := range credentials(users)[0].FixedHeaders {
		headers = append(headers, h.Name+": "+h.Value)
	}
	return headers
}
