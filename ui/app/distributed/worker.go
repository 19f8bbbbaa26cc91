package distributed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sonde/runner/campaign"
	"sonde/ui/app/survey"
	"sonde/ui/app/version"
)

// WorkerOptions say what a worker may do.
type WorkerOptions struct {
	Jobs   int // number of units at the same time
	Labels map[string]string
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

// Work does units of all campaigns until drain ends, and then finishes those that it has.
func (s *Session) Work(ctx, drain context.Context, o WorkerOptions) error {
	w, err := s.newWorker(ctx, o)
	if err != nil {
		return err
	}
	return w.Run(ctx, drain)
}

func (s *Session) newWorker(ctx context.Context, o WorkerOptions) (*campaign.Worker, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no folder for the files of campaigns: %w", err)
	}
	host, _ := os.Hostname()
	return campaign.NewWorker(ctx, s.Store, campaign.WorkerOptions{
		Presence: campaign.Presence{
			ID: campaign.NewID("worker"), Host: host, PID: os.Getpid(), Sonde: version.Text(), Jobs: o.Jobs, Labels: o.Labels,
		},
		Execute: executor(filepath.Join(cache, "sonde", "campaigns")),
	})
}

// executor returns what does the units of all kinds of campaigns. cache is the folder for files from the servers.
func executor(cache string) campaign.Executor {
	return func(ctx context.Context, t campaign.Task) (any, error) {
		if t.Campaign.Kind == survey.CampaignKind {
			return survey.Execute(ctx, t, cache)
		}
		return nil, fmt.Errorf("this worker does not know units of the kind %q", t.Campaign.Kind)
	}
}
