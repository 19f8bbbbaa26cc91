package unitdata

import (
	"strings"
	"testing"
)

// manifest has a method with a parameter and a result, and a mockable call.
var manifest = &Manifest{Build: 7, Functions: []Function{{
	Receiver: &Var{Name: "s", Type: "*p.S"}, Params: []Var{{Name: "n", Type: "int"}}, Results: []Var{{Type: "error"}},
	Sites: []Site{{ID: 0}},
}}}

const whole = `{"f":0,"n":1,"before":{"recv":{},"args":[{"k":"v","v":"1"}]},"after":{"args":[{}]},"results":[{}],"calls":[{"s":0}]}`

func TestRead(t *testing.T) {
	const process = `{"build":"7","process":12}`
	for name, c := range map[string]struct {
		lines  string
		n      int
		broken int
	}{
		"whole":                  {process + "\n" + whole + "\n", 1, 0},
		"two processes":          {process + "\n" + whole + "\n\n" + process + "\n" + whole + "\n", 2, 0},
		"killed":                 {process + "\n" + whole + "\n" + whole[:40], 1, 1},
		"killed and restarted":   {process + "\n" + whole[:40] + "\n" + process + "\n" + whole, 1, 1},
		"no process":             {whole + "\n", 0, 1},
		"another function":       {process + "\n" + strings.Replace(whole, `"f":0`, `"f":9`, 1), 0, 1},
		"another site":           {process + "\n" + strings.Replace(whole, `"s":0`, `"s":9`, 1), 0, 1},
		"a missing argument":     {process + "\n" + strings.Replace(whole, `{"k":"v","v":"1"}`, "", 1), 0, 1},
		"a missing result":       {process + "\n" + strings.Replace(whole, `"results":[{}],`, "", 1), 0, 1},
		"a missing receiver":     {process + "\n" + strings.Replace(whole, `"recv":{},`, "", 1), 0, 1},
		"a reason":               {process + "\n" + `{"f":0,"n":1,"before":{},"after":{},"why":"a limit"}`, 1, 0},
		"a line that is endless": {process + "\n" + strings.Repeat("x", maxLine+1) + "\n" + whole, 1, 1},
	} {
		r, err := Read(strings.NewReader(c.lines), manifest)
		if err != nil || len(r.Invocations) != c.n || r.Broken != c.broken {
			t.Errorf("%s: got %d invocations, %d broken, %v", name, len(r.Invocations), r.Broken, err)
		}
		if n := len(r.Invocations); n == 2 && r.Invocations[1].Process != 1 {
			t.Errorf("%s: got process %d", name, r.Invocations[1].Process)
		}
	}
	_, err := Read(strings.NewReader(`{"build":"8","process":12}`), manifest)
	if err == nil || !strings.Contains(err.Error(), "another build") {
		t.Errorf("got %v", err)
	}
	if _, _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "sonde record --units") {
		t.Errorf("got %v", err)
	}
}

// Whatever is in a file, reading it ends, and invocations fit their functions.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"build":"7","process":12}` + "\n" + whole))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(strings.NewReader(string(data)), manifest)
		if err != nil {
			return
		}
		for _, i := range r.Invocations {
			if !manifest.fits(i) {
				t.Errorf("got %+v", i)
			}
		}
	})
}
