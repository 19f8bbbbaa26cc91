package record

import (
	"fmt"
	"strconv"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// form has the settings of the next recording. The first row of its list starts the recording; the settings follow.
type form struct {
	host   screen.Service
	source string // source of the open spec
	watch  usecase.RecordSettings
	fields []field
	list   widget.List
	input  *textinput.Model // nil while the user does not type
	opens  bool             // the input is the folder of a recording to open
	err    error            // error in the typed value
}

// field is a setting, whose value is either typed or switched.
type field struct {
	name, help string
	show       func(usecase.RecordSettings) string
	parse      func(*usecase.RecordSettings, string) error // nil if the value is switched
	toggle     func(*usecase.RecordSettings)               // nil if the value is typed
}

// defaultFolder is the default folder of a recording.
const defaultFolder = "recording"

func newForm(host screen.Service) form {
	f := form{host: host, watch: usecase.RecordSettings{Folder: defaultFolder}, fields: fields}
	if host.Net != usecase.NetworkUnavailable {
		f.watch.Build = true
		f.fields = append([]field{builds, recordsUnits}, fields...)
	}
	if host.URL != "" && !host.IsStarted() {
		f.watch.In = []usecase.ProxyRoute{{Addr: "127.0.0.1:8000", URL: host.URL}}
	}
	return f
}

func (f *form) typing() bool { return f.input != nil }

// startRows is the number of rows before the settings: one, which starts the recording.
const startRows = 1

// setting returns the setting under the cursor, nil on the row that starts the recording.
func (f *form) setting() *field {
	if f.list.At < startRows {
		return nil
	}
	return &f.fields[f.list.At-startRows]
}

var builds = field{
	name: "service", help: "one that Sonde builds needs no list of its hosts",
	show: func(w usecase.RecordSettings) string {
		if w.Build {
			return "built and started by Sonde"
		}
		return "already running"
	},
	toggle: func(w *usecase.RecordSettings) { w.Build = !w.Build },
}

var recordsUnits = field{
	name: "functions", help: "also record invocations, for sonde generate --units",
	show: func(w usecase.RecordSettings) string {
		switch {
		case !w.Build:
			return "only of a service that Sonde builds"
		case w.Units:
			return "on"
		}
		return "off"
	},
	toggle: func(w *usecase.RecordSettings) { w.Units = !w.Units },
}

var fields = []field{
	{
		name: "inbound", help: "reverse proxy ADDR=URL: listen address, upstream service",
		show: func(w usecase.RecordSettings) string {
			if w.Build {
				return "a free port"
			}
			return routesText(w.In)
		},
		parse: func(w *usecase.RecordSettings, text string) (err error) {
			w.In, err = parseRoutes(text)
			return err
		},
	},
	{
		name: "outbound", help: "reverse proxy ADDR=URL per host: listen address, upstream",
		show: func(w usecase.RecordSettings) string { return routesText(w.Out) },
		parse: func(w *usecase.RecordSettings, text string) (err error) {
			w.Out, err = parseRoutes(text)
			return err
		},
	},
	{
		name: "serial", help: "one request at a time: each outward call then belongs to it for certain",
		show: func(w usecase.RecordSettings) string {
			if w.Serial {
				return "on"
			}
			return "off"
		},
		toggle: func(w *usecase.RecordSettings) { w.Serial = !w.Serial },
	},
	{
		name: "masks", help: "besides the defaults: header:NAME, key:NAME, text:REGEXP; -email removes one",
		show: func(w usecase.RecordSettings) string { return strings.Join(w.Masks, "  ") },
		parse: func(w *usecase.RecordSettings, text string) error {
			w.Masks = strings.Fields(text)
			return nil
		},
	},
	{
		name: "keep", help: "the number of each operation and shape; empty keeps all",
		show: func(w usecase.RecordSettings) string {
			if w.First == 0 {
				return "all"
			}
			return strconv.Itoa(w.First)
		},
		parse: parseFirst,
	},
	{
		name: "folder", help: "where the recording is stored",
		show: func(w usecase.RecordSettings) string { return w.Folder },
		parse: func(w *usecase.RecordSettings, text string) error {
			if strings.TrimSpace(text) != "" {
				w.Folder = strings.TrimSpace(text)
			}
			return nil
		},
	},
}

// parseFirst parses how many exchanges of each shape to keep. "all" and "" mean all exchanges.
func parseFirst(w *usecase.RecordSettings, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || text == "all" {
		w.First = 0
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a number from 1: leave it empty to keep all", text)
	}
	w.First = n
	return nil
}

// routesText returns routes in the form in which the user types them.
func routesText(all []usecase.ProxyRoute) string {
	var parts []string
	for _, w := range all {
		parts = append(parts, w.Addr+"="+w.URL)
	}
	return strings.Join(parts, "  ")
}

// parseRoutes parses routes ADDR=URL, separated by blanks or commas.
func parseRoutes(text string) (all []usecase.ProxyRoute, err error) {
	for _, word := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
		addr, url, found := strings.Cut(word, "=")
		if !found || !strings.Contains(addr, ":") || !strings.Contains(url, "://") {
			return nil, fmt.Errorf("%q is not ADDR=URL: write it as in 127.0.0.1:8000=http://127.0.0.1:8080", word)
		}
		all = append(all, usecase.ProxyRoute{Addr: addr, URL: url})
	}
	return all, nil
}

// toggleField switches the setting under the cursor.
func (f *form) toggleField() { f.setting().toggle(&f.watch) }

// editField opens the text field of the setting under the cursor, or switches it.
func (f *form) editField() {
	at := f.setting()
	if at.parse != nil {
		f.edit(at.show(f.watch), false)
		return
	}
	at.toggle(&f.watch)
}

// edit opens a text field for a setting, or for the folder of a recording to open.
func (f *form) edit(text string, opens bool) {
	input := widget.ValueField(text)
	f.input, f.opens, f.err = &input, opens, nil
}

// typeKey handles a key while a value is typed.
func (f *form) typeKey(k tea.KeyMsg) {
	input, _ := f.input.Update(k)
	f.input = &input
}

// cancel closes the text field.
func (f *form) cancel() { f.input, f.err = nil, nil }

// accept stores the typed value. If the value is invalid, the field stays open. If the user has typed the folder of a
// recording to open, accept returns the folder. Otherwise it returns "".
func (f *form) accept() (dir string) {
	text := f.input.Value()
	if f.opens {
		f.input = nil
		return strings.TrimSpace(text)
	}
	f.err = f.setting().parse(&f.watch, text)
	if f.err == nil {
		f.input = nil
	}
	return ""
}
