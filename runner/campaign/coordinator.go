package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	beatInterval = time.Second
	// takeoverAfter is how long a coordinator must give no sign of life before another coordinator may take over its
	// campaign.
	takeoverAfter = 4 * beatInterval
	// window is the maximum number of units that are published and have no result. It bounds what servers must hold.
	window = 4096
	// publishBatch is how many units are published before the coordinator waits until they are stored.
	publishBatch = 256
	// republishAfter is how long no result must arrive before the coordinator checks whether the servers have lost
	// units.
	republishAfter = time.Minute
)

// Coordinator publishes the units of one campaign and gathers their results.
type Coordinator struct {
	store    *Store
	state    State
	revision uint64
	finished []bool // units with a result or a dead letter
	next     int    // the first unit that this coordinator has never published
	pending  int    // number of published units that are not finished
}

// Work has the functions of a campaign that its coordinator calls. One goroutine calls them.
type Work struct {
	// Payload returns what a worker needs to do a unit.
	Payload func(unit int) (any, error)
	// IsDone reports whether the caller already has the result of a unit. A nil IsDone means that the caller has no
	// results.
	IsDone func(unit int) bool
	// Handle is called once for each unit that gets a result, in any order. It is not called for units for which IsDone
	// returned true.
	Handle func(unit int, value json.RawMessage) error
	// Fail is called once for each unit that gets a dead letter instead of a result.
	Fail func(unit int, reason string) error
	// Progress is called after each call of Handle and Fail, with the number of units that have a result and the number
	// of units that have a dead letter. It may be nil.
	Progress func(done, dead int)
}

// Coordinate returns the coordinator of the campaign that d describes. If a campaign with this ID exists already,
// resumed is true. Coordinate returns an error if d differs from the description of the existing campaign, or if
// another coordinator of the campaign gives signs of life.
func (s *Store) Coordinate(ctx context.Context, d Description) (c *Coordinator, resumed bool, err error) {
	if err := CheckID(d.ID); err != nil {
		return nil, false, err
	}
	host, _ := os.Hostname()
	c = &Coordinator{store: s, finished: make([]bool, d.Units), state: State{
		Description: d, Coordinator: fmt.Sprintf("%s, process %d", host, os.Getpid()), Beat: 1,
	}}
	was, revision, err := s.state(ctx, d.ID)
	switch {
	case errors.Is(err, ErrNoCampaign):
		return c, false, c.create(ctx)
	case err != nil:
		return nil, false, err
	}
	if err := d.check(was.Description); err != nil {
		return nil, false, err
	}
	if err := s.awaitSilence(ctx, was, revision); err != nil {
		return nil, false, err
	}
	c.revision, c.state.Beat = revision, was.Beat
	return c, true, c.beat(ctx)
}

// check compares d with was, the description of an existing campaign. It returns an error if the kind, the version of
// Sonde, the number of units or the setup differs. A coordinator with the description d cannot then resume the
// campaign.
func (d Description) check(was Description) error {
	var other string
	switch {
	case was.Kind != d.Kind:
		other = fmt.Sprintf("it is a %s, not a %s", was.Kind, d.Kind)
	case was.Sonde != d.Sonde:
		other = fmt.Sprintf("it was begun by %s, and this is %s", was.Sonde, d.Sonde)
	case was.Units != d.Units || !bytes.Equal(was.Setup, d.Setup):
		other = "it was begun with other files or settings"
	default:
		return nil
	}
	return fmt.Errorf("campaign %q: %s: choose another --campaign", d.ID, other)
}

// awaitSilence waits for takeoverAfter. It returns an error if the coordinator of a campaign gives a sign of life in
// this time. It does not wait if the campaign has ended.
func (s *Store) awaitSilence(ctx context.Context, was State, revision uint64) error {
	if was.Ended {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(takeoverAfter):
	}
	now, changed, err := s.state(ctx, was.ID)
	if err == nil && changed != revision && !now.Ended {
		err = fmt.Errorf("campaign %q has a coordinator (%s): stop it first", was.ID, now.Coordinator)
	}
	return err
}

func (c *Coordinator) create(ctx context.Context) error {
	data, err := json.Marshal(c.state)
	if err != nil {
		return err
	}
	return broker.Retry(ctx, func(ctx context.Context) (err error) {
		c.revision, err = c.store.campaigns.Create(ctx, c.state.ID, data)
		return err
	})
}

