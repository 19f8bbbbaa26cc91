package requestlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2/maybe"
)

// The version of the file's format, the maximum size of a file in bytes, and the maximum number of files in the folder.
const (
	version  = 1
	maxFile  = 4 << 20
	maxFiles = 30
)

// logFile is the content of a file.
type logFile struct {
	Version int    `json:"version"`
	Source  string `json:"source"`
	// Requests are the requests, oldest first. Each is a storedRequest.
	Requests []json.RawMessage `json:"requests"`
}

// storedRequest is a request in a file.
type storedRequest struct {
	At      time.Time                  `json:"at"`
	Took    time.Duration              `json:"took"`
	Calls   []model.Call               `json:"calls"`
	Links   []model.Link               `json:"links,omitempty"`
	Masked  bool                       `json:"masked,omitempty"`
	Partial bool                       `json:"partial,omitempty"`
	Base    string                     `json:"base"`
	Request storedMessage              `json:"request"`
	Reply   storedMessage              `json:"reply"`
	Err     string                     `json:"err,omitempty"`
	Details *model.TransmissionDetails `json:"details,omitempty"`
}

// storedMessage is a request or a reply in a file.
type storedMessage struct {
	Op     model.OpID          `json:"op,omitempty"`
	Method string              `json:"method,omitempty"`
	URL    string              `json:"url,omitempty"`
	Status int                 `json:"status,omitempty"`
	Proto  string              `json:"proto,omitempty"`
	Header map[string][]string `json:"header,omitempty"`
	Body   []byte              `json:"body,omitempty"`
	Cut    bool                `json:"cut,omitempty"`
}

// fileOf returns the path of the file for a spec.
func fileOf(folder, source string) string {
	sum := sha256.Sum256([]byte(source))
	return filepath.Join(folder, hex.EncodeToString(sum[:8])+".json")
}

// appendTo adds a request to a file, and removes the oldest requests that are too many or too large.
func appendTo(path, source string, r usecase.SentRequest) error {
	if err := change(path, source, r); err != nil {
		return fmt.Errorf("the request is not kept for later sessions: %w", err)
	}
	return nil
}

func change(path, source string, r usecase.SentRequest) error {
	added, err := json.Marshal(stored(r))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Unlock()
	old, err := open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		removeOldest(filepath.Dir(path))
	case err != nil && !errors.Is(err, errMalformed): // what cannot be read now must not be lost
		return err
	}
	next := logFile{Version: version, Source: source, Requests: newest(append(old.Requests, added))}
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	return maybe.WriteFile(path, append(data, '\n'), 0o600)
}

// newest returns the newest requests that fit into a file.
func newest(all []json.RawMessage) []json.RawMessage {
	const rest = 64 << 10 // for the other members of the file
	size, from := 0, len(all)
	for from > max(0, len(all)-maxRequests) {
		size += len(all[from-1]) + 1
		if size > maxFile-rest {
			break
		}
		from--
	}
	return all[from:]
}

// removeOldest removes the files that were not changed for the longest time, so that there is room for a new one.
func removeOldest(folder string) {
	names, _ := filepath.Glob(filepath.Join(folder, "*.json")) // the pattern is valid
	changed := func(name string) time.Time {
		info, err := os.Stat(name)
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(names, func(a, b string) int { return changed(a).Compare(changed(b)) })
	for _, name := range names[:max(0, len(names)-maxFiles+1)] {
		_ = os.Remove(name) // the next session tries again
		_ = os.Remove(name + ".lock")
	}
}

// errNewer is the error for a file that a newer version of Sonde wrote.
var errNewer = errors.New("a newer Sonde wrote it, and this one does not change it: update Sonde")

// errMalformed is the error for a file that has no requests which could be lost. The next request replaces the file.
var errMalformed = errors.New("it has no requests")

// open reads a file.
func open(path string) (f logFile, err error) {
	in, err := os.Open(path)
	if err != nil {
		return f, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	switch {
	case err != nil:
		return f, err
	case len(data) > maxFile:
		return f, fmt.Errorf("%w: it is larger than %d MiB", errMalformed, maxFile>>20)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return logFile{}, fmt.Errorf("%w: %w", errMalformed, err)
	}
	if f.Version > version {
		return logFile{}, errNewer
	}
	return f, nil
}

// readFile reads the requests of a file. Requests that cannot be read are left out. A missing file has no requests.
func readFile(path string) (all []usecase.SentRequest, err error) {
	f, err := open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the requests of earlier sessions in %q are ignored: %w", path, err)
	}
	for _, data := range f.Requests {
		var s storedRequest
		if json.Unmarshal(data, &s) == nil && len(s.Calls) > 0 {
			all = append(all, s.request())
		}
	}
	return all, nil
}

func stored(r usecase.SentRequest) storedRequest {
	x := r.Exchange
	s := storedRequest{
		At: x.At, Took: x.Took, Calls: r.Calls, Links: r.Links, Masked: r.Masked, Partial: r.Partial, Base: x.Base, Details: x.Details,
		Request: storedMessage{
			Op:     x.Request.Op,
			Method: x.Request.Method,
			URL:    x.Request.URL,
			Header: x.Request.Header,
			Body:   x.Request.Body,
			Cut:    x.Request.Truncated,
		},
		Reply: storedMessage{
			Status: x.Reply.Status,
			Proto:  x.Reply.Proto,
			Header: x.Reply.Header,
			Body:   x.Reply.Body,
			Cut:    x.Reply.Truncated,
		},
	}
	if x.Err != nil {
		s.Err = x.Err.Error()
	}
	return s
}

func (s storedRequest) request() usecase.SentRequest {
	q, a := s.Request, s.Reply
	x := model.Exchange{
		Base: s.Base, At: s.At, Took: s.Took, Details: s.Details,
		Request: model.Request{Op: q.Op, Method: q.Method, URL: q.URL, Header: q.Header, Body: q.Body, Truncated: q.Cut},
		Reply:   model.Reply{Status: a.Status, Proto: a.Proto, Header: a.Header, Body: a.Body, Truncated: a.Cut},
	}
	if s.Err != "" {
		x.Err = textError(s.Err)
	}
	return usecase.SentRequest{Calls: s.Calls, Links: s.Links, Exchange: x, Masked: s.Masked, Earlier: true, Partial: s.Partial}
}
