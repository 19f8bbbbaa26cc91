package results

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/replay/record"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// RecordingProgress describes the progress of a recording in one line.
func RecordingProgress(m *record.Monitor) string {
	served, sent, strays := m.CountTraffic()
	line := words.Plural(served, "request") + " in, " + words.Plural(sent+strays, "call") + " out"
	if strays > 0 {
		line += fmt.Sprintf(" (%d of unknown cause)", strays)
	}
	if n := m.SnapshotCount(); n > 0 {
		line += ", " + words.Plural(n, "snapshot")
	}
	return line
}

// RecordReport is the JSON of sonde record.
type RecordReport struct {
	Folder     string                `json:"folder"`
	Kept       int                   `json:"kept"`
	Operations []recordedRow         `json:"operations"`
	Strays     []record.OutwardCount `json:"strays"`
	Snapshots  int                   `json:"snapshots,omitempty"`
	Warnings   []string              `json:"warnings"`
}

// recordedRow is an operation with the numbers of its recorded exchanges and of their shapes.
type recordedRow struct {
	record.OperationRow
	Kept   int `json:"kept"`
	Shapes int `json:"shapes"`
}

// NewRecordReport returns the JSON of a recording.
func NewRecordReport(folder string, rows []record.OperationRow, strays []record.OutwardCount, rec model.Recording) RecordReport {
	r := RecordReport{
		Folder:     folder,
		Kept:       len(rec.Served),
		Operations: []recordedRow{},
		Strays:     append([]record.OutwardCount{}, strays...),
		Snapshots:  len(rec.StateSnapshots),
		Warnings:   append([]string{}, rec.Warnings...),
	}
	kept, shapes := map[model.OpID]int{}, record.CountShapes(rec.Served)
	for _, served := range rec.Served {
		kept[served.Request.Op]++
	}
	for _, row := range rows {
		r.Operations = append(r.Operations, recordedRow{OperationRow: row, Kept: kept[row.Op], Shapes: shapes[row.Op]})
	}
	return r
}

// PrintRecordedRow adds a row for each kind of call that an operation caused, or one row if there is none.
func PrintRecordedRow(t console.Table, r recordedRow) {
	name := string(r.Op)
	if name == "" {
		name = "(no operation)"
	}
	cells := []any{name, r.Seen, r.Kept, r.Shapes, statuses(r.Statuses)}
	for _, o := range r.Outward {
		t.Row(append(cells, OutwardCell(o), AttributionText(o.How))...)
		cells = []any{"", "", "", "", ""}
	}
	if len(r.Outward) == 0 {
		t.Row(cells...)
	}
}

// OutwardCell returns the cell of a table for a kind of outward call. It leaves out the middle of a long call, such
// as a query.
func OutwardCell(o record.OutwardCount) string {
	return strconv.Itoa(o.Seen) + " " + draw.CutMiddle(draw.Clean(o.Call), 100)
}

// statuses lists statuses with their frequencies: "200 ×3, none ×1".
func statuses(all map[int]int) string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(all)) {
		name := strconv.Itoa(status)
		if status == 0 {
			name = "none"
		}
		parts = append(parts, fmt.Sprintf("%s ×%d", name, all[status]))
	}
	return strings.Join(parts, ", ")
}

// AttributionText lists the numbers of outward calls by attribution, which is the method by which their causes were
// found. It adds "uncertain" for calls that are attributed by time.
func AttributionText(how map[model.Attribution]int) string {
	var parts []string
	for _, by := range []model.Attribution{
		model.AttributedByTrace, model.AttributedByContext, model.AttributedBySerial, model.AttributedByTime,
	} {
		if n := how[by]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s ×%d", by, n))
		}
	}
	if how[model.AttributedByTime] > 0 {
		parts = append(parts, "uncertain")
	}
	return strings.Join(parts, ", ")
}
