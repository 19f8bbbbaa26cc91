package config

import (
	"slices"
	"strings"

	"sonde/model"
)

// values decodes corrections of values.
func (d *decoder) values(to *[]model.ValueCorrection) decodeFunc {
	kinds := make([]string, len(model.ValueKinds))
	for i, k := range model.ValueKinds {
		kinds[i] = string(k)
	}
	return func(v *value) {
		d.each(v, func(kid *value) {
			var c model.ValueCorrection
			d.object(kid, "values", fields{
				"value": d.text(&c.Value),
				"in":    d.text(&c.In),
				"field": d.text(&c.Field),
				"kind":  d.oneOf((*string)(&c.Kind), kinds...),
				"is":    d.text(&c.Is),
			})
			switch {
			case c.Value == "":
				d.fail(kid, "values: value names the value as sonde groups --why does, such as team.slug")
			case c.Kind == "" && c.Is == "":
				d.fail(kid, "values: say what %.60q is: a kind (%s), or with is another value", c.Value, strings.Join(kinds, ", "))
			case c.In != "" && !strings.HasPrefix(c.In, "/"):
				d.fail(kid, "values: in is the beginning of a path, such as /orgs/{org}, not %.60q", c.In)
			}
			*to = append(slices.Clip(*to), c)
		})
	}
}
