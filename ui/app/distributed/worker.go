package distributed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sonde/runner/campaign"
	"sonde/ui/app/experiment"
	"sonde/ui/app/islandrun"
	"sonde/ui/app/mutation"
	"sonde/ui/app/survey"
	"sonde/ui/app/version"
)

// WorkerOptions say what a worker may do.
type WorkerOptions struct {
	Jobs        int // number of units at the same time
	Labels      map[string]string
	Permissions experiment.Permissions

	only string // the ID of the only campaign whose units it does, "" for all campaigns
}

// ParseLabels parses labels of the form NAME=VALUE.
func ParseLabels(texts []string) (map[string]string, error) {
	all := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--label %q: it has the form NAME=VALUE, such as cpu=arm64", text)
		}
		all[name] = value
	}
	return all, nil
}

// Work does units of all campaigns until drain ends. It then finishes the units that it has begun.
func (s *Session) Work(ctx, drain context.Context, o WorkerOptions) (err error) {
	w, err := s.newWorker(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return w.Run(ctx, drain)
}

// OtherVersions returns the campaigns in progress that this version of Sonde cannot work on, with the version of each.
func (s *Session) OtherVersions(ctx context.Context) (all []string, err error) {
	known, err := s.Store.Campaigns(ctx)
	for _, c := range known {
		if !c.Ended && c.Sonde != version.Text() {
			all = append(all, c.ID+" ("+c.Sonde+")")
		}
	}
	return all, err
}

// worker is a worker that knows all kinds of campaigns.
type worker struct {
	*campaign.Worker
	only    string // see WorkerOptions
	cache   string // folder for files from the servers
	runs    *experiment.Runner
	mutants *mutation.Tester
}

// workerOf returns a worker that takes no units.
func workerOf(o WorkerOptions) (*worker, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no folder for the files of campaigns: %w", err)
	}
	w := &worker{only: o.only, cache: filepath.Join(cache, "sonde", "campaigns")}
	w.runs = &experiment.Runner{Cache: w.cache, Permissions: o.Permissions, Jobs: o.Jobs}
	w.mutants = &mutation.Tester{Cache: w.cache, Permissions: o.Permissions}
	return w, errors.Join(
		campaign.RemoveUnused(filepath.Join(w.cache, "files")), campaign.RemoveUnused(filepath.Join(w.cache, "services")),
	)
}

func (s *Session) newWorker(ctx context.Context, o WorkerOptions) (*worker, error) {
	w, err := workerOf(o)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	w.Worker, err = campaign.NewWorker(ctx, s.Store, campaign.WorkerOptions{
		Presence: campaign.Presence{
			ID: campaign.NewID("worker"), Host: host, PID: os.Getpid(), Sonde: version.Text(), Jobs: o.Jobs, Labels: o.Labels,
		},
		Execute: w.execute, Isolated: campaign.Isolate(s.unitProcess(o)),
	})
	return w, err
}

// execute does one unit of a campaign of any kind.
func (w *worker) execute(ctx context.Context, t campaign.Task) (any, error) {
	if w.only != "" && t.Campaign.ID != w.only {
		return nil, campaign.ErrRefused
	}
	switch t.Campaign.Kind {
	case survey.CampaignKind:
		return survey.Execute(ctx, t, w.cache)
	case experiment.CampaignKind:
		return w.runs.Execute(ctx, t)
	case islandrun.CampaignKind:
		return islandrun.Execute(ctx, t, w.runs)
	case mutation.CampaignKind:
		return w.mutants.Execute(ctx, t)
	}
	return nil, fmt.Errorf("this worker does not know units of the kind %q", t.Campaign.Kind)
}

// Close removes what the worker has built.
func (w *worker) Close() error { return errors.Join(w.runs.Close(), w.mutants.Close()) }
