package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// maxTries is how often a unit is tried before it becomes a dead letter. The first try shares the process
	// of the worker with other units; later tries have processes of their own. If a worker is killed, the
	// later tries show which of its units was the cause.
	maxTries = 3
	// maxDeliveries is the maximum number of times that a unit is given to a worker. If all of these workers vanish,
	// the unit becomes a dead letter.
	maxDeliveries = 25
	// defaultAckWait is the default of WorkerOptions.AckWait.
	defaultAckWait = 10 * time.Second
	// fetchWait is how long one request for a unit waits at the server.
	fetchWait = 5 * time.Second
	// retryDelay is how long a unit that failed waits before its next try.
	retryDelay = 500 * time.Millisecond
	// maxInMessage is the maximum size of a result that is sent in a message, as a share of the maximum size
	// of messages. A larger result becomes an object.
	maxInMessage = 0.5
)

// Executor does units of one or more kinds. The result of a unit must be a value that can be converted to JSON. An
// Executor must be safe for concurrent use. An error means that this worker cannot do the unit now; another try may
// succeed.
type Executor func(ctx context.Context, t Task) (value any, err error)

// ErrRefused is the error of a unit that this worker is not permitted to do. Another worker may be permitted to do
// it.
var ErrRefused = errors.New("this worker may not do it")

// Task is a unit that a worker does.
type Task struct {
	Campaign Description
	Unit     int
	Payload  json.RawMessage
	Store    *Store // has the inputs that the unit needs
}

// WorkerOptions configure a worker.
type WorkerOptions struct {
	Presence Presence // ID, Sonde and Jobs of the worker; the worker fills in the other fields
	Execute  Executor
	// Isolated does a unit in a process of its own; see Isolate. It is used for units that were tried before.
	Isolated Executor
	// AckWait is how long a unit stays with a worker that gives no sign of life; then another worker gets the unit. 0
	// means 10 s. All workers of one version of Sonde share one AckWait: that of the worker that started last.
	AckWait time.Duration
}

// Worker takes units and does them.
type Worker struct {
	store    *Store
	options  WorkerOptions
	units    jetstream.Consumer
	presence *presenceKeeper

	mu    sync.Mutex
	known map[string]Description // campaigns, by ID
}

// NewWorker returns a worker. It takes no unit before Run.
func NewWorker(ctx context.Context, s *Store, o WorkerOptions) (*Worker, error) {
	o.AckWait = cmp.Or(o.AckWait, defaultAckWait)
	w := &Worker{store: s, options: o, known: map[string]Description{}, presence: newPresenceKeeper(s, o.Presence)}
	version := versionToken(o.Presence.Sonde)
	err := broker.Retry(ctx, func(ctx context.Context) (err error) {
		w.units, err = s.work.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: "sonde_" + version, FilterSubject: workPrefix + version + ".>", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: o.AckWait, MaxDeliver: -1, MaxAckPending: 1 << 20, // no maximum: workers count the tries
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("units cannot be taken: %w", err)
	}
	return w, nil
}

// Run does units until drain ends. It then finishes the units that it has, and returns nil. If ctx ends, Run gives its
// units back at once, and returns an error. It also returns an error if the connection is closed, or if the servers
// have lost the queue of units.
func (w *Worker) Run(ctx, drain context.Context) error {
	alive, end := context.WithCancel(ctx)
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		w.presence.run(alive)
	}()
	var jobs sync.WaitGroup
	errs := make(chan error, w.options.Presence.Jobs)
	for range w.options.Presence.Jobs {
		jobs.Go(func() { errs <- w.takeUnits(ctx, drain) })
	}
	jobs.Wait()
	end()
	<-beating
	close(errs)
	var all []error
	for err := range errs {
		isKnown := func(known error) bool { return known.Error() == err.Error() }
		if err != nil && !slices.ContainsFunc(all, isKnown) { // several jobs may end for the same reason
			all = append(all, err)
		}
	}
	w.presence.leave()
	return errors.Join(all...)
}

// takeUnits takes and does one unit after the other, until drain or ctx ends.
func (w *Worker) takeUnits(ctx, drain context.Context) error {
	for drain.Err() == nil && ctx.Err() == nil {
		waiting, end := context.WithTimeout(drain, fetchWait)
		messages, err := w.units.Fetch(1, jetstream.FetchContext(waiting))
		if err == nil {
			for m := range messages.Messages() {
				w.handle(ctx, m)
			}
			err = messages.Error()
		}
		end()
		switch {
		case err == nil, errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
			continue
		case errors.Is(err, jetstream.ErrConsumerDeleted), errors.Is(err, jetstream.ErrConsumerNotFound):
			return errors.New("the servers no longer have the queue of this version of Sonde: start the worker again")
		case broker.IsClosed(err):
			return w.store.conn.Explain(err)
		}
		select { // the servers do not answer; the client reconnects by itself
		case <-drain.Done():
		case <-time.After(retryDelay):
		}
	}
	return ctx.Err()
}

