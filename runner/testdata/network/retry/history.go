package main

import (
	"bufio"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sonde/runner/testdata/services/serve"
)

// history answers with how a price moved, according to lines such as "2030-01-31,12.50".
func (m *market) history(c *serve.Call) (serve.Answer, error) {
	name, err := symbol(c.PathValue("symbol"))
	if err != nil {
		return serve.Answer{}, err
	}
	// F02: no time limit.
	began := time.Now()
	res, err := m.patient.Get(m.quotes + "/v1/history/" + name)
	c.Fault("F02", time.Since(began) > time.Second)
	if err != nil {
		return serve.Answer{}, failure(reply{}, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return serve.Answer{}, strange("the host answers %d", res.StatusCode)
	}
	days, low, high := 0, math.Inf(1), 0.0
	last := ""
	lines := bufio.NewScanner(io.LimitReader(res.Body, 64<<10))
	for lines.Scan() {
		day, text, ok := strings.Cut(lines.Text(), ",")
		price, err := strconv.ParseFloat(text, 64)
		switch {
		case days == 0 && day == "date":
			continue // the head of the table
		case !ok || err != nil || !(price > 0 && price < 1e9):
			return serve.Answer{}, strange("line %d is %.40q", days+1, lines.Text())
		case day <= last:
			return serve.Answer{}, strange("the days are in no order")
		}
		last, low, high = day, min(low, price), max(high, price)
		days++
	}
	switch {
	case lines.Err() != nil:
		return serve.Answer{}, failure(reply{}, lines.Err())
	case days == 0:
		return serve.Answer{}, serve.Missing("history")
	}
	return serve.OK(map[string]any{"days": days, "low": low, "high": high, "calm": high < 1.1*low})
}
