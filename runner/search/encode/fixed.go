package encode

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// fixedSize returns the scalars of a value in the order of the schema. If the value is a list, each number whose name
// is in f.Lengths is replaced by the number of bytes after the list element that contains the number.
func fixedSize(f model.Format, s *model.Schema, g gene.Gene) []byte {
	w := fixedWriter{order: binary.BigEndian, lengths: f.Lengths}
	if f.Encoding == model.LittleEndian {
		w.order = binary.LittleEndian
	}
	items := gene.Elements(g)
	if items == nil {
		w.value(s, g)
		return w.out
	}
	for i := len(items) - 1; i >= 0; i-- {
		one := fixedWriter{order: w.order, lengths: f.Lengths, follow: len(w.out)}
		one.value(s.ItemSchema(), items[i])
		w.out = append(one.out, w.out...)
	}
	return w.out
}

// fixedWriter writes values of fixed sizes.
type fixedWriter struct {
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	lengths []string // names of the fields that have the length of the bytes after the element
	follow  int      // the value of these fields: the number of bytes after the element that is written
	out     []byte
}

// value writes a value of a schema.
func (w *fixedWriter) value(s *model.Schema, g gene.Gene) {
	s = alternative(s, g)
	switch s.Type {
	case "object":
		for _, f := range gene.PresentFields(g) {
			if of := s.PropertySchema(f.Name); slices.Contains(w.lengths, f.Name) {
				w.integer(of.Format, int64(w.follow))
			} else {
				w.value(of, f.Gene)
			}
		}
	case "array":
		for _, item := range gene.Elements(g) {
			w.value(s.Items, item)
		}
	case "boolean":
		w.out = append(w.out, boolByte(gene.Text(g)))
	case "integer":
		w.integer(s.Format, integer(gene.Text(g)))
	case "number":
		x, _ := strconv.ParseFloat(gene.Text(g), 64) // a number's text is valid
		if s.Format == "float32" {
			w.out = w.order.AppendUint32(w.out, math.Float32bits(float32(x)))
			return
		}
		w.out = w.order.AppendUint64(w.out, math.Float64bits(x))
	case "string":
		w.text(gene.Text(g), s)
	}
}

// text writes a text, which is cut or filled up to the length of a schema with a fixed length.
func (w *fixedWriter) text(text string, s *model.Schema) {
	if s.MaxLength != nil && *s.MaxLength == s.MinLength {
		n := s.MinLength
		text = (text + strings.Repeat("\x00", n))[:n]
	}
	w.out = append(w.out, text...)
}

// integer writes an integer of the size of a format such as "uint16". If the integer is too large for the size,
// integer writes only its lowest bytes.
func (w *fixedWriter) integer(format string, n int64) {
	switch strings.TrimLeft(format, "uint") {
	case "8":
		w.out = append(w.out, byte(n))
	case "16":
		w.out = w.order.AppendUint16(w.out, uint16(n))
	case "32":
		w.out = w.order.AppendUint32(w.out, uint32(n))
	default:
		w.out = w.order.AppendUint64(w.out, uint64(n))
	}
}

// alternative returns the schema of a value. If s has alternatives, it returns for an object the one whose properties
// are the fields of the value, and for other values the first one that is not an object. It returns s if there is no
// such alternative.
func alternative(s *model.Schema, g gene.Gene) *model.Schema {
	fields := gene.PresentFields(g)
	for _, one := range s.AnyOf {
		switch {
		case len(fields) == 0 && one.Type != "object":
			return one
		case len(fields) == len(one.Properties) &&
			!slices.ContainsFunc(fields, func(f gene.Field) bool { return one.Property(f.Name) == nil }):
			return one
		}
	}
	return s
}

func integer(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		u, _ := strconv.ParseUint(text, 10, 64)
		return int64(u)
	}
	return n
}

func boolByte(text string) byte {
	if text == "true" {
		return 1
	}
	return 0
}
