package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sonde/model"
)

// ParseDriverUsers returns the users that a driver defines. auth and template are the sections auth and authTemplate of
// a configuration file, as JSON. Both are hostile input: a reference to an environment variable is an error, because a
// driver must not read the variables. Secrets are stored in User.Secrets only, under names that no secret of the users
// in others has. Errors contain no credentials.
func ParseDriverUsers(auth, template json.RawMessage, others []model.User) ([]model.User, error) {
	if len(auth)+len(template) > maxBytes {
		return nil, fmt.Errorf("its users have more than the limit of %d KiB", maxBytes>>10)
	}
	file := &value{kind: isObject}
	t := jsonTree{left: maxValues}
	for _, section := range []struct {
		key  string
		text json.RawMessage
	}{{"auth", auth}, {"authTemplate", template}} {
		if len(section.text) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(section.text))
		d.UseNumber()
		var tree any
		if err := d.Decode(&tree); err != nil {
			return nil, fmt.Errorf("its %s is not JSON", section.key)
		}
		v, err := t.value(tree, 0)
		if err != nil {
			return nil, fmt.Errorf("its %s: %w", section.key, err)
		}
		file.add(section.key, 0, v)
	}
	d := &decoder{}
	a := newAuthDecoder(d, file)
	for _, u := range others {
		for _, text := range u.SecretTexts() {
			for _, name := range model.SecretNames(text) {
				a.names[name] = true
			}
		}
	}
	d.object(file, "the driver's users", a.fields())
	for i, u := range a.users {
		a.users[i].OwnSecrets = true
		if model.Printable(u.Name, maxUserName) != u.Name {
			d.failAt(0, "a user's name has characters that cannot be printed, or more than %d bytes", maxUserName)
		}
	}
	return a.users, d.err
}

// maxUserName is the maximum length in bytes of the name of a driver's user.
const maxUserName = 100

// errVariable is the error for a driver's user that refers to an environment variable. Sonde would send the value of
// this variable to the service.
var errVariable = errors.New("a text refers to an environment variable: a driver gives the value itself")

// jsonTree converts JSON to values. The texts among them have isPrivate set. left is the number of values that may
// still be converted.
type jsonTree struct{ left int }

func (t *jsonTree) value(tree any, depth int) (*value, error) {
	t.left--
	switch {
	case t.left < 0:
		return nil, fmt.Errorf("it has more than %d values", maxValues)
	case depth > maxDepth:
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	switch x := tree.(type) {
	case map[string]any:
		v := &value{kind: isObject}
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if len(model.SecretNames(key)) > 0 {
				return nil, errVariable
			}
			kid, err := t.value(x[key], depth+1)
			if err != nil {
				return nil, err
			}
			v.add(key, 0, kid)
		}
		return v, nil
	case []any:
		v := &value{kind: isList}
		for _, item := range x {
			kid, err := t.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			v.kids = append(v.kids, kid)
		}
		return v, nil
	case nil:
		return &value{}, nil
	default:
		text := fmt.Sprint(x) // x is a string, a number or a boolean
		if len(model.SecretNames(text)) > 0 {
			return nil, errVariable
		}
		return &value{kind: isText, text: text, isPrivate: true}, nil
	}
}
