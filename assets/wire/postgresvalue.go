package wire

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// postgresCodec converts values of a type between their binary form and text.
type postgresCodec struct {
	size   int // the size of the binary form, -1 if it varies
	text   func(b []byte) (string, error)
	binary func(text string) ([]byte, error)
}

// postgresCodecs has the types of PostgreSQL with a binary form that is not their text, by number.
var postgresCodecs = map[int32]postgresCodec{
	16:   {1, postgresBoolText, postgresBool},
	17:   {-1, func(b []byte) (string, error) { return `\x` + hex.EncodeToString(b), nil }, postgresBytes},
	20:   postgresInt(8),
	21:   postgresInt(2),
	23:   postgresInt(4),
	26:   {4, postgresOIDText, postgresOID},
	700:  postgresFloat(4),
	701:  postgresFloat(8),
	1082: {4, postgresDateText, postgresDate},
	1114: postgresTime("2006-01-02 15:04:05.999999"),
	1184: postgresTime("2006-01-02 15:04:05.999999Z07"),
	1700: {-1, postgresNumericText, postgresNumeric},
	2950: {16, postgresUUIDText, postgresUUID},
	3802: {-1, postgresJSONBText, func(text string) ([]byte, error) { return append([]byte{1}, text...), nil }},
}

// postgresTexts has the types of PostgreSQL whose binary form is their text, by number.
var postgresTexts = map[int32]bool{18: true, 19: true, 25: true, 114: true, 705: true, 1042: true, 1043: true}

// postgresElements maps the type of an array to the type of its elements.
var postgresElements = map[int32]int32{
	199: 114, 1000: 16, 1001: 17, 1003: 19, 1005: 21, 1007: 23, 1009: 25, 1014: 1042, 1015: 1043, 1016: 20, 1021: 700,
	1022: 701, 1028: 26, 1115: 1114, 1182: 1082, 1185: 1184, 1231: 1700, 2951: 2950, 3807: 3802,
}

// postgresSize returns the size of the binary form of a type, -1 if it varies.
func postgresSize(oid int32) int16 {
	if c, ok := postgresCodecs[oid]; ok {
		return int16(c.size)
	}
	return -1
}

// errPostgresValue reports data that is not a value of its type.
var errPostgresValue = errors.New("it is not a value of its type")

// postgresToJSON returns a value as JSON: its text, or null. A value in binary form that cannot be converted to text
// is {"base64": "…"}.
func postgresToJSON(oid int32, isBinary bool, b []byte) any {
	if b == nil || !isBinary {
		return textToJSON(b)
	}
	text, err := postgresText(oid, b)
	if err != nil || !utf8.ValidString(text) {
		return base64ToJSON(b)
	}
	return text
}

// postgresFromJSON returns the bytes of a value in the notation of postgresToJSON. isBinary says whether the client
// asks for the binary form.
func postgresFromJSON(oid int32, isBinary bool, v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	b, isText, err := textFromJSON(v)
	if err == nil && isText && isBinary {
		return postgresBinary(oid, string(b))
	}
	return b, err
}

// postgresText returns the text of a value in binary form.
func postgresText(oid int32, b []byte) (string, error) {
	element, isArray := postgresElements[oid]
	codec, ok := postgresCodecs[oid]
	switch {
	case isArray:
		return postgresArrayText(element, b)
	case postgresTexts[oid]:
		return string(b), nil
	case !ok || codec.size >= 0 && codec.size != len(b):
		return "", errPostgresValue
	}
	return codec.text(b)
}

