package seqs

import (
	"encoding/json"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// picksID is the ID of the setting with the picked rows.
const picksID = "picks"

// pickedRow identifies a picked row in the value of a setting. Seq is nil for a row that the user builds, because the
// user can change its seq.
type pickedRow struct {
	ID        string
	Distilled bool
	Seq       model.Seq
}

// settings returns the filter of the list, and the picks.
func settings(s *Screen) []screen.Setting {
	if s.catalog.empty() {
		return nil
	}
	return []screen.Setting{screen.FilterSetting(s.list.find.Text()), s.picks.setting()}
}

// restoreSetting restores an earlier filter, or earlier picks.
func restoreSetting(s *Screen, to screen.Setting) tea.Cmd {
	switch {
	case s.catalog.analyzed == nil:
	case to.ID == screen.FilterID:
		s.list.find.SetText(to.Value)
		s.list.refresh()
	case to.ID == picksID:
		return s.picks.restore(to)
	}
	return nil
}

// setting returns the picks as a setting.
func (s *selection) setting() screen.Setting {
	picked := []pickedRow{}
	for _, r := range s.catalog.picks() {
		picked = append(picked, r.pickedRow())
	}
	value, err := json.Marshal(picked)
	if err != nil {
		return screen.Setting{} // strings always have a JSON form
	}
	return screen.Setting{ID: picksID, Value: string(value), Text: words.Plural(len(picked), "pick")}
}

func (r *row) pickedRow() pickedRow {
	if r.built {
		return pickedRow{ID: r.ID}
	}
	return pickedRow{ID: r.ID, Distilled: r.Origin == model.OriginDistilled, Seq: r.Seq}
}

// restore picks the rows of a setting, and unpicks all others. A distilled seq that is not listed any more is listed
// again. Other rows that do not exist any more are left out.
func (s *selection) restore(to screen.Setting) tea.Cmd {
	var picked []pickedRow
	if err := json.Unmarshal([]byte(to.Value), &picked); err != nil {
		return screen.ShowError(err)
	}
	missing := map[string]pickedRow{}
	for _, p := range picked {
		missing[p.key()] = p
	}
	for _, r := range s.catalog.all() {
		key := r.pickedRow().key()
		_, r.picked = missing[key]
		delete(missing, key)
	}
	for _, p := range picked {
		if _, gone := missing[p.key()]; gone && p.Distilled {
			s.catalog.pickSeqs([]model.Seq{p.Seq})
		}
	}
	s.list.refresh()
	return s.changed()
}

// key returns a text that no other row has.
func (p pickedRow) key() string {
	key := p.ID
	for _, op := range p.Seq {
		key += "\x00" + string(op)
	}
	return key
}
