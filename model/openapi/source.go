package openapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// fetchTime is the time limit of one fetch, including the body.
const fetchTime = 30 * time.Second

// maxRedirects limits the number of redirects of a fetch.
const maxRedirects = 5

func defaultClient(secure *tls.Config) *http.Client {
	var transport http.RoundTripper // nil means the default
	if secure != nil {
		transport = &http.Transport{TLSClientConfig: secure, ForceAttemptHTTP2: true, DisableKeepAlives: true}
	}
	return &http.Client{
		Timeout: fetchTime, Transport: transport,
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("more than %d redirects", maxRedirects)
			}
			return nil
		},
	}
}

// isURL reports whether a source is an http or https URL.
func isURL(source string) bool {
	lower := strings.ToLower(source)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

func readSource(ctx context.Context, source string, o Options) ([]byte, error) {
	switch {
	case source == "-":
		return readStdin(o)
	case isURL(source):
		data, err := fetch(ctx, source, o)
		if err != nil {
			return nil, fmt.Errorf("cannot fetch %q: %w; give a URL that answers, or a file", source, err)
		}
		return data, nil
	default:
		return readFile(source, o)
	}
}

func readStdin(o Options) ([]byte, error) {
	in := o.Stdin
	if in == nil {
		in = os.Stdin
	}
	data, err := readAtMost(in, 0, o.MaxBytes)
	if errors.Is(err, errTooLarge) {
		return nil, tooLarge("-", o)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	return data, nil
}

func readFile(path string, o Options) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %q; give the path of an OpenAPI document, its URL, or - for standard input", path)
	case err != nil:
		return nil, fmt.Errorf("cannot read %q: %w", path, cause(err))
	case info.IsDir():
		return nil, notSpec(path, describeFolder(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", path, cause(err))
	}
	defer f.Close()
	data, err := readAtMost(f, info.Size(), o.MaxBytes)
	if errors.Is(err, errTooLarge) {
		return nil, tooLarge(path, o)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", path, cause(err))
	}
	return data, nil
}

// cause returns an error without the path of the file, because the message of the caller contains the path.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

var errTooLarge = errors.New("too large")

func tooLarge(source string, o Options) error {
	return fmt.Errorf("%q is larger than the limit of %s: --max-size raises it", source, humanize.IBytes(uint64(o.MaxBytes)))
}

// readAtMost reads all of r. most is the maximum number of bytes; if r has more, the error is errTooLarge. expected is
// the number of bytes to allocate, which may be wrong. If expected is larger than most, readAtMost returns errTooLarge
// without reading.
func readAtMost(r io.Reader, expected, most int64) ([]byte, error) {
	if expected > most {
		return nil, errTooLarge
	}
	var b bytes.Buffer
	b.Grow(int(max(expected, 0)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, most+1))
	if err == nil && int64(b.Len()) > most {
		return nil, errTooLarge
	}
	return b.Bytes(), err
}

// fetch reads a URL. The body is limited to MaxBytes of the options, and the time is limited by the client.
func fetch(ctx context.Context, source string, o Options) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return nil, urlCause(err)
	}
	req.Header.Set("Accept", "application/json, application/yaml, text/yaml, */*;q=0.5")
	resp, err := o.Client.Do(req)
	if err != nil {
		return nil, urlCause(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		if body, _ := readAtMost(resp.Body, 0, maxLooked); refusesGET(body) {
			return nil, fmt.Errorf("the server answers %s, as a GraphQL service does; %s", resp.Status, graphQL)
		}
		return nil, fmt.Errorf("the server answers %s", resp.Status)
	}
	data, err := readAtMost(resp.Body, resp.ContentLength, o.MaxBytes)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf(
			"the answer is larger than the limit of %s: --max-size raises it", humanize.IBytes(uint64(o.MaxBytes)),
		)
	}
	return data, err
}

// urlCause returns an error without the URL, because the message of the caller contains the URL.
func urlCause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return fmt.Errorf("no server answers there (%w)", dial.Err)
	}
	return err
}
