package wire

import (
	"strings"
)

// maxPostgresDimensions is the maximum number of dimensions of an array.
const maxPostgresDimensions = 6

// postgresArrayText returns the text of an array in binary form.
func postgresArrayText(element int32, b []byte) (string, error) {
	f := newPostgresFields(b)
	dimensions, _, oid := f.int32(), f.int32(), int32(f.int32())
	if f.bad || dimensions < 0 || dimensions > maxPostgresDimensions || oid != element {
		return "", errPostgresValue
	}
	if dimensions == 0 {
		return "{}", nil
	}
	lengths, all := make([]int, dimensions), 1
	for i := range lengths {
		lengths[i] = f.int32()
		lower := f.int32()
		if lengths[i] < 1 || lengths[i] > len(b) || lower != 1 {
			return "", errPostgresValue
		}
		if all *= lengths[i]; all > len(b) {
			return "", errPostgresValue
		}
	}
	var text strings.Builder
	if err := postgresWriteArray(&text, &f, element, lengths); err != nil || f.bad || len(f.rest) > 0 {
		return "", errPostgresValue
	}
	return text.String(), nil
}

// postgresWriteArray writes the text of one dimension, with the dimensions within it. lengths has the lengths of
// these dimensions, the outermost first.
func postgresWriteArray(text *strings.Builder, f *postgresFields, element int32, lengths []int) error {
	text.WriteByte('{')
	for i := 0; i < lengths[0]; i++ {
		if i > 0 {
			text.WriteByte(',')
		}
		if len(lengths) > 1 {
			if err := postgresWriteArray(text, f, element, lengths[1:]); err != nil {
				return err
			}
			continue
		}
		b := f.value()
		if b == nil {
			text.WriteString("NULL")
			continue
		}
		item, err := postgresText(element, b)
		if err != nil {
			return err
		}
		text.WriteString(postgresQuoted(item))
	}
	text.WriteByte('}')
	return nil
}

// postgresQuoted returns an element of an array, quoted if it must be.
func postgresQuoted(item string) string {
	if item != "" && !strings.EqualFold(item, "NULL") && !strings.ContainsAny(item, "{},\"\\ \t\r\n\v\f") {
		return item
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(item) + `"`
}

// postgresArray returns the binary form of an array from its text, such as {1,2}. element is the type of the elements.
func postgresArray(element int32, text string) ([]byte, error) {
	p := &postgresArrayParser{rest: text, element: element}
	if !p.list(0) || p.rest != "" {
		return nil, errPostgresValue
	}
	if len(p.values) == 0 {
		p.lengths = nil
	}
	all := 1
	b := appendPostgresInt32(nil, int32(len(p.lengths)))
	if p.hasNull {
		b = appendPostgresInt32(b, 1)
	} else {
		b = appendPostgresInt32(b, 0)
	}
	b = appendPostgresInt32(b, element)
	for _, n := range p.lengths {
		b = appendPostgresInt32(appendPostgresInt32(b, int32(n)), 1)
		all *= n
	}
	if all != len(p.values) && len(p.values) > 0 {
		return nil, errPostgresValue
	}
	for _, v := range p.values {
		b = appendPostgresValue(b, v)
	}
	return b, nil
}

// postgresArrayParser parses the text of an array.
type postgresArrayParser struct {
	rest    string
	element int32
	lengths []int // the lengths of the dimensions
	values  [][]byte
	hasNull bool
}

// next reports whether the rest begins with the character c. If so, it skips the character.
func (p *postgresArrayParser) next(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// list parses a list at a depth: 0 is the outermost dimension. It returns false if the text is malformed.
func (p *postgresArrayParser) list(depth int) bool {
	if depth == maxPostgresDimensions || !p.next('{') {
		return false
	}
	n := 0
	for !p.next('}') {
		if n > 0 && !p.next(',') || !p.item(depth) {
			return false
		}
		n++
	}
	for len(p.lengths) <= depth {
		p.lengths = append(p.lengths, -1)
	}
	if p.lengths[depth] == -1 {
		p.lengths[depth] = n
	}
	return p.lengths[depth] == n
}

// item parses an element, or a list of the next dimension. It returns false if the text is malformed.
func (p *postgresArrayParser) item(depth int) bool {
	if strings.HasPrefix(p.rest, "{") {
		return p.list(depth + 1)
	}
	if len(p.lengths) > depth+1 {
		return false
	}
	quoted := p.next('"')
	var item strings.Builder
	for {
		switch {
		case p.rest == "":
			return false
		case quoted && p.next('"'):
			return p.add(item.String(), false)
		case !quoted && (p.rest[0] == ',' || p.rest[0] == '}'):
			return item.Len() > 0 && p.add(item.String(), strings.EqualFold(item.String(), "NULL"))
		case p.next('\\') && p.rest == "":
			return false
		}
		item.WriteByte(p.rest[0])
		p.rest = p.rest[1:]
	}
}

// add adds an element. It returns false if the text is not a value of the element's type.
func (p *postgresArrayParser) add(text string, isNull bool) bool {
	if isNull {
		p.values, p.hasNull = append(p.values, nil), true
		return true
	}
	b, err := postgresBinary(p.element, text)
	p.values = append(p.values, b)
	return err == nil
}
