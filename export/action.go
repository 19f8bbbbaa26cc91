package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// action describes an operation in words. For "POST /products" the verb is [create] and the noun is [product].
type action struct{ verb, noun []string }

// actionVerbs are verbs that begin the last segment of a path if it names an action and not a resource, as
// in /orders/{id}/pay. Verbs that more often name resources, such as order and comment, are left out.
var actionVerbs = strings.Fields(`accept activate add append apply approve archive assign authenticate authorize ban block
	cancel check checkout clear clone close complete confirm connect copy create deactivate decline delete deliver
	deny disable disconnect dismiss enable execute expire export fetch find finish follow generate grant hide import
	install invite invoke join leave lock login logout mark merge move notify open pause pay ping pin publish
	reactivate reboot recalculate redeem refresh refund register reject release reload remove rename renew reopen
	replay reprocess reset resend resize restart restore resume retry revoke rotate run save search send ship sign
	signin signout signup start stop submit subscribe suspend swap sync terminate toggle trigger unarchive
	unassign unban unblock undo unfollow unlock unpin unpublish unshare unsubscribe unsuspend update upgrade upload
	validate verify void withdraw`)

// getVerbs are the action verbs that a GET may have.
var getVerbs = strings.Fields("check find login logout ping search validate verify")

// methodVerbs are the verbs of operations on resources.
var methodVerbs = map[string]string{
	"GET": "get", "POST": "create", "PUT": "put", "PATCH": "update", "DELETE": "delete",
}

// describe returns the action of an operation, judging by its method and path.
func describe(op model.OpID) action {
	method, path, _ := strings.Cut(string(op), " ")
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	parents, leaf := parts[:len(parts)-1], parts[len(parts)-1]
	if what, verb := customVerb(leaf); verb != nil {
		return action{verb, object(slices.Concat(parents, []string{what}))}
	}
	if strings.Contains(leaf, "{") {
		return action{verbOf(method, false), noun(parts)}
	}
	if w := words(leaf); isAction(method, w) {
		return action{w, object(parents)}
	}
	return collection(method, words(leaf))
}

// customVerb splits a segment such as "{id}:cancel" into the resource and the verb. verb is nil if the
// segment has no verb.
func customVerb(leaf string) (what string, verb []string) {
	at := strings.LastIndexByte(leaf, ':')
	if at <= 0 || strings.Contains(leaf[at:], "}") {
		return leaf, nil
	}
	return leaf[:at], words(leaf[at:])
}

// object returns the noun for the thing on which an action works, such as [order] for /orders/{id}/pay. parents are
// the segments before the action. object returns nil if the last of them is neither a resource nor a collection, as
// in /auth/login.
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

// verbOf returns the verb of an operation on a collection or on a resource in it.
func verbOf(method string, collection bool) []string {
	verb := cmp.Or(methodVerbs[method], strings.Join(words(strings.ToLower(method)), ""), "call")
	if method == "POST" && !collection {
		verb = "post"
	}
	return []string{verb}
}

// isAction reports whether the last segment of a path names an action. A segment of several words, such as
// add-item, is an action with its object; test-results is a collection. The path of a DELETE never names an
// action.
func isAction(method string, leaf []string) bool {
	if len(leaf) == 0 || method == "DELETE" {
		return false
	}
	if end := leaf[len(leaf)-1]; len(leaf) > 1 && singular(end) != end {
		return false
	}
	if method == "GET" {
		return slices.Contains(getVerbs, leaf[0])
	}
	return slices.Contains(actionVerbs, leaf[0])
}

// collection describes an operation on a path that does not end in a parameter: a collection, or the
// only resource of its kind.
func collection(method string, leaf []string) action {
	if len(leaf) == 0 {
		return action{verbOf(method, true), []string{"root"}}
	}
	d := action{verbOf(method, true), leaf}
	end := len(leaf) - 1
	switch one := singular(leaf[end]); {
	case method == "POST":
		d.noun = append(slices.Clone(leaf[:end]), one)
	case method == "GET" && one != leaf[end]:
		d.verb = []string{"list"}
	}
	return d
}

// noun returns the name of a resource from the end of its path: product for /products/{id} and for
// /products/id/{id}.
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

// name returns the part of a test's name for an action that the test does several times in a row, such as
// CreateTwoProducts or GetProductTwice. times is the number of times.
func (a action) name(times int) string {
	if len(a.verb) > 1 {
		return nameOf(a.verb) + timesSuffix(times)
	}
	if a.creates() && times > 1 {
		many := slices.Clone(a.noun)
		many[len(many)-1] = plural(many[len(many)-1])
		return nameOf(a.verb) + numberWord(times) + nameOf(many)
	}
	return nameOf(a.verb) + nameOf(a.noun) + timesSuffix(times)
}

func (a action) creates() bool { return slices.Equal(a.verb, []string{"create"}) && len(a.noun) > 0 }

// subject returns the words of a name for the variable that holds the answer to the action.
func (a action) subject() []string {
	if len(a.verb) > 1 || len(a.noun) == 0 {
		return a.verb
	}
	return a.noun
}

// nameOf joins words to a part of a name, of at most 40 characters.
func nameOf(words []string) string {
	name := []rune(pascal(words))
	return string(name[:min(len(name), 40)])
}

// numberWord returns a number as a word, or in digits from 11 on.
func numberWord(n int) string {
	names := []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"}
	if n < len(names) {
		return names[n]
	}
	return fmt.Sprint(n)
}

// timesSuffix returns the suffix of a name for an action that is done n times, "" for one time.
func timesSuffix(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return "Twice"
	}
	return numberWord(n) + "Times"
}
