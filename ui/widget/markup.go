package widget

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"sonde/ui/theme"
)

// scanXML returns the rows of well-formed XML, one for each tag, with the text of an element without others on the row of
// its tag. ok is false for other text.
func scanXML(text string) (rows []row, ok bool) {
	s := markupScanner{text: text, decoder: xml.NewDecoder(strings.NewReader(text))}
	s.decoder.Entity = xml.HTMLEntity
	s.decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for len(s.rows) < maxRows {
		switch err := s.next(); {
		case errors.Is(err, io.EOF):
			return s.rows, s.elements > 0
		case err != nil:
			return nil, false
		}
	}
	return nil, false
}

// markupScanner converts XML to rows.
type markupScanner struct {
	text     string
	decoder  *xml.Decoder
	rows     []row
	opened   []int // rows whose end tag has not been read yet
	elements int
}

// next reads one token. Tags are written as they are in the text.
func (s *markupScanner) next() error {
	from := s.decoder.InputOffset()
	token, err := s.decoder.Token() // checks that tags match
	if err != nil {
		return err
	}
	raw := strings.TrimSpace(s.text[from:s.decoder.InputOffset()])
	depth := len(s.opened)
	switch token.(type) {
	case xml.StartElement:
		s.elements++
		s.rows = append(s.rows, row{value: oneLine(raw), depth: depth, style: theme.Plain})
		s.opened = append(s.opened, len(s.rows)-1)
	case xml.EndElement:
		s.end(raw)
	default:
		if raw != "" {
			s.rows = append(s.rows, row{value: oneLine(raw), depth: depth, style: theme.Good})
		}
	}
	return nil
}

// end reads an end tag. raw is "" for the end of a tag such as <br/>.
func (s *markupScanner) end(raw string) {
	last := len(s.opened) - 1
	at := s.opened[last]
	s.opened = s.opened[:last]
	begin := &s.rows[at]
	switch inside := len(s.rows) - 1 - at; {
	case inside == 0:
		begin.value += raw
	case inside == 1 && s.rows[at+1].style == theme.Good: // only text
		begin.value += s.rows[at+1].value + raw
		s.rows = s.rows[:at+1]
	default:
		begin.open, begin.has, begin.end = true, inside, len(s.rows)
		s.rows = append(s.rows, row{value: raw, depth: last, style: theme.Plain})
	}
}

// oneLine returns a text without line ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
