package codec

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
)

var updateEvents = flag.Bool("update-events", false, "write testdata/events.txt again")

// filler sets all fields of a value. In a type that contains itself, it fills only the outermost value.
type filler struct {
	open map[reflect.Type]bool
	n    int64
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes([]byte(`{"text":"text"}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.n%100 + 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.n%100 + 1))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		if !f.open[v.Type().Elem()] {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Slice:
		if !f.open[v.Type().Elem()] {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			f.fill(v.Index(0))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		f.open[v.Type()] = true
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
		delete(f.open, v.Type())
	}
}

// membersOf adds the path and the JSON type of each value in JSON.
func membersOf(path string, value any, members map[string]bool) {
	kind := fmt.Sprintf("%T", value)
	switch v := value.(type) {
	case map[string]any:
		kind = "object"
		for name, inner := range v {
			membersOf(path+"."+name, inner, members)
		}
	case []any:
		kind = "array"
		for _, inner := range v {
			membersOf(path+"[]", inner, members)
		}
	case float64:
		kind = "number"
	}
	members[path+" "+kind] = true
}

// writtenMembers returns the members of all events as a run writes them to events.ndjson, each line with its path and
// type.
func writtenMembers(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := CreateRun(dir, RunHeader{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		e := reflect.New(reflect.TypeOf(kinds[name])).Elem()
		(&filler{open: map[reflect.Type]bool{}}).fill(e)
		if err := w.WriteEvent(model.LogEntry{At: time.Second, Call: 7, Event: e.Interface().(model.Event)}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	w.Close()
	data, err := os.ReadFile(filepath.Join(dir, eventsFile))
	if err != nil {
		t.Fatal(err)
	}
	members := map[string]bool{}
	for line := range bytes.Lines(data) {
		var event map[string]any
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		membersOf(event["event"].(string), event, members)
	}
	return slices.Sorted(maps.Keys(members))
}

// Programs read events.ndjson. Each member that testdata/events.txt lists is still there with its type; new members may
// be added. If a member must change, write the list again, and say so in CHANGELOG.md:
//
//	go test ./model/codec -run EventsStay -update-events
func TestEventsStay(t *testing.T) {
	file := filepath.Join("testdata", "events.txt")
	got := writtenMembers(t)
	if *updateEvents {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, member := range want {
		if !slices.Contains(got, member) {
			t.Errorf("events.ndjson no longer has %s", member)
		}
	}
	for name := range kinds {
		if !slices.Contains(want, name+".event string") {
			t.Errorf("%s does not list the event %s: write it again", file, name)
		}
	}
}
