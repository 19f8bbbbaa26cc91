package codec

import (
	"strings"

	"sonde/model/collection"
)

// httpSeqs reads the requests of a .http file. The requests of a folder are a sequence, and each other request is one.
func httpSeqs(data []byte) (RequestSeqs, error) {
	c, err := collection.ParseHTTP(string(data))
	if err != nil {
		return RequestSeqs{}, err
	}
	t := RequestSeqs{Kind: KindHTTP}
	place, values := map[string]int{}, c.Values()
	for _, r := range c.Requests {
		step := RequestStep{Method: r.Method, URL: collection.RoutedURL(collection.FillAll(r.URL, values))}
		folder := strings.Join(r.Folder, "/")
		i, known := place[folder]
		if !known || folder == "" {
			i = len(t.All)
			place[folder] = i
			name := folder
			if name == "" {
				name = r.Label()
			}
			t.All = append(t.All, RequestSeq{Name: name})
		}
		t.All[i].Steps = append(t.All[i].Steps, step)
	}
	return t, nil
}
