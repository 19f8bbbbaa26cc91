package refusal

import (
	"fmt"
	"strings"
)

// String returns the rule in words, such as `"plan" is one of "free", "paid"`.
func (r Rule) String() string {
	subject := "an input"
	if r.Input != "" {
		subject = fmt.Sprintf("%q", r.Input)
	}
	return subject + " " + strings.Join(r.predicates(), " and ")
}

func (r Rule) predicates() (all []string) {
	add := func(applies bool, format string, args ...any) {
		if applies {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	add(r.Unknown, "is unknown")
	if len(r.Values) > 0 {
		quoted := make([]string, len(r.Values))
		for i, v := range r.Values {
			quoted[i] = fmt.Sprintf("%q", v)
		}
		add(true, "is one of %s", strings.Join(quoted, ", "))
	}
	add(r.Prefix != "", "begins with %q", r.Prefix)
	add(r.Pattern != "", "matches %s", r.Pattern)
	add(r.Format != "", "has the format %s", r.Format)
	if r.MinLength != nil {
		add(true, "has %d characters or more", *r.MinLength)
	}
	if r.MaxLength != nil {
		add(true, "has at most %d characters", *r.MaxLength)
	}
	if r.Min != nil {
		add(true, "is %g or more", *r.Min)
	}
	if r.Max != nil {
		add(true, "is at most %g", *r.Max)
	}
	add(r.Required && len(all) == 0, "is required")
	return all
}
