package islandrun

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sonde/model"
	"sonde/runner/campaign"
	"sonde/runner/campaign/islands"
	"sonde/runner/search"
	"sonde/ui/app/experiment"
	"sonde/ui/app/usecase"
)

// Execute runs the island of a unit until the island's part of the budget is used up, and returns what the island has
// found. r has the permissions of the worker.
func Execute(ctx context.Context, t campaign.Task, r *experiment.Runner) (_ any, err error) {
	var u sentIsland
	if err := json.Unmarshal(t.Payload, &u); err != nil {
		return nil, err
	}
	if err := r.Permissions.CheckHosts(u.Settings.Hosts); err != nil {
		return nil, err
	}
	var modes []bool
	if u.White {
		modes = []bool{true}
	}
	s, err := r.Prepare(ctx, t.Store, u.Service, experiment.Setup{
		White: modes, Sampling: u.Settings.Sampling, Sizes: u.Settings.Sizes,
	})
	if err != nil {
		return nil, err
	}
	plan, end, err := s.Services[0].Copy(ctx, "")
	if err != nil {
		return nil, err
	}
	defer end()
	u.Settings.apply(&plan)
	plan.Limits = model.Limits{Calls: u.Setup.Share}
	i := island{task: t, unit: u, board: t.Store.Board(t.Campaign.ID)}
	return i.run(ctx, plan)
}

// island is an island while it runs.
type island struct {
	task  campaign.Task
	unit  sentIsland
	board *campaign.Board
	found found
}

func (i *island) run(ctx context.Context, p model.Plan) (_ any, err error) {
	budget, err := islands.OpenBudget(ctx, i.board, i.unit.Setup, i.unit.Island, campaign.NewID("island"))
	if err != nil {
		return nil, err
	}
	if budget.Sent() > 0 {
		if err := i.restore(ctx); err != nil {
			return nil, err
		}
		p.Resume = i.resumeState(budget.Sent())
	}
	living, end := context.WithCancel(ctx)
	defer end()
	exchange, err := islands.OpenExchange(living, i.board, i.unit.Setup, i.unit.Island)
	if err != nil {
		return nil, err
	}
	var run *search.Run
	run, err = search.NewIsland(ctx, p, search.Island{
		Lease: budget.Lease, Part: i.unit.Island, Parts: i.unit.Setup.Islands, Every: i.unit.Setup.Every, Migrants: i.unit.Setup.Migrants,
		Exchange: func(ctx context.Context, number int, leave []search.Migrant) ([]search.Migrant, error) {
			i.note(run)
			if err := budget.Check(ctx); err != nil {
				return nil, err
			}
			return i.exchange(ctx, exchange, number, leave)
		},
	}, i.unit.Settings.Hosts...)
	switch {
	case errors.Is(err, search.ErrNoLease): // workers that have vanished hold the rest of the budget
		end()
		return i.found, exchange.End(ctx)
	case err != nil:
		return nil, err
	}
	run.Start(ctx, i.sink())
	last := i.report(ctx, run)
	end()
	unsent := budget.Return(context.WithoutCancel(ctx), run.Unused())
	if err := errors.Join(last.Err, ctx.Err(), unsent); err != nil {
		return nil, err
	}
	i.note(run)
	return i.found, exchange.End(ctx)
}

// exchange stores what the island has found so far, so that another worker can continue the island. It then sends the
// tests in leave to other islands, and returns the tests that arrive from them.
func (i *island) exchange(ctx context.Context, e *islands.Exchange, number int, leave []search.Migrant) ([]search.Migrant, error) {
	if err := i.keep(ctx); err != nil {
		return nil, err
	}
	return e.Exchange(ctx, number, leave)
}

// sink returns the sink of the island's run. Its functions are called by the run's goroutine.
func (i *island) sink() search.Sink {
	return search.Sink{
		Emit: func(l model.LogEntry) error {
			switch e := l.Event.(type) {
			case model.RunStarted:
				i.found.Declared = e.Targets
			case model.TargetCovered:
				i.found.Covered = append(i.found.Covered, coveredTarget{e.Target, e.Call})
			case model.Progress:
				i.found.Last = e
			}
			return nil
		},
		SaveFaults: func(all []model.Fault) error {
			i.found.Faults = all
			return nil
		},
		SaveAnswers: func(all map[model.OpID]map[int]int) error {
			i.found.Answers = all
			return nil
		},
	}
}

// note stores the kept tests of a run in i.found. The run must be in an exchange or have ended, so that its tests do
// not change meanwhile.
func (i *island) note(run *search.Run) { i.found.Kept = run.Kept() }

// report writes the progress of a run to the board each second. When the run has ended, report returns the run's last
// state.
func (i *island) report(ctx context.Context, run *search.Run) model.Snapshot {
	ended := make(chan model.Snapshot, 1)
	go func() { ended <- run.Wait() }()
	seconds := time.NewTicker(time.Second)
	defer seconds.Stop()
	for {
		select {
		case last := <-ended:
			i.tell(context.WithoutCancel(ctx), last)
			return last
		case <-seconds.C:
			i.tell(ctx, run.Snapshot())
		}
	}
}

// tell writes the progress of the island to the board. It ignores errors, because the next report has later numbers.
func (i *island) tell(ctx context.Context, s model.Snapshot) {
	p := usecase.UnitProgress{
		Name: islandName(i.unit.Island), Calls: s.Summary.Calls, Of: i.unit.Setup.Share,
		Covered: s.Summary.Covered, Faults: s.Summary.Faults,
	}
	step := 1 + len(s.Curve)/usecase.MaxProgressPoints
	for at := 0; at < len(s.Curve); at += step {
		p.Points = append(p.Points, [2]int{s.Curve[at].Calls, s.Curve[at].Covered})
	}
	_ = i.task.Report(ctx, p)
}

func islandName(number int) string { return fmt.Sprintf("island %d", number+1) }

// resumeState returns the state from which a run continues an island that has sent a number of requests.
func (i *island) resumeState(sent int) *model.ResumeState {
	r := &model.ResumeState{Faults: i.found.Faults, Answers: i.found.Answers, Last: i.found.Last, Ended: true}
	for _, k := range i.found.Kept {
		r.Tests = append(r.Tests, k.Test)
	}
	r.Last.Call = sent
	return r
}

// keptName is the name of the object with what an island has found so far.
func keptName(campaignID string, island int) string {
	return fmt.Sprintf("%s.island.%d", campaignID, island)
}

// keep stores what the island has found so far, so that another worker can continue the island.
func (i *island) keep(ctx context.Context) error {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err := errors.Join(json.NewEncoder(z).Encode(i.found), z.Close()); err != nil {
		return err
	}
	return i.task.Store.PutObject(ctx, keptName(i.task.Campaign.ID, i.unit.Island), packed.Bytes())
}

// restore reads what an earlier worker of this island has stored. If nothing is stored, i.found stays empty.
func (i *island) restore(ctx context.Context) (err error) {
	i.found, err = readKept(ctx, i.task.Store, i.task.Campaign.ID, i.unit.Island)
	return err
}

// readKept reads what an island has found so far. If the island has stored nothing, readKept returns the zero value.
func readKept(ctx context.Context, s *campaign.Store, campaignID string, number int) (f found, err error) {
	packed, err := s.Object(ctx, keptName(campaignID, number))
	if errors.Is(err, campaign.ErrNoObject) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(z).Decode(&f)
	}
	if err != nil {
		return f, fmt.Errorf("what %s has found so far cannot be read: %w", islandName(number), err)
	}
	return f, nil
}
