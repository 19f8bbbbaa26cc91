package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// HAR is a HAR 1.2 file that Sonde writes. Fields that the format requires are written even if they are
// empty.
type HAR struct {
	Version string        `json:"version"`
	Creator harCreator    `json:"creator"`
	Pages   []harPageOut  `json:"pages"`
	Entries []harEntryOut `json:"entries"`
	Comment string        `json:"comment,omitempty"`
}

type (
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harPageOut struct {
		Started string   `json:"startedDateTime"`
		ID      string   `json:"id"`
		Title   string   `json:"title"`
		Timings struct{} `json:"pageTimings"`
	}
	harEntryOut struct {
		Page     string      `json:"pageref"`
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"` // milliseconds
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  struct {
			Send    float64 `json:"send"`
			Wait    float64 `json:"wait"`
			Receive float64 `json:"receive"`
		} `json:"timings"`
		Comment string `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string     `json:"method"`
		URL         string     `json:"url"`
		Proto       string     `json:"httpVersion"`
		Cookies     []struct{} `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Query       []harPair  `json:"queryString"`
		Post        *harPost   `json:"postData,omitempty"`
		HeadersSize int        `json:"headersSize"` // -1 means unknown
		BodySize    int        `json:"bodySize"`
	}
	harPost struct {
		Media   string `json:"mimeType"`
		Text    string `json:"text"`
		Comment string `json:"comment,omitempty"`
	}
	harResponse struct {
		Status      int        `json:"status"` // 0 if there was no response
		StatusText  string     `json:"statusText"`
		Proto       string     `json:"httpVersion"`
		Cookies     []struct{} `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		Redirect    string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
		Comment     string     `json:"comment,omitempty"`
	}
	harContent struct {
		Size     int    `json:"size"`
		Media    string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// Write writes the file as JSON.
func (h *HAR) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(map[string]*HAR{"log": h})
}

// OpenRunHAR reads the HAR file of a run with all fields, so that the file can be changed and written again. To read
// only the exchanges, use OpenExchanges. The error is of one line and names the folder.
func OpenRunHAR(dir string) (*HAR, error) {
	data, err := os.ReadFile(filepath.Join(dir, trafficFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("run %q was made by an older version of Sonde and has no %s: search again", dir, trafficFile)
	case err != nil:
		return nil, fmt.Errorf("run %q cannot be read: %w", dir, err)
	}
	var file struct{ Log *HAR }
	if err := json.Unmarshal(data, &file); err != nil || file.Log == nil {
		return nil, fmt.Errorf("run %q cannot be read: %s is not a HAR file that Sonde wrote", dir, trafficFile)
	}
	return file.Log, nil
}
