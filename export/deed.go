package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// deed is what an operation does, in words: [create] [product].
type deed struct{ verb, noun []string }

// deeds begin a last path segment that tells what to do rather than what to do
// it with: /orders/{id}/pay. Words that are as often a noun are not here.
var deeds = strings.Fields(`accept activate add append apply approve archive assign authenticate authorize ban block
	cancel check checkout clear clone close complete confirm connect copy create deactivate decline delete deliver
	deny disable disconnect dismiss enable execute expire export fetch find finish follow generate grant hide import
	install invite invoke join leave lock login logout mark merge move notify open pause pay ping pin publish
	reactivate reboot recalculate redeem refresh refund register reject release reload remove rename renew reopen
	replay reprocess reset resend resize restart restore resume retry revoke rotate run save search send ship sign
	signin signout signup start stop submit subscribe suspend swap sync terminate toggle trigger unarchive
	unassign unban unblock undo unfollow unlock unpin unpublish unshare unsubscribe unsuspend update upgrade upload
	validate verify void withdraw`)

// askings are those deeds that a GET may be about.
var askings = strings.Fields("check find login logout ping search validate verify")

var verbs = map[string]string{
	"GET": "get", "POST": "create", "PUT": "put", "PATCH": "update", "DELETE": "delete",
}

// describe says what an operation does, judging by its method and path.
func describe(op model.OpID) deed {
	method, path, _ := strings.Cut(string(op), " ")
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	parents, leaf := parts[:len(parts)-1], parts[len(parts)-1]
	if what, verb := custom(leaf); verb != nil {
		return deed{verb, object(slices.Concat(parents, []string{what}))}
	}
	if strings.Contains(leaf, "{") {
		return deed{verbOf(method, false), noun(parts)}
	}
	if w := words(leaf); isDeed(method, w) {
		return deed{w, object(parents)}
	}
	return collection(method, words(leaf))
}

// custom splits a segment such as "{id}:cancel" into what and how; it is no
// verb if there is none behind a colon.
func custom(leaf string) (what string, verb []string) {
	at := strings.LastIndexByte(leaf, ':')
	if at <= 0 || strings.Contains(leaf[at:], "}") {
		return leaf, nil
	}
	return leaf[:at], words(leaf[at:])
}

// object returns what a deed at the end of a path is done to: one resource, or
// those of a collection. It is nothing for /auth/login.
func object(parents []string) []string {
	if len(parents) == 0 {
		return nil
	}
	leaf := parents[len(parents)-1]
	if strings.Contains(leaf, "{") {
		return noun(parents)
	}
	if w := words(leaf); len(w) > 0 && singular(w[len(w)-1]) != w[len(w)-1] {
		return w
	}
	return nil
}

func verbOf(method string, collection bool) []string {
	verb := cmp.Or(verbs[method], strings.Join(words(strings.ToLower(method)), ""), "call")
	if method == "POST" && !collection {
		verb = "post"
	}
	return []string{verb}
}

// isDeed reports whether a path's last segment is something to do. One of
// several words, such as add-item, has its object in it; but test-results is a
// collection.
func isDeed(method string, leaf []string) bool {
	if len(leaf) == 0 || method == "DELETE" {
		return false
	}
	if end := leaf[len(leaf)-1]; len(leaf) > 1 && singular(end) != end {
		return false
	}
	if method == "GET" {
		return slices.Contains(askings, leaf[0])
	}
	return slices.Contains(deeds, leaf[0])
}

// collection describes an operation on the resources of a path without a
// parameter at its end, or on a resource that is alone of its kind.
func collection(method string, leaf []string) deed {
	if len(leaf) == 0 {
		return deed{verbOf(method, true), []string{"root"}}
	}
	d := deed{verbOf(method, true), leaf}
	end := len(leaf) - 1
	switch one := singular(leaf[end]); {
	case method == "POST":
		d.noun = append(slices.Clone(leaf[:end]), one)
	case method == "GET" && one != leaf[end]:
		d.verb = []string{"list"}
	}
	return d
}

// noun returns what one resource at the end of a path is called: a product
// for /products/{id} and for /products/id/{id}.
func noun(segments []string) []string {
	for _, s := range slices.Backward(segments) {
		fixed, _, _ := strings.Cut(s, "{")
		if w := words(fixed); len(w) > 0 && w[len(w)-1] != "id" {
			w[len(w)-1] = singular(w[len(w)-1])
			return w
		}
	}
	for _, s := range slices.Backward(segments) {
		if w := words(s); len(w) > 0 {
			return w
		}
	}
	return []string{"root"}
}

// name returns a deed done once or several times in a row.
func (d deed) name(times int) string {
	if len(d.verb) > 1 {
		return short(d.verb) + often(times)
	}
	if d.creates() && times > 1 {
		many := slices.Clone(d.noun)
		many[len(many)-1] = plural(many[len(many)-1])
		return short(d.verb) + count(times) + short(many)
	}
	return short(d.verb) + short(d.noun) + often(times)
}

func (d deed) creates() bool { return slices.Equal(d.verb, []string{"create"}) && len(d.noun) > 0 }

// subject returns what a variable that holds the answer is called.
func (d deed) subject() []string {
	if len(d.verb) > 1 || len(d.noun) == 0 {
		return d.verb
	}
	return d.noun
}

// short bounds a part of a name; hostile segments are long.
func short(words []string) string {
	name := []rune(pascal(words))
	return string(name[:min(len(name), 40)])
}

func count(n int) string {
	names := []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"}
	if n < len(names) {
		return names[n]
	}
	return fmt.Sprint(n)
}

func often(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return "Twice"
	}
	return count(n) + "Times"
}
