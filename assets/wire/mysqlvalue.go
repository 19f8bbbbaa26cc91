package wire

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// The numbers of the types whose binary form is not a text.
const mysqlTiny, mysqlShort, mysqlLong, mysqlFloat, mysqlDouble, mysqlNull = 1, 2, 3, 4, 5, 6

const mysqlTimestamp, mysqlLongLong, mysqlInt24, mysqlDate, mysqlTime, mysqlDateTime, mysqlYear = 7, 8, 9, 10, 11, 12, 13

// mysqlDecimal and mysqlVarString are types whose binary form is their text.
const mysqlDecimal, mysqlVarString = 246, 253

// mysqlSizes has the sizes of the types whose binary form is a number.
var mysqlSizes = map[byte]int{
	mysqlTiny: 1, mysqlShort: 2, mysqlYear: 2, mysqlLong: 4, mysqlInt24: 4, mysqlFloat: 4, mysqlLongLong: 8, mysqlDouble: 8,
}

// errMySQLValue reports a text that is not a value of the column's type.
var errMySQLValue = errors.New("it is not a value of its type")

// binaryValue returns a value in binary form as JSON.
func (f *mysqlFields) binaryValue(c MySQLColumn) any {
	switch kind := c.kind(); kind {
	case mysqlNull:
		return nil
	case mysqlTiny, mysqlShort, mysqlYear, mysqlLong, mysqlInt24, mysqlLongLong:
		size := mysqlSizes[kind]
		n := f.uint(size)
		if c.isUnsigned() || kind == mysqlYear {
			return strconv.FormatUint(n, 10)
		}
		shift := uint(64 - 8*size)
		return strconv.FormatInt(int64(n<<shift)>>shift, 10)
	case mysqlFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(f.uint(4)))), 'g', -1, 32)
	case mysqlDouble:
		return strconv.FormatFloat(math.Float64frombits(f.uint(8)), 'g', -1, 64)
	case mysqlDate, mysqlDateTime, mysqlTimestamp:
		return f.date(c)
	case mysqlTime:
		return f.duration(c)
	}
	return textToJSON(f.value())
}

// date returns a date and, unless the column has the type DATE, a time.
func (f *mysqlFields) date(c MySQLColumn) string {
	part := newMySQLFields(f.value())
	n := len(part.rest)
	if f.bad = f.bad || n != 0 && n != 4 && n != 7 && n != 11; f.bad {
		return ""
	}
	padded := newMySQLFields(append(part.rest, make([]byte, 11-n)...))
	text := fmt.Sprintf("%04d-%02d-%02d", padded.uint(2), padded.byte(), padded.byte())
	if c.kind() == mysqlDate {
		return text
	}
	text += fmt.Sprintf(" %02d:%02d:%02d", padded.byte(), padded.byte(), padded.byte())
	return text + c.fraction(padded.uint(4), n == 11)
}

// duration returns a value of the type TIME as text, such as -26:03:04.5. The hours include those of whole days.
func (f *mysqlFields) duration(c MySQLColumn) string {
	part := newMySQLFields(f.value())
	n := len(part.rest)
	if f.bad = f.bad || n != 0 && n != 8 && n != 12; f.bad {
		return ""
	}
	padded := newMySQLFields(append(part.rest, make([]byte, 12-n)...))
	sign := ""
	if padded.byte() != 0 {
		sign = "-"
	}
	days, hours := padded.uint(4), padded.uint(1)
	text := fmt.Sprintf("%s%02d:%02d:%02d", sign, days*24+hours, padded.byte(), padded.byte())
	return text + c.fraction(padded.uint(4), n == 12)
}

// fraction returns a fraction of a second, with a point before it. isGiven says whether the binary form has the
// fraction. The result has as many digits as c.Decimals if that is 1 to 6. Otherwise it has 6 digits, or is "" if
// isGiven is false. It is also "" if micros is a second or more.
func (c MySQLColumn) fraction(micros uint64, isGiven bool) string {
	digits := fmt.Sprintf("%06d", micros)
	switch {
	case len(digits) > 6 || c.Decimals == 0 && !isGiven || c.Decimals > 6 && !isGiven:
		return ""
	case c.Decimals >= 1 && c.Decimals < 6:
		digits = digits[:c.Decimals]
	}
	return "." + digits
}

// binary appends the binary form of a value. text is the value in the text protocol.
func (c MySQLColumn) binary(b []byte, text string) ([]byte, error) {
	var err error
	switch kind := c.kind(); kind {
	case mysqlTiny, mysqlShort, mysqlYear, mysqlLong, mysqlInt24, mysqlLongLong:
		var n uint64
		if size := mysqlSizes[kind]; c.isUnsigned() || kind == mysqlYear {
			n, err = strconv.ParseUint(text, 10, 8*size)
			b = appendMySQLUint(b, n, size)
		} else {
			var signed int64
			signed, err = strconv.ParseInt(text, 10, 8*size)
			b = appendMySQLUint(b, uint64(signed), size)
		}
	case mysqlFloat:
		var v float64
		v, err = strconv.ParseFloat(text, 32)
		b = appendMySQLUint(b, uint64(math.Float32bits(float32(v))), 4)
	case mysqlDouble:
		var v float64
		v, err = strconv.ParseFloat(text, 64)
		b = appendMySQLUint(b, math.Float64bits(v), 8)
	case mysqlDate, mysqlDateTime, mysqlTimestamp:
		b, err = appendMySQLDate(b, text)
	case mysqlTime:
		b, err = appendMySQLDuration(b, text)
	default:
		b = appendMySQLValue(b, []byte(text))
	}
	if err != nil {
		return nil, fmt.Errorf("%.40q is not a value of the type %d", text, c.kind())
	}
	return b, nil
}

// appendMySQLDate appends the binary form of a date, which may have a time.
func appendMySQLDate(b []byte, text string) ([]byte, error) {
	if strings.Trim(text, "0-: .") == "" && text != "" {
		return append(b, 0), nil
	}
	t, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		t, err = time.Parse("2006-01-02", text)
	}
	if err != nil {
		return nil, err
	}
	b = appendMySQLUint(append(b, 11), uint64(t.Year()), 2)
	b = append(b, byte(t.Month()), byte(t.Day()), byte(t.Hour()), byte(t.Minute()), byte(t.Second()))
	return appendMySQLUint(b, uint64(t.Nanosecond()/1000), 4), nil
}

// appendMySQLDuration appends the binary form of a value of the type TIME.
func appendMySQLDuration(b []byte, text string) ([]byte, error) {
	sign := byte(0)
	if strings.HasPrefix(text, "-") {
		sign, text = 1, text[1:]
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return nil, errMySQLValue
	}
	hours, err := strconv.ParseUint(parts[0], 10, 16)
	if err != nil {
		return nil, err
	}
	rest, err := time.Parse("04:05", parts[1]+":"+parts[2])
	if err != nil {
		return nil, err
	}
	b = appendMySQLUint(append(b, 12, sign), hours/24, 4)
	b = append(b, byte(hours%24), byte(rest.Minute()), byte(rest.Second()))
	return appendMySQLUint(b, uint64(rest.Nanosecond()/1000), 4), nil
}
