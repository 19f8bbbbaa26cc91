package survey

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sonde/analysis/survey"
	"sonde/model/openapi"
	"sonde/runner/campaign"
	"sonde/ui/report"
)

// CampaignKind is the kind of the campaigns of surveys.
const CampaignKind = "survey"

// FilesPerUnit is the number of files that a worker examines at once. One file takes a few milliseconds, or seconds if it is large.
const FilesPerUnit = 8

// sentFile is a file of a survey for a worker.
type sentFile struct {
	Path  string `json:"path"` // path on the coordinator's machine, for messages
	Name  string `json:"name"`
	Named bool   `json:"named,omitempty"`
	// Data is the hash of the file's content or, if the file refers to others, of a pack of all these files.
	Data    string `json:"data,omitempty"`
	Inside  string `json:"inside,omitempty"`  // path of the file in the pack
	Problem string `json:"problem,omitempty"` // why there is no content
}

// sentUnit is a unit of a survey.
type sentUnit struct {
	Options survey.Options `json:"options"`
	Files   []sentFile     `json:"files"`
}

// sentFinding is the result for one file of a unit.
type sentFinding struct {
	Cases   []survey.Case `json:"cases,omitempty"`
	Passed  bool          `json:"passed,omitempty"`
	Problem string        `json:"problem,omitempty"`
}

// Distributed is a survey whose files are examined by workers.
type Distributed struct {
	files    []SpecFile
	options  survey.Options
	sent     []sentFile
	findings []finding
	done     []bool // index: unit
}

// Distribute stores the files of a survey on the servers of campaigns.
func Distribute(ctx context.Context, s *campaign.Store, files []SpecFile, o survey.Options) (*Distributed, error) {
	d := &Distributed{files: files, options: o, sent: make([]sentFile, len(files)), findings: make([]finding, len(files))}
	for i, f := range files {
		if ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		var err error
		d.sent[i], err = send(ctx, s, f)
		if err != nil {
			return nil, err
		}
	}
	d.done = make([]bool, (len(files)+FilesPerUnit-1)/FilesPerUnit)
	return d, nil
}

// Describe returns the description of the survey as a campaign, without its ID.
func (d *Distributed) Describe() (campaign.Description, error) {
	setup, err := json.Marshal(sentUnit{Options: d.options, Files: d.sent})
	if err != nil {
		return campaign.Description{}, err
	}
	return campaign.Description{Kind: CampaignKind, Units: len(d.done), Setup: campaign.Digest(setup)}, nil
}

// otherFile matches a reference to another document.
var otherFile = regexp.MustCompile(`\$ref["']?\s*:\s*["']?[^#"'\s]`)

// send stores the content of a file.
func send(ctx context.Context, s *campaign.Store, f SpecFile) (sentFile, error) {
	sent := sentFile{Path: f.path, Name: f.Name, Named: f.named}
	if f.err != nil {
		sent.Problem = f.err.Error()
		return sent, nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil { // examine gives the text that a survey without workers has
		sent.Problem = examine(ctx, f, survey.Options{}).problem
		return sent, ctx.Err()
	}
	if otherFile.Match(data) {
		if spec, err := openapi.Load(ctx, f.path, openapi.Options{}); err == nil && len(spec.Files) > 1 {
			if data, sent.Inside, err = packSpec(f.path, spec.Files); err != nil {
				return sent, err
			}
		}
	}
	sent.Data, err = s.PutInput(ctx, data)
	return sent, err
}

// packSpec packs a spec with its other files, which must be in its folder or below. inside is the path of the spec in
// the pack.
func packSpec(path string, files []string) (packed []byte, inside string, err error) {
	folder := filepath.Dir(path)
	var names []string
	for _, f := range files {
		name, err := filepath.Rel(folder, f)
		if err != nil {
			return nil, "", err
		}
		names = append(names, filepath.ToSlash(name))
	}
	packed, err = campaign.Pack(folder, names)
	return packed, filepath.Base(path), err
}

// Work returns the payload of each unit, and functions that store the result or the failure of a unit.
func (d *Distributed) Work() campaign.Work {
	return campaign.Work{
		Payload: func(unit int) (any, error) {
			return sentUnit{Options: d.options, Files: d.sent[unit*FilesPerUnit : d.end(unit)]}, nil
		},
		Handle: func(unit int, value json.RawMessage) error {
			var found []sentFinding
			first := unit * FilesPerUnit
			if err := json.Unmarshal(value, &found); err != nil || len(found) != d.end(unit)-first {
				return errors.New("a worker sent a result that cannot be read: do all have this version of Sonde?")
			}
			for i, f := range found {
				d.findings[first+i] = finding{file: first + i, cases: f.Cases, passed: f.Passed, problem: f.Problem}
			}
			return nil
		},
		Fail: func(unit int, reason string) error {
			for i := unit * FilesPerUnit; i < d.end(unit); i++ {
				d.findings[i] = finding{file: i, problem: d.files[i].path + ": no worker could examine it: " + reason}
			}
			return nil
		},
	}
}

// end returns the index after the last file of a unit.
func (d *Distributed) end(unit int) int { return min((unit+1)*FilesPerUnit, len(d.files)) }

// Report returns the report. All units must be done.
func (d *Distributed) Report() report.Report { return collect(d.files, d.findings, d.options) }

// Execute examines the files of a unit. cache is the folder for files from the servers.
func Execute(ctx context.Context, t campaign.Task, cache string) (any, error) {
	var u sentUnit
	if err := json.Unmarshal(t.Payload, &u); err != nil {
		return nil, err
	}
	all := make([]sentFinding, len(u.Files))
	for i, f := range u.Files {
		found, err := examineSent(ctx, t.Store, f, u.Options, cache)
		if err != nil {
			return nil, err
		}
		all[i] = sentFinding{Cases: found.cases, Passed: found.passed, Problem: found.problem}
	}
	return all, ctx.Err()
}

// examineSent examines a file, as examine does on the coordinator's machine.
func examineSent(ctx context.Context, s *campaign.Store, f sentFile, o survey.Options, cache string) (finding, error) {
	if f.Problem != "" {
		return finding{problem: f.Problem}, nil
	}
	data, err := s.Input(ctx, f.Data, filepath.Join(cache, "files"))
	if err != nil {
		return finding{}, err
	}
	folder, err := os.MkdirTemp("", "sonde-survey-")
	if err != nil {
		return finding{}, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, filepath.Base(f.Path))
	if f.Inside == "" {
		err = os.WriteFile(path, data, 0o600)
	} else {
		path = filepath.Join(folder, "pack", f.Inside)
		err = campaign.Unpack(data, filepath.Join(folder, "pack"))
	}
	if err != nil {
		return finding{}, err
	}
	found := examine(ctx, SpecFile{path: path, Name: f.Name, named: f.Named}, o)
	found.problem = strings.ReplaceAll(found.problem, path, f.Path)
	return found, nil
}
