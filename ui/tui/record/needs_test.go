package record

import (
	"strings"
	"testing"

	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// The form says in one line what a recording needs, and how to get it. The line fits into 60 columns.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		service screen.Service
		want    string
	}{
		{screen.Service{URL: "http://127.0.0.1:1"}, "Nothing yet: ⏎ records what you send to 127.0.0.1:8000"},
		{screen.Service{URL: "http://127.0.0.1:1", Net: usecase.NetworkAvailable}, "Nothing yet: ⏎ starts the service and records it"},
		{screen.Service{}, "Needs a service: e on inbound types ADDR=URL"},
	} {
		f := newForm(c.service)
		if got := f.needs(); got != c.want || ansi.StringWidth(got) > 56 {
			t.Errorf("%+v: got %q, want %q", c.service, got, c.want)
		}
		for height, want := range map[int]int{20: 8, 4: 3, 3: 3, 2: 0, -1: 0} {
			if got := f.head(58, height); len(got) != want || want > 0 && !strings.Contains(got[1], c.want) {
				t.Errorf("in %d lines: %q", height, got)
			}
		}
	}
}
