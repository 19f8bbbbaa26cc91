package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"sonde/runner/testdata/services/serve"
)

// report answers with the totals of a year, which the exchange has as a table.
func (m *market) report(c *serve.Call) (serve.Answer, error) {
	year := c.ID("year")
	if year < 2000 || year > 2099 {
		return serve.Answer{}, serve.Refuse(http.StatusBadRequest, "year: must be from 2000 to 2099")
	}
	res, err := m.streaming.Get(fmt.Sprintf("%s/reports/%d", m.orders, year))
	if err != nil {
		return serve.Answer{}, failure(reply{}, err)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind != "text/csv" {
		// F04: the body is not closed, so that the connection stays open for ever.
		c.Fault("F04", res.ContentLength != 0)
		return serve.Answer{}, strange("the report is %.40q", kind)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return serve.Answer{}, serve.Missing("report")
	}
	return total(csv.NewReader(io.LimitReader(res.Body, 64<<10)))
}

// total adds up rows with a symbol and an amount.
func total(rows *csv.Reader) (serve.Answer, error) {
	sum, names := 0, map[string]bool{}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(row) < 2 {
			return serve.Answer{}, strange("the report is no table")
		}
		n, err := strconv.Atoi(row[1])
		if err != nil || n < -1e9 || n > 1e9 {
			return serve.Answer{}, strange("the report has an amount %.20q", row[1])
		}
		sum += n
		names[row[0]] = true
	}
	state := "bought"
	if sum < 0 {
		state = "sold"
	}
	return serve.OK(map[string]any{"total": sum, "symbols": len(names), "state": state})
}
