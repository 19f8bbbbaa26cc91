package cli

import (
	"regexp"
	"strings"

	"sonde/model"
)

// exportUsers makes users fit for test files, which know one header a user,
// whose whole value is in the environment: under a name of its own, for what
// Sonde itself reads there is but a part of it, or a password. Who proves it in
// several places, or in the query, stays as he is, and cannot be exported.
func exportUsers(users []model.User) []model.User {
	all := make([]model.User, len(users))
	for i, u := range users {
		all[i] = u
		if header := soleHeader(u); header != "" {
			all[i].Header, all[i].Env = header, headerVariable(u.Name, header)
		}
	}
	return all
}

// soleHeader is the header that alone proves who a user is, "" where there is
// none such or the user names it already.
func soleHeader(u model.User) string {
	places := append([]model.Credential{}, u.Sends...)
	if l := u.Login; l != nil && l.Token != nil {
		places = append(places, model.Credential{In: l.Token.In, Name: l.Token.Name})
	}
	if u.Login != nil && u.Login.Cookies {
		places = append(places, model.Credential{In: model.InCookie})
	}
	switch {
	case u.Header != "" || len(places) != 1:
		return ""
	case places[0].In == model.InCookie:
		return "Cookie"
	case places[0].In == model.InHeader:
		return places[0].Name
	}
	return ""
}

var notVariable = regexp.MustCompile(`[^A-Z0-9]+`)

// headerVariable names the variable that holds a user's header.
func headerVariable(user, header string) string {
	return "SONDE_" + strings.Trim(notVariable.ReplaceAllString(strings.ToUpper(user+"_"+header), "_"), "_")
}