// beat writes the state of the campaign as a sign of life. It returns an error if another coordinator has taken over,
// or if the campaign was cancelled.
func (c *Coordinator) beat(ctx context.Context) error {
	c.state.Beat++
	data, err := json.Marshal(c.state)
	if err != nil {
		return err
	}
	err = broker.Retry(ctx, func(ctx context.Context) error {
		revision, err := c.store.campaigns.Update(ctx, c.state.ID, data, c.revision)
		if err == nil {
			c.revision = revision
		}
		return err
	})
	if !isStale(err) {
		return err
	}
	now, revision, err := c.store.state(ctx, c.state.ID)
	switch {
	case errors.Is(err, ErrNoCampaign):
		return fmt.Errorf("campaign %q was cancelled", c.state.ID)
	case err != nil:
		return err
	case now.Coordinator == c.state.Coordinator && now.Beat == c.state.Beat: // an earlier attempt was stored
		c.revision = revision
		return nil
	}
	return fmt.Errorf("campaign %q: another coordinator has taken over (%s)", c.state.ID, now.Coordinator)
}

// outcome is the result or the dead letter of a unit.
type outcome struct {
	unit   int // -1 if the message could not be read
	result result
	dead   deadLetter
}

// Run gathers results until each unit has a result or a dead letter. If ctx ends or an error occurs before that,
// Coordinate can return another coordinator that resumes the campaign.
func (c *Coordinator) Run(ctx context.Context, w Work) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	outcomes := make(chan outcome, publishBatch)
	stored := 0
	for _, dead := range []bool{false, true} {
		n, end, err := c.listen(ctx, dead, outcomes)
		if err != nil {
			return err
		}
		defer end()
		stored += n
	}
	for unit := range c.finished {
		c.finished[unit] = w.IsDone != nil && w.IsDone(unit)
		c.state.Done += boolToInt(c.finished[unit])
	}
	beats := time.NewTicker(beatInterval)
	defer beats.Stop()
	last := time.Now() // time of the last outcome
	for {
		if stored <= 0 { // all outcomes that were stored before Run have been handled
			if err := c.publish(ctx, w); err != nil {
				return err
			}
			if c.state.Done+c.state.Dead == len(c.finished) {
				return c.beat(ctx)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case o := <-outcomes:
			stored, last = stored-1, time.Now()
			if err := c.handle(ctx, o, w); err != nil {
				return err
			}
		case <-beats.C:
			if err := c.beat(ctx); err != nil {
				return err
			}
			if time.Since(last) > republishAfter {
				last = time.Now()
				if err := c.republish(ctx, w); err != nil {
					return err
				}
			}
		}
	}
}

// listen sends the messages of the campaign in sonde_results or sonde_dead to a channel. It begins with the messages
// that are already stored; stored is their number. The caller must call end to stop listen.
func (c *Coordinator) listen(ctx context.Context, dead bool, to chan<- outcome) (stored int, end func(), err error) {
	stream, subject, read := resultStream, resultPrefix+c.state.ID, readResult
	if dead {
		stream, subject, read = deadStream, deadPrefix+c.state.ID+".>", readDeadLetter
	}
	var messages jetstream.Consumer
	err = broker.Retry(ctx, func(ctx context.Context) (err error) {
		filter := jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject}}
		messages, err = c.store.conn.JetStream.OrderedConsumer(ctx, stream, filter)
		return err
	})
	if err != nil {
		return 0, nil, fmt.Errorf("the results of the campaign cannot be read: %w", err)
	}
	reading, err := messages.Consume(func(m jetstream.Msg) {
		select {
		case to <- read(m):
		case <-ctx.Done():
		}
	})
	if err != nil {
		return 0, nil, err
	}
	return int(messages.CachedInfo().NumPending), reading.Stop, nil
}

// readResult reads a message of sonde_results.
func readResult(m jetstream.Msg) outcome {
	o := outcome{unit: -1}
	if json.Unmarshal(m.Data(), &o.result) == nil && o.result.Unit != nil && (o.result.Object != "" || len(o.result.Value) > 0) {
		o.unit = *o.result.Unit
	}
	return o
}

// readDeadLetter reads a message of sonde_dead.
func readDeadLetter(m jetstream.Msg) outcome {
	o := outcome{unit: -1}
	subject := m.Subject()
	if n, err := strconv.Atoi(subject[strings.LastIndex(subject, ".")+1:]); err == nil {
		o.unit = n
	}
	if json.Unmarshal(m.Data(), &o.dead) != nil || o.dead.Reason == "" {
		o.dead.Reason = "its dead letter cannot be read"
	}
	return o
}

// publish publishes units until window units are published and unfinished, or until all units are published.
func (c *Coordinator) publish(ctx context.Context, w Work) error {
	for c.next < len(c.finished) && c.pending < window {
		var batch []int
		for ; c.next < len(c.finished) && len(batch) < min(publishBatch, window-c.pending); c.next++ {
			if !c.finished[c.next] {
				batch = append(batch, c.next)
			}
		}
		if err := c.put(ctx, batch, w); err != nil {
			return err
		}
		c.pending += len(batch)
	}
	return nil
}

