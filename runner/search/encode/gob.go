package encode

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"go/token"
	"reflect"
	"time"

	"sonde/model"
	"sonde/runner/search/gene"
)

// toGob returns a value in the encoding of encoding/gob. The bytes are those that a program with a type for the schema
// sends. toGob returns nil if there is no such type, or if the value cannot be encoded.
func toGob(s *model.Schema, g gene.Gene) []byte {
	t := goType(s)
	if t == nil {
		return nil
	}
	v := reflect.New(t)
	if json.Unmarshal(gene.JSON(g), v.Interface()) != nil {
		return nil
	}
	var out bytes.Buffer
	if gob.NewEncoder(&out).EncodeValue(v) != nil {
		return nil
	}
	return out.Bytes()
}

// numbers maps a format of integers to its type.
var numbers = map[string]reflect.Type{
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](), "uint": reflect.TypeFor[uint](),
	"uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](),
	"uint64": reflect.TypeFor[uint64](),
}

// goType returns a type for values of a schema, nil if there is none. It leaves out a property for which there is no
// type.
func goType(s *model.Schema) reflect.Type {
	switch s.Type {
	case "boolean":
		return reflect.TypeFor[bool]()
	case "integer":
		return numbers[s.Format]
	case "number":
		return reflect.TypeFor[float64]()
	case "string":
		switch s.Format {
		case "byte":
			return reflect.TypeFor[[]byte]()
		case "date-time":
			return reflect.TypeFor[time.Time]()
		}
		return reflect.TypeFor[string]()
	case "array":
		if t := goType(s.Items); t != nil {
			return reflect.SliceOf(t)
		}
	case "object":
		return structType(s)
	}
	return nil
}

func structType(s *model.Schema) reflect.Type {
	if s.Additional != nil {
		if t := goType(s.Additional); t != nil {
			return reflect.MapOf(reflect.TypeFor[string](), t)
		}
		return nil
	}
	var fields []reflect.StructField
	for _, p := range s.Properties {
		if t := goType(p.Schema); t != nil && token.IsIdentifier(p.Name) && token.IsExported(p.Name) {
			fields = append(fields, reflect.StructField{Name: p.Name, Type: t})
		}
	}
	return reflect.StructOf(fields)
}
