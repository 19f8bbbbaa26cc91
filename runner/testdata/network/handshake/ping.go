package main

import (
	"bufio"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sonde/runner/testdata/services/serve"
)

// ping asks a device whether it is there. The answer "PONG 7" also says how busy it is.
func (h *hub) ping(c *serve.Call) (serve.Answer, error) {
	d, err := h.find(c)
	switch {
	case err != nil:
		return serve.Answer{}, err
	case d.At == "":
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "%s did not say where it is", d.Name)
	}
	conn, err := h.dial(c.Context(), "tcp", d.At)
	if err != nil {
		return serve.Answer{}, unreachable("%s is not there", d.Name)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "PING %d\n", d.ID)
	words := (&talk{conn, bufio.NewScanner(conn)}).words()
	switch {
	case len(words) == 0:
		return serve.Answer{}, unreachable("%s says nothing", d.Name)
	case words[0] == "BUSY":
		return serve.OK(map[string]any{"state": "busy", "load": 100})
	case words[0] != "PONG":
		return serve.Answer{}, strange("%s says %.40q", d.Name, words[0])
	}
	// F03: the answer does not say how busy the device is.
	c.Fault("F03", len(words) < 2)
	load, err := strconv.Atoi(words[1])
	if err != nil || load < 0 || load > 100 {
		return serve.Answer{}, strange("%s is %.20q busy", d.Name, words[1])
	}
	if load > 80 {
		return serve.OK(map[string]any{"state": "loaded", "load": load})
	}
	return serve.OK(map[string]any{"state": "idle", "load": load})
}
