package codec

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"sonde/model"
)

// OpenRecording reads a recording, finished or not. Parts that cannot be read are left out, with a warning. It returns
// an error of one line if the folder has no recording, if one of the files recording.json and exchanges.ndjson cannot
// be read, or if a newer version of Sonde wrote the recording.
func OpenRecording(dir string) (model.Recording, error) {
	var h RecordingHeader
	err := load(dir, RecordingFile, &h)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return model.Recording{}, fmt.Errorf("%q is not a recording: give the folder that sonde record -o wrote", dir)
	case err != nil:
		return model.Recording{}, fmt.Errorf("recording %q cannot be read: %w", dir, err)
	case h.Version < 1:
		return model.Recording{}, fmt.Errorf("%q holds no recording that Sonde wrote: give the folder that sonde record -o wrote", dir)
	case h.Version > RecordingVersion:
		return model.Recording{}, fmt.Errorf(
			"recording %q was written by a newer Sonde (format %d, this one reads up to %d): update Sonde", dir,
			h.Version, RecordingVersion,
		)
	}
	r := recordReader{dir: dir, ids: map[string]bool{}, room: maxBodies, sets: map[int]model.TargetSet{}, setRoom: maxCoveredRoom}
	r.rec = model.Recording{
		Title:      h.Title,
		Spec:       h.Spec,
		SpecHash:   h.SpecHash,
		Service:    h.Service,
		BaseURL:    h.BaseURL,
		Masks:      h.Rules,
		Users:      h.Users,
		Reset:      h.Reset,
		StateFiles: h.StateFiles,
	}
	if r.rec.SnapshotFolder, err = filepath.Abs(filepath.Join(dir, snapshotsDir)); err != nil {
		return model.Recording{}, fmt.Errorf("recording %q cannot be read: %w", dir, err)
	}
	if i := slices.IndexFunc(h.StateFiles, isRelativeFile); i >= 0 {
		r.warn("the state file %.120q is no path of a file: the files of the snapshots are not used", h.StateFiles[i])
		r.rec.StateFiles = nil
	}
	if err := r.read(); err != nil {
		return model.Recording{}, fmt.Errorf("recording %q cannot be read: %w", dir, err)
	}
	return r.joined(), nil
}

// isRelativeFile reports whether a path is not allowed as a state file: it is relative, not cleaned, or a root
// folder.
func isRelativeFile(path string) bool {
	return !filepath.IsAbs(path) || filepath.Clean(path) != path || filepath.Dir(path) == path
}

// recordReader reads the lines of a recording.
type recordReader struct {
	dir  string
	rec  model.Recording
	sent []model.OutwardCall
	ids  map[string]bool // IDs of the served requests
	line int
	room int // bytes of large bodies that may still be read
	// sets are the sets of code targets by their numbers. setRoom is the number of bytes that further sets may use in
	// memory.
	sets    map[int]model.TargetSet
	setRoom int
}

// warn adds a warning about the current line.
func (r *recordReader) warn(format string, args ...any) {
	r.rec.Warnings = append(
		r.rec.Warnings,
		fmt.Sprintf("%s:%d: ", filepath.Join(r.dir, ExchangesFile), r.line)+fmt.Sprintf(format, args...),
	)
}

