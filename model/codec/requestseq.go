package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"

	"sonde/model"
	"sonde/model/collection"
)

// RequestSeq is the sequence of requests of one test, from any source.
type RequestSeq struct {
	Name  string // such as the ID of a test or the title of a page
	Steps []RequestStep
}

// RequestStep is one request. If its source has IDs of operations, Op is set. Otherwise Method and URL are set, and
// package route finds the operation for them.
type RequestStep struct {
	Op          model.OpID
	Method, URL string
}

// FileKind is the kind of file from which seqs were read.
type FileKind string

// The kinds of files. A file is recognized by its content, a .http file by its name.
const (
	KindRun     FileKind = "run"
	KindSuite   FileKind = "suite.json"
	KindSeqs    FileKind = "seqs"
	KindHAR     FileKind = "HAR"
	KindGoTests FileKind = "Go tests"
	KindHTTP    FileKind = ".http"
)

// RequestSeqs is the content of a file or of a run folder.
type RequestSeqs struct {
	Kind FileKind
	All  []RequestSeq
	// Unread is the number of calls in Go code that are not in a test function, or whose method or path is
	// computed.
	Unread int
}

// maxBytes is the maximum size of a file.
const maxBytes = 64 << 20

// ErrUnknownFile is the error for a file of a kind that has no tests.
var ErrUnknownFile = errors.New("no tests that Sonde can read: give a run folder, a suite.json, what sonde seqs prints, " +
	"a HAR file, a .http file, or a Go file that sonde export wrote")

// OpenRequestSeqs reads the sequences of requests in a run folder or a file. The error is of one line and
// names the file.
func OpenRequestSeqs(path string) (RequestSeqs, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return RequestSeqs{}, fmt.Errorf("there is no file %q: give a run folder, a suite.json, a HAR file or other tests", path)
	case err != nil:
		return RequestSeqs{}, fmt.Errorf("%q cannot be read: %w", path, err)
	case info.IsDir():
		run, err := OpenRun(path)
		return RequestSeqs{Kind: KindRun, All: testSeqs(run.Tests)}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return RequestSeqs{}, fmt.Errorf("%q cannot be read: %w", path, err)
	}
	defer f.Close()
	return ReadRequestSeqs(path, f)
}

// ReadRequestSeqs reads a file of any kind except a run. name is the name of the file in errors.
func ReadRequestSeqs(name string, r io.Reader) (RequestSeqs, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("it is larger than the limit of %d MiB: leave out the answers", maxBytes>>20)
	}
	if err != nil {
		return RequestSeqs{}, fmt.Errorf("%q cannot be read: %w", name, err)
	}
	parse := parseSeqs
	if collection.IsHTTPFile(name) {
		parse = httpSeqs
	}
	t, err := parse(bytes.TrimPrefix(data, []byte("\ufeff")))
	if errors.Is(err, ErrUnknownFile) {
		return t, fmt.Errorf("%q holds %w", name, err)
	}
	if err != nil {
		return t, fmt.Errorf("%q cannot be read: %w", name, err)
	}
	return t, nil
}

// parseSeqs recognizes the kind of data and parses it.
func parseSeqs(data []byte) (RequestSeqs, error) {
	if start := bytes.TrimSpace(data); len(start) > 0 && start[0] == '{' {
		return jsonSeqs(data)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", data, parser.PackageClauseOnly); err == nil {
		return goSeqs(data)
	}
	return lineSeqs(string(data))
}

// jsonSeqs parses a file that is a JSON object, such as a HAR file or a suite.json.
func jsonSeqs(data []byte) (t RequestSeqs, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return t, fmt.Errorf("it is not JSON: %w", err)
	}
	switch {
	case members["log"] != nil:
		t.Kind = KindHAR
		t.All, err = harSeqs(members["log"])
	case members["tests"] != nil:
		t.Kind = KindSuite
		t.All, err = suiteSeqs(data)
	case members["seqs"] != nil:
		t.Kind = KindSeqs
		t.All, err = listedSeqs(members["seqs"])
	case members["spec_hash"] != nil:
		return t, fmt.Errorf("a %s holds no tests: give the folder that it is in", runFile)
	default:
		return t, ErrUnknownFile
	}
	return t, err
}

func suiteSeqs(data []byte) ([]RequestSeq, error) {
	var s suite
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, shapeError("suite.json", err)
	}
	if s.Version < 1 {
		return nil, ErrUnknownFile
	}
	if s.Version > Version {
		return nil, fmt.Errorf("it was written by a newer Sonde (format %d, this one reads up to %d): update Sonde", s.Version, Version)
	}
	return testSeqs(s.Tests), valid(s.Tests)
}

func testSeqs(tests []model.Test) []RequestSeq {
	all := make([]RequestSeq, len(tests))
	for i, t := range tests {
		all[i] = requestSeq(t.ID, t.Seq())
	}
	return all
}

// listedSeqs parses the seqs in the JSON output of sonde seqs and sonde adequacy.
func listedSeqs(data []byte) ([]RequestSeq, error) {
	var seqs []listedSeq
	if err := json.Unmarshal(data, &seqs); err != nil {
		return nil, shapeError("list of seqs as sonde seqs --json writes it", err)
	}
	all := make([]RequestSeq, len(seqs))
	for i, seq := range seqs {
		all[i] = requestSeq(fmt.Sprintf("seq %d", i+1), model.Seq(seq))
	}
	return all, nil
}

// listedSeq is a seq in JSON. A seq that was only generated is a list of operations. A seq that was also called is an
// object with such a list.
type listedSeq model.Seq

func (l *listedSeq) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return json.Unmarshal(data, (*model.Seq)(l))
	}
	var called struct {
		Operations model.Seq `json:"operations"`
	}
	err := json.Unmarshal(data, &called)
	*l = listedSeq(called.Operations)
	return err
}

// shapeError returns the error for JSON of the wrong shape. It names the place in the file.
func shapeError(what string, err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("it is not a %s: %q cannot be a %s", what, wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("it is not a %s: it has a %s in a wrong place", what, wrong.Value)
	}
	return fmt.Errorf("it is not a %s: %w", what, err)
}

func requestSeq(name string, seq model.Seq) RequestSeq {
	t := RequestSeq{Name: name, Steps: make([]RequestStep, len(seq))}
	for i, op := range seq {
		t.Steps[i].Op = op
	}
	return t
}