// put stores units in sonde_work. It skips a unit that sonde_work already has.
func (c *Coordinator) put(ctx context.Context, units []int, w Work) error {
	type sending struct {
		subject string
		data    []byte
		stored  jetstream.PubAckFuture
	}
	var all []sending
	for _, unit := range units {
		payload, err := w.Payload(unit)
		if err != nil {
			return err
		}
		s := sending{subject: c.subject(unit)}
		if s.data, err = json.Marshal(payload); err != nil {
			return err
		}
		s.stored, err = c.store.conn.JetStream.PublishAsync(s.subject, s.data)
		if err != nil {
			s.stored = nil
		}
		all = append(all, s)
	}
	for _, s := range all {
		if s.stored != nil {
			select {
			case <-s.stored.Ok():
				continue
			case <-s.stored.Err():
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if _, err := c.store.putOnce(ctx, s.subject, s.data); err != nil {
			return fmt.Errorf("units of campaign %q cannot be stored: %w", c.state.ID, err)
		}
	}
	return nil
}

func (c *Coordinator) subject(unit int) string {
	return workPrefix + versionToken(c.state.Sonde) + "." + c.state.ID + "." + strconv.Itoa(unit)
}

// republish publishes all unfinished units again if the servers have lost them: units are pending here, but the
// servers have no unit of the campaign.
func (c *Coordinator) republish(ctx context.Context, w Work) error {
	var found uint64
	err := broker.Retry(ctx, func(ctx context.Context) error {
		info, err := c.store.work.Info(ctx, jetstream.WithSubjectFilter(workPrefix+versionToken(c.state.Sonde)+"."+c.state.ID+".>"))
		if err == nil {
			found = uint64(len(info.State.Subjects))
		}
		return err
	})
	if err != nil || found > 0 || c.pending == 0 {
		return err
	}
	var lost []int
	for unit := range c.next {
		if !c.finished[unit] {
			lost = append(lost, unit)
		}
	}
	return c.put(ctx, lost, w)
}

// handle handles a message of sonde_results or sonde_dead.
func (c *Coordinator) handle(ctx context.Context, o outcome, w Work) error {
	if o.unit < 0 || o.unit >= len(c.finished) || c.finished[o.unit] {
		return nil // not a unit of this campaign, or a unit that is already finished
	}
	if err := c.pass(ctx, o, w); err != nil {
		return err
	}
	c.finished[o.unit] = true
	if o.unit < c.next {
		c.pending--
	}
	if o.dead.Reason != "" {
		c.state.Dead++
	} else {
		c.state.Done++
	}
	if w.Progress != nil {
		w.Progress(c.state.Done, c.state.Dead)
	}
	return nil
}

// pass passes an outcome to w.Handle or w.Fail.
func (c *Coordinator) pass(ctx context.Context, o outcome, w Work) error {
	if o.dead.Reason != "" {
		return w.Fail(o.unit, o.dead.Reason)
	}
	if o.result.Object == "" {
		return w.Handle(o.unit, o.result.Value)
	}
	value, err := c.store.Object(ctx, o.result.Object)
	if err != nil {
		return fmt.Errorf("the result of unit %d: %w", o.unit, err)
	}
	return w.Handle(o.unit, value)
}

// End marks the campaign as ended and removes its units, results, dead letters and board from the servers. The caller
// must save the results before it calls End.
func (c *Coordinator) End(ctx context.Context) error {
	c.state.Ended = true
	if err := c.beat(ctx); err != nil {
		return err
	}
	return c.store.removeMessages(ctx, c.state.ID)
}

// Cancel removes a campaign. Workers finish the units that they have, and their results are lost.
func (s *Store) Cancel(ctx context.Context, id string) error {
	if _, _, err := s.state(ctx, id); err != nil {
		return fmt.Errorf("campaign %q: %w", id, err)
	}
	err := broker.Retry(ctx, func(ctx context.Context) error { return s.campaigns.Delete(ctx, id) })
	return errors.Join(err, s.removeMessages(ctx, id))
}

// removeMessages removes the units, results, dead letters and the board of a campaign.
func (s *Store) removeMessages(ctx context.Context, id string) error {
	var board jetstream.Stream
	err := broker.Retry(ctx, func(ctx context.Context) (err error) {
		board, err = s.conn.JetStream.Stream(ctx, "KV_"+boardBucket)
		return err
	})
	if err != nil {
		return err
	}
	for _, part := range []struct {
		stream  jetstream.Stream
		subject string
	}{
		{s.work, workPrefix + "*." + id + ".>"},
		{s.results, resultPrefix + id},
		{s.dead, deadPrefix + id + ".>"},
		{board, "$KV." + boardBucket + "." + id + ".>"},
	} {
		err := broker.Retry(ctx, func(ctx context.Context) error {
			return part.stream.Purge(ctx, jetstream.WithPurgeSubject(part.subject))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
