package model_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"sonde/model"
)

// All values of a field are kept. A file from an older version, which stored one string for each field, can still be
// read.
func TestHeaderFields(t *testing.T) {
	for text, want := range map[string]model.HeaderFields{
		`{"A":"1"}`:              {"A": {"1"}},
		`{"A":["1","2"],"B":""}`: {"A": {"1", "2"}, "B": {""}},
		`{"A":[]}`:               {"A": {}},
		`{}`:                     {},
		`null`:                   nil,
	} {
		var got model.HeaderFields
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
		if again, err := json.Marshal(got); err != nil || want != nil && string(again) != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
	}
	for _, text := range []string{`{"A":1}`, `{"A":[1]}`, `[]`, `{"A":{}}`} {
		var got model.HeaderFields
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
