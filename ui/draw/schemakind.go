package draw

import (
	"fmt"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// SchemaKind describes in a few words which values a schema allows, such as "integer 1…99" or "list of CartItem".
func SchemaKind(s *model.Schema) string {
	return Clean(kindTo(s, 3))
}

// kindTo returns the kind of a schema. It describes nested lists down to the given depth.
func kindTo(s *model.Schema, depth int) string {
	if s == nil {
		return "any"
	}
	text := base(s, depth)
	limits := strings.TrimSpace(bounds(s))
	switch {
	case limits != "" && s.Items != nil:
		text += ", " + limits // the comma separates the limits of the list from the limits of its items
	case limits != "":
		text += " " + limits
	}
	if s.Nullable {
		text += " or null"
	}
	return text
}

// base returns the kind of a schema without its limits.
func base(s *model.Schema, depth int) string {
	switch {
	case s.Const != nil:
		return "= " + words.Literal(s.Const)
	case len(s.Enum) > 0:
		return ValueList(s.Enum, ShownChoices)
	case s.Items != nil && depth > 0:
		return "list of " + kindTo(s.Items, depth-1)
	case s.Items != nil, s.Type == "array":
		return "list"
	case s.Name != "" && (len(s.Properties) > 0 || len(s.Alternatives()) > 0 || len(s.AllOf) > 0):
		return s.Name
	case len(s.Types()) > 1:
		return strings.Join(s.Types(), " or ")
	case len(s.Alternatives()) > 0:
		return "one of " + strconv.Itoa(len(s.Alternatives()))
	case s.Type == "string" && s.Format != "":
		return s.Format
	case s.Type == "" && (len(s.Properties) > 0 || len(s.AllOf) > 0 || s.Additional != nil):
		return "object"
	case s.Type == "":
		return "any"
	}
	return s.Type
}

// ShownChoices is the number of an enumeration's values that a line shows.
const ShownChoices = 4

// ValueList lists the first values of an enumeration, at most the number most.
func ValueList(values []any, most int) string {
	var list []string
	for _, v := range values[:min(len(values), most)] {
		list = append(list, words.Literal(v))
	}
	if n := len(values) - most; n > 0 {
		list = append(list, fmt.Sprintf("… %d more", n))
	}
	return strings.Join(list, " | ")
}

// bounds lists the limits of a schema: numbers, lengths, items, pattern.
func bounds(s *model.Schema) string {
	text := numbers(s)
	if s.MultipleOf != nil {
		text += " step " + limit(*s.MultipleOf)
	}
	if r := sizes(s.MinLength, s.MaxLength); r != "" {
		text += " " + r + " chars"
	}
	if r := sizes(s.MinItems, s.MaxItems); r != "" {
		text += " " + r + " items"
	}
	if s.Pattern != "" {
		text += " ~ " + s.Pattern
	}
	return text
}

func numbers(s *model.Schema) string {
	low, high := theme.Spell("≥ "), theme.Spell("≤ ")
	if s.ExclusiveMin {
		low = "> "
	}
	if s.ExclusiveMax {
		high = "< "
	}
	switch {
	case s.Min != nil && s.Max != nil && !s.ExclusiveMin && !s.ExclusiveMax:
		return limit(*s.Min) + theme.Spell("…") + limit(*s.Max)
	case s.Min != nil && s.Max != nil:
		return low + limit(*s.Min) + " " + high + limit(*s.Max)
	case s.Min != nil:
		return low + limit(*s.Min)
	case s.Max != nil:
		return high + limit(*s.Max)
	}
	return ""
}

func limit(f float64) string { return strconv.FormatFloat(f, 'g', 10, 64) }

func sizes(least int, most *int) string {
	switch {
	case most != nil && least > 0:
		return fmt.Sprintf("%d%s%d", least, theme.Spell("…"), *most)
	case most != nil:
		return fmt.Sprintf("%s %d", theme.Spell("≤"), *most)
	case least > 0:
		return fmt.Sprintf("%s %d", theme.Spell("≥"), least)
	}
	return ""
}
