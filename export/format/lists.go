package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// lists maps the name of each list in a JSON document to the member that has the name of an item.
type lists map[string]string

// merge merges a document into an old one. New items replace old items of the same name. Other items of the old
// document remain, except those whose comment begins with one of the lines in retired. merge returns false if the old
// document, or the "log" in a HAR, is not a JSON object, or if one of its lists is not a JSON array.
func (l lists) merge(old, new string, retired ...string) (string, bool) {
	merged, err := l.mergeObjects([]byte(old), []byte(new), retired)
	if err != nil {
		return "", false
	}
	return string(indented(merged)), true
}

// mergeObjects merges the members of a new object into an old one.
func (l lists) mergeObjects(old, new json.RawMessage, retired []string) (map[string]json.RawMessage, error) {
	var all, fresh map[string]json.RawMessage
	if err := json.Unmarshal(old, &all); err != nil || all == nil {
		return nil, fmt.Errorf("not an object: %w", err)
	}
	if err := json.Unmarshal(new, &fresh); err != nil {
		return nil, err
	}
	removed := l.namesOf(all, retired)
	for name, value := range fresh {
		var err error
		switch by, isList := l[name]; {
		case isList:
			value, err = mergeItems(all[name], value, by, removed)
		case name == "log": // the only member of a HAR
			var inside map[string]json.RawMessage
			inside, err = l.mergeObjects(all[name], value, retired)
			if err == nil {
				value = indented(inside)
			}
		}
		if err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, nil
}

// namesOf returns the names of some items of a document: those whose comments begin with one of the lines.
func (l lists) namesOf(document map[string]json.RawMessage, lines []string) map[string]bool {
	names := map[string]bool{}
	for list, by := range l {
		var all []json.RawMessage
		_ = json.Unmarshal(document[list], &all) // a value of another type has no items
		for _, item := range all {
			name := nameOf(item, by)
			for _, member := range []string{"description", "comment"} {
				line, _, _ := strings.Cut(nameOf(item, member), "\n")
				names[name] = names[name] || name != "" && line != "" && slices.Contains(lines, line)
			}
		}
	}
	return names
}

// mergeItems returns an old list with the new items, and without the old items whose names are in removed. The
// parameter by is the name of the member that has the name of an item.
func mergeItems(old, new json.RawMessage, by string, removed map[string]bool) (json.RawMessage, error) {
	var older, fresh []json.RawMessage
	if len(old) > 0 {
		if err := json.Unmarshal(old, &older); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(new, &fresh); err != nil {
		return nil, err
	}
	named := map[string][]json.RawMessage{}
	var order []string
	for _, item := range fresh {
		name := nameOf(item, by)
		if named[name] == nil {
			order = append(order, name)
		}
		named[name] = append(named[name], item)
	}
	all, done := newItemsFirst(older, named, order, by)
	for _, item := range older {
		name := nameOf(item, by)
		switch {
		case named[name] == nil && !removed[name]:
			all = append(all, item)
		case !done[name]:
			done[name] = true
			all = append(all, named[name]...)
		}
	}
	for _, name := range order {
		if !done[name] {
			all = append(all, named[name]...)
		}
	}
	return indented(all), nil
}

// newItemsFirst returns the new items that precede the first item known from the old list, and their names.
// The merged list begins with these items. If the lists have no item in common, it returns none.
func newItemsFirst(
	older []json.RawMessage, named map[string][]json.RawMessage, order []string, by string,
) ([]json.RawMessage, map[string]bool) {
	old, done := map[string]bool{}, map[string]bool{}
	known := false
	for _, item := range older {
		name := nameOf(item, by)
		old[name] = true
		known = known || named[name] != nil
	}
	var all []json.RawMessage
	for _, name := range order {
		if old[name] || !known {
			break
		}
		done[name] = true
		all = append(all, named[name]...)
	}
	return all, done
}

// nameOf returns the text in a member of an item, "" if there is none. by is the name of the member.
func nameOf(item json.RawMessage, by string) string {
	var members map[string]json.RawMessage
	var name string
	if json.Unmarshal(item, &members) == nil {
		_ = json.Unmarshal(members[by], &name)
	}
	return name
}
