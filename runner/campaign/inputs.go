package campaign

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sonde/runner/campaign/broker"

	"github.com/google/renameio/v2/maybe"
	"github.com/nats-io/nats.go/jetstream"
)

// PutInput stores a file that units need, unless the servers have it, and returns its hash.
func (s *Store) PutInput(ctx context.Context, data []byte) (hash string, err error) {
	sum := sha256.Sum256(data)
	hash = hex.EncodeToString(sum[:])
	return hash, s.putObject(ctx, hash, data)
}

func (s *Store) putObject(ctx context.Context, name string, data []byte) error {
	return broker.Transfer(ctx, func(ctx context.Context) error {
		info, err := s.inputs.GetInfo(ctx, name)
		if err == nil && info.Size == uint64(len(data)) {
			return nil
		}
		_, err = s.inputs.PutBytes(ctx, name, data)
		return err
	})
}

// PutObject stores an object. It replaces an existing object with the same name.
func (s *Store) PutObject(ctx context.Context, name string, data []byte) error {
	return broker.Transfer(ctx, func(ctx context.Context) error {
		_, err := s.inputs.PutBytes(ctx, name, data)
		return err
	})
}

// ErrNoObject is the error for an object that the servers do not have.
var ErrNoObject = errors.New("the servers do not have it")

// Object reads the object with a name. It returns ErrNoObject if there is none.
func (s *Store) Object(ctx context.Context, name string) (data []byte, err error) {
	err = broker.Transfer(ctx, func(ctx context.Context) error {
		data, err = s.inputs.GetBytes(ctx, name)
		return err
	})
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, ErrNoObject
	}
	return data, err
}

// Input returns the content of the file with a hash. It keeps a copy of the file in a folder, and reads this copy if it
// exists.
func (s *Store) Input(ctx context.Context, hash, folder string) ([]byte, error) {
	path := filepath.Join(folder, hash)
	if data, err := os.ReadFile(path); err == nil && isHashOf(hash, data) {
		now := time.Now()
		return data, os.Chtimes(path, now, now) // see RemoveUnused
	}
	data, err := s.Object(ctx, hash)
	if errors.Is(err, ErrNoObject) {
		return nil, fmt.Errorf("the servers no longer have the file %.12s: they keep files for %s", hash, keepFor)
	}
	if err != nil {
		return nil, err
	}
	if !isHashOf(hash, data) {
		return nil, fmt.Errorf("the file %.12s from the servers has another content than it should", hash)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return data, maybe.WriteFile(path, data, 0o600)
}

// RemoveUnused removes the entries of a folder that have not changed for keepFor. Servers keep the data of a campaign
// only for this time. RemoveUnused does not remove the data of a running server.
func RemoveUnused(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		info, failed := e.Info()
		if failed == nil && time.Since(info.ModTime()) > keepFor && !broker.IsInUse(path) {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}

func isHashOf(hash string, data []byte) bool {
	sum := sha256.Sum256(data)
	want, err := hex.DecodeString(hash)
	return err == nil && bytes.Equal(sum[:], want)
}