// postgresBinary returns the binary form of a value that is given as text. For a type without a codec, such as an
// enum, the binary form is the text.
func postgresBinary(oid int32, text string) ([]byte, error) {
	var b []byte
	var err error
	if element, isArray := postgresElements[oid]; isArray {
		b, err = postgresArray(element, text)
	} else if codec, ok := postgresCodecs[oid]; ok {
		b, err = codec.binary(text)
	} else {
		b = []byte(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%.40q is not a value of the type %d", text, oid)
	}
	return append([]byte{}, b...), nil
}

func postgresBoolText(b []byte) (string, error) {
	if b[0] == 0 {
		return "f", nil
	}
	return "t", nil
}

func postgresBool(text string) ([]byte, error) {
	v, err := strconv.ParseBool(text)
	if v {
		return []byte{1}, err
	}
	return []byte{0}, err
}

func postgresBytes(text string) ([]byte, error) {
	if !strings.HasPrefix(text, `\x`) {
		return nil, errPostgresValue
	}
	return hex.DecodeString(text[2:])
}

// postgresUint returns a big-endian number of up to 8 bytes.
func postgresUint(b []byte) (n uint64) {
	for _, x := range b {
		n = n<<8 | uint64(x)
	}
	return n
}

// postgresBigEndian returns the last size bytes of a number.
func postgresBigEndian(n uint64, size int) []byte {
	b := make([]byte, 8)
	binary.BigEndian.PutUint64(b, n)
	return b[8-size:]
}

func postgresInt(size int) postgresCodec {
	shift := uint(64 - 8*size)
	return postgresCodec{
		size, func(b []byte) (string, error) {
			return strconv.FormatInt(int64(postgresUint(b)<<shift)>>shift, 10), nil
		}, func(text string) ([]byte, error) {
			n, err := strconv.ParseInt(text, 10, 8*size)
			return postgresBigEndian(uint64(n), size), err
		},
	}
}

func postgresOIDText(b []byte) (string, error) { return strconv.FormatUint(postgresUint(b), 10), nil }

func postgresOID(text string) ([]byte, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	return postgresBigEndian(n, 4), err
}

func postgresFloat(size int) postgresCodec {
	return postgresCodec{
		size, func(b []byte) (string, error) {
			v := math.Float64frombits(postgresUint(b))
			if size == 4 {
				v = float64(math.Float32frombits(uint32(postgresUint(b))))
			}
			switch {
			case math.IsInf(v, 1):
				return "Infinity", nil
			case math.IsInf(v, -1):
				return "-Infinity", nil
			}
			return strconv.FormatFloat(v, 'g', -1, 8*size), nil
		}, func(text string) ([]byte, error) {
			v, err := strconv.ParseFloat(text, 8*size)
			if size == 4 {
				return postgresBigEndian(uint64(math.Float32bits(float32(v))), 4), err
			}
			return postgresBigEndian(math.Float64bits(v), 8), err
		},
	}
}

// postgresEpoch is the time from which PostgreSQL counts.
var postgresEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// postgresYears reports whether the year of a time has at most four digits and is not before Christ.
func postgresYears(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

func postgresDateText(b []byte) (string, error) {
	switch days := int32(postgresUint(b)); days {
	case math.MaxInt32:
		return "infinity", nil
	case math.MinInt32:
		return "-infinity", nil
	default:
		t := postgresEpoch.AddDate(0, 0, int(days))
		if !postgresYears(t) {
			return "", errPostgresValue
		}
		return t.Format("2006-01-02"), nil
	}
}

func postgresDate(text string) ([]byte, error) {
	switch text {
	case "infinity":
		return postgresBigEndian(math.MaxInt32, 4), nil
	case "-infinity":
		return postgresBigEndian(1<<31, 4), nil
	}
	t, err := time.Parse("2006-01-02", text)
	return postgresBigEndian(uint64((t.Unix()-postgresEpoch.Unix())/(24*60*60)), 4), err
}

// postgresTime returns the codec of times in a layout. A time zone in a text may have minutes.
func postgresTime(layout string) postgresCodec {
	return postgresCodec{
		8, func(b []byte) (string, error) {
			n := int64(postgresUint(b))
			switch n {
			case math.MaxInt64:
				return "infinity", nil
			case math.MinInt64:
				return "-infinity", nil
			}
			t := time.Unix(postgresEpoch.Unix()+n/1e6, n%1e6*1e3).UTC()
			if !postgresYears(t) {
				return "", errPostgresValue
			}
			return strings.Replace(t.Format(layout), "Z", "+00", 1), nil
		}, func(text string) ([]byte, error) {
			switch text {
			case "infinity":
				return postgresBigEndian(math.MaxInt64, 8), nil
			case "-infinity":
				return postgresBigEndian(1<<63, 8), nil
			}
			t, err := time.Parse(layout, text)
			if err != nil {
				t, err = time.Parse(layout+":00", text)
			}
			return postgresBigEndian(uint64(t.UnixMicro()-postgresEpoch.UnixMicro()), 8), err
		},
	}
}

func postgresUUIDText(b []byte) (string, error) {
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
}

func postgresUUID(text string) ([]byte, error) {
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err == nil && len(b) != 16 {
		err = errPostgresValue
	}
	return b, err
}

func postgresJSONBText(b []byte) (string, error) {
	if len(b) == 0 || b[0] != 1 {
		return "", errPostgresValue
	}
	return string(b[1:]), nil
}

// postgresSpecial has the special values of numeric, by their sign in binary form.
var postgresSpecial = map[int]string{0xc000: "NaN", 0xd000: "Infinity", 0xf000: "-Infinity"}

// postgresNumericText returns the text of a number, which has digits of base 10,000.
func postgresNumericText(b []byte) (string, error) {
	f := newPostgresFields(b)
	n, weight, sign, scale := f.int16(), f.int16(), f.int16()&0xffff, f.int16()
	if special := postgresSpecial[sign]; special != "" {
		return special, f.err()
	}
	if f.bad || n < 0 || n*2 != len(f.rest) || scale < 0 || sign != 0 && sign != 0x4000 {
		return "", errPostgresValue
	}
	var whole, fraction strings.Builder
	for zeros := -1 - weight; n > 0 && zeros > 0 && fraction.Len() < scale; zeros-- {
		fraction.WriteString("0000")
	}
	for i := 0; i < n || weight >= 0; i++ {
		digit := 0
		if i < n {
			digit = f.int16()
		}
		if digit < 0 || digit > 9999 {
			return "", errPostgresValue
		}
		if weight >= 0 {
			fmt.Fprintf(&whole, "%04d", digit)
		} else {
			fmt.Fprintf(&fraction, "%04d", digit)
		}
		weight--
	}
	text := strings.TrimLeft(whole.String(), "0")
	if text == "" {
		text = "0"
	}
	if scale > 0 {
		digits := fraction.String() + strings.Repeat("0", scale)
		text += "." + digits[:scale]
	}
	if sign == 0x4000 {
		text = "-" + text
	}
	return text, nil
}

// postgresNumeric returns the binary form of a number from its text, which is a decimal number without an exponent, or
// one of the special values. It returns an error for other texts, and for texts of more than 100,000 bytes.
func postgresNumeric(text string) ([]byte, error) {
	for sign, special := range postgresSpecial {
		if text == special {
			return appendPostgres(nil, 0, int16(0), int16(0), int16(sign), int16(0))[5:], nil
		}
	}
	if _, ok := new(big.Rat).SetString(text); !ok || strings.Trim(text, "-0123456789.") != "" || len(text) > 100_000 {
		return nil, errPostgresValue
	}
	sign := 0
	if strings.HasPrefix(text, "-") {
		sign, text = 0x4000, text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	scale := len(fraction)
	whole = strings.Repeat("0", (4-len(whole)%4)%4) + whole
	fraction += strings.Repeat("0", (4-len(fraction)%4)%4)
	weight, digits := len(whole)/4-1, whole+fraction
	for strings.HasPrefix(digits, "0000") {
		digits, weight = digits[4:], weight-1
	}
	for strings.HasSuffix(digits, "0000") {
		digits = digits[:len(digits)-4]
	}
	if digits == "" {
		weight = 0
	}
	fields := []any{int16(len(digits) / 4), int16(weight), int16(sign), int16(scale)}
	for ; digits != ""; digits = digits[4:] {
		digit, _ := strconv.Atoi(digits[:4])
		fields = append(fields, int16(digit))
	}
	return appendPostgres(nil, 0, fields...)[5:], nil
}
