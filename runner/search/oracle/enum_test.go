package oracle

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"sonde/model"
)

// A long enumeration is indexed, with the same result as a linear search.
func TestManyValues(t *testing.T) {
	values := []any{"a", "", "5", true, nil, 1.5, 3.0, 1e21, math.Copysign(0, -1), []any{"x"}, map[string]any{"k": 1.0}}
	for i := range 100 {
		values = append(values, fmt.Sprint("text ", i), float64(100+i))
	}
	var c checker
	s := &model.Schema{Enum: values}
	for _, text := range []string{
		`"a"`, `""`, `"5"`, `5`, `true`, `false`, `null`, `1.5`, `1.50`, `3`, `3.0`, `3e0`, `1000000000000000000000`, `1e21`,
		`0`, `-0`, `["x"]`, `["y"]`, `{"k":1}`, `"text 7"`, `"text 100"`, `107`, `200`, `1e400`, `"true"`, `"1.5"`,
	} {
		v, ok := read([]byte(text))
		if !ok {
			t.Fatalf("%s is not read", text)
		}
		want := false
		for _, e := range values {
			want = want || same(e, v)
		}
		if got := c.inEnum(s, v); got != want {
			t.Errorf("%s is listed: %t, want %t", text, got, want)
		}
	}
	if c.checkEnum(s, json.Number("7"), "") == nil || c.checkEnum(s, "text 99", "") != nil {
		t.Error("what is listed is found, or what is not is missed")
	}
}
