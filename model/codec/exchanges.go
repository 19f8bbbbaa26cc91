package codec

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"sonde/model"
)

// Exchanges are requests with their answers, in order.
type Exchanges struct {
	All []model.Exchange
	// Generated reports whether a search generated the requests. The values in generated requests do not show what
	// real clients send.
	Generated bool
}

// OpenExchanges reads the exchanges of a run, of a recording or of a HAR file. The error is of one line and names the
// path.
func OpenExchanges(path string) (Exchanges, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Exchanges{}, fmt.Errorf("%q cannot be read: name a run, a recording or a HAR file", path)
	case !info.IsDir():
		all, err := harExchanges(path)
		if err != nil {
			return Exchanges{}, fmt.Errorf("%q cannot be read: %w", path, err)
		}
		return Exchanges{All: all}, nil
	}
	if _, err := os.Stat(filepath.Join(path, runFile)); errors.Is(err, fs.ErrNotExist) {
		r, err := OpenRecording(path)
		return Exchanges{All: served(r)}, err
	}
	if _, err := OpenRun(path); err != nil {
		return Exchanges{}, err
	}
	all, err := harExchanges(filepath.Join(path, trafficFile))
	if err != nil {
		return Exchanges{}, fmt.Errorf("run %q cannot be read: %s: %w", path, trafficFile, err)
	}
	return Exchanges{All: all, Generated: true}, nil
}

// served returns the exchanges of a recording's served requests.
func served(r model.Recording) []model.Exchange {
	all := make([]model.Exchange, len(r.Served))
	for i := range r.Served {
		all[i] = r.Served[i].Exchange
	}
	return all
}

// harExchanges reads the exchanges in a HAR file, in the order in which they were started.
func harExchanges(path string) ([]model.Exchange, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.New("there is no such file")
	}
	var file struct{ Log har }
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, shapeError("HAR file", err)
	}
	if file.Log.Entries == nil {
		return nil, errors.New("it is not a HAR file: it has no entries")
	}
	for i := range file.Log.Entries {
		if err := file.Log.Entries[i].decodeBody(); err != nil {
			return nil, fmt.Errorf("the body of response %d is not base64: %w", i+1, err)
		}
	}
	if err := order(file.Log.Entries); err != nil {
		return nil, err
	}
	all := make([]model.Exchange, 0, len(file.Log.Entries))
	for _, e := range file.Log.Entries {
		all = append(all, e.exchange())
	}
	return all, nil
}

// decodeBody decodes the body of the response and stores it in body.
func (e *harEntry) decodeBody() (err error) {
	content := e.Response.Content
	if strings.EqualFold(content.Encoding, "base64") {
		e.body, err = base64.StdEncoding.DecodeString(content.Text)
		return err
	}
	e.body = []byte(content.Text)
	return nil
}

// exchange returns the exchange of an entry. Of the headers, it has only Content-Type.
func (e *harEntry) exchange() model.Exchange {
	x := model.Exchange{At: e.at, Request: model.Request{Method: e.Request.Method, URL: e.Request.URL}}
	if u, err := url.Parse(e.Request.URL); err == nil {
		x.Request.URL = u.RequestURI()
		if u.Host != "" {
			x.Base = u.Scheme + "://" + u.Host
		}
	}
	x.Request.Header = map[string][]string{"Content-Type": {e.Request.Post.Media}}
	x.Request.Body = []byte(e.Request.Post.Text)
	x.Reply.Status = e.Response.Status
	x.Reply.Header = map[string][]string{"Content-Type": {e.Response.Content.Media}}
	x.Reply.Body = e.body
	return x
}
