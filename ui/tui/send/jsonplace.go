package send

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/pointer"
)

// jsonPlace is the place of a cursor in a JSON text. The text may be incomplete or malformed.
type jsonPlace struct {
	path  []jsonToken // from the root to the value at the cursor, or to the enclosing object if inName is true
	start int         // first byte of the name or of the scalar at the cursor
	end   int         // the byte after it; start and end are the cursor if there is no name or scalar
	// inName reports whether the cursor is in the name of a property, or where a name may begin.
	inName bool
	names  []string // if inName is true, the names of the enclosing object's other properties
	named  bool     // a colon follows the cursor's token
}

// jsonToken is a step of a path: the name of a property or, if item is true, an item of a list.
type jsonToken struct {
	name string
	item bool
}

// jsonLevel is an object or a list that encloses a position.
type jsonLevel struct {
	list    bool
	name    string // name of the current property
	inValue bool   // after the colon of a property
	names   []string
}

// jsonScan reads a JSON text from its beginning.
type jsonScan struct {
	text   string
	cursor int
	levels []*jsonLevel
	place  *jsonPlace
	object *jsonLevel // the enclosing object if place.inName is true
}

// findJSONPlace returns the place of a cursor, which is an index of a byte.
func findJSONPlace(text string, cursor int) jsonPlace {
	s := jsonScan{text: text, cursor: cursor}
	for at := 0; at < len(text); {
		begin := at
		at = s.tokenEnd(begin)
		s.look(begin, at)
		s.step(begin, at)
		if s.place != nil && (s.object == nil || !slices.Contains(s.levels, s.object)) {
			break // nothing that follows belongs to the object of the cursor
		}
	}
	s.look(len(text), len(text)+1)
	if s.object != nil {
		s.place.names = s.object.names
	}
	return *s.place
}

// tokenEnd returns the byte after the token that begins at a byte: a string, a scalar without quotes, or one character.
func (s *jsonScan) tokenEnd(begin int) int {
	switch c := s.text[begin]; {
	case c == '"':
		return s.stringEnd(begin)
	case isScalarByte(c):
		end := begin
		for end < len(s.text) && isScalarByte(s.text[end]) {
			end++
		}
		return end
	}
	return begin + 1
}

// stringEnd returns the byte after a string. A string without a closing quote ends with its line.
func (s *jsonScan) stringEnd(begin int) int {
	for i := begin + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s.text)
}

func isScalarByte(c byte) bool {
	return c >= utf8.RuneSelf || c == '+' || c == '-' || c == '.' || c == '_' ||
		c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// look notes the place of the cursor if the cursor is in a token, or before it.
func (s *jsonScan) look(begin, end int) {
	isText := begin < len(s.text) && (s.text[begin] == '"' || isScalarByte(s.text[begin]))
	switch {
	case s.place != nil:
	case isText && s.cursor >= begin && s.cursor <= end:
		s.place = &jsonPlace{start: begin, end: end}
	case s.cursor <= begin || end > len(s.text):
		s.place = &jsonPlace{start: s.cursor, end: s.cursor}
	default:
		return
	}
	if s.place.path == nil {
		s.locate()
	}
}

// locate sets the path of the place from the levels at the cursor.
func (s *jsonScan) locate() {
	s.place.path = []jsonToken{}
	for i, l := range s.levels {
		switch {
		case l.list:
			s.place.path = append(s.place.path, jsonToken{item: true})
		case l.inValue:
			s.place.path = append(s.place.path, jsonToken{name: l.name})
		case i == len(s.levels)-1:
			s.place.inName, s.object = true, l
			rest := strings.TrimLeft(s.text[min(s.place.end, len(s.text)):], " \t\r\n")
			s.place.named = strings.HasPrefix(rest, ":")
		}
	}
}

// step follows a token into and out of objects and lists.
func (s *jsonScan) step(begin, end int) {
	c := s.text[begin]
	top := &jsonLevel{list: true} // receives what is outside of objects and lists
	if n := len(s.levels); n > 0 {
		top = s.levels[n-1]
	}
	switch {
	case c == '{' || c == '[':
		s.levels = append(s.levels, &jsonLevel{list: c == '['})
	case (c == '}' || c == ']') && len(s.levels) > 0:
		s.levels = s.levels[:len(s.levels)-1]
	case c == ',':
		top.inValue = false
	case c == ':':
		top.inValue = true
	case !top.list && !top.inValue && c == '"':
		top.name = unquoted(s.text[begin:end])
		if s.place == nil || s.place.start != begin {
			top.names = append(top.names, top.name)
		}
	}
}

// unquoted returns the text of a JSON string, which may lack its closing quote.
func unquoted(token string) string {
	var text string
	if json.Unmarshal([]byte(token), &text) == nil {
		return text
	}
	return strings.Trim(token, `"`)
}

// pointer returns the path as a JSON pointer, with 0 for items of lists.
func (p jsonPlace) pointer() (place string) {
	for _, token := range p.path {
		if token.item {
			place += "/0"
		} else {
			place += "/" + pointer.Escape(token.name)
		}
	}
	return place
}

// schema returns the schema at the path below a schema, nil if the schema does not declare it. required reports whether
// the enclosing object must have the value.
func (p jsonPlace) schema(s *model.Schema) (at *model.Schema, required bool) {
	for _, token := range p.path {
		if s == nil {
			return nil, false
		}
		if token.item {
			s, required = s.ItemSchema(), false
		} else {
			s, required = s.PropertySchema(token.name), s.Requires(token.name)
		}
	}
	return s, required
}

// jsonProblem returns why a text is not JSON, with its line and column. It returns "" for JSON.
func jsonProblem(text string) string {
	var v json.RawMessage
	err := json.Unmarshal([]byte(text), &v)
	if err == nil {
		return ""
	}
	at := len(text)
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		at = min(max(int(e.Offset)-1, 0), len(text))
		if strings.Contains(e.Error(), "unexpected end") {
			at = len(text)
		}
	}
	before := text[:at]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d: %v", line, column, err)
}
