package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/campaign"
	"sonde/runner/lab/study"
	"sonde/ui/app/sources"
)

// CampaignKind is the kind of the campaigns of studies.
const CampaignKind = "study"

// SentService is a service for a worker.
type SentService struct {
	Name   string `json:"name"`
	Demo   bool   `json:"demo,omitempty"`
	Pack   string `json:"pack,omitempty"`   // hash of the pack with the configuration and what it names
	Config string `json:"config,omitempty"` // path of the configuration in the pack
	Dir    string `json:"dir,omitempty"`    // folder on the coordinator's machine in which its command runs; "" if Sonde builds the service
}

// sentRun is a unit of a study: one run.
type sentRun struct {
	Service SentService `json:"service"`
	Setup
	Key study.RunKey `json:"key"`
}

// Distributed is a study whose runs are made by workers.
type Distributed struct {
	runs   []sentRun
	log    *study.Log
	failed int
	first  string // why the first of them failed
}

// Distribute stores the services of a study on the servers of campaigns. It leaves out results, the folder of the
// study's results.
func Distribute(
	ctx context.Context, s *campaign.Store, c config.StudyConfig, all study.Study, log *study.Log, results string,
) (*Distributed, error) {
	services := map[string]SentService{}
	for _, entry := range c.Services {
		sent, err := Send(ctx, s, entry, results)
		if err != nil {
			return nil, fmt.Errorf("service %q: %w", entry.Name, err)
		}
		services[entry.Name] = sent
	}
	d := &Distributed{log: log}
	for _, key := range all.RunKeys() {
		d.runs = append(d.runs, sentRun{Service: services[key.Service], Setup: setupOf(c, key.Way), Key: key})
	}
	return d, nil
}

// Send stores a service on the servers of campaigns. results is a folder that is not sent.
func Send(ctx context.Context, s *campaign.Store, entry config.StudiedService, results string) (sent SentService, err error) {
	sent = SentService{Name: entry.Name, Demo: entry.Demo}
	if entry.Demo {
		return sent, nil
	}
	var packed []byte
	packed, sent.Config, sent.Dir, err = packService(ctx, entry.Config, results)
	if err == nil {
		sent.Pack, err = s.PutInput(ctx, packed)
	}
	return sent, err
}

// packService packs the configuration of a service, its specification, and the Go module of the service if Sonde
// builds it. inside is the path of the configuration in the pack. If Sonde starts the service without a build, dir is
// the folder in which its command runs; otherwise dir is "".
func packService(ctx context.Context, path, results string) (packed []byte, inside, dir string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, "", "", err
	}
	c, err := config.Load(path)
	if err != nil {
		return nil, "", "", err
	}
	files, err := namedFiles(ctx, c)
	if err != nil {
		return nil, "", "", err
	}
	files = append(files, path)
	switch {
	case c.Service == nil:
	case c.Service.Build == nil:
		dir = c.Service.Dir
	default:
		module, err := sources.OfModule(ctx, c.Service.Dir, results)
		if err != nil {
			return nil, "", "", err
		}
		files = append(files, module...)
	}
	packed, folder, err := sources.Pack(files)
	if err != nil {
		return nil, "", "", err
	}
	inside, err = filepath.Rel(folder, path)
	return packed, filepath.ToSlash(inside), dir, err
}

// namedFiles returns the files that a configuration names.
func namedFiles(ctx context.Context, c config.Config) ([]string, error) {
	spec, err := openapi.Load(ctx, c.Spec, openapi.Options{})
	switch {
	case err != nil:
		return nil, err
	case len(spec.Files) == 0:
		return nil, fmt.Errorf("its specification %q is no file: workers need a file", c.Spec)
	case c.Net.On:
		return nil, errors.New("it has a virtual network, which workers cannot have yet: leave out net")
	}
	all := spec.Files
	for _, f := range c.TLS.Paths() {
		if *f != "" {
			all = append(all, *f)
		}
	}
	return all, nil
}

// Describe returns the description of the study as a campaign, without its ID.
func (d *Distributed) Describe() (campaign.Description, error) {
	setup, err := json.Marshal(d.runs)
	if err != nil {
		return campaign.Description{}, err
	}
	return campaign.Description{Kind: CampaignKind, Units: len(d.runs), Setup: campaign.Digest(setup)}, nil
}

