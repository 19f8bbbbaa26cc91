package record

import (
	"fmt"
	"strconv"
	"strings"

	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// form holds how the next recording is to be made.
type form struct {
	host   screen.Service
	source string // of the spec that is open
	watch  screen.RecordSettings
	fields []field
	list   widget.List
	input  *textinput.Model // while a value is being typed
	opens  bool             // what is typed is the folder of a recording to open
	err    error            // what is wrong with what was typed
}

// field is one setting: it is typed, or turned.
type field struct {
	name, what string
	show       func(screen.RecordSettings) string
	parse      func(*screen.RecordSettings, string) error // nil where it is turned
	turn       func(*screen.RecordSettings)               // nil where it is typed
}

// defaultFolder is where a recording goes unless the person says otherwise.
const defaultFolder = "recording"

func newForm(host screen.Service) form {
	f := form{host: host, watch: screen.RecordSettings{Folder: defaultFolder}, fields: fields}
	if host.Net != screen.NetworkUnavailable {
		f.watch.Build = true
		f.fields = append([]field{builds}, fields...)
	}
	if host.URL != "" {
		f.watch.In = []screen.ProxyRoute{{Addr: "127.0.0.1:8000", URL: host.URL}}
	}
	return f
}

func (f *form) typing() bool { return f.input != nil }

var builds = field{
	name: "service", what: "one that Sonde builds needs no word about its hosts",
	show: func(w screen.RecordSettings) string {
		if w.Build {
			return "built and started by Sonde"
		}
		return "the one that runs"
	},
	turn: func(w *screen.RecordSettings) { w.Build = !w.Build },
}

var fields = []field{
	{
		name: "in front", what: "ADDR=URL: where clients turn to, and where the service is",
		show: func(w screen.RecordSettings) string {
			if w.Build {
				return "a free port"
			}
			return text(w.In)
		},
		parse: func(w *screen.RecordSettings, text string) (err error) { w.In, err = ways(text); return err },
	},
	{
		name: "behind", what: "ADDR=URL for each host: where the service turns to, and where that is",
		show:  func(w screen.RecordSettings) string { return text(w.Out) },
		parse: func(w *screen.RecordSettings, text string) (err error) { w.Out, err = ways(text); return err },
	},
	{
		name: "serial", what: "one request at a time: then it is sure for which one the service sends what",
		show: func(w screen.RecordSettings) string {
			if w.Serial {
				return "on"
			}
			return "off"
		},
		turn: func(w *screen.RecordSettings) { w.Serial = !w.Serial },
	},
	{
		name: "masks", what: "besides the usual: header:NAME, key:NAME, text:REGEXP; -email leaves one out",
		show:  func(w screen.RecordSettings) string { return strings.Join(w.Masks, "  ") },
		parse: func(w *screen.RecordSettings, text string) error { w.Masks = strings.Fields(text); return nil },
	},
	{
		name: "keep", what: "how many of each operation and shape; empty keeps all",
		show: func(w screen.RecordSettings) string {
			if w.First == 0 {
				return "all"
			}
			return strconv.Itoa(w.First)
		},
		parse: parseFirst,
	},
	{
		name: "folder", what: "where the recording is kept",
		show: func(w screen.RecordSettings) string { return w.Folder },
		parse: func(w *screen.RecordSettings, text string) error {
			if strings.TrimSpace(text) != "" {
				w.Folder = strings.TrimSpace(text)
			}
			return nil
		},
	},
}

// parseFirst reads how many are kept of a shape.
func parseFirst(w *screen.RecordSettings, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || text == "all" {
		w.First = 0
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number from 1 on: leave it empty to keep all", text)
	}
	w.First = n
	return nil
}

// text writes ways as they are typed.
func text(all []screen.ProxyRoute) string {
	var parts []string
	for _, w := range all {
		parts = append(parts, w.Addr+"="+w.URL)
	}
	return strings.Join(parts, "  ")
}

// ways reads what is written as ADDR=URL, with blanks between.
func ways(text string) (all []screen.ProxyRoute, err error) {
	for _, word := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
		addr, url, found := strings.Cut(word, "=")
		if !found || !strings.Contains(addr, ":") || !strings.Contains(url, "://") {
			return nil, fmt.Errorf("%q is not ADDR=URL: write it as in 127.0.0.1:8000=http://127.0.0.1:8080", word)
		}
		all = append(all, screen.ProxyRoute{Addr: addr, URL: url})
	}
	return all, nil
}

// key takes a key that is the form's.
func (f *form) key(k tea.KeyMsg) {
	at := f.fields[f.list.At]
	switch {
	case f.list.Key(k):
	case key.Matches(k, keyTurn) && at.turn != nil:
		at.turn(&f.watch)
	case key.Matches(k, keyType) && at.parse != nil:
		f.edit(at.show(f.watch), false)
	case key.Matches(k, keyType):
		at.turn(&f.watch)
	}
}

// edit opens a text field on a setting, or on the folder of a recording to open.
func (f *form) edit(text string, opens bool) {
	input := widget.ValueField(text)
	f.input, f.opens, f.err = &input, opens, nil
}

// typed takes a key while a value is being typed. It returns the folder to open, if that
// was typed.
func (f *form) typed(k tea.KeyMsg) (dir string) {
	switch {
	case key.Matches(k, keyCancel):
		f.input, f.err = nil, nil
	case key.Matches(k, keyAccept):
		return f.accept(f.input.Value())
	default:
		input, _ := f.input.Update(k)
		f.input = &input
	}
	return ""
}

// accept takes over what was typed; what is no value stays to be mended.
func (f *form) accept(text string) (dir string) {
	if f.opens {
		f.input = nil
		return strings.TrimSpace(text)
	}
	f.err = f.fields[f.list.At].parse(&f.watch, text)
	if f.err == nil {
		f.input = nil
	}
	return ""
}
