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
)

// RequestSeq is what one test of any source sends: its requests, in order.
type RequestSeq struct {
	Name  string // such as a test's ID or a page's title
	Steps []RequestStep
}

// RequestStep is one request. Where the source knows the spec it names the operation,
// else method and URL, which model/route makes an operation of.
type RequestStep struct {
	Op          model.OpID
	Method, URL string
}

// FileKind is what kind of file trails were read from.
type FileKind string

// The kinds of files, told apart by what is in them.
const (
	KindRun     FileKind = "run"
	KindSuite   FileKind = "suite.json"
	KindSeqs    FileKind = "seqs"
	KindHAR     FileKind = "HAR"
	KindGoTests FileKind = "Go tests"
)

// RequestSeqs are what a file holds.
type RequestSeqs struct {
	Kind FileKind
	All  []RequestSeq
	// Unread is how many calls in Go code have a method or path that is not
	// written out.
	Unread int
}

// maxBytes is how large a file may be.
const maxBytes = 64 << 20

// errStrange is the error of a file that is of no kind.
var errStrange = errors.New("no tests that Sonde can read: give a run folder, a suite.json, what sonde seqs prints, " +
	"a HAR file, or a Go file that sonde export wrote")

// OpenRequestSeqs reads the trails in a run folder or a file. The error is of one
// line and names the file.
func OpenRequestSeqs(path string) (RequestSeqs, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return RequestSeqs{}, fmt.Errorf("there is no file %q: give a run folder, a suite.json, a HAR file or other tests", path)
	case err != nil:
		return RequestSeqs{}, fmt.Errorf("%q cannot be read: %w", path, err)
	case info.IsDir():
		run, err := OpenRun(path)
		return RequestSeqs{Kind: KindRun, All: testTrails(run.Tests)}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return RequestSeqs{}, fmt.Errorf("%q cannot be read: %w", path, err)
	}
	defer f.Close()
	return ReadRequestSeqs(path, f)
}

// ReadRequestSeqs reads trails of any kind but a run. The name is what errors call
// it.
func ReadRequestSeqs(name string, r io.Reader) (RequestSeqs, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("it is larger than %d MiB, the most that is read: leave out what was answered", maxBytes>>20)
	}
	if err != nil {
		return RequestSeqs{}, fmt.Errorf("%q cannot be read: %w", name, err)
	}
	t, err := parseTrails(bytes.TrimPrefix(data, []byte("\ufeff")))
	if errors.Is(err, errStrange) {
		return t, fmt.Errorf("%q holds %w", name, err)
	}
	if err != nil {
		return t, fmt.Errorf("%q cannot be read: %w", name, err)
	}
	return t, nil
}

// parseTrails finds out what the data is by what is in it.
func parseTrails(data []byte) (RequestSeqs, error) {
	if start := bytes.TrimSpace(data); len(start) > 0 && start[0] == '{' {
		return jsonTrails(data)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", data, parser.PackageClauseOnly); err == nil {
		return goTrails(data)
	}
	return lineTrails(string(data))
}

// jsonTrails reads the kinds that are a JSON object.
func jsonTrails(data []byte) (t RequestSeqs, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return t, fmt.Errorf("it is no JSON: %w", err)
	}
	switch {
	case members["log"] != nil:
		t.Kind = KindHAR
		t.All, err = harTrails(members["log"])
	case members["tests"] != nil:
		t.Kind = KindSuite
		t.All, err = suiteTrails(data)
	case members["seqs"] != nil:
		t.Kind = KindSeqs
		t.All, err = seqTrails(members["seqs"])
	case members["spec_hash"] != nil:
		return t, fmt.Errorf("a %s holds no tests: give the folder that it is in", runFile)
	default:
		return t, errStrange
	}
	return t, err
}

func suiteTrails(data []byte) ([]RequestSeq, error) {
	var s suite
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, misshapen("suite.json", err)
	}
	if s.Version < 1 {
		return nil, errStrange
	}
	if s.Version > Version {
		return nil, fmt.Errorf("it was written by a newer Sonde (format %d, this one reads up to %d): update Sonde", s.Version, Version)
	}
	return testTrails(s.Tests), valid(s.Tests)
}

func testTrails(tests []model.Test) []RequestSeq {
	all := make([]RequestSeq, len(tests))
	for i, t := range tests {
		all[i] = seqTrail(t.ID, t.Seq())
	}
	return all
}

// seqTrails reads the seqs of sonde seqs --json, and of sonde adequacy --json.
func seqTrails(data []byte) ([]RequestSeq, error) {
	var seqs []listedSeq
	if err := json.Unmarshal(data, &seqs); err != nil {
		return nil, misshapen("list of seqs as sonde seqs --json writes it", err)
	}
	all := make([]RequestSeq, len(seqs))
	for i, seq := range seqs {
		all[i] = seqTrail(fmt.Sprintf("seq %d", i+1), model.Seq(seq))
	}
	return all, nil
}

// listedSeq is a seq in JSON: a list of operations or, where they were called,
// an object that has one.
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

// misshapen is the error of JSON that is not what it should be. It says where,
// in the file's own terms.
func misshapen(what string, err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("it is no %s: %q cannot be a %s", what, wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("it is no %s: a %s is where something else belongs", what, wrong.Value)
	}
	return fmt.Errorf("it is no %s: %w", what, err)
}

func seqTrail(name string, seq model.Seq) RequestSeq {
	t := RequestSeq{Name: name, Steps: make([]RequestStep, len(seq))}
	for i, op := range seq {
		t.Steps[i].Op = op
	}
	return t
}
