package seqs

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// fileOriginName is the origin of a row that is in a .http file.
const fileOriginName = "file"

// savedSeq says where a seq was saved.
type savedSeq struct {
	path, name string
	line       int
}

// place returns the folder and the name of the file.
func (s *savedSeq) place() string {
	return filepath.Join(filepath.Base(filepath.Dir(s.path)), filepath.Base(s.path))
}

// fileKey identifies a seq in a file.
type fileKey struct{ file, name string }

func (s *savedSeq) key() fileKey { return fileKey{filepath.Base(s.path), s.name} }

// savedAs returns the place as it is proposed when the seq is saved again.
func (s *savedSeq) savedAs() screen.SavedAs {
	return screen.SavedAs{File: filepath.Base(s.path), Name: s.name}
}

// fileSeqs has the rows of the seqs in the .http files of the project.
type fileSeqs struct {
	rows []*row
	// known has all rows so far. A seq that is in a file again has its old row, with its pick and its answers.
	known map[fileKey]*row
	// picked are seqs to be picked when they are read, because they were picked when the spec was left.
	picked map[fileKey]bool
}

// set sets the seqs that are in the files now. A row whose requests have changed loses its answers. changed reports
// whether a row was added, changed or removed, and picked whether one of these is picked.
func (f *fileSeqs) set(folder usecase.RequestFolder, newRow func(screen.SeqItem) *row) (changed, picked bool) {
	if f.known == nil {
		f.known = map[fileKey]*row{}
	}
	before := f.rows
	f.rows = nil
	for _, file := range folder.Files {
		for _, seq := range file.Seqs {
			at := savedSeq{path: file.Path, name: seq.Name, line: seq.Line}
			r := f.known[at.key()]
			if r == nil {
				r = &row{SeqItem: screen.SeqItem{ID: fmt.Sprintf("f%d", len(f.known)+1)}, picked: f.picked[at.key()]}
				f.known[at.key()] = r
				delete(f.picked, at.key())
			}
			if !r.hasRequests(seq.Test) {
				own := seq.Test
				own.ID = r.ID
				r.SeqItem = newRow(screen.SeqItem{
					ID: r.ID, Name: seq.Name, Origin: model.OriginManual, Seq: own.Seq(), Draft: &own, Stubs: r.Stubs,
				}).SeqItem
				r.replayed, r.baseline = nil, nil
				changed, picked = true, picked || r.picked
			}
			r.file = &at
			f.rows = append(f.rows, r)
		}
	}
	listed := map[*row]bool{}
	for _, r := range before {
		listed[r] = true
	}
	for _, r := range f.rows {
		if !listed[r] {
			changed, picked = true, picked || r.picked
		}
		delete(listed, r)
	}
	for r := range listed { // those that are gone
		changed, picked = true, picked || r.picked
	}
	return changed, picked
}

// hasRequests reports whether a row in a file has the calls and links of a test.
func (r *row) hasRequests(t model.Test) bool {
	return r.Draft != nil && reflect.DeepEqual(r.Draft.Calls, t.Calls) && reflect.DeepEqual(r.Draft.Links, t.Links)
}

// reset drops all rows, because the document has changed. The picked ones are picked again when the files are read.
func (f *fileSeqs) reset() {
	picked := map[fileKey]bool{}
	for _, r := range f.rows {
		if r.picked {
			picked[r.file.key()] = true
		}
	}
	*f = fileSeqs{picked: picked}
}

// find returns the row of a seq, nil if there is none.
func (f *fileSeqs) find(key fileKey) *row {
	for _, r := range f.rows {
		if r.file.key() == key {
			return r
		}
	}
	return nil
}

// filesRead lists the seqs that are in the .http files now. After a test was saved on another screen, the cursor moves
// to it.
func filesRead(s *Screen, folder usecase.RequestFolder) tea.Cmd {
	if s.catalog.analyzed == nil {
		return nil
	}
	changed, picked := s.catalog.files.set(folder, s.catalog.newRow)
	if changed {
		if s.details.left != nil && !slices.Contains(s.catalog.all(), s.details.left) {
			s.details.close()
		}
		s.list.refresh()
	}
	if key := s.loading.saved; key != (fileKey{}) {
		if r := s.catalog.files.find(key); r != nil {
			s.loading.saved = fileKey{}
			s.list.goTo(r)
		}
	}
	if picked {
		return s.picks.changed()
	}
	s.picks.tally = newTally(s.catalog)
	return nil
}

// saveRow asks where the seq under the cursor is saved. A seq without values gets the simplest ones.
func saveRow(s *Screen) tea.Cmd {
	r := s.list.current()
	at := r.from
	switch {
	case r.file != nil:
		at = r.file.savedAs()
	case at.Name == "":
		at.Name = string(r.Seq[len(r.Seq)-1])
	}
	t := r.playable()
	if t != nil {
		return s.engine.Queue.Send(screen.SaveTest{Test: *t, SavedAs: at})
	}
	prepare, seq := s.engine.Seqs.Prepare, r.Seq
	return func() tea.Msg {
		made, err := prepare(seq)
		if err != nil {
			return screen.StatusMessage{Err: err}
		}
		made.Origin = model.OriginManual
		return screen.SaveTest{Test: made, SavedAs: at}
	}
}

// fileLine draws the name and the file of a row before its calls, in width cells.
func fileLine(r *row, names draw.SeqNames, width int) draw.Line {
	const leastCalls, roomForFile = 10, 16
	line := draw.Line{{Text: draw.CutMiddle(draw.Clean(r.file.name), max(8, width/2)), Style: theme.Strong}}
	if file := draw.Clean(filepath.Base(r.file.path)); width-line.Width()-len(file)-2 >= roomForFile {
		line = append(line, draw.Span{Text: "  " + file, Style: theme.Dim})
	}
	if room := width - line.Width() - 2; room >= leastCalls {
		line = append(line, draw.Span{Text: "  ", Style: theme.Plain})
		line = append(line, names.Rows([]model.Seq{r.Seq}, room)[0]...)
	}
	return line.Cut(width)
}
