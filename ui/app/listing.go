package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/runner/search"
	"sonde/ui/app/practice"
	"sonde/ui/app/usecase"
)

// seqLister lists seqs while it calls them, one listing at a time.
type seqLister struct {
	session *session
	calling *sync.Mutex     // held while a listing begins
	leaving context.Context // ends with the app; ends the listing, too
	rest    func()          // stops the service for manual calls; its mutex calling must be locked
	busy    func() error    // the reason why no listing can start now, nil if one can

	mu  sync.Mutex
	run *listingRun // the latest, nil before the first
}

var (
	// errListing is the error of a call that would disturb a listing.
	errListing = errors.New("seqs are being called: stop that first")
	// errNoSeqs is the error of a listing without a seq that can be called first.
	errNoSeqs = errors.New("there is no seq to call: each operation needs a value that only other operations return")
)

// listingRun is a listing in progress, or one that has ended.
type listingRun struct {
	*practice.Run
	cancel context.CancelFunc
	ended  chan struct{} // closed when the service is no longer used
}

// Stop ends the listing after the request in progress.
func (r *listingRun) Stop() { r.cancel() }

// Snapshot returns the state of the listing. Its Done is set only when the listing no longer uses the service.
func (r *listingRun) Snapshot() usecase.ListingSnapshot {
	done := r.hasEnded()
	s := r.Run.Snapshot()
	s.Done = done
	return s
}

func (r *listingRun) hasEnded() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// start begins a listing.
func (l *seqLister) start(ctx context.Context, chosen usecase.ListingSettings) (usecase.ListingRun, error) {
	asked := l.session.environment()
	l.calling.Lock()
	defer l.calling.Unlock()
	if err := cmp.Or(l.leaving.Err(), ctx.Err()); err != nil {
		return nil, err
	}
	if asked != l.session.environment() {
		return nil, errSwitched
	}
	if err := l.busy(); err != nil {
		return nil, err
	}
	listings, err := l.listings(ctx, chosen)
	if err != nil {
		return nil, err
	}
	l.rest() // the service of the listing may need the same port
	ctx, cancel := context.WithCancel(ctx)
	stopLeaving := context.AfterFunc(l.leaving, cancel)
	v, end, err := l.invoker(ctx, chosen)
	if err != nil {
		stopLeaving()
		cancel()
		return nil, err
	}
	run := &listingRun{Run: practice.NewRun(v, listings...), cancel: cancel, ended: make(chan struct{})}
	if chosen.Net {
		run.UseVirtualNetwork(chosen.Stubs)
	}
	l.mu.Lock()
	l.run = run
	l.mu.Unlock()
	go func() {
		defer close(run.ended)
		defer stopLeaving()
		defer cancel()
		defer end()
		run.List(ctx) //nolint:errcheck // the snapshot has the error
	}()
	return run, nil
}

// listings returns the seqs by the rules DC and SC, without the operations that the configuration excludes.
func (l *seqLister) listings(ctx context.Context, chosen usecase.ListingSettings) ([]*practice.Listing, error) {
	now := l.session.state()
	if now.spec == nil {
		return nil, errNoSpec
	}
	spec, err := now.config.FilterOperations(now.spec)
	if err != nil {
		return nil, err
	}
	part := chosen.Analysis
	if len(spec.Operations) < len(now.spec.Operations) {
		excluded := func(op *model.Operation) bool { return spec.Operation(op.ID) == nil }
		part = part.Subset(slices.DeleteFunc(slices.Clone(part.Operations), excluded))
	}
	var all []*practice.Listing
	for _, rule := range []distil.Rule{distil.RuleDC, distil.RuleSC} {
		listed, err := practice.NewListing(ctx, part.ValuesTable(), distil.Options{Rule: rule}, chosen.With)
		if err != nil {
			return nil, err
		}
		all = append(all, listed)
	}
	if !slices.ContainsFunc(all, func(l *practice.Listing) bool { return !l.Empty() }) {
		return nil, errNoSeqs
	}
	return all, nil
}

// invoker returns an invoker for the session's service, and the function that ends its use.
func (l *seqLister) invoker(ctx context.Context, chosen usecase.ListingSettings) (*search.Invoker, func(), error) {
	settings, now, err := l.session.settings(usecase.SearchSettings{
		Seed: 1, Limits: model.Limits{Calls: chosen.Calls}, Net: chosen.Net, WhiteBox: chosen.Net,
	})
	if err != nil {
		return nil, nil, err
	}
	a := analysis.Analyze(now.spec, analysis.Options{})
	plan := settings.PlanForAnalysis(a)
	var removeBuild func()
	if chosen.Net {
		_, removeBuild, err = settings.BuildService(ctx, &plan)
	} else {
		removeBuild, err = settings.BuildForRows(ctx, &plan)
	}
	if err != nil {
		return nil, nil, err
	}
	v, err := search.NewInvoker(ctx, plan, a.SeqConnector(), practice.UsualTries, settings.AllowHosts...)
	if err != nil {
		removeBuild()
		return nil, nil, err
	}
	return v, func() { v.Close(); removeBuild() }, nil
}

// running reports whether a listing uses the service.
func (l *seqLister) running() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run != nil && !l.run.hasEnded()
}

// stop ends the listing, and waits until it no longer uses the service.
func (l *seqLister) stop() {
	l.mu.Lock()
	run := l.run
	l.mu.Unlock()
	if run != nil {
		run.Stop()
		<-run.ended
	}
}
