package probe

import (
	"fmt"
	"go/constant"
	"strconv"
	"strings"
)

// switchTables has the constants of the cases of all switches of a build. A row has the constants
// of one switch.
type switchTables struct {
	ints  [][]int64
	uints [][]uint64
	texts [][]string
}

// add adds a row with the constants of a switch. probe is the probe of the switch, which says in
// which table the row is. It returns the number of the row.
func (s *switchTables) add(probe string, cases []constant.Value) int {
	switch probe {
	case "SwI":
		s.ints = append(s.ints, exact(cases, constant.Int64Val))
		return len(s.ints) - 1
	case "SwU":
		s.uints = append(s.uints, exact(cases, constant.Uint64Val))
		return len(s.uints) - 1
	}
	var texts []string
	for _, v := range cases {
		texts = append(texts, constant.StringVal(v))
	}
	s.texts = append(s.texts, texts)
	return len(s.texts) - 1
}

// exact converts constants. They fit, because the compiler has checked that.
func exact[V any](values []constant.Value, convert func(constant.Value) (V, bool)) []V {
	var all []V
	for _, v := range values {
		n, _ := convert(constant.ToInt(v))
		all = append(all, n)
	}
	return all
}

// source returns the tables as Go source.
func (s *switchTables) source() string {
	ints := tableSource(s.ints, func(v int64) string { return strconv.FormatInt(v, 10) })
	uints := tableSource(s.uints, func(v uint64) string { return strconv.FormatUint(v, 10) })
	texts := tableSource(s.texts, strconv.Quote)
	return fmt.Sprintf("var ints = [...][]int64{%s}\nvar uints = [...][]uint64{%s}\nvar texts = [...][]string{%s}\n", ints, uints, texts)
}

// tableSource returns the rows of a table as Go source. It adds an empty row, so that the array is
// not empty.
func tableSource[V any](rows [][]V, show func(V) string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString("{")
		for _, v := range row {
			b.WriteString(show(v) + ",")
		}
		b.WriteString("},")
	}
	b.WriteString("{},")
	return b.String()
}
