// Package specfile reads specs from files, URLs and standard input, and finds those in a folder.
package specfile

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sonde/analysis/observe"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/openapi"
	"sonde/ui/console"
)

// Loader reads specs. It is not safe for concurrent use.
type Loader struct {
	FollowRemoteRefs bool        // follow $ref to other hosts
	MaxBytes         int64       // maximum size of a spec with its files in bytes; 0 means the default
	FetchTLS         *tls.Config // TLS settings for fetching a spec; nil means the default
	// Corrections are the user's corrections of the values of a spec.
	Corrections []model.ValueCorrection
	// Observed is the path of a run, a recording or a HAR file, "" for none. Corrections are derived from its
	// traffic.
	Observed string
	stdin    []byte // the content of standard input; nil before it was read
	given    string // where the content comes from if SetInput has set it, "" otherwise
}

// SetInput sets the text that is loaded for "-", in place of standard input. The first argument says where the text was
// read, such as a URL.
func (f *Loader) SetInput(from string, text []byte) {
	f.given, f.stdin = from, append([]byte{}, text...)
}

// Load reads the spec at a path or URL, in a commit for "git:REV:PATH", or from standard input for "-".
func (f *Loader) Load(ctx context.Context, s console.Streams, source string) (*model.Spec, error) {
	spec, err := f.read(ctx, s, source)
	if err != nil {
		return nil, err
	}
	spec.Corrections = f.Corrections
	if f.Observed == "" {
		return spec, nil
	}
	shown, err := Observe(spec, f.Observed)
	spec.Corrections = slices.Concat(spec.Corrections, shown)
	return spec, err
}

// Observe returns the corrections of a spec's values that are derived from the traffic of a run, a
// recording or a HAR file.
func Observe(spec *model.Spec, path string) ([]model.ValueCorrection, error) {
	traffic, err := codec.OpenExchanges(path)
	if err != nil {
		return nil, err
	}
	return observe.Corrections(spec, traffic.All, traffic.Generated, filepath.Base(path)), nil
}

func (f *Loader) read(ctx context.Context, s console.Streams, source string) (*model.Spec, error) {
	if source == "-" {
		return f.standardInput(ctx, s)
	}
	if strings.HasPrefix(source, gitScheme) {
		return f.fromCommit(ctx, source)
	}
	return openapi.Load(ctx, source, f.options())
}

func (f *Loader) options() openapi.Options {
	return openapi.Options{RemoteRefs: f.FollowRemoteRefs, MaxBytes: f.MaxBytes, TLS: f.FetchTLS}
}

// standardInput reads the spec from standard input. It stores the content of a valid spec, because standard
// input can be read only once.
func (f *Loader) standardInput(ctx context.Context, s console.Streams) (*model.Spec, error) {
	var kept bytes.Buffer
	in := io.Reader(bytes.NewReader(f.stdin))
	if f.stdin == nil {
		in = io.TeeReader(s.In, &kept)
	}
	o := f.options()
	o.Stdin = in
	spec, err := openapi.Load(ctx, "-", o)
	switch {
	case f.given != "" && err != nil:
		err = fmt.Errorf("the specification at %q: %w", f.given, err)
	case f.stdin == nil && err == nil:
		f.stdin = kept.Bytes()
	}
	return spec, err
}