// Work returns what the coordinator of the study needs. Results go into the log.
func (d *Distributed) Work() campaign.Work {
	return campaign.Work{
		Payload: func(unit int) (any, error) { return d.runs[unit], nil },
		IsDone:  func(unit int) bool { return d.log.Has(d.runs[unit].Key) },
		Handle: func(unit int, value json.RawMessage) error {
			var r study.Result
			if err := json.Unmarshal(value, &r); err != nil || r.RunKey != d.runs[unit].Key {
				return errors.New("a worker sent a result that cannot be read: do all have this version of Sonde?")
			}
			return d.log.Add(r)
		},
		Fail: func(unit int, reason string) error {
			if d.failed++; d.failed == 1 {
				d.first = fmt.Sprintf("%s: %s", d.runs[unit].Key, reason)
			}
			return nil
		},
	}
}

// Err returns an error if some runs of the study failed, and nil otherwise.
func (d *Distributed) Err() error {
	if d.failed == 0 {
		return nil
	}
	return fmt.Errorf("not all runs could be made (%d failed); the first: %s", d.failed, d.first)
}

// Runner makes the runs of studies that other processes coordinate. It is safe for concurrent use. Close it after
// use.
type Runner struct {
	Cache       string // folder for files from the servers
	Permissions Permissions
	Jobs        int // number of runs at the same time

	mu       sync.Mutex
	prepared map[string]study.Study    // service and setup → prepared study
	builds   map[string]*whiteBoxBuild // service → its builds
	folder   BuildFolder
}

// Close removes what was built.
func (r *Runner) Close() error { return r.folder.Close() }

// Execute makes the run of a unit and returns its result.
func (r *Runner) Execute(ctx context.Context, t campaign.Task) (any, error) {
	var u sentRun
	if err := json.Unmarshal(t.Payload, &u); err != nil {
		return nil, err
	}
	s, err := r.Prepare(ctx, t.Store, u.Service, u.Setup)
	if err != nil {
		return nil, err
	}
	return s.Run(ctx, u.Key)
}

// Prepare returns a study of one service. Prepare keeps the study, and returns it again for equal arguments. It returns an
// error if the runner's permissions do not suffice.
func (r *Runner) Prepare(ctx context.Context, s *campaign.Store, sent SentService, setup Setup) (study.Study, error) {
	key, err := json.Marshal(sentRun{Service: sent, Setup: setup})
	if err != nil {
		return study.Study{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.prepared == nil {
		r.prepared, r.builds = map[string]study.Study{}, map[string]*whiteBoxBuild{}
	}
	if prepared, ok := r.prepared[string(key)]; ok {
		return prepared, nil
	}
	entry := config.StudiedService{Name: sent.Name, Demo: sent.Demo}
	if !entry.Demo {
		folder, err := r.unpack(ctx, s, sent.Pack)
		if err != nil {
			return study.Study{}, err
		}
		entry.Config = filepath.Join(folder, filepath.FromSlash(sent.Config))
	}
	w := Preparation{Setup: setup, jobs: r.Jobs, check: func(c *config.Config) error {
		if r.Permissions.All && c.Service != nil && c.Service.Build == nil {
			c.Service.Dir = sent.Dir
		}
		return r.Permissions.check(c)
	}}
	if setup.isBuilt() {
		w.folder, w.builds, w.buildKey = &r.folder, r.builds, sent.Pack+" "+sent.Config // both are "" for the demo
	}
	prepared, err := w.study(ctx, config.StudyConfig{
		Services: []config.StudiedService{entry}, White: setup.White, Mutants: setup.Mutants, Lists: setup.Lists,
	})
	if err != nil {
		return study.Study{}, err
	}
	r.prepared[string(key)] = prepared
	return prepared, nil
}

// unpack returns the folder with the files of a pack.
func (r *Runner) unpack(ctx context.Context, s *campaign.Store, hash string) (string, error) {
	folder := filepath.Join(r.Cache, "services", hash)
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		now := time.Now()
		return folder, os.Chtimes(folder, now, now) // see campaign.RemoveUnused
	}
	packed, err := s.Input(ctx, hash, filepath.Join(r.Cache, "files"))
	if err != nil {
		return "", err
	}
	return folder, campaign.Unpack(packed, folder)
}
