package export

import (
	"slices"
	"strings"

	"sonde/model"
)

// carryHeaders adds the headers that each request to the service carries. A header that a call sets itself stays. The
// credentials of the user who calls override headers, as in Sonde's client.
func carryHeaders(calls []*boundCall, headers []model.Credential) {
	for _, s := range calls {
		if s == nil {
			continue
		}
		for _, h := range headers {
			same := func(f field) bool { return strings.EqualFold(f.name, h.Name) }
			if !slices.ContainsFunc(s.headers, same) {
				value := secretValue(h.Value)
				value.escaping = "text"
				s.headers = append(s.headers, field{h.Name, value})
			}
		}
	}
}

// WithHeaders returns a suite whose requests to the service carry headers: its calls, its log-ins, the requests that
// create its users, and its reset.
func (s Suite) WithHeaders(headers []model.Credential) Suite {
	if len(headers) == 0 {
		return s
	}
	s.Headers = headers
	s.Users = slices.Clone(s.Users)
	for i, u := range s.Users {
		if u.Login != nil {
			login := loginWithHeaders(*u.Login, headers)
			s.Users[i].Login = &login
		}
		s.Users[i].Creates = nil
		for _, l := range u.Creates {
			s.Users[i].Creates = append(s.Users[i].Creates, loginWithHeaders(l, headers))
		}
	}
	if s.Reset != nil && s.Reset.Path != "" {
		reset := *s.Reset
		reset.Header = map[string]string{}
		for _, h := range headers {
			reset.Header[h.Name] = h.Value
		}
		for name, value := range s.Reset.Header {
			reset.Header[name] = value
		}
		s.Reset = &reset
	}
	return s
}

// loginWithHeaders returns a log-in at the service with headers. A log-in at another host gets none.
func loginWithHeaders(l model.Login, headers []model.Credential) model.Login {
	if l.URL == "" {
		l.Headers = slices.Concat(headers, l.Headers)
	}
	return l
}