func (r *recordReader) read() error {
	f, err := os.Open(filepath.Join(r.dir, ExchangesFile))
	if errors.Is(err, fs.ErrNotExist) {
		r.warn("the file is gone, and with it all that was recorded")
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	for b := bufio.NewReaderSize(f, 64<<10); ; {
		line, long, err := readLine(b)
		r.line++
		switch {
		case long:
			r.warn("the line is longer than %d MB: it is left out", maxLine>>20)
		case len(bytes.TrimSpace(line)) > 0:
			r.addLine(line, errors.Is(err, io.EOF))
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readLine reads a line without its line break. If the line is longer than maxLine, long is true and line
// is nil.
func readLine(b *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := b.ReadSlice('\n')
		long = long || len(line)+len(part) > maxLine
		if long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte("\n")), long, err
		}
	}
}

// addLine adds a line. last reports whether it is the last line of the file, which may be truncated.
func (r *recordReader) addLine(data []byte, last bool) {
	var l recordLine
	err := json.Unmarshal(data, &l)
	switch {
	case err != nil && last:
		r.warn("the last line is cut off: what it was about was still going on, and is left out")
	case err != nil:
		r.warn("the line cannot be read and is left out: %.120v", err)
	case l.Served != nil:
		r.served(l.Served)
	case l.Sent != nil:
		r.outwardCall(l.Sent)
	case l.Snapshot != nil:
		r.stateSnapshot(*l.Snapshot)
	case l.Code != nil:
		r.code(l.Code)
	case l.Covered != nil:
		r.covered(l.Covered)
	case !l.Ready.IsZero():
		r.rec.Ready = l.Ready
	case l.Note != "":
		r.rec.Warnings = append(r.rec.Warnings, l.Note)
	default:
		r.warn("the line says nothing that this Sonde knows, and is left out")
	}
}

func (r *recordReader) served(l *servedLine) {
	switch {
	case l.ID == "" || l.Request == nil:
		r.warn("the request that was served has no id or no method: it is left out")
	case r.ids[l.ID]:
		r.warn("the request %.40q is there already: the second is left out", l.ID)
	default:
		r.ids[l.ID] = true
		r.rec.Served = append(r.rec.Served, model.ServedRequest{
			ID:              l.ID,
			User:            l.User,
			Session:         l.Session,
			Exchange:        r.exchange(l.pairLine),
			Covered:         r.sets[l.Covered],
			CoveredByOthers: l.ByOthers,
		})
	}
}

// snapshotName matches the names of the folders of snapshots.
var snapshotName = regexp.MustCompile(`^[0-9a-f]{6}-[0-9]{1,9}$`)

func (r *recordReader) stateSnapshot(s model.StateSnapshot) {
	if !snapshotName.MatchString(s.Name) {
		r.warn("the folder %.40q of a snapshot is not in the recording: it is left out", s.Name)
		return
	}
	if _, err := os.Stat(filepath.Join(r.rec.SnapshotFolder, s.Name)); err != nil {
		r.warn("the snapshot %q is gone: %v", s.Name, err)
		return
	}
	r.rec.StateSnapshots = append(r.rec.StateSnapshots, s)
}

func (r *recordReader) outwardCall(l *sentLine) {
	if l.Host == "" || l.Protocol == model.HTTP && l.Request == nil || l.Protocol.IsDatabase() && len(l.Turns) != 1 {
		r.warn("what was sent has no host or no method: it is left out")
		return
	}
	s := model.OutwardCall{
		ID:          l.ID,
		Host:        l.Host,
		Name:        l.Name,
		Protocol:    l.Protocol,
		TLS:         l.TLS,
		Connection:  l.Connection,
		CauseID:     l.Cause,
		Attribution: l.How,
		Exchange:    r.exchange(l.pairLine),
	}
	for _, t := range l.Turns {
		words, cut := r.body(t.Words)
		answer, cutToo := r.body(t.Answer)
		s.Messages = append(s.Messages, model.MessagePair{Request: words, Answer: answer})
		if (cut || cutToo) && s.Err == nil {
			s.Err = errors.New("some of the messages are missing")
		}
	}
	r.sent = append(r.sent, s)
}

func (r *recordReader) exchange(l pairLine) (x model.Exchange) {
	x.At, x.Took, x.Base = l.At, l.Took, l.Base
	if l.Err != "" {
		x.Err = errors.New(string(l.Err))
	}
	if q := l.Request; q != nil {
		x.Request = model.Request{Op: q.Op, Method: q.Method, URL: string(q.URL), Header: plain(q.Header)}
		x.Request.Body, x.Request.Truncated = r.body(q.bodyLine)
	}
	if a := l.Reply; a != nil {
		x.Reply = model.Reply{Status: a.Status, Proto: a.Proto, Header: plain(a.Header), Trailer: plain(a.Trailer)}
		x.Reply.Body, x.Reply.Truncated = r.body(a.bodyLine)
	}
	return x
}

func plain(h map[string][]raw) map[string][]string {
	if len(h) == 0 {
		return nil
	}
	out := make(map[string][]string, len(h))
	for name, values := range h {
		out[name] = make([]string, len(values))
		for i, v := range values {
			out[name][i] = string(v)
		}
	}
	return out
}

// body returns the body of a line, and reports whether a part of the body is missing.
func (r *recordReader) body(l bodyLine) ([]byte, bool) {
	switch {
	case l.File != "":
		data, err := r.file(l.File)
		if err != nil {
			r.warn("%v", err)
		}
		return data, l.Truncated || err != nil
	case len(l.Bytes) > 0:
		return l.Bytes, l.Truncated
	case l.Body != "":
		return []byte(l.Body), l.Truncated
	}
	return nil, l.Truncated
}

// sumName matches the names of files with bodies.
var sumName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// file reads the file of a large body and checks its SHA-256.
func (r *recordReader) file(sum string) ([]byte, error) {
	if !sumName.MatchString(sum) {
		return nil, fmt.Errorf("the file %.80q of a body is not in the recording: the body is left out", sum)
	}
	path := filepath.Join(r.dir, bodiesDir, sum)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the body in %q is gone: %w", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(min(maxBody, r.room)+1)))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the body in %q cannot be read: %w", path, err)
	case len(data) > maxBody || len(data) > r.room:
		return nil, fmt.Errorf("the body in %q is too large to be read with all others: it is left out", path)
	case fmt.Sprintf("%x", sha256.Sum256(data)) != sum:
		return nil, fmt.Errorf("the body in %q has changed since the recording: it is left out", path)
	}
	r.room -= len(data)
	return data, nil
}

// joined returns the recording, with each outward call in the request that caused it. A call whose request
// is unknown or missing is in Unattributed.
func (r *recordReader) joined() model.Recording {
	by := map[string][]model.OutwardCall{}
	slices.SortStableFunc(r.sent, func(a, b model.OutwardCall) int { return a.At.Compare(b.At) })
	lost := 0
	for _, s := range r.sent {
		if r.ids[s.CauseID] {
			by[s.CauseID] = append(by[s.CauseID], s)
			continue
		}
		if s.CauseID != "" {
			lost++
		}
		r.rec.Unattributed = append(r.rec.Unattributed, s)
	}
	if lost > 0 {
		r.rec.Warnings = append(
			r.rec.Warnings,
			fmt.Sprintf(
				"%s: %d outward calls were for requests that are not there: they are kept apart",
				filepath.Join(r.dir, ExchangesFile), lost,
			),
		)
	}
	slices.SortStableFunc(r.rec.Served, func(a, b model.ServedRequest) int { return a.At.Compare(b.At) })
	for i := range r.rec.Served {
		r.rec.Served[i].OutwardCalls = by[r.rec.Served[i].ID]
	}
	return r.rec
}
