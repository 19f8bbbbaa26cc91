// Podcasts reads feeds, which are XML, and answers what can be played.
package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

type feed struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	Title   string   `xml:"channel>title"`
	Items   []item   `xml:"channel>item"`
}

type item struct {
	Title     string    `xml:"title"`
	Duration  string    `xml:"duration"`
	Explicit  string    `xml:"explicit"`
	Enclosure enclosure `xml:"enclosure"`
	Notes     string    `xml:",chardata"`
}

type enclosure struct {
	URL    string `xml:"url,attr"`
	Type   string `xml:"type,attr"`
	Length int64  `xml:"length,attr"`
}

type episode struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Seconds int    `json:"seconds"`
}

func main() {
	http.HandleFunc("GET /podcasts/{name}/episodes", episodes)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func read(name string) (*feed, error) {
	res, err := http.Get("http://feeds.example/" + url.PathEscape(name) + ".xml")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the host of feeds answers %s", res.Status)
	}
	var f feed
	if err := xml.NewDecoder(res.Body).Decode(&f); err != nil {
		return nil, err
	}
	if f.Version != "2.0" && f.Version != "0.92" {
		return nil, fmt.Errorf("version %q of RSS is unknown", f.Version)
	}
	return &f, nil
}

// seconds reads a duration such as 1:02:03.
func seconds(text string) (n int, ok bool) {
	for _, part := range strings.Split(text, ":") {
		v, err := strconv.Atoi(part)
		if err != nil || v < 0 {
			return 0, false
		}
		n = 60*n + v
	}
	return n, true
}

func episodes(w http.ResponseWriter, r *http.Request) {
	f, err := read(r.PathValue("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if f.Title == "" {
		http.Error(w, "the podcast has no title", http.StatusUnprocessableEntity)
		return
	}
	all := []episode{}
	for _, i := range f.Items {
		if i.Explicit == "yes" && r.FormValue("clean") == "true" {
			continue
		}
		if !strings.HasPrefix(i.Enclosure.Type, "audio/") {
			continue
		}
		e := episode{Title: strings.TrimSpace(i.Title), URL: i.Enclosure.URL}
		if i.Duration != "" {
			n, ok := seconds(i.Duration)
			if !ok {
				http.Error(w, "an episode has a bad duration", http.StatusUnprocessableEntity)
				return
			}
			e.Seconds = n
		} else if i.Enclosure.Length > 0 {
			e.Seconds = int(i.Enclosure.Length / 16000)
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		http.Error(w, "nothing to play", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(all)
}
