package demo

import (
	"net/http"
	"strings"
)

// User is a user of the shop. The token is a public demo credential,
// sent as "Authorization: Bearer TOKEN".
type User struct {
	Name, Token string
	Admin       bool
}

var users = [...]User{
	{Name: "alice", Token: "demo-alice"},
	{Name: "bob", Token: "demo-bob"},
	{Name: "admin", Token: "demo-admin", Admin: true},
}

// Users returns the demo's users: alice, bob and the admin.
func Users() []User { return append([]User(nil), users[:]...) }

// userOf returns the user who sent a request. It returns nil if the request has no token of a user.
func userOf(r *http.Request) *User {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	for i := range users {
		if users[i].Token == token {
			return &users[i]
		}
	}
	return nil
}

// access says which users may call an operation. If a resource belongs to a user, the operation
// itself checks that.
type access int

const (
	everyone access = iota
	anyUser
	adminOnly
)

// admit returns a problem if the user may not call the operation, and nil otherwise. u is nil for anonymous
// calls.
func (a access) admit(u *User) error {
	if a != everyone && u == nil {
		return refuse(http.StatusUnauthorized, "authorization: send a bearer token of one of the demo's users")
	}
	if a == adminOnly && !u.Admin {
		return refuse(http.StatusForbidden, "authorization: only the admin may do this")
	}
	return nil
}

// owns reports whether the user may see the resources of the user with this name. An admin may see all.
func (u *User) owns(name string) bool { return u.Admin || u.Name == name }
