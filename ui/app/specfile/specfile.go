// Package specfile reads specs from files, URLs and standard input, and finds those in a folder.
package specfile

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/console"
)

// Loader reads specs. It is not safe for concurrent use.
type Loader struct {
	FollowRemoteRefs bool        // follow $ref to other hosts
	MaxBytes         int64       // most bytes that a spec may have with its files; 0 for the default
	FetchTLS         *tls.Config // to fetch a spec with; nil for the default
	// Corrections are what the user says about the values of a spec.
	Corrections []model.ValueCorrection
	stdin       []byte // the content of standard input; nil before it was read
}

// Load reads the spec at a path or URL, or from standard input for "-".
func (f *Loader) Load(ctx context.Context, s console.Streams, source string) (*model.Spec, error) {
	spec, err := f.read(ctx, s, source)
	if err == nil {
		spec.Corrections = f.Corrections
	}
	return spec, err
}

func (f *Loader) read(ctx context.Context, s console.Streams, source string) (*model.Spec, error) {
	if source == "-" {
		return f.standardInput(ctx, s)
	}
	return openapi.Load(ctx, source, f.options())
}

func (f *Loader) options() openapi.Options {
	return openapi.Options{RemoteRefs: f.FollowRemoteRefs, MaxBytes: f.MaxBytes, TLS: f.FetchTLS}
}

// standardInput reads the spec on standard input. It keeps the content of a valid spec for the next
// time, as standard input can be read only once.
func (f *Loader) standardInput(ctx context.Context, s console.Streams) (*model.Spec, error) {
	var kept bytes.Buffer
	in := io.Reader(bytes.NewReader(f.stdin))
	if f.stdin == nil {
		in = io.TeeReader(s.In, &kept)
	}
	o := f.options()
	o.Stdin = in
	spec, err := openapi.Load(ctx, "-", o)
	if f.stdin == nil && err == nil {
		f.stdin = kept.Bytes()
	}
	return spec, err
}
