package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// cursorJoiner finds which input takes which cursor, and gives the input and the cursor the same identity. owners
// has, for each attribute that is a cursor, the operation or the path for which the cursor is valid.
type cursorJoiner struct {
	*qualifier
	owners map[*attribute]string
}

// joinAll gives each cursor in the answer of an operation the same identity as the input that takes the cursor. A
// cursor is only valid for the operation that emitted it, so the cursors of two operations are different values. In
// contrast, an ETag is valid for all operations of its path. joinAll must run after the kinds of all uses are set.
func (c cursorJoiner) joinAll() {
	for _, op := range c.ops {
		if !c.joinPages(op) && !c.joinLink(op) {
			c.joinElements(op)
		}
	}
	c.joinETags()
}

// joinPages connects the pages of a list. It gives the same identity to the input of an operation that selects the
// next page and to the cursors in the operation's answer that lead to the next page. It does the same for the previous
// page. It reports whether the operation has such an input and such a cursor.
func (c cursorJoiner) joinPages(op *model.Operation) (joined bool) {
	for _, back := range []bool{false, true} {
		isPage := func(u *ValueUse) bool { return u.Kind == KindCursor && !isETag(u.Name) && leadsBack(u.Name) == back }
		taken := c.first(op, func(u *ValueUse) bool { return !u.Out && isPage(u) })
		if taken < 0 {
			continue
		}
		name, owner := c.uses[op][taken].Name, c.uses[op][taken].owner()
		if c.first(op, func(u *ValueUse) bool { return u.Out && isPage(u) && (owner == "" || u.owner() != owner) }) < 0 {
			// The same component has the value in the request and in the answer: it is a property of an element, not a
			// cursor.
			continue
		}
		e, attr := c.ownCursor(c.resources[op], name, string(op.ID), &c.uses[op][taken])
		why := "its value is passed to " + name + " of the same operation"
		for k := range c.uses[op] {
			u := &c.uses[op][k]
			if isPage(u) && (u.Out || k == taken) {
				c.identities[op][k] = identity{entity: e, attr: attr, why: why, evidence: EvidenceName}
			}
		}
		joined = true
	}
	return joined
}

// first returns the index of the first use of an operation that passes a test, -1 for none.
func (c cursorJoiner) first(op *model.Operation, test func(*ValueUse) bool) int {
	for k := range c.uses[op] {
		if test(&c.uses[op][k]) {
			return k
		}
	}
	return -1
}

// ownCursor adds an attribute for the cursors of owner to the entity of a resource. owner is an operation or a path.
// ownCursor returns the entity and the key of the attribute. The attribute is called name. If an attribute of this
// name belongs to another owner, the new attribute's name includes owner.
func (c cursorJoiner) ownCursor(r *resource.Resource, name, owner string, u *ValueUse) (*entity, string) {
	e := c.entityAt(r)
	key := e.addUse(name, u)
	if other, known := c.owners[e.attrs[key]]; known && other != owner {
		name += " of " + owner
		key = e.addUse(name, u)
	}
	c.owners[e.attrs[key]] = owner
	return e, key
}

// pageParams are plain names of query parameters that select a page, the most certain first. Names of cursors are not
// listed.
var pageParams = []string{"page", "pagenumber", "offset", "after", "since", "start"}

// joinLink gives the same identity to the header Link, which contains the URL of the next page, and to the query
// parameter that selects the page. Both get the kind KindCursor. joinLink reports whether the operation has both.
func (c cursorJoiner) joinLink(op *model.Operation) bool {
	link := c.first(op, func(u *ValueUse) bool { return u.Out && u.In == model.InHeader && strings.EqualFold(u.Name, "Link") })
	if link < 0 {
		return false
	}
	page := c.first(op, func(u *ValueUse) bool {
		return !u.Out && u.In == model.InQuery && u.Kind == KindCursor && !leadsBack(u.Name)
	})
	for _, name := range pageParams {
		if page < 0 {
			page = c.first(op, func(u *ValueUse) bool { return !u.Out && u.In == model.InQuery && u.spelling.plain == name })
		}
	}
	if page < 0 {
		return false
	}
	uses := c.uses[op]
	e, attr := c.ownCursor(c.resources[op], "nextPage", string(op.ID), &uses[page])
	for _, k := range []int{page, link} {
		uses[k].Kind, uses[k].InURL = KindCursor, k == link
		c.identities[op][k] = identity{
			entity: e, attr: attr, why: "the header Link has it in the URL of the next page", evidence: EvidencePlace,
		}
	}
	return true
}

// elementCursors are plain names of parameters that take the id of a listed element as a cursor.
var elementCursors = []string{"startingafter", "endingbefore"}

// joinElements sets the identity of the parameters startingAfter and endingBefore, which take the id of a listed
// element. It does nothing if the answer does not list elements with an id. It is called only if joinPages and joinLink
// find no cursor of the operation.
func (c cursorJoiner) joinElements(op *model.Operation) {
	e := c.byResource[c.resources[op]]
	if e == nil || !e.hasKey() {
		return
	}
	uses := c.uses[op]
	takes := func(u *ValueUse) bool { return !u.Out && slices.Contains(elementCursors, u.spelling.plain) }
	if c.first(op, takes) < 0 {
		return
	}
	listed := c.first(op, func(u *ValueUse) bool {
		return u.Out && u.In == model.InResponse && u.Kind == KindIdentifier && strings.Contains(u.Pointer, "/0/") &&
			u.spelling.plain == e.key()
	})
	if listed < 0 || c.identities[op][listed].entity != e {
		return
	}
	for k := range uses {
		if u := &uses[k]; takes(u) {
			why := u.Name + " is the " + uses[listed].Name + " of an element of the list"
			c.identities[op][k] = identity{entity: e, attr: c.identities[op][listed].attr, why: why, evidence: EvidenceName}
		}
	}
}

// joinETags gives all ETags of a path the same identity, if an operation of the path emits one. These are the ETags
// that operations of the path emit, and the headers by which operations of the path take an ETag, such as If-Match.
func (c cursorJoiner) joinETags() {
	emitted := map[*resource.Resource]bool{}
	c.each(func(op *model.Operation, u *ValueUse, _ *identity) {
		if u.Out && u.Kind == KindCursor && isETag(u.Name) {
			emitted[c.resources[op]] = true
		}
	})
	if len(emitted) == 0 {
		return
	}
	c.each(func(op *model.Operation, u *ValueUse, i *identity) {
		r := c.resources[op]
		if u.Kind != KindCursor || u.In == model.InBody || !emitted[r] || !isETag(u.Name) {
			return
		}
		e, attr := c.ownCursor(r, "ETag", r.Path, u)
		*i = identity{entity: e, attr: attr, why: u.Name + " names the version of " + r.Path, evidence: EvidencePlace}
	})
}

// isETag reports whether a value with this name is an ETag, or a condition that takes an ETag.
func isETag(name string) bool {
	switch plainName(name) {
	case "etag", "ifmatch", "ifnonematch":
		return true
	}
	return false
}

// leadsBack reports whether a cursor with this name leads to the previous page.
func leadsBack(name string) bool {
	plain := plainName(name)
	return strings.HasPrefix(plain, "prev") || plain == "endingbefore"
}
