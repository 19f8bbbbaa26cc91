package generate

import (
	"net/url"
	"slices"
	"strings"
)

// In a test, a database gives the recorded replies, which have the recorded ids. So a test needs no calls to create
// what the service keeps in the database. Such calls would create it with other ids, which are not in the replies.

// isKept reports whether the service keeps the effect of an earlier exchange in a database, so that a test need not
// repeat that exchange. value identifies what was changed, such as the id of a resource. isKept returns true if both
// exchanges have calls to the same database with the value.
func (r *recordedExchange) isKept(earlier *recordedExchange, value string) bool {
	return slices.ContainsFunc(earlier.outward, func(o *outwardCall) bool {
		return o.isQueryWith(value) && slices.ContainsFunc(r.outward, func(own *outwardCall) bool {
			return own.Host == o.Host && own.isQueryWith(value)
		})
	})
}

// isKeptResource reports whether the service keeps the effect of an earlier exchange on a resource in a database. It
// calls isKept with the id of the resource, which is the last segment of path.
func (r *recordedExchange) isKeptResource(earlier *recordedExchange, path string) bool {
	id, err := url.PathUnescape(lastSegment(path))
	return err == nil && r.isKept(earlier, id)
}

// isKeptInCollection reports whether the service keeps, in a database, the effect of an earlier write to a collection,
// and this exchange has a call to the same database.
func (r *recordedExchange) isKeptInCollection(w *recordedExchange) bool {
	resources := w.pathResources
	if w.createdResource != "" {
		resources = append(slices.Clip(resources), w.createdResource)
	}
	if len(resources) == 0 {
		return slices.ContainsFunc(w.outward, r.asksHostOf)
	}
	id, err := url.PathUnescape(lastSegment(resources[len(resources)-1]))
	return err == nil && slices.ContainsFunc(w.outward, func(o *outwardCall) bool { return o.isQueryWith(id) && r.asksHostOf(o) })
}

// asksHostOf reports whether the exchange has a call to the database of o.
func (r *recordedExchange) asksHostOf(o *outwardCall) bool {
	return o.Protocol.IsDatabase() && slices.ContainsFunc(r.outward, func(own *outwardCall) bool { return own.Host == o.Host })
}

// isQueryWith reports whether a call is to a database, and has a value in its request or in its reply.
func (o *outwardCall) isQueryWith(value string) bool {
	if !o.Protocol.IsDatabase() || value == "" {
		return false
	}
	return slices.ContainsFunc([]message{o.request, o.answer}, func(m message) bool {
		return isDistinctive(value) && strings.Contains(m.text, value) ||
			slices.ContainsFunc(m.leaves, func(l leaf) bool { return l.text() == value })
	})
}

// isKeptUser reports whether a test need not register a user, because the service keeps registrations in a database.
// This is so if the registration and the log-in have calls to the same database with a value of the log-in that is
// not secret.
func isKeptUser(registration, login *recordedExchange) bool {
	return slices.ContainsFunc(login.requestValues, func(l leaf) bool {
		return !isSecretName(l.lastName()) && len(l.text()) >= 3 && login.isKept(registration, l.text())
	})
}
