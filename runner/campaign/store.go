package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats.go/jetstream"
)

// The names of streams and buckets, and the first words of subjects.
const (
	workStream      = "sonde_work"
	resultStream    = "sonde_results"
	deadStream      = "sonde_dead"
	campaignsBucket = "sonde_campaigns"
	workersBucket   = "sonde_workers"
	boardBucket     = "sonde_board"
	inputsBucket    = "sonde_inputs"

	workPrefix   = "sonde.work."   // + version, campaign, unit
	resultPrefix = "sonde.result." // + campaign
	deadPrefix   = "sonde.dead."   // + campaign, unit
)

const (
	// keepFor is how long the servers keep the data of a campaign, unless the campaign ends earlier.
	keepFor = 7 * 24 * time.Hour
	// keepWorkersFor is how long the servers keep the last sign of life of a worker.
	keepWorkersFor = time.Hour
	// duplicateWindow is how long the servers recognize a second result of a unit. For this time, the servers keep
	// the IDs of all results in memory. If a second result arrives later, the coordinator ignores it.
	duplicateWindow = 10 * time.Second
	// formatVersion is the version of the messages between coordinators and workers.
	formatVersion = 1
)

// Store has the streams and buckets of all campaigns on the servers of a connection. It is safe for concurrent use.
type Store struct {
	conn                   *broker.Conn
	work, results, dead    jetstream.Stream
	campaigns, workersSeen jetstream.KeyValue
	board                  jetstream.KeyValue // see Board
	inputs                 jetstream.ObjectStore
}

// OpenStore returns the store, and creates the streams and buckets that do not exist yet.
func OpenStore(ctx context.Context, c *broker.Conn) (*Store, error) {
	s := &Store{conn: c}
	err := broker.Retry(ctx, s.open)
	if err != nil {
		return nil, fmt.Errorf("the streams of campaigns cannot be created: %w", err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	for _, part := range []struct {
		stream    *jetstream.Stream
		name      string
		prefix    string
		retention jetstream.RetentionPolicy
	}{
		{&s.work, workStream, workPrefix, jetstream.WorkQueuePolicy},
		{&s.results, resultStream, resultPrefix, jetstream.LimitsPolicy},
		{&s.dead, deadStream, deadPrefix, jetstream.LimitsPolicy},
	} {
		c := jetstream.StreamConfig{
			Name: part.name, Subjects: []string{part.prefix + ">"}, Retention: part.retention, Storage: jetstream.FileStorage,
			MaxAge: keepFor, Replicas: s.conn.Replicas(), Duplicates: duplicateWindow,
		}
		if part.stream != &s.results { // keep only the first message of each unit
			c.MaxMsgsPerSubject, c.Discard, c.DiscardNewPerSubject = 1, jetstream.DiscardNew, true
		}
		*part.stream, err = s.openStream(ctx, c)
		if err != nil {
			return err
		}
	}
	if s.campaigns, err = s.openBucket(ctx, campaignsBucket, keepFor); err != nil {
		return err
	}
	if s.workersSeen, err = s.openBucket(ctx, workersBucket, keepWorkersFor); err != nil {
		return err
	}
	if s.board, err = s.openBucket(ctx, boardBucket, keepFor); err != nil {
		return err
	}
	s.inputs, err = s.openObjects(ctx)
	return err
}

// openStream returns a stream, and creates it with a configuration if it does not exist.
func (s *Store) openStream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	stream, err := s.conn.JetStream.Stream(ctx, c.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = s.conn.JetStream.CreateStream(ctx, c)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process created the stream at the same time
			stream, err = s.conn.JetStream.Stream(ctx, c.Name)
		}
	}
	return stream, err
}

func (s *Store) openBucket(ctx context.Context, name string, ttl time.Duration) (jetstream.KeyValue, error) {
	bucket, err := s.conn.JetStream.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		bucket, err = s.conn.JetStream.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: name, TTL: ttl, Storage: jetstream.FileStorage, Replicas: s.conn.Replicas(),
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			bucket, err = s.conn.JetStream.KeyValue(ctx, name)
		}
	}
	return bucket, err
}

func (s *Store) openObjects(ctx context.Context) (jetstream.ObjectStore, error) {
	objects, err := s.conn.JetStream.ObjectStore(ctx, inputsBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		objects, err = s.conn.JetStream.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: inputsBucket, TTL: keepFor, Storage: jetstream.FileStorage, Replicas: s.conn.Replicas(),
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			objects, err = s.conn.JetStream.ObjectStore(ctx, inputsBucket)
		}
	}
	return objects, err
}

// versionToken returns a word for a version of Sonde. The subject of each unit contains the word of the coordinator's
// version, so that only workers of the same version take the unit.
func versionToken(version string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", formatVersion, version))
	return hex.EncodeToString(sum[:6])
}

// putResult publishes a result.
func (s *Store) putResult(ctx context.Context, campaign string, unit int, data []byte) error {
	return broker.Retry(ctx, func(ctx context.Context) error {
		_, err := s.conn.JetStream.Publish(ctx, resultPrefix+campaign, data, jetstream.WithMsgID(unitName(campaign, unit)))
		return err
	})
}

// putOnce publishes a message to a stream that keeps the first message of each subject. stored is false if the
// stream already has a message of this subject.
func (s *Store) putOnce(ctx context.Context, subject string, data []byte) (stored bool, err error) {
	err = broker.Retry(ctx, func(ctx context.Context) error {
		_, err := s.conn.JetStream.Publish(ctx, subject, data)
		stored = err == nil
		if isTaken(err) {
			return nil
		}
		return err
	})
	return stored, err
}

// isTaken reports whether an error says that the stream has a message with the subject.
func isTaken(err error) bool {
	return err != nil && strings.Contains(err.Error(), "maximum messages per subject exceeded")
}
