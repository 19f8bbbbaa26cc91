package campaign

import (
	"slices"
	"strconv"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
)

// shown is the latest state of all campaigns, and the ID of the campaign on the screen.
type shown struct {
	view usecase.CampaignsView
	id   string // the campaign that is shown, "" for the list of all
}

// running returns the campaigns in progress.
func (s shown) running() (all []usecase.Campaign) {
	for _, c := range s.view.Campaigns {
		if c.InProgress() {
			all = append(all, c)
		}
	}
	return all
}

// campaign returns the campaign that is shown. ok is false if the servers do not have the campaign.
func (s shown) campaign() (c usecase.Campaign, ok bool) {
	i := slices.IndexFunc(s.view.Campaigns, func(c usecase.Campaign) bool { return c.ID == s.id })
	if i < 0 {
		return usecase.Campaign{ID: s.id}, false
	}
	return s.view.Campaigns[i], true
}

// unitsOf returns the units that a worker is doing: the numbers of the units that belong to the shown campaign, and
// how many units belong to other campaigns.
func (s shown) unitsOf(w usecase.CampaignWorker) (units []string, others int) {
	for _, name := range w.Doing {
		unit, ok := strings.CutPrefix(name, s.id+"/")
		if _, err := strconv.Atoi(unit); ok && err == nil {
			units = append(units, unit)
		} else {
			others++
		}
	}
	return units, others
}

// inProgress returns how many units of the shown campaign workers are doing.
func (s shown) inProgress() int {
	units := map[string]bool{}
	for _, w := range s.view.Workers {
		if w.Life == usecase.Alive {
			mine, _ := s.unitsOf(w)
			for _, unit := range mine {
				units[unit] = true
			}
		}
	}
	return len(units)
}

// whyIdle says why no unit is in progress.
func (s shown) whyIdle(c usecase.Campaign) string {
	able := 0
	for _, w := range s.view.Workers {
		if (w.Life == usecase.Alive || w.Life == usecase.LivenessUnknown) && w.Version == c.Version {
			able++
			if w.Error != "" {
				return draw.Clean(w.ID) + ": " + draw.Clean(w.Error)
			}
		}
	}
	if able == 0 {
		return "no worker: sonde worker --nats URL joins"
	}
	return ""
}

// rows returns the number of rows of a pane.
func (s shown) rows(p part) int {
	switch p {
	case partFailures:
		return len(s.view.Failures)
	case partProgress:
		return len(s.view.Progress)
	}
	return len(s.view.Workers)
}

// problem returns the text that says that the servers do not answer.
func (s shown) problem() string {
	if s.view.Lost > 0 {
		return "no connection for " + duration(s.view.Lost) + ", trying again: " + draw.Clean(s.view.Problem)
	}
	return draw.Clean(s.view.Problem)
}
