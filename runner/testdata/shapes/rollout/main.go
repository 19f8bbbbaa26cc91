// Rollout plans how an application is deployed, as a host of configurations describes it in YAML.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"

	"go.yaml.in/yaml/v4"
)

type application struct {
	Name     string             `yaml:"name"`
	Replicas int                `yaml:"replicas"`
	Strategy strategy           `yaml:"strategy"`
	Regions  []string           `yaml:"regions"`
	Weights  map[string]float64 `yaml:"weights"`
	Health   *health            `yaml:"health,omitempty"`
	Paused   bool
}

type strategy struct {
	Kind     string `yaml:"kind"`
	MaxSurge int    `yaml:"max_surge"`
}

type health struct {
	Path    string `yaml:"path"`
	Seconds int    `yaml:"seconds"`
}

type step struct {
	Region string  `json:"region"`
	Count  int     `json:"count"`
	Share  float64 `json:"share"`
}

func main() {
	http.HandleFunc("GET /applications/{name}/plan", plan)
	http.HandleFunc("POST /applications/{name}/checks", check)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func load(into any, path string) error {
	res, err := http.Get("http://configs.example/" + path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	if err != nil {
		return err
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("configs.example: %s", res.Status)
	}
	return yaml.Unmarshal(data, into)
}

func plan(w http.ResponseWriter, r *http.Request) {
	var a application
	if err := load(&a, "apps/"+url.PathEscape(r.PathValue("name"))); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if a.Paused {
		http.Error(w, "paused", http.StatusConflict)
		return
	}
	if a.Replicas < 1 || len(a.Regions) == 0 {
		http.Error(w, "there is nothing to deploy", http.StatusUnprocessableEntity)
		return
	}
	steps := []step{}
	switch a.Strategy.Kind {
	case "recreate":
		for _, region := range a.Regions {
			steps = append(steps, step{Region: region, Count: a.Replicas, Share: 1})
		}
	case "rolling":
		surge := a.Strategy.MaxSurge
		if surge <= 0 {
			surge = 1
		}
		for _, region := range a.Regions {
			share, known := a.Weights[region]
			if !known {
				share = 1 / float64(len(a.Regions))
			}
			for done := 0; done < min(a.Replicas, 50); done += surge {
				steps = append(steps, step{Region: region, Count: surge, Share: share})
			}
		}
	default:
		http.Error(w, "unknown strategy", http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(steps)
}

// order is what a client of this service sends; hosts never do.
type order struct {
	Target  string   `json:"target"`
	Retries int      `json:"retries"`
	Labels  []string `json:"labels"`
}

func check(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil || o.Target == "" {
		http.Error(w, "no target", http.StatusBadRequest)
		return
	}
	var a application
	if err := load(&a, "apps/"+url.PathEscape(r.PathValue("name"))); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if a.Health == nil || a.Health.Path == "" {
		http.Error(w, "the application has no check", http.StatusNotFound)
		return
	}
	if a.Health.Seconds > 60 {
		http.Error(w, "the check is too slow", http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"url": "http://" + o.Target + a.Health.Path, "tries": 1 + o.Retries})
}