// handle does a unit. It then publishes the result or a dead letter, or gives the unit back to the queue.
func (w *Worker) handle(ctx context.Context, m jetstream.Msg) {
	id, unit, err := parseSubject(m.Subject())
	about, metaErr := m.Metadata()
	if err != nil || metaErr != nil {
		w.settle(ctx, func(context.Context) error { return m.Term() }) // the message is not a unit
		return
	}
	campaign, err := w.description(ctx, id)
	switch {
	case errors.Is(err, ErrNoCampaign):
		w.settle(ctx, func(context.Context) error { return m.Term() }) // the campaign was cancelled
		return
	case err != nil:
		w.settle(ctx, giveBack(m))
		return
	}
	t := Task{Campaign: campaign, Unit: unit, Payload: m.Data(), Store: w.store}
	if about.NumDelivered > maxDeliveries {
		w.bury(ctx, m, t, fmt.Sprintf("its worker ended, or gave no sign of life, %d times", maxDeliveries))
		return
	}
	w.presence.begin(id, unit)
	value, err := w.try(ctx, t, m, about.NumDelivered == 1)
	w.presence.end(id, unit, err == nil)
	switch {
	case ctx.Err() != nil:
		w.settle(context.WithoutCancel(ctx), func(context.Context) error { return m.Nak() })
	case err == nil:
		w.publish(ctx, m, t, value)
	case errors.Is(err, ErrRefused):
		w.handOver(ctx, m, err)
	case about.NumDelivered > 1:
		w.bury(ctx, m, t, err.Error())
	default:
		w.settle(ctx, giveBack(m))
	}
}

// try does a unit. If the unit was tried before, try makes all remaining tries, each in a process of its own.
func (w *Worker) try(ctx context.Context, t Task, m jetstream.Msg, first bool) (value any, err error) {
	if first {
		return w.execute(ctx, t, m, w.options.Execute)
	}
	for range maxTries - 1 {
		value, err = w.execute(ctx, t, m, w.options.Isolated)
		if err == nil || ctx.Err() != nil || errors.Is(err, ErrRefused) {
			break
		}
	}
	return value, err
}

// handOver puts a unit that this worker may not do back into the queue, as if it had not been tried. If the worker ends
// before the unit is in the queue again, the coordinator notices that the unit is missing.
func (w *Worker) handOver(ctx context.Context, m jetstream.Msg, why error) {
	w.presence.note(why)
	select {
	case <-ctx.Done():
	case <-time.After(retryDelay):
	}
	ctx = context.WithoutCancel(ctx)
	w.settle(ctx, m.DoubleAck)
	if _, err := w.store.putOnce(ctx, m.Subject(), m.Data()); err != nil {
		w.presence.note(err)
	}
}

// parseSubject returns the campaign and the unit of a subject.
func parseSubject(subject string) (campaign string, unit int, err error) {
	words := strings.Split(strings.TrimPrefix(subject, workPrefix), ".")
	if len(words) != 3 {
		return "", 0, errors.New("not the subject of a unit")
	}
	unit, err = strconv.Atoi(words[2])
	return words[1], unit, err
}

// description returns the description of a campaign.
func (w *Worker) description(ctx context.Context, id string) (Description, error) {
	w.mu.Lock()
	d, ok := w.known[id]
	w.mu.Unlock()
	if ok {
		return d, nil
	}
	state, _, err := w.store.state(ctx, id)
	if err == nil {
		w.mu.Lock()
		w.known[id] = state.Description
		w.mu.Unlock()
	}
	return state.Description, err
}

// execute does a unit by the function how. It regularly tells the server that the unit is still being done.
func (w *Worker) execute(ctx context.Context, t Task, m jetstream.Msg, how Executor) (value any, err error) {
	doing, end := context.WithCancel(ctx)
	defer end()
	go func() {
		for doing.Err() == nil {
			select {
			case <-doing.Done():
			case <-time.After(w.options.AckWait / 3):
				m.InProgress() // otherwise the server would give the unit to another worker
			}
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("sonde itself failed: %v; please report it with this: %s", p, debug.Stack())
		}
	}()
	return how(doing, t)
}

// publish stores the result of a unit, and then takes the unit from the queue.
func (w *Worker) publish(ctx context.Context, m jetstream.Msg, t Task, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		w.bury(ctx, m, t, "its result cannot be written: "+err.Error())
		return
	}
	r := result{Unit: &t.Unit, Worker: w.options.Presence.ID, Value: data}
	if len(data) > int(maxInMessage*float64(w.store.conn.MaxPayload())) {
		r.Value, r.Object = nil, t.Campaign.ID+"."+strconv.Itoa(t.Unit)
		err = w.store.putObject(ctx, r.Object, data)
	}
	if err == nil {
		data, err = json.Marshal(r)
	}
	if err == nil {
		err = w.store.putResult(ctx, t.Campaign.ID, t.Unit, data)
	}
	w.settleStored(ctx, m, err)
}

// bury stores a dead letter with the reason why a unit has no result, and then takes the unit from the queue.
func (w *Worker) bury(ctx context.Context, m jetstream.Msg, t Task, reason string) {
	data, err := json.Marshal(deadLetter{Worker: w.options.Presence.ID, Reason: reason})
	if err == nil {
		_, err = w.store.putOnce(ctx, deadPrefix+t.Campaign.ID+"."+strconv.Itoa(t.Unit), data)
	}
	w.settleStored(ctx, m, err)
}

// settleStored acknowledges a unit if err is nil: its result or its dead letter is then stored. Otherwise
// settleStored gives the unit back.
func (w *Worker) settleStored(ctx context.Context, m jetstream.Msg, err error) {
	if err == nil {
		w.settle(ctx, m.DoubleAck)
		return
	}
	w.presence.note(err)
	w.settle(context.WithoutCancel(ctx), giveBack(m))
}

// giveBack returns a function that gives a unit back to the server. After retryDelay, the server gives the unit to a
// worker again.
func giveBack(m jetstream.Msg) func(context.Context) error {
	return func(context.Context) error { return m.NakWithDelay(retryDelay) }
}

// settle calls the function tell, which tells the server what to do with a unit. If the server does not get this
// message, it gives the unit to another worker after the AckWait.
func (w *Worker) settle(ctx context.Context, tell func(context.Context) error) {
	err := broker.Retry(ctx, tell)
	if err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) && ctx.Err() == nil {
		w.presence.note(err)
	}
}
